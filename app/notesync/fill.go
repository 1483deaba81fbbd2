package notesync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"bowerbird/ndb"
)

// page is what a relay answered to one REQ up to its EOSE, or up to where it
// broke off. Its events have ids that were recomputed and match the filter.
type page struct {
	events   []*ndb.Event // in the order they came
	finished bool         // the EOSE said that there is no more (NIP-67)
	refused  int          // events dropped: invalid, or off the filter
	err      error        // why the page has no EOSE; nil when it has
}

// complete reports whether the page proves that nothing more is there: the relay
// said so (NIP-67), or it was asked and had nothing at all to say. A short page
// proves nothing, since relays cap pages without a word.
func (p page) complete() bool {
	return p.err == nil && p.refused == 0 && (p.finished || len(p.events) == 0)
}

// source answers one filter with one page. An error means that nothing more can
// be had from the relay in this run; a page that broke off is no such error.
type source interface {
	page(ctx context.Context, f ndb.Filter) (page, error)
}

// sink stores events and, with the last of them, coverage. It returns how many
// were invalid.
type sink interface {
	put(ctx context.Context, events []*ndb.Event, rows []ndb.Coverage) (invalid int, err error)
}

// errGivenUp is why a window stays open.
var errGivenUp = errors.New("given up")

// pageTries is how often in a row a page may break off before its window is
// given up.
const pageTries = 3

// maxPages and maxHalvings end the work on a window at a relay that makes notes
// up as it is asked.
const (
	maxPages    = 5000
	maxHalvings = 40
)

// filler pages windows of time to their bottom at one relay.
type filler struct {
	relay  string
	source source
	sink   sink
	limit  int // events a page, as the relay permits
	now    func() time.Time
	// largest is the most events that a page of this relay held: a page of fewer
	// was not cut by a cap. The caps are silent, so this is how they are learnt.
	largest int
}

// fill asks for a task's window until the relay has shown that nothing is left
// in it, and then writes its coverage. An error that is errGivenUp concerns this
// window alone; any other ends the work with the relay.
func (f *filler) fill(ctx context.Context, t task) error {
	w := &window{filler: f, task: t, until: t.span.to, seen: map[ndb.ID]bool{}}
	for {
		if done, err := w.step(ctx); done || err != nil {
			return err
		}
	}
}

// window is the state of one window that is being paged.
type window struct {
	*filler
	task
	until    int64 // the next page ends here, inclusive
	pages    int
	seen     map[ndb.ID]bool
	holes    []int64 // seconds that the relay would not give whole
	failures int     // pages in a row that broke off
}

// step asks for one page and decides how to go on.
func (w *window) step(ctx context.Context) (done bool, err error) {
	if w.pages++; w.pages > maxPages {
		return true, fmt.Errorf("%w: it has no end of notes for one stretch of time", errGivenUp)
	}
	p, err := w.source.page(ctx, w.ask(w.authors, span{w.span.from, w.until}))
	if err != nil {
		return true, err
	}
	complete := p.complete()
	var rows []ndb.Coverage
	if complete {
		rows = w.coverage(p.finished)
	}
	invalid, err := w.sink.put(ctx, p.events, rows)
	if err != nil {
		return true, fmt.Errorf("storing a page of %s: %w", w.relay, err)
	}
	if complete {
		return true, nil
	}
	seen := w.look(p)
	if p.err != nil {
		return w.brokeOff(ctx, p.err, seen)
	}
	w.failures = 0
	if invalid == len(p.events) {
		// A page of lies proves nothing, an empty rest of one neither.
		return true, fmt.Errorf("%w: every event that it sent was refused", errGivenUp)
	}
	return w.descend(ctx, seen)
}

// descend goes on below a page that ended well but proved nothing yet.
func (w *window) descend(ctx context.Context, p sight) (done bool, err error) {
	full := w.full(p.count)
	switch {
	case full && !p.ordered && w.span.from < w.until:
		return true, w.halve(ctx) // its paging cannot be trusted: ask for less
	case full && p.oldest == p.newest:
		// The cap may hide more of this second than any page will show.
		if err := w.second(ctx, w.authors, p.oldest); err != nil {
			return true, err
		}
		w.until = p.oldest - 1
	case p.fresh == 0:
		w.until = p.oldest - 1
	default:
		w.until = p.oldest // inclusive: the rest of that second may be missing
	}
	if w.until >= w.span.from {
		return false, nil
	}
	// The last second of the window was given, and its page was not cut.
	_, err = w.sink.put(ctx, nil, w.coverage(false))
	return true, err
}

// smallestCap: relays that cap pages at less do not exist, and without a floor a
// quiet relay's page of one note would look like a full one.
const smallestCap = 5

func (f *filler) full(count int) bool { return count >= smallestCap && count >= f.largest }

// orderShown is how many notes in a row must come newest first until a page that
// broke off is taken up where it ended: a few can stand in order by chance.
const orderShown = 10

// brokeOff goes on after a page without its end.
func (w *window) brokeOff(ctx context.Context, cause error, p sight) (done bool, err error) {
	w.failures++
	if p.ordered && p.count >= orderShown && p.oldest < w.until {
		w.failures = 0
		w.until = p.oldest
	}
	switch {
	case w.failures >= pageTries:
		return true, fmt.Errorf("%w: %w", errGivenUp, cause)
	case w.failures == pageTries-1 && w.span.from < w.until:
		return true, w.halve(ctx)
	}
	return false, nil
}

// halve fills the window as two, each with a proof of its own; what came already
// is asked again, which costs little, since duplicates are not verified twice.
func (w *window) halve(ctx context.Context) error {
	if w.depth >= maxHalvings {
		return fmt.Errorf("%w: it does not page in order", errGivenUp)
	}
	mid := w.span.from + (w.until-w.span.from)/2
	for _, part := range []span{{mid + 1, w.span.to}, {w.span.from, mid}} {
		err := w.fill(ctx, task{span: part, authors: w.authors, purpose: w.purpose, depth: w.depth + 1})
		if err != nil {
			return err
		}
	}
	return nil
}

// second gets one second whole by asking fewer authors at a time. One author's
// second that stays full is left as a hole in the coverage.
func (w *window) second(ctx context.Context, authors []ndb.PubKey, at int64) error {
	if len(authors) <= 1 {
		w.holes = append(w.holes, at)
		return nil
	}
	for half := range slices.Chunk(authors, (len(authors)+1)/2) {
		p, err := w.source.page(ctx, w.ask(half, span{at, at}))
		if err != nil {
			return err
		}
		if _, err := w.sink.put(ctx, p.events, nil); err != nil {
			return fmt.Errorf("storing a page of %s: %w", w.relay, err)
		}
		seen := w.look(p)
		switch {
		case p.err != nil || p.refused > 0:
			w.holes = append(w.holes, at)
		case w.full(seen.count):
			if err := w.second(ctx, half, at); err != nil {
				return err
			}
		}
	}
	return nil
}

// ask makes the filter for a page of the window.
func (w *window) ask(authors []ndb.PubKey, s span) ndb.Filter {
	f := filterFor(w.purpose, authors)
	f.Since, f.Until, f.Limit = &s.from, &s.to, &w.limit
	return f
}

// coverage is what an ended window proves: its whole span but for the holes.
func (w *window) coverage(finished bool) []ndb.Coverage {
	proof := ndb.ProofEmpty
	if finished {
		proof = ndb.ProofFinish
	}
	holes := make([]ndb.Interval, 0, len(w.holes))
	for _, at := range w.holes {
		holes = append(holes, ndb.Interval{From: at, To: at})
	}
	verified := w.now().Unix()
	var rows []ndb.Coverage
	for _, s := range gaps(w.span, holes) {
		for _, a := range w.authors {
			rows = append(rows, ndb.Coverage{
				Author: a, Relay: w.relay, Purpose: w.purpose,
				Interval: ndb.Interval{From: s.from, To: s.to, VerifiedAt: verified, Proof: proof},
			})
		}
	}
	return rows
}

// sight is what a page looks like from the outside.
type sight struct {
	count, fresh   int
	oldest, newest int64
	ordered        bool // newest first
}

func (w *window) look(p page) sight {
	s := sight{count: len(p.events), ordered: true}
	for i, e := range p.events {
		if i == 0 {
			s.oldest, s.newest = e.CreatedAt, e.CreatedAt
		} else if e.CreatedAt > p.events[i-1].CreatedAt {
			s.ordered = false
		}
		s.oldest, s.newest = min(s.oldest, e.CreatedAt), max(s.newest, e.CreatedAt)
		if !w.seen[e.ID] {
			w.seen[e.ID] = true
			s.fresh++
		}
	}
	w.largest = max(w.largest, s.count)
	return s
}
