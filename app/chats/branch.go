package chats

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bowerbird/app/agent"
)

// Branch returns a new chat with the turns before a given one, to ask another question in
// its place. The chat itself is not changed; taint is inherited. The branch is listed once
// its first own turn is saved.
func (s *Store) Branch(ctx context.Context, id string, turn int) (*Chat, error) {
	from, err := s.Load(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("branch: %w", err)
	}
	if turn < 1 || turn > from.head.Turns {
		return nil, fmt.Errorf("branch chat %q: it has no turn %d, only 1 to %d", id, turn, from.head.Turns)
	}
	c, err := s.New(from.head.Session)
	if err != nil {
		return nil, err
	}
	c.head.Branch = &Origin{Chat: id, Turn: turn}
	c.head.Reader = from.head.Reader
	c.head.Updated = from.head.Updated
	if from.conversation.Tainted() {
		c.conversation.Taint()
	}
	for _, t := range from.Turns {
		if t.Number >= turn {
			break
		}
		t.Number = len(c.Turns) + 1
		c.Turns = append(c.Turns, t)
		c.conversation.Messages = append(c.conversation.Messages, t.messages...)
	}
	c.conversation.LeftOut = min(from.conversation.LeftOut, len(c.conversation.Messages))
	c.conversation.Bare = min(from.conversation.Bare, len(c.conversation.Messages))
	c.head.Turns = len(c.Turns)
	c.head.Usage = usageOfAll(c.Turns)
	if len(c.Turns) > 0 || from.renamed() {
		c.head.Title = from.head.Title
	}
	// Until the header is written with the first turn, nobody sees these.
	for _, t := range c.Turns {
		values, err := s.turnValues(c.head.ID, t, ending{})
		if err == nil {
			err = s.bucket.Put(ctx, values)
		}
		if err != nil {
			return nil, fmt.Errorf("copy turn %d of chat %q: %w", t.Number, id, err)
		}
	}
	return c, nil
}

// Instead returns a chat in which to ask a question in place of a turn: a Branch, unless
// that turn is the last one and ended without a word of an answer (Info.Wordless). Nobody
// wants such an attempt back, so that the question then takes its place in the chat itself,
// as soon as it is saved.
func (s *Store) Instead(ctx context.Context, id string, turn int) (*Chat, error) {
	c, err := s.Load(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("ask in the place of a turn: %w", err)
	}
	last := len(c.Turns) - 1
	if last < 0 || turn != c.head.Turns || c.Turns[last].Number != turn || !c.Turns[last].wordless() {
		return s.Branch(ctx, id, turn)
	}
	if turn == 1 && !c.renamed() {
		c.head.Title = ""
	}
	messages := len(c.conversation.Messages) - len(c.Turns[last].messages)
	c.conversation.Messages = c.conversation.Messages[:messages]
	c.conversation.LeftOut, c.conversation.Bare = min(c.conversation.LeftOut, messages), min(c.conversation.Bare, messages)
	c.Turns, c.head.Turns = c.Turns[:last], turn-1
	c.head.Usage = usageOfAll(c.Turns)
	return c, nil
}

// wordless reports whether the turn failed or was stopped before it said, showed or did
// anything but read.
func (t *Turn) wordless() bool {
	if t.State != Failed && t.State != Cancelled {
		return false
	}
	return !slices.ContainsFunc(t.Events, func(e agent.Event) bool {
		switch e.Type {
		case agent.EventText, agent.EventRefusal:
			return strings.TrimSpace(e.Delta) != ""
		case agent.EventPresentNotes, agent.EventTable, agent.EventChart, agent.EventApproval, agent.EventToolStarted:
			return true
		}
		return false
	})
}

// renamed reports whether the title is no longer the first question.
func (c *Chat) renamed() bool {
	return len(c.Turns) > 0 && c.head.Title != titleOf(c.Turns[0].Question)
}
