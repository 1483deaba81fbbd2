package chats_test

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/agent/agenttest"
	"bowerbird/app/chats"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/tools"
)

// ending is a way in which a turn is cut off at an event.
type ending string

const (
	stopped ending = "stopped" // by the user: its context ends
	closed  ending = "closed"  // by the program's end: its context ends for that cause
	left    ending = "left"    // who reads its events leaves
	killed  ending = "killed"  // nothing is saved any more
)

// Issue 5, "cancel at any moment (test: at every event of every fixture) leaves a state
// that can go on", and row 002-49: the chat that is read back
// from the store holds what was said, says how the turn ended, and takes the next
// question, whichever event the turn was cut off at, and however. Where the program's end
// cut it off, the turn can be taken up as well, and comes to its end.
func TestASavedChatGoesOnAfterACutAtEveryEventOfEveryFixture(t *testing.T) {
	all := testkit.RecordedReplies(t, filepath.Join("..", "..", "llm", "testdata", "streams"))
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if testing.Short() && i%6 != 0 {
			continue // what is cut off is the same code for all
		}
		first := all[name]
		t.Run(name, func(t *testing.T) {
			k := newKit(t)
			total := len(playCut(t, k, first, "", -1).events)
			for _, how := range []ending{stopped, closed, left, killed} {
				every := 1
				if testing.Short() {
					every = total/2 + 1
				}
				for at := 0; at < total; at += every {
					cut := playCut(t, k, first, how, at)
					cut.check(t, k)
				}
			}
		})
	}
}

// cutTurn is what became of a turn that was cut off.
type cutTurn struct {
	how    ending
	at     int
	events []agent.Event // up to the cut, or all of them
	chat   *chats.Chat   // as the program's next start finds it
	again  *chats.Chat   // the same once more
	live   *chats.Chat
}

// playCut plays a turn and cuts it off at an event (-1: never).
func playCut(t *testing.T, k *kit, first testkit.Reply, how ending, at int) cutTurn {
	t.Helper()
	s := testkit.NewModelServer(t, first, fine(), fine(), fine(), fine())
	defer func() {
		s.CloseClientConnections()
		s.Close()
	}()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	c := k.new(t)
	turn := k.turn("What is new?")
	out := cutTurn{how: how, at: at, live: c}
	for e := range c.Record(ctx, turn, "custom:m", newAgent(t, overHTTP(t, s)).Run(ctx, c.Conversation(), turn)) {
		out.events = append(out.events, e)
		if len(out.events)-1 != at {
			k.now = k.now.Add(2 * time.Second) // each event is saved, but not the one that is cut off at
			continue
		}
		switch how {
		case stopped:
			cancel(nil)
		case closed:
			cancel(chats.ErrClosing)
		case killed:
			out.chat, out.again = k.load(t, c.Info().ID), k.load(t, c.Info().ID)
		}
		if how == left || how == killed {
			break
		}
	}
	if err := c.Err(); err != nil {
		t.Fatal(err)
	}
	if out.chat == nil {
		out.chat, out.again = k.load(t, c.Info().ID), k.load(t, c.Info().ID)
	}
	return out
}

// check fails when the saved chat is not one that goes on.
func (c cutTurn) check(t *testing.T, k *kit) {
	t.Helper()
	ended := slices.ContainsFunc(c.events[c.at:], func(e agent.Event) bool {
		return e.Type == agent.EventFinish && e.Finish != agent.FinishCancelled
	})
	want := map[ending]chats.State{stopped: chats.Cancelled, closed: chats.Interrupted, left: chats.Cancelled, killed: chats.Interrupted}[c.how]
	if len(c.chat.Turns) != 1 || len(c.chat.Damaged) > 0 {
		t.Fatalf("%s at %d: %d turns, %v", c.how, c.at, len(c.chat.Turns), c.chat.Damaged)
	}
	if state := c.chat.Turns[0].State; state != want && !(ended && (state == chats.Done || state == chats.Failed)) {
		t.Errorf("%s at event %d (%s): the turn is %q, want %q", c.how, c.at, c.events[c.at].Type, state, want)
	}
	if c.how != killed {
		// What a closing program makes of the turn is not kept, so that it can be taken up.
		if was, is := messages(t, c.live), messages(t, c.chat); was != is && c.how != closed {
			t.Errorf("%s at event %d: it is read back as\n%s\nand was\n%s", c.how, c.at, is, was)
		}
		if said := saidUpTo(c.events, c.at); !strings.Contains(c.chat.Turns[0].Answer(), said) {
			t.Errorf("%s at event %d: said was %q, kept is %q", c.how, c.at, said, c.chat.Turns[0].Answer())
		}
	}
	if c.chat.Info().CutOff() && c.at%3 == 0 {
		c.takenUp(t)
	}
	c.goesOn(t, k)
}

// takenUp takes up the turn where it was cut off.
func (c cutTurn) takenUp(t *testing.T) {
	t.Helper()
	s := testkit.NewModelServer(t, fine(), fine(), fine())
	defer func() {
		s.CloseClientConnections()
		s.Close()
	}()
	was, cut, err := c.again.Reopen()
	if err != nil {
		t.Fatalf("%s at event %d: %v", c.how, c.at, err)
	}
	turn := agent.Turn{ID: was.ID, Question: was.Question, Env: &tools.Env{Now: func() time.Time { return was.Asked }, Zone: time.UTC}}
	a := newAgent(t, overHTTP(t, s))
	r := agenttest.Collect(c.again.RecordRest(t.Context(), "custom:m", cut, a.Resume(t.Context(), c.again.Conversation(), turn, cut)))
	now := c.again.Turns[0]
	if r.Err != nil || c.again.Err() != nil || now.State != chats.Done {
		t.Errorf("%s at event %d: taken up, the turn is %s: %v, %v", c.how, c.at, now.State, r.Err, c.again.Err())
	}
	if len(s.Received()) > 0 && !strings.HasSuffix(now.Answer(), "fine") {
		t.Errorf("%s at event %d: taken up, it says %q", c.how, c.at, now.Answer())
	}
	results := map[string]int{}
	for _, e := range now.Events {
		key := fmt.Sprint(e.Step, " ", e.ID)
		switch e.Type {
		case agent.EventToolCall:
			results[key]--
		case agent.EventToolResult:
			results[key]++
		}
	}
	for call, n := range results {
		if n != 0 {
			t.Errorf("%s at event %d: taken up, call %s has %d results too many", c.how, c.at, call, n)
		}
	}
}

// goesOn asks the next question of the chat, as it was read back.
func (c cutTurn) goesOn(t *testing.T, k *kit) {
	t.Helper()
	s := testkit.NewModelServer(t, fine())
	defer func() {
		s.CloseClientConnections()
		s.Close()
	}()
	turn := k.turn("And since?")
	talk := c.chat.Conversation()
	r := agenttest.Collect(c.chat.Record(t.Context(), turn, "custom:m", newAgent(t, overHTTP(t, s)).Run(t.Context(), talk, turn)))
	if r.Text != "fine" || r.Err != nil || c.chat.Err() != nil {
		t.Fatalf("%s at event %d: the next turn is %q, %v, %v", c.how, c.at, r.Text, r.Err, c.chat.Err())
	}
	var open []string
	for i, m := range talk.Messages {
		switch {
		case m.Role == llm.ToolRole && (len(open) == 0 || open[0] != m.CallID):
			t.Fatalf("%s at event %d: message %d answers %q, open are %q", c.how, c.at, i, m.CallID, open)
		case m.Role == llm.ToolRole:
			open = open[1:]
		case len(open) > 0:
			t.Fatalf("%s at event %d: message %d comes before the results of %q", c.how, c.at, i, open)
		}
		for _, call := range m.Calls {
			open = append(open, call.ID)
		}
	}
	if again := k.load(t, c.chat.Info().ID); len(again.Turns) != 2 || again.Turns[1].State != chats.Done {
		t.Fatalf("%s at event %d: %d turns are read back after going on", c.how, c.at, len(again.Turns))
	}
}

// saidUpTo is the text of the step of an event, up to the event.
func saidUpTo(events []agent.Event, at int) string {
	said := ""
	for _, e := range events[:at+1] {
		switch {
		case e.Step != events[at].Step:
		case e.Type == agent.EventText:
			said += e.Delta
		case e.Type == agent.EventRetrying:
			said = ""
		}
	}
	return strings.TrimSpace(said)
}
