package notesync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

// Question is a single question to relays, outside any session.
type Question struct {
	Store   *ndb.Store
	Client  *netsafe.Client
	Relays  []string       // whom to ask, at most 20; those that the policy refuses are left out
	Never   []string       // relays that are not asked, whoever lists them
	Me      nostr.PubKey   // whose list of blocked relays applies too; zero for nobody
	Filters []nostr.Filter // one page is asked for of each
	Wait    time.Duration
	// Linger is how long to wait for the others once one relay has answered everything; 0
	// for up to Wait.
	Linger time.Duration
	Enough func() bool // called after events arrive: reports whether no more are needed; may be nil
	Logger *slog.Logger
}

// Ask asks the relays of a question side by side and stores their answers. It returns how
// many events were new. Errors: [ErrNoRelays], [ErrNoNetwork] if no relay was reached,
// those of the store, and that of ctx; what was stored before stays stored.
func Ask(ctx context.Context, q Question) (stored int, err error) {
	waiting, cancel := context.WithTimeout(ctx, q.Wait)
	defer cancel()
	r := New(Options{Store: q.Store, Client: q.Client, Me: q.Me, Never: q.Never, Logger: q.Logger}).run
	r.life = waiting
	defer r.close()
	r.setBanned(ctx)
	urls := r.usable(q.Relays...)
	if len(urls) == 0 {
		return 0, ErrNoRelays
	}
	urls = urls[:min(len(urls), maxConnections)]
	var lingers atomic.Bool
	err = everywhere(urls, func(url string) error {
		whole, err := r.askOne(waiting, url, q)
		if whole && q.Linger > 0 && lingers.CompareAndSwap(false, true) {
			time.AfterFunc(q.Linger, cancel)
		}
		if err == nil && q.Enough != nil && q.Enough() {
			cancel()
		}
		return err
	})
	switch failed := (*storeError)(nil); {
	case errors.As(err, &failed):
		return r.stored(), err
	case ctx.Err() != nil:
		return r.stored(), ctx.Err()
	}
	return r.stored(), r.nobodyAnswered()
}

// askOne asks one relay. The error is the store's; whole means that it answered everything.
func (r *run) askOne(ctx context.Context, url string, q Question) (whole bool, err error) {
	l := r.link(url)
	for _, f := range q.Filters {
		p, err := l.page(ctx, f)
		// What arrived is stored even if nobody is waiting any more.
		if _, putErr := r.put(context.WithoutCancel(ctx), l, ndb.Batch{Events: p.events}); putErr != nil {
			return false, putErr
		}
		if err != nil || p.err != nil {
			r.remember(url, stageNotes, errors.Join(err, p.err))
			return false, nil
		}
	}
	return true, nil
}

// search says how to ask for something by keys, which are ids or people.
type search[K comparable] struct {
	filter func([]K) nostr.Filter
	key    func(*nostr.Event) K // the key that an event answers
}

// seek asks relays one after another, each for what the previous ones did not have. It
// stores and returns what arrives, and counts what was not found. The error is the
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
	have := keysOf(events, key)
	return slices.DeleteFunc(slices.Clone(keys), func(k K) bool { return have[k] })
}

// keysOf returns the set of the keys of a list.
func keysOf[T any, K comparable](list []T, key func(T) K) map[K]bool {
	set := make(map[K]bool, len(list))
	for _, v := range list {
		set[key(v)] = true
	}
	return set
}

// triesBucket holds how often something was not found, so that what no relay has
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
		raw, _ := bucket.Get(ctx, row) // none is no tries
		t := readTries(raw)
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
	return r.keepTries(ctx, old)
}
