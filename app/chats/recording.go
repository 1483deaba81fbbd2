package chats

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"bowerbird/app/agent"
	"bowerbird/llm"
)

// saveEvery is the least time between two saves of a turn that streams. Each save writes
// the whole turn: it is one sealed record, and at most a few of its events are urgent.
const saveEvery = time.Second

// Record passes on the events of a turn that runs on the chat's Conversation, and saves the
// turn: at once; then at most once a second, but always before an approval is waited for,
// and before and after a call that does more than read; and at the end, even if the caller
// breaks out of the loop or ctx ends. An error of saving does not stop the turn, except
// that a call which does more than read is not made if that could not be saved before; see
// Err.
func (c *Chat) Record(ctx context.Context, t agent.Turn, model string, events iter.Seq[agent.Event]) iter.Seq[agent.Event] {
	return c.record(ctx, func() *recording { return c.begin(t, model) }, events)
}

func (c *Chat) record(ctx context.Context, begin func() *recording, events iter.Seq[agent.Event]) iter.Seq[agent.Event] {
	return func(yield func(agent.Event) bool) {
		closing := func() bool { return errors.Is(context.Cause(ctx), ErrClosing) }
		// The turn is saved whatever ended it.
		kept := context.WithoutCancel(ctx)
		r := begin()
		r.save(kept)
		defer func() {
			r.end(closing())
			r.save(kept)
		}()
		var unsaved *agent.Event
		for e := range events {
			if closing() && !r.started() {
				r.freeze()
			}
			r.take(kept, e)
			if e.Type == agent.EventToolStarted && c.err != nil {
				unsaved = &e
				break
			}
			if !yield(e) {
				return
			}
		}
		if unsaved != nil {
			r.refuse(kept, *unsaved, yield)
		}
	}
}

// refuse ends a turn whose call was not made, because its start could not be saved.
func (r *recording) refuse(ctx context.Context, started agent.Event, yield func(agent.Event) bool) {
	r.turn.Events = r.turn.Events[:len(r.turn.Events)-1]
	for _, e := range []agent.Event{
		{Type: agent.EventError, Err: &llm.Error{
			Kind: llm.KindAPI, Message: started.Name + " was not run, since it could not be saved that it runs: " + r.chat.err.Error(),
		}},
		{Type: agent.EventFinish, Finish: agent.FinishError},
	} {
		e.Turn, e.Step = started.Turn, started.Step
		r.take(ctx, e)
		if !yield(e) {
			return
		}
	}
}

// recording is a turn that is being saved.
type recording struct {
	chat  *Chat
	turn  *Turn
	first int   // the index of the turn's first message
	state State // the turn's state if it ends now
	saved time.Time
	parts int // written by the last save

	place  place
	frozen *cutTurn // the turn when the program began to close
}

// place is a point between two events at which the turn can be taken up again.
type place struct {
	events   int
	messages int // of the conversation
	last     llm.Message
	ending   ending
}

// ending is whether the model's last answer was completed, and why it ended.
type ending struct {
	whole bool
	why   string
}

func endingOf(c *agent.Conversation) ending { return ending{c.Whole, c.Ended} }

// cutTurn is a turn as it was when it was interrupted.
type cutTurn struct {
	events   []agent.Event
	messages []llm.Message // as they were, not settled
	last     ending
	parts    int
}

func (c *Chat) begin(t agent.Turn, model string) *recording {
	c.conversation.Settle()
	c.conversation.Whole, c.conversation.Ended = false, ""
	number := 1
	if n := len(c.Turns); n > 0 {
		number = c.Turns[n-1].Number + 1
	}
	// A turn that cannot be read keeps its number.
	number = max(number, c.head.Turns+1)
	now := c.store.opt.Now()
	if c.head.Title == "" {
		c.head.Title = titleOf(t.Question)
	}
	if number == 1 && c.head.Branch == nil {
		c.head.Reader = c.Reader
	}
	c.head.Turns = number
	c.spent = c.head.Usage
	c.Turns = append(c.Turns, Turn{ID: t.ID, Number: number, Question: t.Question, Asked: now, Model: model, Scope: c.Scope, State: Running})
	return c.recording(&c.Turns[len(c.Turns)-1], len(c.conversation.Messages))
}

func (c *Chat) recording(t *Turn, first int) *recording {
	r := &recording{chat: c, turn: t, first: first, state: Cancelled}
	r.mark()
	return r
}

// take adds an event, and saves if it is time to.
func (r *recording) take(ctx context.Context, e agent.Event) {
	if e.Type == agent.EventProgress {
		return // only of use while the call runs
	}
	urgent := r.started()
	r.turn.Events = appendEvent(r.turn.Events, e)
	if _, shows := agent.Shown(e.Result); shows && e.Type == agent.EventToolResult {
		return // the event of what the result shows comes next and belongs to it
	}
	r.mark()
	r.turn.State = Running
	switch e.Type {
	case agent.EventFinish:
		switch e.Finish {
		case agent.FinishCancelled:
			r.state = Cancelled
		case agent.FinishError:
			r.state = Failed
		default:
			r.state = Done
		}
		return // the end saves
	case agent.EventApproval:
		r.turn.State = Waiting
		urgent = true // a person may take long
	case agent.EventToolStarted:
		urgent = true
	case agent.EventUsage:
		urgent = len(r.place.last.Calls) > 0 && r.place.ending.whole // they may take long
	}
	if r.frozen != nil {
		return
	}
	if urgent || r.chat.store.opt.Now().Sub(r.saved) >= saveEvery {
		r.save(ctx)
	}
}

// started reports whether a call that does more than read is running, so that its result
// comes next.
func (r *recording) started() bool {
	n := len(r.turn.Events)
	return n > 0 && r.turn.Events[n-1].Type == agent.EventToolStarted
}

// mark records where the turn is.
func (r *recording) mark() {
	c := &r.chat.conversation
	r.place = place{events: len(r.turn.Events), messages: len(c.Messages), ending: endingOf(c)}
	if n := len(c.Messages); n > r.first {
		r.place.last = c.Messages[n-1]
	}
}

// freeze keeps the turn as it was at the last mark: what comes now only comes from the
// program's end, and would prevent taking the turn up.
func (r *recording) freeze() {
	if r.frozen != nil {
		return
	}
	f := &cutTurn{events: slices.Clone(r.turn.Events[:min(r.place.events, len(r.turn.Events))]), last: r.place.ending}
	if all, n := r.chat.conversation.Messages, r.place.messages-1; n >= r.first && n <= len(all) {
		f.messages = append(slices.Clone(all[r.first:n]), r.place.last)
	}
	r.frozen = f
}

// end sets how the turn ended.
func (r *recording) end(closing bool) {
	r.turn.State = r.state
	if !closing || r.state != Cancelled {
		r.frozen = nil
		return
	}
	r.freeze()
	r.turn.Events = r.frozen.events
	r.turn.State = Interrupted
	if n := len(r.turn.Events); n > 0 && r.turn.Events[n-1].Type == agent.EventApproval {
		r.turn.State = Waiting // for an approval that nobody answered
	}
}

// save writes the turn and the header together.
func (r *recording) save(ctx context.Context) {
	c := r.chat
	r.saved = c.store.opt.Now()
	c.head.Updated = r.saved
	c.head.Tainted = c.head.Tainted || c.conversation.Tainted()
	c.head.LeftOut, c.head.Bare = c.conversation.LeftOut, c.conversation.Bare
	c.head.State, c.head.Wordless, c.head.Left = r.turn.State, r.turn.wordless(), false
	c.head.Answer = opening(r.turn.Answer())
	r.turn.Usage = usageOf(r.turn.Model, r.turn.Events)
	spent := c.spent.plus(r.turn.Usage)
	c.head.Usage = spent
	last := endingOf(&c.conversation)
	r.turn.messages = slices.Clone(c.conversation.Messages[min(r.first, len(c.conversation.Messages)):])
	if r.frozen != nil && r.turn.State != Running {
		r.turn.messages, last = r.frozen.messages, r.frozen.last
	}
	values, err := c.store.turnValues(c.head.ID, *r.turn, last)
	if err == nil {
		parts := len(values)
		for i := parts; i < r.parts; i++ {
			values[partKey(c.head.ID, r.turn.Number, i)] = nil
		}
		r.parts = parts
		err = c.put(ctx, values)
	}
	if c.err = err; err != nil {
		c.err = fmt.Errorf("save turn %d of chat %q: %w", r.turn.Number, c.head.ID, err)
	}
}

// cutOff reports whether a turn loaded in this state was interrupted, and can be taken up
// again.
func cutOff(s State) bool { return s == Running || s == Interrupted || s == Waiting }

// CutOff reports whether the last turn was interrupted by the end of the program and can be
// taken up again, unless it is running right now.
func (i Info) CutOff() bool { return i.Turns > 0 && cutOff(i.State) }

// leaveBehind gives up interrupted turns after which the chat continued.
func (c *Chat) leaveBehind() {
	for i := range c.Turns {
		t := &c.Turns[i]
		if last := t.Number == c.head.Turns; last || t.cut == nil {
			continue
		}
		t.cut = nil
		if t.State == Waiting {
			t.State = Interrupted
		}
	}
}

// Reopen restores the last turn in the conversation as it was when it was interrupted, and
// returns what agent.Resume needs. RecordRest saves what follows.
func (c *Chat) Reopen() (Turn, agent.Cut, error) {
	n := len(c.Turns)
	if n == 0 || c.Turns[n-1].cut == nil || c.Turns[n-1].Number != c.head.Turns {
		return Turn{}, agent.Cut{}, fmt.Errorf("chat %q: its last turn was not cut off", c.head.ID)
	}
	t := &c.Turns[n-1]
	first := len(c.conversation.Messages) - len(t.messages)
	t.messages = t.cut.messages
	// How it failed or ended is no longer true.
	t.Events = slices.DeleteFunc(slices.Clone(t.cut.events), func(e agent.Event) bool {
		return e.Type == agent.EventError || e.Type == agent.EventFinish
	})
	c.conversation.Messages = append(slices.Clone(c.conversation.Messages[:first]), t.cut.messages...)
	c.conversation.Whole, c.conversation.Ended = t.cut.last.whole, t.cut.last.why
	return *t, agent.Cut{Events: slices.Clone(t.Events), First: first}, nil
}

// RecordRest passes on the events of the turn that Reopen returned, as it continues, and
// saves the turn as Record does. model is the one that continues it.
func (c *Chat) RecordRest(ctx context.Context, model string, cut agent.Cut, events iter.Seq[agent.Event]) iter.Seq[agent.Event] {
	return c.record(ctx, func() *recording {
		last := len(c.Turns) - 1
		c.spent = usageOfAll(c.Turns[:last])
		t := &c.Turns[last]
		t.Model, t.State = model, Running
		r := c.recording(t, cut.First)
		r.parts = t.cut.parts
		t.cut = nil
		return r
	}, events)
}
