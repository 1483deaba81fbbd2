package ndb

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// Cursor is a position in the order of answers: newest first, at equal times the lowest
// id first.
type Cursor struct {
	CreatedAt int64
	ID        nostr.ID
}

// QueryOptions refine a query.
type QueryOptions struct {
	Match  func(*nostr.Event) bool // a further test, fast and without writes; a filter's limit counts only what passes
	Hidden bool                    // include what is dated more than 15 minutes ahead
	After  *Cursor                 // start after this position

	below uint32 // only notes with a smaller number; 0 for all
}

// mergedAuthors is up to how many authors are read one by one and merged. Beyond that it
// is cheaper to read everybody's notes of a kind and leave out the others.
const mergedAuthors = 16

// textQuery is the search text of one scan, prepared for the text index.
type textQuery struct {
	*search.Text
	confirm bool // the index alone does not decide
	rows    map[*search.Node]*leafRows
}

// matches makes the tests that the indexes do not decide.
func (t *textQuery) matches(s *Store, e *nostr.Event) bool {
	if t.Rest == nil || !t.confirm {
		return true
	}
	return t.Rest.MetBy(e, s.langs.Of)
}

// scan answers one filter. It gathers a page of events in one short transaction, hands
// them out, and gathers the next page in another: while the consumer works, nothing in
// the database is locked. So an answer is no snapshot: changes ahead of the scan's
// position are seen, changes behind it are not.
type scan struct {
	store   *Store
	filter  nostr.Filter
	rest    nostr.Filter // what streams do not decide
	opt     QueryOptions
	authors *authorSet // nil: anybody
	kinds   *kindSet   // nil: any kind
	text    *textQuery // nil: no search
	visible int64      // no later date is shown
	now     int64
	left    int // events that the limit still allows

	planned bool
	streams []*stream
	page    []*nostr.Event
	at      int
	size    int // of the next page
	done    bool
	damage  error // of notes that could not be read; returned after everything else
}

const (
	firstPage = 32
	largePage = 512
	pageBytes = 4 << 20

	readTogether     = 128 // notes, before their size is looked at
	fewestNeighbours = 4   // to open an iterator for
)

func (s *Store) newScan(f nostr.Filter, opt QueryOptions) (*scan, error) {
	sc := &scan{
		store: s, filter: f, opt: opt, left: math.MaxInt, size: firstPage,
		visible: s.visibleUntil(), now: s.now(),
	}
	if f.Search != "" {
		text, err := search.Read(f.Search, sc.now)
		if err != nil {
			return nil, err
		}
		if text != nil {
			sc.filter = text.Narrow(f)
			sc.text = &textQuery{Text: text, confirm: text.Rest != nil}
		}
	}
	if f.Limit != nil {
		sc.left = max(*f.Limit, 0)
		sc.size = min(max(sc.left, 1), largePage)
	}
	if sc.filter.Kinds != nil {
		sc.kinds = newKindSet(sc.filter.Kinds)
	}
	if sc.filter.Authors != nil {
		known := make([]uint32, 0, len(sc.filter.Authors))
		for _, pk := range sc.filter.Authors {
			if a, ok := s.people.get(pk); ok {
				known = append(known, a)
			}
		}
		sc.authors = newAuthorSet(known)
	}
	sc.rest = sc.filter
	sc.rest.Authors, sc.rest.Kinds, sc.rest.IDs = nil, nil, nil
	return sc, nil
}

// next returns the scan's next event without taking it; nil at the end.
func (sc *scan) next(ctx context.Context) (*nostr.Event, error) {
	for sc.at == len(sc.page) {
		if sc.done || sc.left == 0 {
			return nil, nil
		}
		sc.page, sc.at = sc.page[:0], 0
		err := sc.store.view(ctx, func(txn *badger.Txn) error { return sc.gather(ctx, txn) })
		if err != nil {
			return nil, err
		}
		sc.size = min(sc.size*2, largePage)
	}
	return sc.page[sc.at], nil
}

func (sc *scan) take() { sc.at++ }

// gather fills the page, all events of one second together.
func (sc *scan) gather(ctx context.Context, txn *badger.Txn) error {
	if !sc.planned {
		sc.planned = true
		if err := sc.plan(ctx, txn); err != nil {
			return err
		}
	}
	its := &iterators{txn: txn, streams: sc.streams, open: make(map[byte]*badger.Iterator)}
	defer its.close()
	bytes := 0
	for len(sc.page) < min(sc.size, sc.left) && bytes < pageBytes {
		if err := ctx.Err(); err != nil {
			return err
		}
		places, err := sc.candidates(ctx, its, min(sc.size, sc.left)-len(sc.page))
		if err != nil {
			return err
		}
		if len(places) == 0 {
			sc.done = true
			break
		}
		from := len(sc.page)
		sc.read(txn, places)
		for _, e := range sc.page[from:] {
			bytes += memorySize(e)
		}
	}
	if len(sc.page) > sc.left {
		sc.page = sc.page[:sc.left]
	}
	if sc.left != math.MaxInt {
		sc.left -= len(sc.page)
	}
	return nil
}

// candidates takes places off the streams, whole seconds of them, until about so many
// are left after the tests that need no note. They are ordered by time; no place is the
// end.
func (sc *scan) candidates(ctx context.Context, its *iterators, wanted int) (places []place, err error) {
	for len(places) < min(wanted, readTogether) {
		second, err := sc.second(ctx, its)
		if err != nil || len(second) == 0 {
			return places, err
		}
		if len(second) > 1 {
			slices.SortFunc(second, func(a, b place) int { return cmp.Compare(a.n, b.n) })
			second = slices.CompactFunc(second, func(a, b place) bool { return a.n == b.n })
		}
		for _, p := range second {
			if sc.passes(p) {
				places = append(places, p)
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return places, nil
}

// passes makes the tests that need no note.
func (sc *scan) passes(p place) bool {
	return (sc.opt.below == 0 || p.n < sc.opt.below) && (sc.authors == nil || sc.authors.has(p.author)) &&
		(sc.kinds == nil || sc.kinds.has(p.kind))
}

// second takes all places of the newest second off the streams.
func (sc *scan) second(ctx context.Context, its *iterators) (places []place, err error) {
	newest, found := uint32(0), false
	for _, st := range sc.streams {
		p, ok, err := st.head(ctx, its)
		if err != nil {
			return nil, err
		}
		if ok && (!found || p.its < newest) {
			newest, found = p.its, true
		}
	}
	if !found {
		return nil, nil
	}
	for _, st := range sc.streams {
		for {
			p, ok, err := st.head(ctx, its)
			if err != nil {
				return nil, err
			}
			if !ok || p.its != newest {
				break
			}
			places = append(places, p)
			st.at++
		}
	}
	return places, nil
}

// read fetches the notes at places and adds those that the filter matches to the page, in
// order.
func (sc *scan) read(txn *badger.Txn, places []place) {
	begun := len(sc.page) // where the second of the last event begins
	var second uint32
	sc.store.events(txn, places, func(p place, e *nostr.Event, err error) {
		if errors.Is(err, ErrNotFound) { // removed, or stored since txn began: memory is ahead of it
			err = sc.store.reads.read(func(newest *badger.Txn) (err error) {
				e, err = sc.store.event(newest, p.n)
				return err
			})
		}
		if p.its != second {
			slices.SortFunc(sc.page[begun:], nostr.Compare)
			begun, second = len(sc.page), p.its
		}
		switch {
		case err != nil:
			sc.damaged(err)
		case sc.shows(p.author, e):
			sc.page = append(sc.page, e)
		}
	})
	slices.SortFunc(sc.page[begun:], nostr.Compare)
}

// shows makes every test that the indexes do not decide.
func (sc *scan) shows(author uint32, e *nostr.Event) bool {
	switch {
	case !sc.rest.Matches(e), !sc.opt.Hidden && e.CreatedAt > sc.visible:
		return false
	case sc.opt.After != nil && !sc.opt.After.before(e):
		return false
	case isExpired(e, sc.now), sc.store.isOutdated(author, e, sc.visible):
		return false
	case sc.text != nil && !sc.text.matches(sc.store, e):
		return false
	}
	return sc.opt.Match == nil || sc.opt.Match(e)
}

// damaged keeps the first error about a note that cannot be shown; a note that has just
// been removed is no error.
func (sc *scan) damaged(err error) {
	if !errors.Is(err, ErrNotFound) && sc.damage == nil {
		sc.damage = err
	}
}

// before reports whether the event comes after the cursor.
func (c *Cursor) before(e *nostr.Event) bool {
	if e.CreatedAt != c.CreatedAt {
		return e.CreatedAt < c.CreatedAt
	}
	return bytes.Compare(c.ID[:], e.ID[:]) < 0
}

func isExpired(e *nostr.Event, now int64) bool {
	expiry := expiryOf(e)
	return expiry != noExpiry && expiry <= now
}

// isOutdated reports whether a version that was dated in the future has since
// taken the event's place.
func (s *Store) isOutdated(a uint32, e *nostr.Event, visible int64) bool {
	return nostr.IsReplaceable(e.Kind) && !s.future.empty() && e.CreatedAt <= visible &&
		s.future.outdated(string(winnerKey(a, e.Kind, nostr.D(e))), e, visible)
}

// event reads a note, hashing its id again if it comes from disk.
func (s *Store) event(txn *badger.Txn, n uint32) (*nostr.Event, error) {
	if e, ok := s.cache.get(n); ok {
		return e, nil
	}
	item, err := txn.Get(noteKey(n))
	if errors.Is(err, badger.ErrKeyNotFound) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("read note %d: %w", n, err)
	}
	return s.decode(n, item)
}

func (s *Store) decode(n uint32, item *badger.Item) (e *nostr.Event, err error) {
	err = item.Value(func(packed []byte) (err error) {
		e, err = unpackChecked(packed)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%w: note %d: %w", ErrDamaged, n, err)
	}
	s.cache.add(n, e)
	return e, nil
}

// events reads the notes at places and yields them in the order of the places. Notes of
// one time mostly arrived together and are neighbours: an iterator steps through them at a
// fraction of the cost of looking up each.
func (s *Store) events(txn *badger.Txn, places []place, yield func(place, *nostr.Event, error)) {
	found := make([]*nostr.Event, len(places))
	var missing []int
	for i, p := range places {
		if e, ok := s.cache.get(p.n); ok {
			found[i] = e
		} else {
			missing = append(missing, i)
		}
	}
	slices.SortFunc(missing, func(a, b int) int { return cmp.Compare(places[a].n, places[b].n) })
	var it *badger.Iterator
	for start := 0; start < len(missing); {
		end := start + 1
		for end < len(missing) && places[missing[end]].n-places[missing[end-1]].n <= nextNotes {
			end++
		}
		if neighbours := missing[start:end]; len(neighbours) >= fewestNeighbours {
			if it == nil {
				it = txn.NewIterator(keysOnly([]byte{famNote}))
				defer it.Close()
			}
			s.stepThrough(it, places, neighbours, found)
		}
		start = end
	}
	for i, p := range places {
		e, err := found[i], error(nil)
		if e == nil { // on its own, or not readable
			e, err = s.event(txn, p.n)
		}
		yield(p, e, err)
	}
}

// stepThrough reads places that are neighbours, those that can be read.
func (s *Store) stepThrough(it *badger.Iterator, places []place, neighbours []int, found []*nostr.Event) {
	it.Seek(noteKey(places[neighbours[0]].n))
	for _, i := range neighbours {
		key := noteKey(places[i].n)
		for it.Valid() && bytes.Compare(it.Item().Key(), key) < 0 {
			it.Next()
		}
		if it.Valid() && bytes.Equal(it.Item().Key(), key) {
			found[i], _ = s.decode(places[i].n, it.Item())
		}
	}
}
