package ndb

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/search"
)

// hits are the notes that may meet a search, or all notes, newest first. Both stand
// in the order in which notes came, which is about that of time; so segments are
// opened one by one, newest first, and only as many as the answer needs.
type hits struct {
	scan        *scan
	first, last uint32        // the inverted times that are wanted
	below       uint32        // only notes with a smaller number are known to rows; 0: no rows
	rest        *search.Node  // what they have to meet; nil: nothing
	segments    []segmentHits // not yet opened, the one with the newest note first
	later       segmentSpan   // whose rows have not been read; they stand in segments as unread
	places      []place       // of opened segments, in no order, not yet taken
}

type segmentHits struct {
	segment uint32
	newest  uint32 // inverted time of the newest note of the segment
}

// unread stands for all segments whose rows have not been read.
const unread = math.MaxUint32

// choose takes the segments of a span that are to be opened; nil for all.
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

// postpone leaves the rows of a span unread until its newest note may come next.
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

// take moves the next places to dst, in order, at least n of them where there are
// so many; all of one second come together.
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
	cut = h.threshold(n) // with more places it can only be newer
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
	return sc.store.times.with(ctx, sc.store.db, func() {
		rows, first := sc.store.times.of(seg.segment), seg.segment<<segmentBits
		if h.rest == nil {
			for at, c := range rows {
				h.add(first|uint32(at), c)
			}
			return
		}
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
	return sc.store.times.with(ctx, sc.store.db, func() { h.choose(h.later, segments) })
}

// add takes in a note that the filter may match.
func (h *hits) add(n uint32, c column) {
	sc := h.scan
	if !c.exists || h.below != 0 && n >= h.below || c.its < h.first || c.its > h.last || sc.kinds != nil && !sc.kinds.has(c.kind) ||
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
