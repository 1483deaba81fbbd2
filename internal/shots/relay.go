package main

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"

	"bowerbird/ndb/nostr"
)

// relay is a relay that holds some events. It answers filters, newest first, and has
// nothing to report afterwards.
type relay struct {
	events  []*nostr.Event
	takes   time.Duration // to answer
	away    bool          // nobody takes a connection
	members bool          // it answers none but those who log in
	// waits, where set, says what an answer waits for; nil for nothing.
	waits func(filters []nostr.Filter) <-chan struct{}
}

// newRelay returns a relay with the events that keep lets through.
func newRelay(events []*nostr.Event, keep func(*nostr.Event) bool) *relay {
	r := &relay{}
	for _, e := range events {
		if keep(e) {
			r.events = append(r.events, e)
		}
	}
	slices.SortStableFunc(r.events, func(a, b *nostr.Event) int { return int(b.CreatedAt - a.CreatedAt) })
	return r
}

// ServeHTTP implements http.Handler.
func (r *relay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if !strings.EqualFold(req.Header.Get("Upgrade"), "websocket") {
		http.NotFound(w, req) // it says nothing about itself
		return
	}
	conn, err := websocket.Accept(w, req, nil)
	if err != nil {
		return
	}
	defer conn.CloseNow()
	conn.SetReadLimit(1 << 20)
	for {
		_, raw, err := conn.Read(req.Context())
		if err != nil {
			return
		}
		go func() {
			for _, message := range r.answer(req.Context(), raw) {
				if conn.Write(req.Context(), websocket.MessageText, message) != nil {
					return
				}
			}
		}()
	}
}

// answer returns what is said to a message (NIP-01).
func (r *relay) answer(ctx context.Context, raw []byte) (messages [][]byte) {
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) != nil || len(parts) < 3 || string(parts[0]) != `"REQ"` {
		return nil
	}
	var filters []nostr.Filter
	for _, part := range parts[2:] {
		f, err := nostr.ParseFilter(part)
		if err != nil {
			return nil
		}
		filters = append(filters, f)
	}
	say := func(label string, rest ...json.RawMessage) {
		message, _ := json.Marshal(append([]json.RawMessage{json.RawMessage(`"` + label + `"`), parts[1]}, rest...)) // valid JSON all
		messages = append(messages, message)
	}
	if r.members {
		say("CLOSED", json.RawMessage(`"auth-required: members only"`))
		return messages
	}
	time.Sleep(r.takes)
	if r.waits != nil {
		if comes := r.waits(filters); comes != nil {
			select {
			case <-comes:
			case <-ctx.Done():
				return nil
			}
		}
	}
	for _, f := range filters {
		for _, e := range r.page(f) {
			say("EVENT", e.AppendJSON(nil))
		}
	}
	say("EOSE")
	return messages
}

func (r *relay) page(f nostr.Filter) (page []*nostr.Event) {
	for _, e := range r.events {
		if f.Limit != nil && len(page) >= *f.Limit {
			break
		}
		if f.Matches(e) {
			page = append(page, e)
		}
	}
	return page
}
