package ndb

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/bits"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/search"
)

// planText reads the rows of the search's terms, and adds the stream of candidate notes.
// It returns false if the index would not reduce what has to be read.
func (sc *scan) planText(ctx context.Context, txn *badger.Txn, first, last uint32) (bool, error) {
	t := sc.text
	if t == nil {
		return false, nil
	}
	fewer := sc.filter.IDs != nil || len(sc.filter.Tags) > 0 || sc.authors != nil && len(sc.authors.list) <= mergedAuthors
	if t.Rest == nil || !narrows(t.Rest) && (fewer || !isExact(t.Rest, nil)) {
		return false, nil
	}
	// The columns are newer than the rows: what arrived since is in no row, and matches
	// any "-".
	known, err := readMarks(txn)
	if err != nil {
		return false, err
	}
	now, later := segmentsNow(t.Rest, known.note)
	t.rows = make(map[*search.Node]*leafRows)
	loader := &rowLoader{store: sc.store, txn: txn, first: first, last: last, span: now, rows: t.rows}
	segments, err := loader.load(ctx, t.Rest, nil)
	if err != nil {
		return false, err
	}
	t.confirm = !isExact(t.Rest, t.rows)
	found := &hits{scan: sc, first: first, last: last, below: max(known.note, 1), rest: t.Rest}
	err = sc.store.times.with(ctx, &sc.store.reads, func() {
		found.choose(now, segments)
		found.postpone(later)
	})
	sc.streams = append(sc.streams, &stream{listed: found})
	return true, err
}

// narrows reports whether the index can select notes for the node without going through
// all of them.
func narrows(n *search.Node) bool {
	switch {
	case n == nil:
		return false
	case n.Op == search.OpAnd:
		return slices.ContainsFunc(n.Kids, narrows)
	case n.Op == search.OpOr:
		return !slices.ContainsFunc(n.Kids, func(kid *search.Node) bool { return !narrows(kid) })
	}
	return isIndexed(n)
}

// TermFrequency returns how many stored notes hold the term (a Token's Term), and how
// many notes the text index holds: how common the term is.
func (s *Store) TermFrequency(ctx context.Context, term string) (notes, of int, err error) {
	if !search.IsTerm(term) {
		return 0, 0, nil
	}
	err = s.view(ctx, func(txn *badger.Txn) error {
		rows, err := segmentsOf(txn, wordPrefix(term), allSegments(), nil)
		if err != nil {
			return err
		}
		if notes, err = s.countStored(ctx, rows); err != nil {
			return err
		}
		m, err := readMarks(txn)
		of = int(m.texts)
		return err
	})
	return notes, of, err
}

// countStored counts the notes in a term's rows, by segment, that are still stored.
func (s *Store) countStored(ctx context.Context, rows map[uint32][]byte) (notes int, err error) {
	err = s.times.with(ctx, &s.reads, func() {
		for segment, row := range rows {
			all := s.times.of(segment)
			for place := range postings(row) {
				if int(place) < len(all) && all[place].exists {
					notes++
				}
			}
		}
	})
	return notes, err
}

// readMarks reads the high-water marks; a store that never held a note has none.
func readMarks(txn *badger.Txn) (marks, error) {
	row, err := txnGet(txn, metaKey(metaMarks))
	if errors.Is(err, ErrNotFound) {
		return marks{}, nil
	}
	if err != nil {
		return marks{}, err
	}
	return decodeMarks(row)
}

// evaluator finds the candidate notes of one segment.
type evaluator struct {
	store   *Store
	rows    map[*search.Node]*leafRows
	segment uint32
}

// meets returns the notes that may match the node; if the node is exact, those that do.
func (ev *evaluator) meets(n *search.Node) *bitset {
	switch n.Op {
	case search.OpAnd:
		return ev.allOf(n.Kids)
	case search.OpOr:
		some := new(bitset)
		for _, kid := range n.Kids {
			some.or(ev.meets(kid))
		}
		return some
	case search.OpNot:
		return ev.allOf([]*search.Node{n})
	}
	leaf := ev.rows[n]
	if leaf == nil {
		return ev.columns(n)
	}
	bits := new(bitset)
	if united := leaf.bits[ev.segment]; united != nil {
		*bits = *united
	} else if row := leaf.rows[ev.segment]; row != nil {
		bits.addRow(row)
	}
	return bits
}

// allOf removes what certainly matches a node below a "-"; what may match it stays, to be
// read.
func (ev *evaluator) allOf(nodes []*search.Node) *bitset {
	var all *bitset
	for _, n := range nodes {
		if n.Op == search.OpNot {
			continue
		}
		if met := ev.meets(n); all == nil {
			all = met
		} else {
			all.and(met)
		}
	}
	if all == nil {
		all = ev.everything()
	}
	for _, n := range nodes {
		if n.Op == search.OpNot && isExact(n.Kids[0], ev.rows) {
			all.without(ev.meets(n.Kids[0]))
		}
	}
	return all
}

// isExact reports whether the index alone decides a node.
func isExact(n *search.Node, rows map[*search.Node]*leafRows) bool {
	for m := range n.All() {
		switch {
		case m.Op == search.OpLang, m.Op == search.OpLink, m.Op == search.OpWords && len(m.Terms) > 1:
			return false
		case m.Time != nil && *m.Time >= math.MaxUint32: // an index cannot tell such times apart
			return false
		case rows[m] != nil && rows[m].loose:
			return false
		}
	}
	return true
}

func (ev *evaluator) everything() *bitset {
	return ev.where(func(column) bool { return true })
}

func (ev *evaluator) where(test func(column) bool) *bitset {
	bits := new(bitset)
	for place, c := range ev.store.times.of(ev.segment) {
		if c.exists && test(c) {
			bits.add(uint16(place))
		}
	}
	return bits
}

// columns answers the leaves that need no index row.
func (ev *evaluator) columns(n *search.Node) *bitset {
	switch n.Op {
	case search.OpKind:
		kinds := make(map[uint16]bool, len(n.Kinds))
		for _, kind := range n.Kinds {
			kinds[kind] = true
		}
		return ev.where(func(c column) bool { return kinds[c.kind] })
	case search.OpFrom:
		people := make(map[uint32]bool, len(n.People))
		for _, p := range n.People {
			if a, ok := ev.store.people.get(*p.Key); ok {
				people[a] = true
			}
		}
		return ev.where(func(c column) bool { return people[c.author] })
	case search.OpSince:
		return ev.where(func(c column) bool { return c.its <= invertTime(*n.Time) })
	case search.OpUntil:
		return ev.where(func(c column) bool { return *n.Time >= 0 && c.its >= invertTime(*n.Time) })
	}
	return ev.everything()
}

// hits are the notes that may match a search, newest first. Rows of words are in order of
// arrival, which is roughly the order of time; so segments are opened one by one, newest
// first, and only as many as the answer needs.
type hits struct {
	scan        *scan
	first, last uint32        // the inverted times that are wanted
	below       uint32        // only notes with a smaller number have rows
	rest        *search.Node  // what they must match
	segments    []segmentHits // not yet opened, the one with the newest note first
	later       segmentSpan   // whose rows have not been read; they are in segments as unread
	places      []place       // of opened segments, unordered, not yet taken
}

type segmentHits struct {
	segment uint32
	newest  uint32 // inverted time of the newest note of the segment
}

// unread stands for all segments whose rows have not been read.
const unread = math.MaxUint32

// choose adds the segments of a span that are to be opened; nil for all.
func (h *hits) choose(span segmentSpan, segments map[uint32]bool) {
	times := h.scan.store.times
	take := func(segment uint32) {
		if newest := times.newestIn(segment); newest <= h.last {
			h.segments = append(h.segments, segmentHits{segment, newest})
		}
	}
	if segments == nil {
		for segment := span.from; segment < min(span.to, uint32(len(times.newest))); segment++ {
			take(segment)
		}
	}
	for segment := range segments {
		take(segment)
	}
	h.sort()
}

// postpone leaves the rows of a span unread until its newest note may be next.
func (h *hits) postpone(span segmentSpan) {
	if h.later = span; span.from == span.to {
		return
	}
	newest := uint32(math.MaxUint32)
	for segment := span.from; segment < span.to; segment++ {
		newest = min(newest, h.scan.store.times.newestIn(segment))
	}
	if newest <= h.last {
		h.segments = append(h.segments, segmentHits{unread, newest})
		h.sort()
	}
}

func (h *hits) sort() {
	slices.SortFunc(h.segments, func(a, b segmentHits) int {
		return cmp.Or(cmp.Compare(a.newest, b.newest), cmp.Compare(b.segment, a.segment))
	})
}

// take moves the next places to dst, in order, at least n of them if there are that many;
// all places of one second come together.
func (h *hits) take(ctx context.Context, txn *badger.Txn, dst []place, n int) ([]place, error) {
	for len(h.places) < n && len(h.segments) > 0 {
		if err := h.openNext(ctx, txn); err != nil {
			return dst, err
		}
	}
	if len(h.places) == 0 {
		return dst, nil
	}
	n = min(n, len(h.places))
	cut := h.threshold(n)
	for len(h.segments) > 0 && h.segments[0].newest <= cut {
		if err := h.openNext(ctx, txn); err != nil {
			return dst, err
		}
	}
	cut = h.threshold(n) // with more places it can only become newer
	rest, start := h.places[:0], len(dst)
	for _, p := range h.places {
		if p.its <= cut {
			dst = append(dst, p)
		} else {
			rest = append(rest, p)
		}
	}
	h.places = rest
	slices.SortFunc(dst[start:], func(a, b place) int { return cmp.Compare(a.its, b.its) })
	return dst, nil
}

// openNext adds the places of the next segment that the filter may match.
func (h *hits) openNext(ctx context.Context, txn *badger.Txn) error {
	sc, seg := h.scan, h.segments[0]
	h.segments = h.segments[1:]
	if seg.segment == unread {
		return h.readLater(ctx, txn)
	}
	return sc.store.times.with(ctx, &sc.store.reads, func() {
		rows, first := sc.store.times.of(seg.segment), seg.segment<<segmentBits
		ev := &evaluator{store: sc.store, rows: sc.text.rows, segment: seg.segment}
		for i, word := range ev.meets(h.rest) {
			for ; word != 0; word &= word - 1 {
				if at := i*64 + bits.TrailingZeros64(word); at < len(rows) {
					h.add(first|uint32(at), rows[at])
				}
			}
		}
	})
}

// readLater reads the rows that were left unread.
func (h *hits) readLater(ctx context.Context, txn *badger.Txn) error {
	sc := h.scan
	loader := &rowLoader{store: sc.store, txn: txn, first: h.first, last: h.last, span: h.later, rows: sc.text.rows}
	segments, err := loader.load(ctx, h.rest, nil)
	if err != nil {
		return err
	}
	return sc.store.times.with(ctx, &sc.store.reads, func() { h.choose(h.later, segments) })
}

// add adds a note that the filter may match.
func (h *hits) add(n uint32, c column) {
	sc := h.scan
	if !c.exists || n >= h.below || c.its < h.first || c.its > h.last || sc.kinds != nil && !sc.kinds.has(c.kind) ||
		sc.authors != nil && !sc.authors.has(c.author) {
		return
	}
	h.places = append(h.places, place{c.its, n, c.author, c.kind})
}

// threshold returns the smallest inverted time up to which there are at least n
// places. It halves the range of times, so it takes at most 32 passes.
func (h *hits) threshold(n int) uint32 {
	var low, high uint32 = 1<<32 - 1, 0
	for _, p := range h.places {
		low, high = min(low, p.its), max(high, p.its)
	}
	for i := bits.Len32(high - low); i > 0 && low < high; i-- {
		middle := low + (high-low)/2
		count := 0
		for _, p := range h.places {
			if p.its <= middle {
				count++
			}
		}
		if count >= n {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return high
}
