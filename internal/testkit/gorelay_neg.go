package testkit

import (
	"encoding/json"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip77/negentropy"
	"github.com/nbd-wtf/go-nostr/nip77/negentropy/storage/vector"
)

// compare answers a message of NIP-77.
func (s *stay) compare(label, sub, data string, rest []json.RawMessage) bool {
	r := s.relay
	r.mu.Lock()
	if label == "NEG-CLOSE" {
		delete(s.negs, sub)
		r.mu.Unlock()
		return true
	}
	r.negs = append(r.negs, data)
	if !r.opt.Compares {
		r.mu.Unlock()
		return s.peer.write(message("NOTICE", "bad message: negentropy is disabled")) == nil
	}
	var msg string
	if label == "NEG-OPEN" {
		var f nostr.Filter
		if len(rest) != 2 || json.Unmarshal(rest[0], &f) != nil {
			r.mu.Unlock()
			return false
		}
		if r.opt.Reads != nil {
			r.opt.Reads(&f)
		}
		set := vector.New()
		for _, e := range r.matching(f, r.opt.CompareCap, nil) {
			set.Insert(e.event.CreatedAt, e.event.ID)
		}
		set.Seal()
		s.negs[sub] = negentropy.New(set, 60_000)
	}
	n := s.negs[sub]
	if n == nil || json.Unmarshal(rest[len(rest)-1], &msg) != nil {
		r.mu.Unlock()
		return s.peer.write(message("NEG-ERR", sub, "closed: unknown")) == nil
	}
	right, err := n.Reconcile(msg)
	r.mu.Unlock()
	switch {
	case err != nil:
		r.t.Errorf("a message of NIP-77 is not right: %v", err)
		return false
	case r.opt.NegAnswer != nil:
		return s.peer.write(r.opt.NegAnswer(sub, right)...) == nil
	}
	return s.peer.write(RelayMessage("NEG-MSG", sub, right)) == nil
}

// RelayMessage makes the frame of any message of a relay, for GoRelayOptions.NegAnswer.
func RelayMessage(parts ...any) []byte { return message(parts...) }
