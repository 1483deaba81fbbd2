package notesync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"bowerbird/ndb"
)

// madeUpRelay answers pages from its events as a relay would that caps them
// silently, sends them in an order of its own, and now and then breaks off.
type madeUpRelay struct {
	rng    *rand.Rand
	events []*ndb.Event
	cap    int
	order  string  // "newest", "oldest", "random"
	breaks float64 // how likely a page breaks off
	finish bool    // says when nothing is left (NIP-67)
	asked  int
}

var errBroken = errors.New("connection lost")

func (r *madeUpRelay) page(_ context.Context, f ndb.Filter) (page, error) {
	r.asked++
	var hits []*ndb.Event
	for _, e := range r.events {
		if f.Matches(e) {
			hits = append(hits, e)
		}
	}
	slices.SortFunc(hits, func(a, b *ndb.Event) int {
		return cmp.Or(cmp.Compare(b.CreatedAt, a.CreatedAt), slices.Compare(a.ID[:], b.ID[:]))
	})
	limit := r.cap
	if f.Limit != nil {
		limit = min(limit, *f.Limit)
	}
	p := page{events: hits}
	if len(hits) > limit {
		p.events = slices.Clone(hits[:limit])
	} else {
		p.finished = r.finish
	}
	switch r.order {
	case "oldest":
		p.events = slices.Clone(p.events)
		slices.Reverse(p.events)
	case "random":
		p.events = slices.Clone(p.events)
		r.rng.Shuffle(len(p.events), func(i, j int) { p.events[i], p.events[j] = p.events[j], p.events[i] })
	}
	if r.rng.Float64() < r.breaks {
		p.events, p.finished, p.err = p.events[:r.rng.IntN(len(p.events)+1)], false, errBroken
	}
	return p, nil
}

// ledger is a store of what was put.
type ledger struct {
	events map[ndb.ID]bool
	rows   []ndb.Coverage
}

func (l *ledger) put(_ context.Context, events []*ndb.Event, rows []ndb.Coverage) (int, error) {
	for _, e := range events {
		l.events[e.ID] = true
	}
	l.rows = append(l.rows, rows...)
	return 0, nil
}

// TestNoIntervalIsWrittenThatIsNotTrue fills windows at made-up relays and checks
// the ledger's promise: in what it calls complete, nothing is missing. Relays
// that answer every page must also be complete at the end.
func TestNoIntervalIsWrittenThatIsNotTrue(t *testing.T) {
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 1))
		r := &madeUpRelay{rng: rng, cap: smallestCap + rng.IntN(40), finish: rng.IntN(3) == 0}
		r.order = []string{"newest", "newest", "oldest", "random"}[rng.IntN(4)]
		if rng.IntN(3) == 0 {
			r.breaks = 0.3
		}
		authors := make([]ndb.PubKey, 1+rng.IntN(8))
		for i := range authors {
			authors[i][0] = byte(i + 1)
		}
		seconds := 1 + rng.Int64N(400) // few seconds: many notes share one
		for i := range rng.IntN(300) {
			e := &ndb.Event{PubKey: authors[rng.IntN(len(authors))], CreatedAt: 1000 + rng.Int64N(seconds), Kind: 1}
			copy(e.ID[:], fmt.Sprintf("%d-%d", seed, i))
			r.events = append(r.events, e)
		}
		l := &ledger{events: map[ndb.ID]bool{}}
		f := &filler{relay: "wss://made.up", source: r, sink: l, limit: 500, now: func() time.Time { return time.Unix(5000, 0) }}
		err := f.fill(t.Context(), task{span: span{900, 1000 + seconds + 100}, authors: authors, purpose: ndb.PurposeFeed})
		if err != nil && !errors.Is(err, errGivenUp) {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, row := range l.rows {
			for _, e := range r.events {
				if e.PubKey == row.Author && row.Interval.From <= e.CreatedAt && e.CreatedAt <= row.Interval.To && !l.events[e.ID] {
					t.Fatalf("seed %d (%s, cap %d): %v is called complete, but a note at %d is missing", seed, r.order, r.cap, row.Interval, e.CreatedAt)
				}
			}
		}
		if r.order == "newest" && r.breaks == 0 {
			if err != nil {
				t.Errorf("seed %d: an honest relay was given up: %v", seed, err)
			}
			if len(l.rows) == 0 {
				t.Errorf("seed %d: nothing was proven", seed)
			}
		}
		if r.asked > 5000 {
			t.Errorf("seed %d: %d pages were asked for", seed, r.asked)
		}
	}
}
