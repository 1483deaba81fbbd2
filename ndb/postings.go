package ndb

import (
	"encoding/binary"
	"iter"
	"math/bits"
)

// A row of postings holds which notes of one segment have a term. A segment is
// segmentNotes note numbers. Few notes are stored as ascending uvarint deltas, many as a
// bitmap; a row of exactly bitmapLen bytes is a bitmap, so no row is longer. The size is
// such that the rows of an event with the largest possible number of words fit in one
// transaction.
const (
	segmentBits  = 11
	segmentNotes = 1 << segmentBits
	bitmapLen    = segmentNotes / 8
)

func segmentOf(n uint32) uint32 { return n >> segmentBits }

// wordKey is the key of a term's row; newer segments come first.
func wordKey(term string, segment uint32) []byte {
	return binary.BigEndian.AppendUint32(wordPrefix(term), ^segment)
}

func wordPrefix(term string) []byte {
	key := make([]byte, 0, 2+len(term)+4)
	return append(append(append(key, famWord), term...), 0)
}

// postings yields the places (note number modulo segmentNotes) of a row,
// ascending. It stops at malformed bytes.
func postings(row []byte) iter.Seq[uint16] {
	return func(yield func(uint16) bool) {
		if len(row) == bitmapLen {
			yieldBitmap(row, yield)
			return
		}
		place := -1
		for len(row) > 0 {
			delta, n := binary.Uvarint(row)
			if n <= 0 || delta == 0 || delta > segmentNotes {
				return
			}
			row = row[n:]
			place += int(delta)
			if place >= segmentNotes || !yield(uint16(place)) {
				return
			}
		}
	}
}

func yieldBitmap(row []byte, yield func(uint16) bool) {
	for i, b := range row {
		for ; b != 0; b &= b - 1 {
			if !yield(uint16(i*8 + bits.TrailingZeros8(b))) {
				return
			}
		}
	}
}

// postingsLen counts the places of a row.
func postingsLen(row []byte) int {
	total := 0
	if len(row) == bitmapLen {
		for _, b := range row {
			total += bits.OnesCount8(b)
		}
		return total
	}
	for range postings(row) {
		total++
	}
	return total
}

// postingRow is a row being changed.
type postingRow struct {
	row     []byte
	last    int    // the highest place, -1 when there is none or row is a bitmap
	changed uint64 // number of the transaction that changed it last
}

func newPostingRow(row []byte) *postingRow {
	p := &postingRow{row: row, last: -1}
	if len(row) != bitmapLen {
		for place := range postings(row) {
			p.last = int(place)
		}
	}
	return p
}

func (p *postingRow) add(place uint16) {
	if len(p.row) == bitmapLen {
		p.row[place/8] |= 1 << (place % 8)
		return
	}
	if int(place) > p.last {
		grown := binary.AppendUvarint(p.row, uint64(int(place)-p.last))
		if len(grown) < bitmapLen {
			p.row, p.last = grown, int(place)
			return
		}
	}
	p.rewrite(func(set []byte) { set[place/8] |= 1 << (place % 8) })
}

func (p *postingRow) remove(place uint16) {
	p.rewrite(func(set []byte) { set[place/8] &^= 1 << (place % 8) })
}

// rewrite builds the row anew, in its shorter form.
func (p *postingRow) rewrite(change func(set []byte)) {
	set := make([]byte, bitmapLen)
	for place := range postings(p.row) {
		set[place/8] |= 1 << (place % 8)
	}
	change(set)
	out, last := make([]byte, 0, len(p.row)+2), -1
	for place := range postings(set) {
		out = binary.AppendUvarint(out, uint64(int(place)-last))
		last = int(place)
		if len(out) >= bitmapLen {
			p.row, p.last = set, -1
			return
		}
	}
	p.row, p.last = out, last
}
