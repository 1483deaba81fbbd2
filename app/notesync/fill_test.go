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

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// madeUpRelay answers pages from its events as a relay would that caps them
// silently, sends them in an order of its own, and now and then breaks off or lies.
type madeUpRelay struct {
	rng    *rand.Rand
	events []*nostr.Event
	cap    int
	caps   func(nostr.Filter) int // instead of cap, where pages differ by question
	order  string                 // "newest", "oldest", "random"
	breaks float64                // how likely a page breaks off
	finish bool                   // says when nothing is left (NIP-67)
	hides  map[nostr.ID]bool      // events that it sends with another id, so that they are refused
	forges map[nostr.ID]bool      // events that it sends with a wrong signature
	babble float64                // how likely it adds an event that was not asked for
	asked  int
}

var errBroken = errors.New("connection lost")

func (r *madeUpRelay) page(_ context.Context, f nostr.Filter) (page, error) {
	r.asked++
	var hits []*nostr.Event
	for _, e := range r.events {
		if f.Matches(e) {
			hits = append(hits, e)
		}
	}
	slices.SortFunc(hits, func(a, b *nostr.Event) int {
		return cmp.Or(cmp.Compare(b.CreatedAt, a.CreatedAt), slices.Compare(a.ID[:], b.ID[:]))
	})
	limit := r.cap
	if r.caps != nil {
		limit = max(1, r.caps(f))
	}
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
	kept := slices.DeleteFunc(slices.Clone(p.events), func(e *nostr.Event) bool { return r.hides[e.ID] })
	p.refused = len(p.events) - len(kept)
	p.events = kept
	if r.rng.Float64() < r.babble {
		p.refused++
	}
	return p, nil
}

// ledger is a store of what was put, which knows the forged events.
type ledger struct {
	forged map[nostr.ID]bool
	events map[nostr.ID]bool
	rows   []coverage.Row
}

func (l *ledger) put(_ context.Context, events []*nostr.Event, rows []coverage.Row) (invalid []*nostr.Event, err error) {
	for _, e := range events {
		if l.forged[e.ID] {
			invalid = append(invalid, e)
		} else {
			l.events[e.ID] = true
		}
	}
	l.rows = append(l.rows, rows...)
	return invalid, nil
}

// covers reports whether the ledger claims an author's second.
func (l *ledger) covers(purpose coverage.Purpose, author nostr.PubKey, at int64) bool {
	return slices.ContainsFunc(l.rows, func(row coverage.Row) bool {
		return row.Purpose == purpose && row.Author == author && row.Interval.From <= at && at <= row.Interval.To
	})
}

// madeUp is one random case: a relay of some character, and a window to fill.
func madeUp(seed uint64) (*madeUpRelay, *ledger, task) {
	rng := rand.New(rand.NewPCG(seed, 1))
	some := func(one int) bool { return rng.IntN(one) == 0 }
	r := &madeUpRelay{rng: rng, cap: smallestCap + rng.IntN(40), finish: some(3), hides: map[nostr.ID]bool{}, forges: map[nostr.ID]bool{}}
	r.order = []string{"newest", "newest", "oldest", "random"}[rng.IntN(4)]
	if some(3) {
		r.breaks = 0.3
	}
	if some(6) {
		r.babble = 0.1
	}
	lies := 0.0
	if some(3) {
		lies = 0.02
	}
	authors := make([]nostr.PubKey, 1+rng.IntN(8))
	for i := range authors {
		authors[i][0] = byte(i + 1)
	}
	seconds := 1 + rng.Int64N(400) // few seconds: many notes share one
	for i := range rng.IntN(300) {
		at := 1000 + rng.Int64N(seconds)
		if some(3) && len(r.events) > 0 {
			at = r.events[len(r.events)-1].CreatedAt // a flood within one second
		}
		e := &nostr.Event{PubKey: authors[rng.IntN(len(authors))], CreatedAt: at, Kind: 1}
		copy(e.ID[:], fmt.Sprintf("%d-%d", seed, i))
		r.events = append(r.events, e)
		switch {
		case rng.Float64() < lies:
			r.hides[e.ID] = true
		case rng.Float64() < lies:
			r.forges[e.ID] = true
		}
	}
	return r, &ledger{events: map[nostr.ID]bool{}, forged: r.forges},
		task{span: span{900, 1000 + seconds + 100}, authors: authors, purpose: coverage.Feed}
}

func (r *madeUpRelay) honest() bool {
	return r.order == "newest" && r.breaks == 0 && r.babble == 0 && len(r.hides) == 0 && len(r.forges) == 0
}

// TestNoIntervalIsWrittenThatIsNotTrue fills windows at made-up relays and checks
// the ledger's promise: in what it calls complete, nothing is missing. Relays
// that answer every page honestly must also be complete at the end, but for
// seconds in which one author wrote more than a page holds.
func TestNoIntervalIsWrittenThatIsNotTrue(t *testing.T) {
	t.Parallel()
	honest, whole := 0, 0
	for seed := range uint64(3000) {
		r, l, window := madeUp(seed)
		f := &filler{
			relay: "wss://made.up", source: r, sink: l, limit: 500, perFilter: 1 + int(seed%8),
			learned: new(experience), now: func() time.Time { return time.Unix(5000, 0) },
		}
		err := f.fill(t.Context(), window)
		if err != nil && !errors.Is(err, errGivenUp) {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, e := range r.events {
			if !l.events[e.ID] && l.covers(coverage.Feed, e.PubKey, e.CreatedAt) {
				t.Fatalf("seed %d (%s, cap %d): %d is called complete, but a note is missing", seed, r.order, r.cap, e.CreatedAt)
			}
		}
		if r.asked > maxPages {
			t.Errorf("seed %d: %d pages were asked for", seed, r.asked)
		}
		if !r.honest() {
			continue
		}
		honest++
		if err != nil {
			t.Errorf("seed %d: an honest relay was given up: %v", seed, err)
		}
		open := 0
		for _, a := range window.authors {
			for at := window.span.from; at <= window.span.to; at++ {
				if !l.covers(coverage.Feed, a, at) {
					open++
					if n, older := r.inSecond(a, at); n < 2 || older && n < r.cap {
						t.Errorf("seed %d: %d stays open, though an author wrote only %d notes in it", seed, at, n)
					}
				}
			}
		}
		if open == 0 {
			whole++
		}
	}
	if honest < 300 || whole < honest/2 {
		t.Errorf("%d of 3000 relays were honest, %d of them proven complete: the test has lost its meaning", honest, whole)
	}
}

// inSecond returns how many notes of an author lie in a second, and whether there is
// an older one.
func (r *madeUpRelay) inSecond(author nostr.PubKey, at int64) (n int, older bool) {
	for _, e := range r.events {
		if e.PubKey == author && e.CreatedAt == at {
			n++
		}
		older = older || e.PubKey == author && e.CreatedAt < at
	}
	return n, older
}

// TestOneBadEventLeavesOneSecondOpen: an event that is refused every time must
// not keep the rest of its window from being proven.
func TestOneBadEventLeavesOneSecondOpen(t *testing.T) {
	for _, kind := range []string{"hidden", "forged"} {
		t.Run(kind, func(t *testing.T) {
			r := &madeUpRelay{rng: rand.New(rand.NewPCG(1, 1)), cap: 20, order: "newest", hides: map[nostr.ID]bool{}, forges: map[nostr.ID]bool{}}
			authors := []nostr.PubKey{{1}, {2}, {3}}
			for i := range 100 {
				e := &nostr.Event{ID: nostr.ID{byte(i + 1)}, PubKey: authors[i%3], CreatedAt: 1000 + 10*int64(i), Kind: 1}
				r.events = append(r.events, e)
			}
			bad := r.events[55]
			if kind == "hidden" {
				r.hides[bad.ID] = true
			} else {
				r.forges[bad.ID] = true
			}
			l := &ledger{events: map[nostr.ID]bool{}, forged: r.forges}
			f := &filler{relay: "wss://made.up", source: r, sink: l, limit: 500, learned: new(experience), now: time.Now}
			if err := f.fill(t.Context(), task{span: span{0, 100_000}, authors: authors, purpose: coverage.Feed}); err != nil {
				t.Fatal(err)
			}
			if len(l.events) != 99 {
				t.Errorf("%d notes came, want 99", len(l.events))
			}
			for _, a := range authors {
				for at := int64(0); at <= 100_000; at += 5 {
					want := a != bad.PubKey || at != bad.CreatedAt
					if got := l.covers(coverage.Feed, a, at); got != want {
						t.Errorf("author %d at %d: proven %v, want %v", a[0], at, got, want)
					}
				}
			}
		})
	}
}
