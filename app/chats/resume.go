package chats

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"bowerbird/app/agent"
)

// cutOff reports whether a turn that is read back so was cut off by the end of the
// program, and can be taken up again.
func cutOff(s State) bool { return s == Running || s == Interrupted || s == Waiting }

// CutOff reports whether the last turn was cut off by the end of the program, so that
// it can be taken up again, unless it runs right now.
func (i Info) CutOff() bool { return i.Turns > 0 && cutOff(i.State) }

// leaveBehind makes of turns that were cut off, and behind which the chat went on, such
// as nobody waits for.
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

// Reopen puts the last turn back into the conversation as it was when it was cut off,
// and returns what agent.Resume needs to take it up. RecordRest saves what comes then.
func (c *Chat) Reopen() (Turn, agent.Cut, error) {
	n := len(c.Turns)
	if n == 0 || c.Turns[n-1].cut == nil || c.Turns[n-1].Number != c.head.Turns {
		return Turn{}, agent.Cut{}, fmt.Errorf("chat %q: its last turn was not cut off", c.head.ID)
	}
	t := &c.Turns[n-1]
	first := len(c.conversation.Messages) - len(t.messages)
	t.messages = t.cut.messages
	// How it failed or ended no longer holds.
	t.Events = slices.DeleteFunc(slices.Clone(t.cut.events), func(e agent.Event) bool {
		return e.Type == agent.EventError || e.Type == agent.EventFinish
	})
	c.conversation.Messages = append(slices.Clone(c.conversation.Messages[:first]), t.cut.messages...)
	c.conversation.Whole, c.conversation.Ended = t.cut.last.whole, t.cut.last.why
	return *t, agent.Cut{Events: slices.Clone(t.Events), First: first}, nil
}

// RecordRest passes on the events of the turn that Reopen gave back, as it goes on, and
// saves the turn as Record does. Model is who goes on with it.
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
