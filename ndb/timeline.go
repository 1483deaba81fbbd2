package ndb

import (
	"context"
	"slices"
	"sort"

	"github.com/dgraph-io/badger/v4"
)

// timeline holds the numbers of all notes by inverted time, and by number where that is
// equal: the order of the index k, without its kinds. It is cut into chunks, so that a
// note finds its place by moving few others. Notes that have been removed stay in it.
type timeline [][]uint32

const (
	chunkNotes = 1024
	walkAtOnce = 4 * chunkNotes // before the lock is released

	// walkedShare is what part of the notes must be of the kinds in question for the
	// timeline, which goes through all kinds, to be faster than the index of each.
	walkedShare = 16
)

// newTimeline takes notes as time and number in one, in any order.
func newTimeline(notes []uint64) (line timeline) {
	slices.Sort(notes)
	for some := range slices.Chunk(notes, chunkNotes) {
		chunk := newChunk()
		for _, note := range some {
			chunk = append(chunk, uint32(note))
		}
		line = append(line, chunk)
	}
	return line
}

func newChunk(numbers ...uint32) []uint32 { return append(make([]uint32, 0, chunkNotes), numbers...) }

func (line timeline) clone() timeline {
	line = slices.Clone(line)
	for i := range line {
		line[i] = newChunk(line[i]...)
	}
	return line
}

// find returns where the first note stands that does not come before a time and number.
func (c *columns) find(its, n uint32) (chunk, at int) {
	before := func(m uint32) bool {
		t := c.rows[m].its
		return t < its || t == its && m < n
	}
	chunk = sort.Search(len(c.line), func(i int) bool { return !before(c.line[i][len(c.line[i])-1]) })
	if chunk < len(c.line) {
		at = sort.Search(len(c.line[chunk]), func(i int) bool { return !before(c.line[chunk][i]) })
	}
	return chunk, at
}

// insert gives a note, whose row is set, its place in the timeline.
func (c *columns) insert(n uint32) {
	if len(c.line) == 0 {
		c.line = timeline{newChunk(n)}
		return
	}
	chunk, at := c.find(c.rows[n].its, n)
	if chunk == len(c.line) {
		chunk--
		at = len(c.line[chunk])
	}
	if list := c.line[chunk]; len(list) == chunkNotes {
		const half = chunkNotes / 2
		switch {
		case at == 0: // in order of time, chunks become full
			c.line = slices.Insert(c.line, chunk, newChunk())
		case at == chunkNotes:
			chunk, at = chunk+1, 0
			c.line = slices.Insert(c.line, chunk, newChunk())
		default:
			c.line = slices.Insert(c.line, chunk+1, newChunk(list[half:]...))
			c.line[chunk] = list[:half]
			if at > half {
				chunk, at = chunk+1, at-half
			}
		}
	}
	c.line[chunk] = slices.Insert(c.line[chunk], at, n)
}

// areCommon reports whether the timeline is a good way to notes of the kinds; nil is any.
func (c *columns) areCommon(kinds *kindSet) bool {
	if kinds == nil {
		return true
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	of := 0
	for _, kind := range *kinds {
		of += c.kinds[kind]
	}
	return of*walkedShare >= c.notes
}

// walk yields the notes of a scan's people and kinds along the timeline.
type walk struct {
	scan    *scan
	its, n  uint32 // where to go on
	last    uint32 // the largest inverted time that is wanted
	isEnded bool
}

// take moves the next places to dst, at least n of them if there are that many.
func (w *walk) take(ctx context.Context, _ *badger.Txn, dst []place, n int) ([]place, error) {
	n += len(dst)
	for len(dst) < n && !w.isEnded {
		err := w.scan.store.times.with(ctx, &w.scan.store.reads, func() { dst = w.step(dst, n) })
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// step goes on while the columns are locked, until dst has n places.
func (w *walk) step(dst []place, n int) []place {
	c := w.scan.store.times
	chunk, at := c.find(w.its, w.n)
	passed := 0
	for ; chunk < len(c.line); chunk, at = chunk+1, 0 {
		for _, number := range c.line[chunk][at:] {
			row := &c.rows[number]
			switch {
			case row.its > w.last:
				w.isEnded = true
				return dst
			case len(dst) == n || passed == walkAtOnce:
				w.its, w.n = row.its, number
				return dst
			}
			passed++
			if p := (place{row.its, number, row.author, row.kind}); row.exists && w.scan.passes(p) {
				dst = append(dst, p)
			}
		}
	}
	w.isEnded = true
	return dst
}
