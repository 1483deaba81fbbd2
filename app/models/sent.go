package models

import (
	"context"
	"slices"
	"sync"

	"bowerbird/llm"
)

// SentRequest is one request of a turn, byte for byte as it was sent to a model's server.
// Secrets are removed before a request is sent.
type SentRequest struct {
	llm.SentRequest
	llm.Outcome        // zero until the server begins to answer
	Turn        string // id of the turn
	Size        int    // of the body, in bytes
	Dropped     bool   // Body is no longer kept: see inspectBytes
}

// How many turns are kept, and how much of what they sent.
const (
	inspectTurns = 20
	inspectBytes = 8 << 20
)

// inspector keeps what was last sent to models, in memory only: the chats are the one place
// that saves what the user asks. The zero value is ready to use.
type inspector struct {
	mu    sync.Mutex
	turns []inspectedTurn // the oldest first
	bytes int             // of all bodies
}

type inspectedTurn struct {
	chat, turn string
	sent       []SentRequest
}

// inspectedKey is the key of a context's turn.
type inspectedKey struct{}

// InTurn returns a context whose requests are recorded as those of a turn.
func InTurn(ctx context.Context, chat, turn string) context.Context {
	return context.WithValue(ctx, inspectedKey{}, inspectedTurn{chat: chat, turn: turn})
}

// sent is [llm.Options].Sent. A request outside a turn, such as a model's test, is not kept.
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
	i.dropBodies()
	return func(o llm.Outcome) {
		i.mu.Lock()
		defer i.mu.Unlock()
		// The turn may have been dropped meanwhile.
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

// dropBodies drops the oldest bodies until the rest fits into inspectBytes. The request and
// its size are still returned.
func (i *inspector) dropBodies() {
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

// Sent returns the requests for a turn of a chat, by its id, or for the whole chat if turn
// is "", oldest first. Only the last 20 turns of this run of the program are kept. There are
// none for the built-in model.
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
