package chats_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/llm"
	"bowerbird/tools"
)

// world is all that outlives the program: the store of chats, what the tools have done
// to the world, and the user.
type world struct {
	*kit
	lag       bool // the clock stands still, so that only what must be saved at once is
	published int
	inside    func() // called while a note is being published

	// A turn that is cut off does not wait for who was asked.
	mu    sync.Mutex
	asked []agent.Preview
}

// Approve grants what it is shown.
func (w *world) Approve(_ context.Context, p agent.Preview) (agent.Approval, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, p)
	return agent.Approval{Granted: true, Hash: p.Hash()}, nil
}

// shown returns what the user was asked for.
func (w *world) shown() []agent.Preview {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.asked)
}

func (w *world) tools() []tools.Tool {
	type search struct {
		Search string `json:"search"`
	}
	type content struct {
		Content string `json:"content"`
	}
	return []tools.Tool{
		tools.New("look", "looks", tools.None, func(_ context.Context, _ *tools.Env, s search) (tools.CountResult, error) {
			return tools.CountResult{Count: len(s.Search)}, nil
		}),
		tools.New("publish_note", "publishes", tools.Publishes, func(_ context.Context, _ *tools.Env, c content) (tools.CountResult, error) {
			w.published++
			if w.inside != nil {
				w.inside()
			}
			return tools.CountResult{Count: len(c.Content)}, nil
		}),
		presents(),
	}
}

// planned is a model that answers by how far the turn is: it looks at two things, shows
// a note, publishes one, and says so.
type planned struct{}

func (planned) Info() llm.Info { return llm.Info{Provider: "test", Name: "m"} }

func (planned) Stream(ctx context.Context, req *llm.Request) iter.Seq2[llm.Event, error] {
	step := 0
	for _, m := range req.Messages {
		switch m.Role {
		case llm.User:
			step = 0
		case llm.Assistant:
			step++
		}
	}
	answers := [][]llm.Event{
		append(text("Let me ", "look."), called("a", "look", `{ "search" : "bridge" }`), called("b", "look", `{"search":"ferry"}`)),
		{called("a", "show", `{}`), called("b", "look", `{"search":"choir"}`)},
		append(text("Now ", "this:"), called("a", "publish_note", `{"content": "good morning"}`), called("b", "look", `{"search":"comet"}`)),
		text("Published, ", "as ^1 ", "asks."),
	}
	return func(yield func(llm.Event, error) bool) {
		for _, e := range append(answers[step], llm.Event{Type: llm.EventUsage, Usage: &llm.Usage{Input: 100, Output: 10, Total: 110}}, llm.Event{Type: llm.EventFinish}) {
			if ctx.Err() != nil {
				yield(llm.Event{}, ctx.Err())
				return
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// agent returns one that follows the plan.
func (w *world) agent(t *testing.T) *agent.Agent {
	t.Helper()
	a, err := agent.New(agent.Options{
		Model: planned{}, Tools: w.tools(), Approver: w,
		Price: func(llm.Usage) (float64, bool) { return 0.25, true },
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// start begins the turn, or, where the chat has one, takes it up.
func (w *world) start(t *testing.T, ctx context.Context, c *chats.Chat, a *agent.Agent) iter.Seq[agent.Event] {
	t.Helper()
	turn := w.turn("Say good morning")
	if len(c.Turns) == 0 {
		return c.Record(ctx, turn, "test:m", a.Run(ctx, c.Conversation(), turn))
	}
	was, cut, err := c.Reopen()
	if err != nil {
		t.Fatal(err)
	}
	if was.ID != turn.ID || was.Question != turn.Question {
		t.Fatalf("taken up is %q, %q", was.ID, was.Question)
	}
	return c.RecordRest(ctx, "test:m", cut, a.Resume(ctx, c.Conversation(), turn, cut))
}

// killedAt plays until an event (-1: to the end), kills the program there, and reports
// the events that came. Nothing is saved by a program that is dead.
func (w *world) killedAt(t *testing.T, c *chats.Chat, at int) (events []agent.Event) {
	t.Helper()
	w.bucket.fail = nil
	for e := range w.start(t, t.Context(), c, w.agent(t)) {
		events = append(events, e)
		if w.bucket.fail != nil { // killed inside a tool
			break
		}
		if len(events)-1 == at {
			w.kill()
			break
		}
		if !w.lag {
			w.now = w.now.Add(2 * time.Second)
		}
	}
	w.bucket.fail = nil
	return events
}

func (w *world) kill() { w.bucket.fail = func(int) error { return errors.New("the program is dead") } }

// check fails unless the turn came to its end as if nothing had happened: but for a note
// of which it is not known whether it was published.
func (w *world) check(t *testing.T, id, name string, unknown bool) {
	t.Helper()
	c := w.load(t, id)
	turn := c.Turns[len(c.Turns)-1]
	if len(c.Turns) != 1 || turn.State != chats.Done || !strings.HasSuffix(turn.Answer(), "Published, as ^1 asks.") {
		t.Fatalf("%s: %d turns; the last one is %s: %q", name, len(c.Turns), turn.State, turn.Answer())
	}
	if w.published > 1 || w.published == 0 && !unknown {
		t.Errorf("%s: published %d times", name, w.published)
	}
	hashes := map[[sha256.Size]byte]bool{}
	for _, p := range w.shown() {
		hashes[p.Hash()] = true
	}
	if len(hashes) != 1 {
		t.Errorf("%s: asked for %d different things: %+v", name, len(hashes), w.shown())
	}
	var got []string
	for _, e := range turn.Events {
		line := fmt.Sprintf("%d %s %s", e.Step, e.Type, e.ID)
		switch {
		case e.Type == agent.EventText:
			line += e.Delta
		case e.Type == agent.EventPresentNotes:
			line += fmt.Sprint(e.Notes.Presented[0].Index)
		case e.Failure != "":
			line += " " + e.Failure[:16]
		}
		got = append(got, line)
	}
	outcome := "3 tool_result a"
	if unknown {
		outcome += " it is not known "
	}
	want := []string{
		"1 text Let me look.", "1 tool_call a", "1 tool_call b", "1 usage ", "1 tool_result a", "1 tool_result b",
		"2 tool_call a", "2 tool_call b", "2 usage ", "2 tool_result a", "2 present_notes 1", "2 tool_result b",
		"3 text Now this:", "3 tool_call a", "3 tool_call b", "3 usage ", "3 approval a", "3 tool_started a", outcome, "3 tool_result b",
		"4 text Published, as ^1 asks.", "4 usage ", "4 checked ", "4 finish ",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s: the turn is\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	var open []string
	for _, m := range c.Conversation().Messages {
		if m.Role == llm.ToolRole {
			if len(open) == 0 || open[0] != m.CallID {
				t.Fatalf("%s: %q is answered, open are %q", name, m.CallID, open)
			}
			open = open[1:]
			continue
		}
		if len(open) > 0 {
			t.Fatalf("%s: %q are not answered", name, open)
		}
		for _, call := range m.Calls {
			open = append(open, call.ID)
		}
	}
	if last := turn.Events[len(turn.Events)-1]; last.Usage == nil || last.Usage.Input < 400 {
		t.Errorf("%s: the end tells %+v", name, last.Usage)
	}
}

// Row 002-49, and issue 5, "a turn killed and reopened resumes": whichever event the
// program dies at, and at whichever event it dies again, the turn comes to its end: each
// call has one result, and a note is published once, as it was approved.
func TestATurnThatIsKilledAtAnyEventComesToItsEnd(t *testing.T) {
	k := newKit(t)
	for _, lag := range []bool{false, true} {
		w := &world{kit: k, lag: lag}
		total := len(w.killedAt(t, w.new(t), -1))
		if total < 25 {
			t.Fatalf("%d events", total)
		}
		for first := range total {
			for second := range total {
				if second > 0 && (first+second)%7 != 0 || testing.Short() && (first+second)%5 != 0 {
					continue
				}
				name := fmt.Sprintf("killed at %d and %d, lag %v", first, second-1, lag)
				w := &world{kit: k, lag: lag}
				c := w.new(t)
				id := c.Info().ID
				w.killedAt(t, c, first)
				c = w.load(t, id)
				if !c.Info().CutOff() {
					t.Fatalf("%s: it is %s", name, c.Info().State)
				}
				if second > 0 { // behind the second-th event; 0: not again
					if rest := w.killedAt(t, c, second-1); rest[len(rest)-1].Type == agent.EventFinish {
						break
					}
					c = w.load(t, id)
				}
				w.killedAt(t, c, -1)
				w.check(t, id, name, w.unknown(t, id))
			}
		}
	}
}

// unknown reports whether the program died between the start and the end of publishing.
func (w *world) unknown(t *testing.T, id string) bool {
	t.Helper()
	for _, e := range w.load(t, id).Turns[0].Events {
		if strings.HasPrefix(e.Failure, "it is not known") {
			return true
		}
	}
	return false
}

// Row 002-49: a program that dies, or is closed, while a note is published does not
// publish it again: nobody knows whether it was, and the model is told so.
func TestWhatHadStartedIsNotDoneAgain(t *testing.T) {
	w := &world{kit: newKit(t)}
	w.inside = w.kill
	c := w.new(t)
	id := c.Info().ID
	w.killedAt(t, c, -1)
	w.inside = nil
	c = w.load(t, id)
	if state := c.Turns[0].State; state != chats.Interrupted {
		t.Errorf("cut off under a tool, the turn is %s", state)
	}
	w.killedAt(t, c, -1)
	w.check(t, id, "killed under the tool", true)
	if w.published != 1 || len(w.shown()) != 1 {
		t.Errorf("published %d times, asked %d times", w.published, len(w.shown()))
	}
	told := false
	for _, m := range w.load(t, id).Conversation().Messages {
		told = told || m.Role == llm.ToolRole && m.Failed && strings.Contains(m.Text, "it is not known whether this took effect")
	}
	if !told {
		t.Error("the model is not told that nobody knows")
	}
}

// Row 002-49: a program that is closed at any event leaves a turn that comes to its end.
func TestATurnThatIsClosedAtAnyEventComesToItsEnd(t *testing.T) {
	k := newKit(t)
	total := len((&world{kit: k}).killedAt(t, k.new(t), -1))
	for at := range total - 1 { // behind the last one it has ended
		w := &world{kit: k}
		c := w.new(t)
		ctx, cancel := context.WithCancelCause(t.Context())
		n := 0
		for range w.start(t, ctx, c, w.agent(t)) {
			if n == at {
				cancel(chats.ErrClosing)
			}
			n++
		}
		cancel(nil)
		id := c.Info().ID
		c = w.load(t, id)
		if c.Info().State == chats.Done { // nothing was left to cut off
			continue
		}
		w.killedAt(t, c, -1)
		turn := w.load(t, id).Turns[0]
		if turn.State != chats.Done || !strings.HasSuffix(turn.Answer(), "Published, as ^1 asks.") || w.published > 1 {
			t.Errorf("closed at %d: the turn is %s, published %d: %q", at, turn.State, w.published, turn.Answer())
		}
		results := map[string]int{}
		for _, e := range turn.Events {
			if e.Type == agent.EventToolResult {
				results[fmt.Sprint(e.Step, e.ID)]++
			}
		}
		if len(results) != 6 {
			t.Errorf("closed at %d: results %v", at, results)
		}
	}
}

// Row 002-49: what cannot be saved before it is done is not done.
func TestWhatCannotBeSavedBeforeIsNotDone(t *testing.T) {
	w := &world{kit: newKit(t)}
	c := w.new(t)
	a, err := agent.New(agent.Options{Model: planned{}, Tools: w.tools(), Approver: w})
	if err != nil {
		t.Fatal(err)
	}
	turn := w.turn("Say good morning")
	var events []agent.Event
	for e := range c.Record(t.Context(), turn, "test:m", a.Run(t.Context(), c.Conversation(), turn)) {
		if e.Type == agent.EventApproval {
			w.bucket.fail = func(int) error { return errors.New("the disk is full") }
		}
		events = append(events, e)
	}
	n := len(events)
	if w.published != 0 || n < 2 || events[n-1].Finish != agent.FinishError || events[n-2].Err == nil ||
		!strings.Contains(events[n-2].Err.Message, "publish_note was not run, since it could not be saved that it runs") {
		t.Errorf("published %d; the last events are %+v", w.published, events[max(n-2, 0):])
	}
	if c.Err() == nil || c.Turns[0].State != chats.Failed {
		t.Errorf("the turn is %s (%v)", c.Turns[0].State, c.Err())
	}
}

// Killed behind the last word of an answer, a turn still knows why that ended.
func TestWhyAnAnswerEndedIsKeptBeforeTheTurnIsOver(t *testing.T) {
	k := newKit(t)
	c := k.new(t)
	m := &model{answers: [][]llm.Event{append(text("half a th"),
		llm.Event{Type: llm.EventUsage, Usage: &llm.Usage{Input: 1}}, llm.Event{Type: llm.EventFinish, Finish: "max_tokens"})}}
	turn := k.turn("One")
	told := false
	for e := range c.Record(t.Context(), turn, "test:m", newAgent(t, m).Run(t.Context(), c.Conversation(), turn)) {
		if k.now = k.now.Add(2 * time.Second); e.Type != agent.EventUsage {
			continue
		}
		told = true
		killed := k.load(t, c.Info().ID)
		if _, _, err := killed.Reopen(); err != nil {
			t.Fatal(err)
		}
		if got := killed.Conversation(); !got.Whole || got.Ended != agent.FinishLength {
			t.Errorf("whole %v, ended by %q", got.Whole, got.Ended)
		}
	}
	if !told {
		t.Error("no cost was told")
	}
}
