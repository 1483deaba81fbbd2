package models

import (
	"context"
	"slices"
	"sync"

	"bowerbird/llm"
)

// SentRequest is one request as it went to a model's server, for the question of a
// chat. Secrets were cut out before it went: its bytes are those of the wire.
type SentRequest struct {
	llm.SentRequest
	llm.Outcome        // zero while the server has not begun to answer
	Turn        string // id of the turn
	Size        int    // of the body, in bytes
	Dropped     bool   // Body is no longer kept, for want of room
}

// Of how much Sent tells: the last turns, and so much of what they sent.
const (
	inspectTurns = 20
	inspectBytes = 8 << 20
)

// inspector remembers what was sent to models lately. It is in memory alone: what
// the user asked is kept in the chats, and nowhere else. The zero value is ready.
type inspector struct {
	mu    sync.Mutex
	turns []inspectedTurn // the oldest first
	bytes int             // of all bodies
}

type inspectedTurn struct {
	chat, turn string
	sent       []SentRequest
}

// inspectedKey is where a context tells the turn that it is of.
type inspectedKey struct{}

// InTurn returns a context whose requests are those of a turn.
func InTurn(ctx context.Context, chat, turn string) context.Context {
	return context.WithValue(ctx, inspectedKey{}, inspectedTurn{chat: chat, turn: turn})
}

// sent is llm.Options.Sent. A request of no turn, a test of a model, is not kept.
func (i *inspector) sent(ctx context.Context, s llm.SentRequest) func(llm.Outcome) {
	of, ok := ctx.Value(inspectedKey{}).(inspectedTurn)
	if !ok {
		return nil
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	turn := i.find(of)
	turn.sent = append(turn.sent, SentRequest{SentRequest: s, Turn: of.turn, Size: len(s.Body)})
	nth := len(turn.sent) - 1
	i.bytes += len(s.Body)
	i.makeRoom()
	return func(o llm.Outcome) {
		i.mu.Lock()
		defer i.mu.Unlock()
		// The turn may have made room for others meanwhile; then this is for nobody.
		if at := i.index(of); at >= 0 && nth < len(i.turns[at].sent) {
			i.turns[at].sent[nth].Outcome = o
		}
	}
}

func (i *inspector) index(of inspectedTurn) int {
	return slices.IndexFunc(i.turns, func(t inspectedTurn) bool { return t.chat == of.chat && t.turn == of.turn })
}

func (i *inspector) find(of inspectedTurn) *inspectedTurn {
	if at := i.index(of); at >= 0 {
		return &i.turns[at]
	}
	if len(i.turns) == inspectTurns {
		for _, s := range i.turns[0].sent {
			i.bytes -= len(s.Body)
		}
		i.turns = slices.Delete(i.turns, 0, 1)
	}
	i.turns = append(i.turns, of)
	return &i.turns[len(i.turns)-1]
}

// makeRoom lets go of the oldest bodies until the rest fits. That a request was sent,
// and how large it was, is still told.
func (i *inspector) makeRoom() {
	for t := range i.turns {
		for r := range i.turns[t].sent {
			if i.bytes <= inspectBytes {
				return
			}
			s := &i.turns[t].sent[r]
			i.bytes -= len(s.Body)
			s.Dropped = s.Dropped || s.Body != nil
			s.Body = nil
		}
	}
}

// Sent returns what was sent to a model's server for a turn of a chat in this run of
// the program, the oldest first; turn is its id, "" for all of the chat. The last
// turns alone are known, and after a restart none. The built-in model is sent
// nothing.
func (r *Registry) Sent(chat, turn string) []SentRequest {
	r.inspector.mu.Lock()
	defer r.inspector.mu.Unlock()
	var out []SentRequest
	for _, t := range r.inspector.turns {
		if t.chat == chat && (turn == "" || t.turn == turn) {
			out = append(out, t.sent...)
		}
	}
	return out
}
