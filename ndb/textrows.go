package ndb

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/search"
)

// bitset is a set of notes of one segment.
type bitset [segmentNotes / 64]uint64

func (b *bitset) add(place uint16) { b[place/64] |= 1 << (place % 64) }
func (b *bitset) has(place uint16) bool {
	return b != nil && b[place/64]&(1<<(place%64)) != 0
}

func (b *bitset) addRow(row []byte) { addPostings(row, b.add) }

func addPostings(row []byte, add func(uint16)) {
	for place := range postings(row) {
		add(place)
	}
}

func (b *bitset) len() (n int) {
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

func (b *bitset) and(o *bitset) {
	for i := range b {
		b[i] &= o[i]
	}
}

func (b *bitset) or(o *bitset) {
	for i := range b {
		b[i] |= o[i]
	}
}

func (b *bitset) without(o *bitset) {
	for i := range b {
		b[i] &^= o[i]
	}
}

// leafRows is what an index holds for a leaf, by segment: rows of postings or, where
// several rows were united, bits.
type leafRows struct {
	rows  map[uint32][]byte
	bits  map[uint32]*bitset
	loose bool // they hold more notes than match the leaf
}

// rowLoader reads the rows of a query's leaves.
type rowLoader struct {
	store       *Store
	txn         *badger.Txn
	first, last uint32 // inverted times
	span        segmentSpan
	rows        map[*search.Node]*leafRows
}

// segmentSpan is the segments from one up to, but not including, another.
type segmentSpan struct{ from, to uint32 }

func allSegments() segmentSpan { return segmentSpan{0, 1 << (32 - segmentBits)} }

// firstSegments is how many segments, the newest, a search reads rows of at first: for
// common words their notes are enough, and reading a word's rows is most of what a search
// costs. The rest is read in one go when needed.
const firstSegments = 8

// segmentsNow splits the segments of a store into those whose rows are read first, and
// the rest. A node with leaves whose rows are not ordered by segment reads all at once.
func segmentsNow(n *search.Node, notes uint32) (first, rest segmentSpan) {
	filled := segmentOf(max(notes, 1) - 1)
	if filled < 2*firstSegments || !isBySegment(n) {
		return allSegments(), segmentSpan{}
	}
	cut := filled - firstSegments
	return segmentSpan{cut, allSegments().to}, segmentSpan{0, cut}
}

// isBySegment reports whether the rows of all leaves can be read for some segments only.
func isBySegment(n *search.Node) bool {
	if len(n.Kids) > 0 {
		return !slices.ContainsFunc(n.Kids, func(kid *search.Node) bool { return !isBySegment(kid) })
	}
	return n.Op != search.OpTo
}

// load reads the rows of all leaves under a node and returns the segments in which it may
// match; nil for all. If among is not nil, only its segments need to be read.
func (l *rowLoader) load(ctx context.Context, n *search.Node, among map[uint32]bool) (map[uint32]bool, error) {
	switch n.Op {
	case search.OpAnd:
		for _, kid := range n.Kids {
			found, err := l.load(ctx, kid, among)
			if err != nil {
				return nil, err
			}
			if found != nil {
				among = found
			}
		}
		return among, nil
	case search.OpOr:
		union, all := make(map[uint32]bool), false
		for _, kid := range n.Kids {
			found, err := l.load(ctx, kid, among)
			if err != nil {
				return nil, err
			}
			all = all || found == nil
			for segment := range found {
				union[segment] = true
			}
		}
		if all {
			return among, nil
		}
		return union, nil
	case search.OpNot:
		_, err := l.load(ctx, n.Kids[0], among)
		return nil, err
	}
	if !isIndexed(n) {
		return nil, nil
	}
	return l.leaf(ctx, n, among)
}

func (l *rowLoader) leaf(ctx context.Context, n *search.Node, among map[uint32]bool) (map[uint32]bool, error) {
	leaf := &leafRows{bits: make(map[uint32]*bitset)}
	var err error
	switch {
	case n.Op == search.OpTo:
		err = l.tagged(n, leaf)
	case n.Op == search.OpChar:
		for _, mark := range []string{"", search.FinalMark} {
			err = l.prefix(ctx, mark+n.Terms[0], leaf, among)
			if err != nil {
				break
			}
		}
	case len(n.Terms) == 1 && !n.Prefix:
		leaf.rows, err = segmentsOf(l.txn, wordPrefix(n.Terms[0]), l.span, among)
	default:
		err = l.terms(ctx, n, leaf, among)
	}
	if err != nil {
		return nil, err
	}
	l.keep(n, leaf)
	found := make(map[uint32]bool, len(leaf.rows)+len(leaf.bits))
	for segment := range leaf.rows {
		found[segment] = true
	}
	for segment := range leaf.bits {
		found[segment] = true
	}
	return found, nil
}

// keep adds what was read of a leaf to what was read of other segments before.
func (l *rowLoader) keep(n *search.Node, leaf *leafRows) {
	before := l.rows[n]
	if before == nil {
		l.rows[n] = leaf
		return
	}
	maps.Copy(before.rows, leaf.rows)
	maps.Copy(before.bits, leaf.bits)
}

// terms intersects the rows of several terms, the last one by prefix if the node says so.
func (l *rowLoader) terms(ctx context.Context, n *search.Node, leaf *leafRows, among map[uint32]bool) error {
	last := len(n.Terms) - 1
	for i, term := range n.Terms {
		if n.Prefix && i == last {
			some := &leafRows{bits: make(map[uint32]*bitset)}
			if err := l.prefix(ctx, term, some, among); err != nil {
				return err
			}
			among = leaf.intersect(some.bits, i == 0)
			continue
		}
		rows, err := segmentsOf(l.txn, wordPrefix(term), l.span, among)
		if err != nil {
			return err
		}
		bits := make(map[uint32]*bitset, len(rows))
		for segment, row := range rows {
			bits[segment] = new(bitset)
			bits[segment].addRow(row)
		}
		among = leaf.intersect(bits, i == 0)
		if len(among) == 0 {
			break
		}
	}
	return nil
}

// intersect keeps in the leaf what is in bits too (the first time, all of bits), and
// returns the segments that are left.
func (r *leafRows) intersect(bits map[uint32]*bitset, first bool) map[uint32]bool {
	if first {
		r.bits = bits
	}
	left := make(map[uint32]bool)
	for segment, have := range r.bits {
		if other := bits[segment]; other != nil {
			have.and(other)
			left[segment] = true
		} else {
			delete(r.bits, segment)
		}
	}
	return left
}

// passedRows is how many rows outside the span are passed one by one before the iterator
// seeks past the others of their term: most terms have fewer, and a seek costs more than
// a few steps.
const passedRows = 8

// prefix unites the rows of all terms with a prefix. A large store may have very many of
// them: a search that is satisfied by the newest segments does not wait for the others.
func (l *rowLoader) prefix(ctx context.Context, begin string, leaf *leafRows, among map[uint32]bool) error {
	it := l.txn.NewIterator(keysOnly(append([]byte{famWord}, begin...)))
	defer it.Close()
	var passing []byte // the term whose rows are passed
	read, passed := 0, 0
	for it.Rewind(); it.Valid(); {
		if read++; read%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		item := it.Item()
		key := item.Key()
		term, segment := key[:len(key)-4], ^binary.BigEndian.Uint32(key[len(key)-4:])
		if segment < l.span.from || segment >= l.span.to {
			if !bytes.Equal(term, passing) {
				passing, passed = append(passing[:0], term...), 0
			}
			if passed++; passed > passedRows {
				it.Seek(l.span.next(term, segment))
			} else {
				it.Next()
			}
			continue
		}
		isHost := begin[0] > ' ' && bytes.IndexByte(term, '.') > 0
		if !isHost && (among == nil || among[segment]) {
			if err := item.Value(func(row []byte) error { leaf.unite(segment, row); return nil }); err != nil {
				return fmt.Errorf("read postings %q: %w", key, err)
			}
		}
		it.Next()
	}
	return nil
}

// next returns where the next row of the span may be, after one outside it: in the same
// term or, if that has only older ones, in the next. term ends with its zero.
func (s segmentSpan) next(term []byte, segment uint32) []byte {
	if segment >= s.to {
		return binary.BigEndian.AppendUint32(bytes.Clone(term), ^(s.to - 1))
	}
	return append(bytes.Clone(term[:len(term)-1]), 1)
}

func (r *leafRows) unite(segment uint32, row []byte) {
	bits := r.bits[segment]
	if bits == nil {
		bits = new(bitset)
		r.bits[segment] = bits
	}
	bits.addRow(row)
}

// tagged gathers the notes with a p tag of one of the node's people, and those whose p
// tags have no row.
func (l *rowLoader) tagged(n *search.Node, leaf *leafRows) error {
	prefixes := [][]byte{overflowPrefix('p')}
	for _, p := range n.People {
		prefixes = append(prefixes, tagPrefix('p', p.Key.String()))
	}
	for i, prefix := range prefixes {
		it := l.txn.NewIterator(keysOnly(prefix))
		for it.Seek(binary.BigEndian.AppendUint32(append([]byte{}, prefix...), l.first)); it.Valid(); it.Next() {
			key := it.Item().Key()
			if len(key) != len(prefix)+8 {
				continue
			}
			p := placeAt(key[len(prefix):])
			if p.its > l.last {
				break
			}
			leaf.loose = leaf.loose || i == 0
			leaf.add(p.n)
		}
		it.Close()
	}
	return nil
}

func (r *leafRows) add(n uint32) {
	segment := segmentOf(n)
	if r.bits[segment] == nil {
		r.bits[segment] = new(bitset)
	}
	r.bits[segment].add(uint16(n % segmentNotes))
}

// segmentsOf returns the postings under a key prefix, which is that of one term, by
// segment: only segments of the span and, if among is not nil, of among.
func segmentsOf(txn *badger.Txn, prefix []byte, span segmentSpan, among map[uint32]bool) (map[uint32][]byte, error) {
	rows := make(map[uint32][]byte)
	it := txn.NewIterator(keysOnly(prefix))
	defer it.Close()
	for it.Seek(binary.BigEndian.AppendUint32(slices.Clone(prefix), ^(span.to - 1))); it.Valid(); it.Next() {
		key := it.Item().Key()
		if len(key) != len(prefix)+4 {
			continue
		}
		segment := ^binary.BigEndian.Uint32(key[len(prefix):])
		if segment < span.from {
			break
		}
		if among != nil && !among[segment] {
			continue
		}
		row, err := it.Item().ValueCopy(nil)
		if err != nil {
			return nil, fmt.Errorf("read postings %q: %w", prefix, err)
		}
		if len(row) > 0 {
			rows[segment] = row
		}
	}
	return rows, nil
}

// isIndexed reports whether the rows of an index answer the leaf.
func isIndexed(n *search.Node) bool {
	switch n.Op {
	case search.OpWords, search.OpChar, search.OpTerm, search.OpLink, search.OpTo:
		return true
	}
	return false
}
