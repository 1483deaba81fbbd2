package chats

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/llm"
	"bowerbird/ndb"
)

// State is how far a turn came.
type State string

// The states. A turn that is read back as running was cut off: the program ended
// under it.
const (
	Running State = "running"
	// Waiting for the user's approval of a call, also while the program does not run.
	Waiting     State = "waiting"
	Done        State = "done"
	Cancelled   State = "cancelled"
	Failed      State = "failed"
	Interrupted State = "interrupted"
)

// Turn is a saved turn.
type Turn struct {
	ID       string
	Number   int // from 1
	Question string
	Asked    time.Time
	Model    string // "provider:name"
	Scope    Scope
	State    State
	Usage    Usage // of its model calls
	// Events redraw the turn: its texts in one piece a step, calls, and what was
	// shown. Large results of tools are left out, and what was taken back.
	Events []agent.Event

	messages []llm.Message
}

// Scope is whose notes a question was about, so that it can be asked again. The zero
// value is the people followed.
type Scope struct {
	Everyone bool   `json:"everyone,omitempty"`
	Thread   string `json:"thread,omitempty"` // a note of the thread, as hex
	Person   string `json:"person,omitempty"` // a key, as hex
}

// Chat is a loaded chat. It is used by one goroutine at a time.
type Chat struct {
	Turns   []Turn
	Damaged []error // a *DamagedError or *NewerError for each turn left out
	Scope   Scope   // of the turn that Record saves next
	Reader  string  // who the user is, kept with the first turn: see Info

	store        *Store
	head         header
	spent        Usage  // by the turns before the one that is recorded
	title        string // as it was read or written last
	conversation agent.Conversation
	err          error
}

// Info returns what lists show of the chat.
func (c *Chat) Info() Info {
	i := c.head.info()
	i.Tainted = i.Tainted || c.conversation.Tainted()
	return i
}

// Conversation returns what the agent goes on with; the chat keeps it.
func (c *Chat) Conversation() *agent.Conversation { return &c.conversation }

// Err returns the last error of saving, or nil when the last save went well.
func (c *Chat) Err() error { return c.err }

// ErrClosing as the cause that ends a turn's context (context.WithCancelCause)
// says that the program ends: the turn is kept as interrupted, not as stopped.
var ErrClosing = errors.New("the program is closing")

// saveEvery is the least time between two saves of a turn that streams.
const saveEvery = time.Second

// Record passes on the events of a turn that runs on the chat's Conversation, and
// saves the turn: at once, at most once a second, before an approval, and at the
// end, also when the caller leaves the loop or ctx ends. An error of saving does
// not stop the turn; see Err.
func (c *Chat) Record(ctx context.Context, t agent.Turn, model string, events iter.Seq[agent.Event]) iter.Seq[agent.Event] {
	return func(yield func(agent.Event) bool) {
		cut := ctx
		// What was said is kept, whatever ends the turn.
		ctx := context.WithoutCancel(ctx)
		r := c.begin(t, model)
		r.save(ctx)
		defer func() {
			r.turn.State = r.state
			if r.state == Cancelled && errors.Is(context.Cause(cut), ErrClosing) {
				r.turn.State = Interrupted
			}
			r.save(ctx)
		}()
		for e := range events {
			r.take(ctx, e)
			if !yield(e) {
				return
			}
		}
	}
}

// recording is a turn that is being saved.
type recording struct {
	chat  *Chat
	turn  *Turn
	first int   // where the turn starts in the conversation
	state State // what the turn will be if it ends now
	saved time.Time
	parts int // how many the last save wrote
}

func (c *Chat) begin(t agent.Turn, model string) *recording {
	c.conversation.Settle()
	number := 1
	if n := len(c.Turns); n > 0 {
		number = c.Turns[n-1].Number + 1
	}
	// A turn that could not be read keeps its place.
	number = max(number, c.head.Turns+1)
	now := c.store.opt.Now()
	if c.head.Title == "" {
		c.head.Title = titleOf(t.Question)
	}
	if number == 1 && c.head.Branch == nil {
		c.head.Reader = c.Reader
	}
	c.head.Turns = number
	if c.head.Usage != nil {
		c.spent = *c.head.Usage
	}
	c.Turns = append(c.Turns, Turn{ID: t.ID, Number: number, Question: t.Question, Asked: now, Model: model, Scope: c.Scope, State: Running})
	return &recording{chat: c, turn: &c.Turns[len(c.Turns)-1], first: len(c.conversation.Messages), state: Cancelled}
}

// titleOf is the title of a chat that begins with a question.
func titleOf(question string) string { return ndb.CleanLine(question, 80) }

// take adds an event, and saves when it is time to.
func (r *recording) take(ctx context.Context, e agent.Event) {
	r.turn.Events = appendEvent(r.turn.Events, e)
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
		r.save(ctx) // a person may take long
		return
	}
	if r.chat.store.opt.Now().Sub(r.saved) >= saveEvery {
		r.save(ctx)
	}
}

// save writes the turn and the header together.
func (r *recording) save(ctx context.Context) {
	c := r.chat
	r.saved = c.store.opt.Now()
	c.head.Updated = r.saved
	c.head.Tainted = c.head.Tainted || c.conversation.Tainted()
	c.head.LeftOut, c.head.Bare = c.conversation.LeftOut, c.conversation.Bare
	c.head.State, c.head.Left = r.turn.State, false
	r.turn.Usage = usageOf(r.turn.Model, r.turn.Events)
	spent := c.spent.plus(r.turn.Usage)
	c.head.Usage = &spent
	r.turn.messages = slices.Clone(c.conversation.Messages[min(r.first, len(c.conversation.Messages)):])
	values, err := c.store.turnValues(c.head.ID, *r.turn)
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

// put writes values and the header together. Another name that the chat was given
// since, and that it was deleted, is kept.
func (c *Chat) put(ctx context.Context, values map[string][]byte) error {
	c.store.headers.Lock()
	defer c.store.headers.Unlock()
	if now, err := c.store.header(ctx, c.head.ID); err == nil {
		c.head.Deleted = now.Deleted
		if now.Title != c.title {
			c.head.Title = now.Title
		}
	}
	raw, err := c.store.encodeHeader(c.head)
	if err != nil {
		return err
	}
	maps.Copy(values, map[string][]byte{headerKey(c.head.ID): raw})
	if err := c.store.bucket.Put(ctx, values); err != nil {
		return err
	}
	c.title = c.head.Title
	return nil
}

// turnValues makes the values that a turn is written as.
func (s *Store) turnValues(id string, t Turn) (map[string][]byte, error) {
	record := turnRecord{
		Version: version, ID: t.ID, Question: t.Question, Asked: t.Asked, Model: t.Model,
		Scope: t.Scope, State: t.State, Usage: &t.Usage, Events: slices.Clone(t.Events), Messages: ownJSON(t.messages),
	}
	redactJSON(record.Messages, s.opt.Redactor)
	cutTexts(&record, maxText)
	raw, err := s.encodeTurn(&record)
	for _, slim := range slimming() {
		if err != nil || len(raw) <= maxTurn {
			break
		}
		slim(&record)
		raw, err = s.encodeTurn(&record)
	}
	if err != nil {
		return nil, err
	}
	if len(raw) > maxTurn {
		return nil, fmt.Errorf("it has %d bytes, and %d are the most", len(raw), maxTurn)
	}
	return split(id, t.Number, raw)
}
