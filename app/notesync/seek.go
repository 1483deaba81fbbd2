package notesync

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// search says how to ask for something by keys, which are ids or people.
type search[K comparable] struct {
	filter func([]K) nostr.Filter
	key    func(*nostr.Event) K // the key that an event answers
}

// seek asks relays one after another, each for what the previous ones did not have. It
// stores and returns what arrives, and counts what was looked for in vain. The error is the
// store's or that of ctx.
func seek[K comparable](ctx context.Context, r *run, urls []string, keys []K, tries func(K) string, s search[K]) (found []*nostr.Event, err error) {
	answered := false
	for _, url := range urls {
		if len(keys) == 0 {
			break
		}
		came, whole, err := seekAt(ctx, r, r.link(url), keys, s)
		if err != nil {
			return found, err
		}
		found = append(found, came...)
		answered = answered || whole
		keys = without(keys, came, s.key)
	}
	if !answered {
		return found, nil
	}
	rows := make([]string, len(keys))
	for i, k := range keys {
		rows[i] = tries(k)
	}
	return found, r.inVain(ctx, rows)
}

// seekAt asks one relay. A failure of the relay is ignored, since another may have the
// rest; whole means that this one answered everything.
func seekAt[K comparable](ctx context.Context, r *run, l *link, keys []K, s search[K]) (found []*nostr.Event, whole bool, err error) {
	if _, err := l.connect(ctx); err != nil {
		return nil, false, ctx.Err()
	}
	for part := range slices.Chunk(keys, l.asIt().perFilter) {
		for len(part) > 0 {
			f := s.filter(part)
			f.Limit = new(len(part))
			p, err := l.page(ctx, f)
			if err != nil {
				return found, false, ctx.Err()
			}
			invalid, _, err := r.keep(ctx, l, ndb.Batch{Events: p.events})
			if err != nil {
				return found, false, err
			}
			came := slices.DeleteFunc(slices.Clone(p.events), func(e *nostr.Event) bool { return slices.Contains(invalid, e) })
			found = append(found, came...)
			if p.err != nil {
				return found, false, nil
			}
			rest := without(part, came, s.key)
			if len(rest) == len(part) {
				break
			}
			part = rest // pages may be shorter than what was asked for
		}
	}
	return found, true, nil
}

func without[K comparable](keys []K, events []*nostr.Event, key func(*nostr.Event) K) []K {
	have := make(map[K]bool, len(events))
	for _, e := range events {
		have[key(e)] = true
	}
	return slices.DeleteFunc(slices.Clone(keys), func(k K) bool { return have[k] })
}

// triesBucket holds how often something was looked for in vain, so that what no relay has
// is not asked for at every start.
const triesBucket = "sync-tries"

func noteTries(id nostr.ID) string     { return "note:" + id.String() }
func deletionTries(id nostr.ID) string { return "gone:" + id.String() }

func nameTries(pk nostr.PubKey) string { return "name:" + pk.String() }

type tries struct {
	Count int   `json:"count"`
	Next  int64 `json:"next"` // when to look again, unix seconds
}

// The waits between tries. What was not looked for again is forgotten after another
// againLast.
const (
	againFirst = time.Hour
	againThen  = 24 * time.Hour
	againLast  = 30 * 24 * time.Hour
)

func readTries(raw []byte) (t tries) {
	_ = json.Unmarshal(raw, &t) // a broken row counts as none
	return t
}

func (r *run) isDue(ctx context.Context, row string) bool {
	raw, err := r.opt.Store.Bucket(triesBucket).Get(ctx, row)
	return err != nil || readTries(raw).Next <= r.opt.Now().Unix()
}

func (r *run) inVain(ctx context.Context, rows []string) error {
	bucket, now := r.opt.Store.Bucket(triesBucket), r.opt.Now()
	values := make(map[string][]byte, len(rows))
	for _, row := range rows {
		t := tries{}
		if raw, err := bucket.Get(ctx, row); err == nil {
			t = readTries(raw)
		}
		wait := againLast
		switch t.Count {
		case 0:
			wait = againFirst
		case 1:
			wait = againThen
		}
		values[row] = tries{t.Count + 1, now.Add(wait).Unix()}.row()
	}
	return r.keepTries(ctx, values)
}

func (t tries) row() []byte {
	raw, _ := json.Marshal(t) // numbers have a JSON form
	return raw
}

// keepTries writes rows; a nil value removes one.
func (r *run) keepTries(ctx context.Context, rows map[string][]byte) error {
	if err := r.opt.Store.Bucket(triesBucket).Put(ctx, rows); err != nil {
		return fmt.Errorf("keeping count of what was asked for: %w", err)
	}
	return nil
}

func (r *run) forgetTries(ctx context.Context) error {
	bucket, old := r.opt.Store.Bucket(triesBucket), map[string][]byte{}
	before := r.opt.Now().Add(-againLast).Unix()
	for row, err := range bucket.All(ctx, "") {
		if err != nil {
			return fmt.Errorf("forgetting what no relay has: %w", err)
		}
		if readTries(row.Value).Next < before {
			old[row.Key] = nil
		}
		if len(old) == wantedMost {
			break
		}
	}
	if err := bucket.Put(ctx, old); err != nil {
		return fmt.Errorf("forgetting what no relay has: %w", err)
	}
	return nil
}
