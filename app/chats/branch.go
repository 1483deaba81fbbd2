package chats

import (
	"context"
	"fmt"
)

// Branch returns a new chat with the turns before a given one, to ask another
// question in its place. The chat itself is not changed. What is tainted stays
// tainted. The branch is saved with its first turn of its own.
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
	c.head.Updated, c.head.SessionAt = from.head.Updated, from.head.SessionAt
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
	sum := usageOfAll(c.Turns)
	c.head.Usage = &sum
	if len(c.Turns) > 0 || from.renamed() {
		c.head.Title = from.head.Title
	}
	// Until the header is written with the first turn, nobody sees these.
	for _, t := range c.Turns {
		values, err := s.turnValues(c.head.ID, t, false)
		if err == nil {
			err = s.bucket.Put(ctx, values)
		}
		if err != nil {
			return nil, fmt.Errorf("copy turn %d of chat %q: %w", t.Number, id, err)
		}
	}
	return c, nil
}

// renamed reports whether the title is no longer the first question.
func (c *Chat) renamed() bool {
	return len(c.Turns) > 0 && c.head.Title != titleOf(c.Turns[0].Question)
}
