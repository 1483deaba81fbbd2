package notesync

import (
	"context"
	"errors"
	"testing"
	"time"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// prunedBeside is a relay beside which notes are pruned after some pages.
type prunedBeside struct {
	*madeUpRelay
	t      *testing.T
	after  int // pages
	before int64
}

func (p *prunedBeside) earliest(coverage.Purpose) int64 {
	if p.asked >= p.after {
		return p.before
	}
	return 0
}

func (p *prunedBeside) page(ctx context.Context, f nostr.Filter) (page, error) {
	reachesBelow := *f.Since == 0                                                  // to show that one second is whole; nothing before the window is kept
	if p.asked >= p.after && *f.Since < min(p.before, *f.Until) && !reachesBelow { // nor one second that is being searched
		p.t.Errorf("page %d asks for notes from %d on, and those before %d are pruned", p.asked, *f.Since, p.before)
	}
	return p.madeUpRelay.page(ctx, f)
}

func TestAWindowThatIsPagedWhenNotesArePrunedIsNotPagedBelowThem(t *testing.T) {
	shortened := 0
	for seed := range uint64(1000) {
		r, l, window := madeUp(seed)
		all := window.span.to - window.span.from
		p := &prunedBeside{r, t, int(seed % 6), window.span.from + int64(seed)%(all+50)}
		f := &filler{
			relay: "wss://made.up", source: p, sink: l, limit: 500, learned: new(experience), earliest: p.earliest,
			now: func() time.Time { return time.Unix(5000, 0) },
		}
		if err := f.fill(t.Context(), window); err != nil && !errors.Is(err, errGivenUp) {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, e := range r.events {
			if !l.events[e.ID] && l.covers(coverage.Feed, e.PubKey, e.CreatedAt) {
				t.Fatalf("seed %d (%s, cap %d): %d is called complete, but a note is missing", seed, r.order, r.cap, e.CreatedAt)
			}
		}
		if !r.honest() || p.asked < p.after {
			continue
		}
		shortened++
		for _, row := range l.rows {
			if row.Interval.From > row.Interval.To || row.Interval.To > window.span.to {
				t.Errorf("seed %d: it claims %d to %d of %d to %d", seed, row.Interval.From, row.Interval.To, window.span.from, window.span.to)
			}
		}
		if a := window.authors[0]; p.before < window.span.to && !l.covers(coverage.Feed, a, window.span.to) {
			t.Errorf("seed %d: what is still wanted is not proved: %+v", seed, l.rows)
		}
	}
	if shortened < 100 {
		t.Errorf("%d honest relays were asked for less: the test has lost its meaning", shortened)
	}
}
