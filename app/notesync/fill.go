package notesync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// page is a relay's answer to one REQ up to its EOSE, or up to where it broke off. Its
// events have correct ids and match the filter.
type page struct {
	events   []*nostr.Event // in order of arrival
	finished bool           // NIP-67: the relay has no more
	refused  int            // bad events that were dropped
	err      error          // why there is no EOSE; nil if there is
}

// complete reports whether the page proves that nothing is left: the relay says so
// (NIP-67), or returned nothing at all. A short page proves nothing, since relays limit
// pages without saying so; nor does one with bad events, which may have replaced good ones.
func (p page) complete() bool {
	return p.err == nil && p.refused == 0 && (p.finished || len(p.events) == 0)
}

// source answers one filter with one page. An error means that the relay cannot be asked
// any more in this run; a page that broke off is not such an error.
type source interface {
	page(ctx context.Context, f nostr.Filter) (page, error)
}

// sink stores events and coverage. It returns the events with wrong signatures.
type sink interface {
	put(ctx context.Context, events []*nostr.Event, rows []coverage.Row) (invalid []*nostr.Event, err error)
}

// errGivenUp is the error of a window that stays open.
var errGivenUp = errors.New("given up")

// pageTries is how often in a row a page may break off until its window is given up.
const pageTries = 3

// Limits against a relay that invents notes on demand.
const (
	maxPages      = 5000 // for one task
	maxHalvings   = 40
	maxDistrusted = 60 // pages with bad events
)

// smallestCap is the size from which an unordered page is taken for one that was cut.
const smallestCap = 5

// maxHoles is how many seconds of a window may stay open.
const maxHoles = 100

// filler fetches windows of time at one relay, page by page.
type filler struct {
	relay      string
	source     source
	sink       sink
	limit      int // events in a page, as the relay permits
	perFilter  int // authors in a filter, as the relay permits
	now        func() time.Time
	learned    *experience
	earliest   func(coverage.Purpose) int64 // nothing older is wanted; nil for no limit
	checkKinds func(context.Context) error  // see run.checkKinds; may be nil
}

// experience is what was learned about a relay in a run.
type experience struct {
	// meager means that it returned one event where there were more. That one page is
	// limited says nothing about the next, but until a page of one event is known to have
	// been cut it is believed: otherwise a person's first note could not be told from one
	// of many.
	meager     atomic.Bool
	distrusted atomic.Int64 // pages with bad events
	refusals
	kinds kinds
}

// fill asks for a task's window until the relay has shown that nothing is left in it, and
// then writes its coverage. errGivenUp concerns this window alone; any other error ends the
// work with the relay.
func (f *filler) fill(ctx context.Context, t task) error {
	if t.asked == nil {
		t.asked = new(int)
	}
	most, rest, refused := f.learned.narrow(t.authors, f.perFilter)
	if refused != nil {
		t.authors, refused = rest, fmt.Errorf("%w: %w", errGivenUp, refused)
	}
	if len(rest) == 0 {
		return refused
	}
	if most > 0 && len(rest) > most {
		return cmp.Or(f.fillParts(ctx, t, most), refused)
	}
	if !t.part {
		parts := f.learned.kinds.parts(filterFor(t.purpose, nil).Kinds)
		if len(parts) > 1 {
			return cmp.Or(f.fillKinds(ctx, t, parts), refused)
		}
		t.kinds = parts[0]
	}
	w := &window{filler: f, task: t, until: t.span.to, holes: map[nostr.PubKey][]coverage.Interval{}, gave: map[nostr.PubKey]bool{}}
	for {
		if done, err := w.step(ctx); done || err != nil {
			return cmp.Or(err, w.shortfall(), refused)
		}
	}
}

// fillParts fills a window for at most so many authors at a time. If one part is given up,
// the others are still tried.
func (f *filler) fillParts(ctx context.Context, t task, most int) error {
	var given error
	for part := range slices.Chunk(t.authors, most) {
		p := t
		p.authors = part
		if err := f.fill(ctx, p); errors.Is(err, errRefusesAll) {
			return err
		} else if errors.Is(err, errGivenUp) {
			given = err
		} else if err != nil {
			return err
		}
	}
	return given
}

type window struct {
	*filler
	task
	until int64                 // the next page ends here, inclusive
	gave  map[nostr.PubKey]bool // authors of the events that arrived
	given bool                  // the previous page returned events of the second with which the next page begins
	lone  bool                  // the single event of the previous page was taken for all of its second
	holes map[nostr.PubKey][]coverage.Interval
	open  int // seconds with a hole
	// contradicted means that a page left out what another returned of the same second, so
	// that any may be incomplete.
	contradicted bool
	failures     int // pages in a row that broke off
}

func (w *window) step(ctx context.Context) (done bool, err error) {
	if w.shorten(); w.span.empty() {
		return true, nil
	} else if w.until < w.span.from {
		return true, w.prove(ctx, w.span, false)
	}
	if *w.asked++; *w.asked > maxPages {
		return true, fmt.Errorf("%w: it has no end of notes for one stretch of time", errGivenUp)
	}
	p, err := w.source.page(ctx, w.ask(w.authors, span{w.span.from, w.until}, w.limit))
	if err != nil {
		return true, err
	}
	invalid, err := w.keep(ctx, p)
	if err != nil {
		return true, err
	}
	seen := look(p)
	if err := w.doubt(ctx, seen); err != nil {
		return true, err
	}
	if p.err == nil {
		w.learned.answers(w.purpose)
		// Some relays treat until as exclusive.
		w.contradicted = w.contradicted || w.given && p.refused == 0 && seen.newest < w.until
		w.given = false
	}
	switch {
	case ofTheKinds(p.err) && (w.part || refusedThisQuery(p.err)):
		return true, w.fewerKinds(ctx, p.err)
	case refusedThisQuery(p.err):
		return true, w.fewer(ctx, p.err)
	case ofTheKinds(p.err): // it wants a login, whatever the kinds
		return true, fmt.Errorf("%w: %w: %w", errGivenUp, errRefusesAll, p.err)
	case p.err != nil:
		return w.brokeOff(ctx, p, seen)
	case invalid > 0 && invalid == len(p.events):
		// Neither such a page nor an empty one after it proves anything.
		return true, fmt.Errorf("%w: every event that it sent was refused", errGivenUp)
	case p.refused > 0:
		return true, w.narrowDown(ctx)
	case p.complete():
		return true, w.prove(ctx, w.span, p.finished)
	}
	w.failures = 0
	return w.descend(ctx, seen)
}

// shorten removes from the window what was pruned since it was planned: notes fetched there
// would be pruned again.
func (w *window) shorten() {
	if w.earliest != nil {
		w.span.from = max(w.span.from, w.earliest(w.purpose))
	}
}

// keep stores a page. An event with a wrong signature leaves a hole at its date, of its
// author, where the genuine one may be.
func (w *window) keep(ctx context.Context, p page) (invalid int, err error) {
	if len(p.events) == 0 {
		return 0, nil
	}
	bad, err := w.sink.put(ctx, p.events, nil)
	if err != nil {
		return 0, err
	}
	for _, e := range p.events {
		w.gave[e.PubKey] = true
	}
	for _, e := range bad {
		w.hole(e.CreatedAt, e.PubKey)
	}
	if w.purpose == coverage.Feed && len(bad) == 0 {
		w.learned.kinds.gives(p.events)
	}
	return len(bad), nil
}

// descend continues below a page that ended well but proves nothing yet. A page holds the
// newest events, as many as the relay returns: all of each second except its oldest, which
// is asked for again. That one is complete as well once a page has reached below it, or has
// shown that nothing is there.
func (w *window) descend(ctx context.Context, p sight) (done bool, err error) {
	switch {
	case p.oldest < p.newest && !p.ordered && p.count >= smallestCap:
		// These are not the newest events: ask for less.
		return true, w.halve(ctx, span{w.span.from, w.until}, w.span.to)
	case p.oldest < p.newest:
		w.until, w.given = p.oldest, true
	default:
		if w.lone = p.count == 1 && w.limit > 1 && !w.learned.meager.Load(); !w.lone {
			if err := w.second(ctx, w.authors, 0, p.oldest, p.count+1); err != nil {
				return true, err
			}
		}
		w.until = p.oldest - 1
	}
	if w.until >= w.span.from {
		return false, nil
	}
	return true, w.prove(ctx, w.span, false)
}

// doubt asks again for a second that returned a single event, once the relay turns out to
// limit pages to one.
func (w *window) doubt(ctx context.Context, p sight) error {
	if w.lone && p.count > 0 {
		w.learned.meager.Store(true)
	}
	if !w.lone || !w.learned.meager.Load() {
		return nil
	}
	w.lone = false
	return w.second(ctx, w.authors, 0, w.until+1, 2)
}

// orderShown is how many notes in a row must arrive newest first for a page that broke off
// to be continued where it ended: a few may be in order by chance, and those of one second
// are in any order.
const orderShown = 10

func (w *window) brokeOff(ctx context.Context, p page, s sight) (done bool, err error) {
	w.failures++
	if p.refused == 0 && s.ordered && s.count >= orderShown && s.oldest < min(s.newest, w.until) {
		w.failures = 0
		w.until = s.oldest
	}
	switch {
	case w.failures >= pageTries:
		return true, fmt.Errorf("%w: %w", errGivenUp, p.err)
	case w.failures == pageTries-1 && w.span.from < w.until:
		return true, w.halve(ctx, span{w.span.from, w.until}, w.span.to)
	}
	return false, nil
}

// halve fills a stretch of the window as two, each with its own proof; the upper one
// extends to top. What has arrived is asked for again, which is cheap, since duplicates are
// not verified again.
func (w *window) halve(ctx context.Context, s span, top int64) error {
	if w.depth >= maxHalvings {
		return fmt.Errorf("%w: it does not page in order", errGivenUp)
	}
	mid := s.from + (s.to-s.from)/2
	var given error
	for _, part := range []span{{mid + 1, top}, {s.from, mid}} {
		t := w.task
		t.span, t.depth = part, w.depth+1
		if err := w.fill(ctx, t); errors.Is(err, errGivenUp) {
			given = err
		} else if err != nil {
			return err
		}
	}
	return given
}

// prove writes that a part of the window is complete, except for its holes.
func (w *window) prove(ctx context.Context, s span, finished bool) error {
	proof := coverage.ProofEmpty
	if finished {
		proof = coverage.ProofFinish
	}
	if w.contradicted {
		return fmt.Errorf("%w: it leaves out of one answer what it gave in another", errGivenUp)
	}
	if w.open > maxHoles {
		return fmt.Errorf("%w: its answers are too short to tell whether notes are missing", errGivenUp)
	}
	if w.purpose == coverage.Feed && w.checkKinds != nil {
		if err := w.checkKinds(ctx); err != nil {
			return err
		}
	}
	if w.tooManyKinds() {
		return w.anew(ctx) // some kinds were left out
	}
	if usesAll, err := w.usesAll(ctx); err != nil {
		return err
	} else if !usesAll {
		return w.fillParts(ctx, w.task, (len(w.authors)+1)/2)
	}
	verified := w.now().Unix()
	var rows []coverage.Row
	for _, a := range w.authors {
		for _, part := range gaps(s, w.holes[a]) {
			rows = append(rows, coverage.Row{
				Author: a, Relay: w.relay, Purpose: w.purpose,
				Interval: coverage.Interval{From: part.from, To: part.to, VerifiedAt: verified, Proof: proof},
			})
		}
	}
	_, err := w.sink.put(ctx, nil, rows)
	return err
}

// shortfall is the error of a window that is in the ledger but still misses events.
func (w *window) shortfall() error {
	if w.open > 0 && (w.limit == 1 || w.learned.meager.Load()) {
		return fmt.Errorf("%w: it gives one note at a time, so that not all of one second can be had", errGivenUp)
	}
	return nil
}

func (w *window) hole(at int64, authors ...nostr.PubKey) {
	w.open++
	for _, a := range authors {
		w.holes[a] = append(w.holes[a], coverage.Interval{From: at, To: at})
	}
}

func (w *window) ask(authors []nostr.PubKey, s span, limit int) nostr.Filter {
	f := filterFor(w.purpose, authors)
	f.Kinds = w.kinds
	f.Since, f.Until, f.Limit = &s.from, &s.to, &limit
	return f
}

type sight struct {
	count          int // distinct events
	oldest, newest int64
	ordered        bool // newest first
}

func look(p page) sight {
	s := sight{ordered: true, count: len(keysOf(p.events, func(e *nostr.Event) nostr.ID { return e.ID }))}
	for i, e := range p.events {
		if i == 0 {
			s.oldest, s.newest = e.CreatedAt, e.CreatedAt
		} else if e.CreatedAt > p.events[i-1].CreatedAt {
			s.ordered = false
		}
		s.oldest, s.newest = min(s.oldest, e.CreatedAt), max(s.newest, e.CreatedAt)
	}
	return s
}

// narrowDown follows a page with bad events, which may have replaced good ones. So that one
// of them does not leave a whole window open for ever, the window is divided until it is
// known which second and which author it concerns; only those stay open.
func (w *window) narrowDown(ctx context.Context) error {
	if w.learned.distrusted.Add(1) > maxDistrusted {
		return fmt.Errorf("%w: it sends too many invalid messages", errGivenUp)
	}
	if w.until < w.span.to {
		if err := w.prove(ctx, span{w.until + 1, w.span.to}, false); err != nil {
			return err
		}
	}
	if w.span.from < w.until {
		return w.halve(ctx, span{w.span.from, w.until}, w.until)
	}
	if err := w.second(ctx, w.authors, w.until, w.until, w.limit); err != nil {
		return err
	}
	return w.prove(ctx, span{w.until, w.until}, false)
}

// second gets all events of one second. It also asks for what comes before, since low: a
// page that reaches below the second holds all of it, whatever the relay's limit. If it
// does not, half the authors are asked for at a time. A second of one author that cannot be
// shown to be complete, or has bad events in it, is left as a hole.
func (w *window) second(ctx context.Context, authors []nostr.PubKey, low, at int64, limit int) error {
	if w.limit == 1 {
		w.hole(at, authors...) // no page reaches below
		return nil
	}
	if *w.asked++; *w.asked > maxPages {
		return fmt.Errorf("%w: it has no end of notes for one second", errGivenUp)
	}
	p, err := w.source.page(ctx, w.ask(authors, span{low, at}, min(limit, w.limit)))
	if err != nil {
		return err
	}
	s := look(p)
	wanted := p
	wanted.events = slices.DeleteFunc(slices.Clone(p.events), func(e *nostr.Event) bool { return e.CreatedAt < w.span.from })
	if _, err := w.keep(ctx, wanted); err != nil {
		return err
	}
	switch {
	case p.err != nil:
		return fmt.Errorf("%w: %w", errGivenUp, p.err)
	case p.refused > 0:
		w.learned.distrusted.Add(1)
	case p.complete(), s.ordered && s.oldest < at, s.count == 1 && !w.learned.meager.Load(), w.isAll(p, authors):
		return nil
	}
	if len(authors) <= 1 || w.learned.meager.Load() {
		w.hole(at, authors...)
		return nil
	}
	for half := range slices.Chunk(authors, (len(authors)+1)/2) {
		if err := w.second(ctx, half, low, at, w.limit); err != nil {
			return err
		}
	}
	return nil
}

// isAll reports whether a page of profiles holds all that exist: of each list a person has
// one.
func (w *window) isAll(p page, authors []nostr.PubKey) bool {
	type list struct {
		author nostr.PubKey
		kind   uint16
	}
	lists := keysOf(p.events, func(e *nostr.Event) list { return list{e.PubKey, e.Kind} })
	return w.purpose == coverage.Profile && len(lists) == len(authors)*len(profileKinds())
}
