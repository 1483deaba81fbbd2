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

// page is what a relay answered to one REQ up to its EOSE, or up to where it
// broke off. Its events have ids that were recomputed and match the filter.
type page struct {
	events   []*nostr.Event // in the order they came
	finished bool           // the EOSE said that there is no more (NIP-67)
	refused  int            // events dropped: no valid event, or off the filter
	err      error          // why the page has no EOSE; nil when it has
}

// complete reports whether the page proves that nothing more is there: the relay
// said so (NIP-67), or it was asked and had nothing at all to say. A short page
// proves nothing, since relays cap pages without a word; a page with lies neither,
// since the truth may stand behind one.
func (p page) complete() bool {
	return p.err == nil && p.refused == 0 && (p.finished || len(p.events) == 0)
}

// source answers one filter with one page. An error means that nothing more can
// be had from the relay in this run; a page that broke off is no such error.
type source interface {
	page(ctx context.Context, f nostr.Filter) (page, error)
}

// sink stores events and, with the last of them, coverage. It returns the events
// whose signatures are wrong.
type sink interface {
	put(ctx context.Context, events []*nostr.Event, rows []coverage.Row) (invalid []*nostr.Event, err error)
}

// errGivenUp is why a window stays open.
var errGivenUp = errors.New("given up")

// pageTries is how often in a row a page may break off before its window is
// given up.
const pageTries = 3

// What ends the work on a window at a relay that makes notes up as it is asked.
const (
	maxPages      = 5000 // for one task
	maxHalvings   = 40
	maxDistrusted = 60 // pages with lies
)

// smallestCap: pages of fewer events that come in no order are not taken as cut.
const smallestCap = 5

// maxHoles is how many seconds of a window may stay open.
const maxHoles = 100

// filler pages windows of time to their bottom at one relay.
type filler struct {
	relay     string
	source    source
	sink      sink
	limit     int // events a page, as the relay permits
	perFilter int // authors a filter, as the relay permits
	now       func() time.Time
	learnt    *experience
	earliest  func(coverage.Purpose) int64 // before it nothing is wanted; nil for no such time
	heedKinds func(context.Context) error  // see run.heedKinds; nil for nothing
}

// experience is what was learnt of a relay in a run, by all that fill windows there.
type experience struct {
	// meager: it gave one event where there were more. That how many a page holds is
	// no proof that the next may hold as many, since relays cap them in silence and not
	// all questions alike; only that a page of one may be cut is not believed before it
	// is seen, or the first note of a person could not be told from one of many.
	meager     atomic.Bool
	distrusted atomic.Int64 // pages with lies
	refusals
	kinds kinds
}

// fill asks for a task's window until the relay has shown that nothing is left
// in it, and then writes its coverage. An error that is errGivenUp concerns this
// window alone; any other ends the work with the relay.
func (f *filler) fill(ctx context.Context, t task) error {
	if t.asked == nil {
		t.asked = new(int)
	}
	most, rest, refused := f.learnt.narrow(t.authors, f.perFilter)
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
		parts := f.learnt.kinds.parts(filterFor(t.purpose, nil).Kinds)
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

// fillParts fills a window for at most so many authors at a time. A part that is
// given up leaves the others their chance.
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
	gave  map[nostr.PubKey]bool // whose events came
	given bool                  // the page before gave events of the second that the next page begins with
	lone  bool                  // the one event of the page before was taken for all of its second
	holes map[nostr.PubKey][]coverage.Interval
	open  int // seconds with a hole
	// contradicted: a page left out what another gave of the same second, and so may any
	// have left out others.
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
		w.learnt.answers(w.purpose)
		// Some relays take until for the first second that is not wanted.
		w.contradicted = w.contradicted || w.given && p.refused == 0 && seen.newest < w.until
		w.given = false
	}
	switch {
	case ofTheKinds(p.err) && (w.part || ofTheQuestion(p.err)):
		return true, w.fewerKinds(ctx, p.err)
	case ofTheQuestion(p.err):
		return true, w.fewer(ctx, p.err)
	case ofTheKinds(p.err): // it asks who we are, and not for the sake of some kinds
		return true, fmt.Errorf("%w: %w: %w", errGivenUp, errRefusesAll, p.err)
	case p.err != nil:
		return w.brokeOff(ctx, p, seen)
	case invalid > 0 && invalid == len(p.events):
		// A page of lies proves nothing, an empty rest of one neither.
		return true, fmt.Errorf("%w: every event that it sent was refused", errGivenUp)
	case p.refused > 0:
		return true, w.narrowDown(ctx)
	case p.complete():
		return true, w.prove(ctx, w.span, p.finished)
	}
	w.failures = 0
	return w.descend(ctx, seen)
}

// shorten takes off the window what is wanted no more since it was planned: notes
// were pruned meanwhile, and these would be among them.
func (w *window) shorten() {
	if w.earliest != nil {
		w.span.from = max(w.span.from, w.earliest(w.purpose))
	}
}

// keep stores a page. An event with a wrong signature leaves a hole where the
// true one may be: its id says when it was made and by whom.
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
		w.learnt.kinds.gives(p.events)
	}
	return len(bad), nil
}

// descend goes on below a page that ended well but proved nothing yet. A page is the
// newest of what was asked for, as many as the relay gives at one time: so it holds
// all of each second but its oldest, and that one is asked for again. It is whole
// too when a page that reaches below it has come, or has shown that nothing is there.
func (w *window) descend(ctx context.Context, p sight) (done bool, err error) {
	switch {
	case p.oldest < p.newest && !p.ordered && p.count >= smallestCap:
		// It is not the newest that it sends: ask for less.
		return true, w.halve(ctx, span{w.span.from, w.until}, w.span.to)
	case p.oldest < p.newest:
		w.until, w.given = p.oldest, true
	default:
		if w.lone = p.count == 1 && w.limit > 1 && !w.learnt.meager.Load(); !w.lone {
			if err := w.second(ctx, w.authors, 0, p.oldest, p.count+1); err != nil {
				return true, err
			}
		}
		w.until = p.oldest - 1
	}
	if w.until >= w.span.from {
		return false, nil
	}
	return true, w.prove(ctx, w.span, false) // the last second of the window was given
}

// doubt looks again at a second of which one event came, when it shows that pages
// of one may be cut: there were more below it.
func (w *window) doubt(ctx context.Context, p sight) error {
	if w.lone && p.count > 0 {
		w.learnt.meager.Store(true)
	}
	if !w.lone || !w.learnt.meager.Load() {
		return nil
	}
	w.lone = false
	return w.second(ctx, w.authors, 0, w.until+1, 2)
}

// orderShown is how many notes in a row must come newest first until a page that
// broke off is taken up where it ended: a few can stand in order by chance, and those
// of one second stand in any.
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

// halve fills a stretch of the window as two, each with a proof of its own; the
// upper one reaches up to top. What came already is asked again, which costs
// little, since duplicates are not verified twice.
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

// prove writes that a part of the window is complete, but for its holes.
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
	if w.purpose == coverage.Feed && w.heedKinds != nil {
		if err := w.heedKinds(ctx); err != nil {
			return err
		}
	}
	if w.tooManyKinds() {
		return w.anew(ctx) // it left out some
	}
	if heeded, err := w.heeded(ctx); err != nil {
		return err
	} else if !heeded {
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

// shortfall is why a window of which the ledger knows now still lacks events.
func (w *window) shortfall() error {
	if w.open > 0 && (w.limit == 1 || w.learnt.meager.Load()) {
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
	s := sight{ordered: true}
	here := make(map[nostr.ID]bool, len(p.events))
	for i, e := range p.events {
		if i == 0 {
			s.oldest, s.newest = e.CreatedAt, e.CreatedAt
		} else if e.CreatedAt > p.events[i-1].CreatedAt {
			s.ordered = false
		}
		s.oldest, s.newest = min(s.oldest, e.CreatedAt), max(s.newest, e.CreatedAt)
		here[e.ID] = true
	}
	s.count = len(here)
	return s
}

// narrowDown follows a page that had lies in it, or events of a shape that is
// not permitted: what they stood for may be missing. So that one such event does
// not leave a whole window open for ever, the window is cut until it is known
// which second and which author it concerns; those stay open.
func (w *window) narrowDown(ctx context.Context) error {
	if w.learnt.distrusted.Add(1) > maxDistrusted {
		return fmt.Errorf("%w: it sends too much that is not valid", errGivenUp)
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

// second gets one second whole. It asks for what lies before it too, from the time
// low on: a page that reaches below the second holds all of it, whatever the relay's
// cap. One that does not is asked for again for half the authors. A second of one
// author that is not shown whole, or has lies in it, is left as a hole.
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
		w.learnt.distrusted.Add(1)
	case p.complete(), s.ordered && s.oldest < at, s.count == 1 && !w.learnt.meager.Load(), w.isAll(p, authors):
		return nil
	}
	if len(authors) <= 1 || w.learnt.meager.Load() {
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

// isAll reports whether a page holds all that can be, since of each list of a person
// there is one.
func (w *window) isAll(p page, authors []nostr.PubKey) bool {
	type list struct {
		author nostr.PubKey
		kind   uint16
	}
	lists := map[list]bool{}
	for _, e := range p.events {
		lists[list{e.PubKey, e.Kind}] = true
	}
	return w.purpose == coverage.Profile && len(lists) == len(authors)*len(profileKinds())
}
