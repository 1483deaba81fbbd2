package ndb

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// Counters are what others did with a note. Reactions and reposts count each
// person once; a reaction "-" does not count. Replies are the notes whose
// ReplyTo.Parent this is. What is dated in the future counts when its time comes.
type Counters struct {
	Replies, Reactions, Reposts, Quotes int
	ZapSats                             int64 // of zaps that ParseZap accepts
}

// effect is what one event does to the counters of another. Counters are kept by
// the target's id, so it does not matter which of the two arrives first.
type effect struct {
	target nostr.ID
	what   byte
	sats   int64 // of a zap
}

const (
	effectReply    = 'y'
	effectReaction = 'r'
	effectRepost   = 'b'
	effectQuote    = 'q'
	effectZap      = 'z'
)

// effectsOf returns what an event does to the counters of others.
func effectsOf(e *nostr.Event) []effect {
	switch e.Kind {
	case nostr.KindReaction:
		if e.Content == "-" {
			return nil
		}
		return effectOnLast(e, effectReaction)
	case nostr.KindRepost, nostr.KindGeneric:
		return effectOnLast(e, effectRepost)
	case nostr.KindZap:
		zap, err := nostr.ParseZap(e)
		if err != nil || zap.Event == (nostr.ID{}) || zap.Sats <= 0 {
			return nil
		}
		return []effect{{zap.Event, effectZap, zap.Sats}}
	}
	if !search.HasText(e.Kind) || e.Kind == nostr.KindProfile {
		return nil
	}
	var effects []effect
	if reply, ok := nostr.ReplyTo(e); ok && reply.Parent != (nostr.ID{}) {
		effects = append(effects, effect{target: reply.Parent, what: effectReply})
	}
	for _, id := range nostr.Quotes(e) {
		effects = append(effects, effect{target: id, what: effectQuote})
	}
	return effects
}

// effectOnLast is an effect on the last e tag: a reaction or repost may carry the
// thread's tags before it (NIP-25).
func effectOnLast(e *nostr.Event, what byte) []effect {
	for i := len(e.Tags) - 1; i >= 0; i-- {
		if tag := e.Tags[i]; len(tag) > 1 && tag[0] == "e" {
			if raw, ok := hex32(tag[1]); ok {
				return []effect{{target: nostr.ID(raw), what: what}}
			}
		}
	}
	return nil
}

// count applies the effects of an event, or takes them back when sign is -1.
func (t *tx) count(a uint32, effects []effect, sign int) {
	for _, ef := range effects {
		c := t.counters(&ef.target)
		switch ef.what {
		case effectReply:
			c.Replies += sign
		case effectQuote:
			c.Quotes += sign
		case effectZap:
			c.ZapSats += int64(sign) * ef.sats
		case effectReaction:
			c.Reactions += t.countGiven(&ef, a, sign)
		case effectRepost:
			c.Reposts += t.countGiven(&ef, a, sign)
		}
	}
}

// countGiven counts the reactions or reposts of one author and returns by how much the
// number of such authors changes.
func (t *tx) countGiven(ef *effect, a uint32, sign int) int {
	key := givenKey(&ef.target, ef.what, a)
	var before uint64
	if row, ok := t.get(key); ok {
		before, _ = binary.Uvarint(row)
	}
	now := max(0, int64(before)+int64(sign))
	if now == 0 {
		t.del(key)
	} else {
		t.set(key, binary.AppendUvarint(nil, uint64(now)))
	}
	return cmp.Compare(now, 0) - cmp.Compare(before, 0)
}

// counters returns the counters of a note, to be changed; the transaction writes them
// when it commits.
func (t *tx) counters(id *nostr.ID) *Counters {
	key := string(counterKey(id))
	if c, ok := t.counts[key]; ok {
		return c
	}
	c := new(Counters)
	if row, ok := t.get([]byte(key)); ok {
		*c = decodeCounters(row)
	}
	t.counts[key] = c
	t.grow(len(key), counterRowLen)
	return c
}

const counterRowLen = 4*5 + 10

func (t *tx) flushCounters() {
	for key, c := range t.counts {
		if *c == (Counters{}) {
			t.del([]byte(key))
		} else {
			t.set([]byte(key), encodeCounters(*c))
		}
	}
}

func encodeCounters(c Counters) []byte {
	var row []byte
	for _, v := range []int64{int64(c.Replies), int64(c.Reactions), int64(c.Reposts), int64(c.Quotes), c.ZapSats} {
		row = binary.AppendUvarint(row, uint64(max(v, 0)))
	}
	return row
}

func decodeCounters(row []byte) Counters {
	var v [5]uint64
	for i := range v {
		n := 0
		if v[i], n = binary.Uvarint(row); n <= 0 {
			break
		}
		row = row[n:]
	}
	return Counters{int(v[0]), int(v[1]), int(v[2]), int(v[3]), int64(v[4])}
}

// Counters returns the counters of a note; zero for one that is not stored.
func (s *Store) Counters(ctx context.Context, id nostr.ID) (Counters, error) {
	var c Counters
	err := s.view(ctx, func(txn *badger.Txn) error {
		if _, err := s.eventByID(txn, id); err != nil {
			return err
		}
		row, err := txnGet(txn, counterKey(&id))
		if err == nil {
			c = decodeCounters(row)
		}
		return err
	})
	if errors.Is(err, ErrNotFound) {
		err = nil
	}
	return c, err
}

// CountersOf returns the counters of notes that were just read from the store, in their
// order. A note that has been removed since still has some.
func (s *Store) CountersOf(ctx context.Context, ids []nostr.ID) ([]Counters, error) {
	all := make([]Counters, len(ids))
	err := s.view(ctx, func(txn *badger.Txn) error {
		for i := range ids {
			item, err := txn.Get(counterKey(&ids[i]))
			if errors.Is(err, badger.ErrKeyNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			if err = item.Value(func(row []byte) error { all[i] = decodeCounters(row); return nil }); err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}
