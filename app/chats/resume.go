package chats

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"bowerbird/app/agent"
)

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
