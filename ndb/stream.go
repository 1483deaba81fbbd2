package ndb

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/dgraph-io/badger/v4"
)

// stream yields the places of one index prefix, newest first. It reads ahead in growing
// steps, and between them locks nothing in the database.
type stream struct {
	prefix []byte
	next   []byte // where the next step begins; nil if there is none
	last   uint32 // the largest its that is wanted
	step   int
	buffer []place
	at     int
	parse  func(prefix, key, value []byte) (place, bool)
	listed source // instead of an index
}

// source yields places, newest first, that are in no index.
type source interface {
	// take moves the next places to dst, at least n of them if there are that many.
	take(ctx context.Context, txn *badger.Txn, dst []place, n int) ([]place, error)
}

const (
	firstStep = 16
	longStep  = 1024
)

// newStream reads an index prefix within the times first to last, inverted.
func newStream(prefix []byte, first, last uint32, parse func(prefix, key, value []byte) (place, bool)) *stream {
	return &stream{
		prefix: prefix, next: binary.BigEndian.AppendUint32(bytes.Clone(prefix), first),
		last: last, step: firstStep, parse: parse,
	}
}

// fixedStream yields places that are already known, in order.
func fixedStream(places []place) *stream { return &stream{buffer: places} }

// head returns the next place without taking it.
func (st *stream) head(ctx context.Context, its *iterators) (place, bool, error) {
	if st.at == len(st.buffer) {
		if err := st.fill(ctx, its); err != nil {
			return place{}, false, err
		}
		if len(st.buffer) == 0 {
			return place{}, false, nil
		}
	}
	return st.buffer[st.at], true, nil
}

func (st *stream) fill(ctx context.Context, its *iterators) error {
	st.buffer, st.at = st.buffer[:0], 0
	if st.listed != nil {
		var err error
		st.buffer, err = st.listed.take(ctx, its.txn, st.buffer, st.grow())
		return err
	}
	if st.next == nil {
		return nil
	}
	it := its.over(st.prefix)
	if !it.Valid() || !bytes.Equal(it.Item().Key(), st.next) { // it is where the last step ended, if no other stream moved it
		it.Seek(st.next)
	}
	for ; ; it.Next() {
		if !it.ValidForPrefix(st.prefix) {
			st.next = nil
			return nil
		}
		item := it.Item()
		key := item.Key()
		if len(st.buffer) == st.step {
			st.next = append(st.next[:0], key...)
			st.grow()
			return nil
		}
		if err := item.Value(func(value []byte) error { st.take(key, value); return nil }); err != nil {
			return err
		}
		if st.next == nil {
			return nil
		}
	}
}

func (st *stream) grow() (step int) {
	if st.step == 0 {
		st.step = firstStep
	}
	step = st.step
	st.step = min(st.step*2, longStep)
	return step
}

func (st *stream) take(key, value []byte) {
	p, ok := st.parse(st.prefix, key, value)
	if !ok {
		return
	}
	if p.its > st.last {
		st.next = nil
		return
	}
	st.buffer = append(st.buffer, p)
}

// The parsers of the families that have a time in their keys.

func parseKindRow(prefix, key, value []byte) (place, bool) {
	if len(key) != len(prefix)+8 || len(value) != 4 {
		return place{}, false
	}
	p := placeAt(key[len(prefix):])
	p.kind, p.author = binary.BigEndian.Uint16(prefix[1:]), binary.BigEndian.Uint32(value)
	return p, true
}

func parseAuthorRow(prefix, key, _ []byte) (place, bool) {
	if len(key) != len(prefix)+8 || len(prefix) != 7 {
		return place{}, false
	}
	p := placeAt(key[len(prefix):])
	p.author, p.kind = binary.BigEndian.Uint32(prefix[1:]), binary.BigEndian.Uint16(prefix[5:])
	return p, true
}

func parseTagRow(prefix, key, value []byte) (place, bool) {
	if len(key) != len(prefix)+8 || len(value) != 6 {
		return place{}, false
	}
	p := placeAt(key[len(prefix):])
	p.author, p.kind = binary.BigEndian.Uint32(value), binary.BigEndian.Uint16(value[4:])
	return p, true
}

// iterators share one Badger iterator a family among the streams of a step.
type iterators struct {
	txn     *badger.Txn
	streams []*stream
	open    map[byte]*badger.Iterator
}

func (its *iterators) over(prefix []byte) *badger.Iterator {
	it, ok := its.open[prefix[0]]
	if !ok {
		if its.isShared(prefix[0]) {
			prefix = prefix[:1]
		}
		it = its.txn.NewIterator(keysOnly(prefix))
		its.open[prefix[0]] = it
	}
	return it
}

// isShared reports whether several streams read a family: its iterator covers all of it,
// otherwise only the prefix of the one.
func (its *iterators) isShared(family byte) bool {
	streams := 0
	for _, st := range its.streams {
		if len(st.prefix) > 0 && st.prefix[0] == family {
			streams++
		}
	}
	return streams > 1
}

func (its *iterators) close() {
	for _, it := range its.open {
		it.Close()
	}
}

// inSeconds returns the inverted bounds of a time span, both ends included.
func inSeconds(since, until *int64) (first, last uint32, ok bool) {
	last = math.MaxUint32
	if until != nil {
		if *until < 0 {
			return 0, 0, false
		}
		first = invertTime(*until)
	}
	if since != nil {
		last = invertTime(*since)
	}
	return first, last, first <= last
}

// kindSet is a set of kinds, in order.
type kindSet []uint16

func newKindSet(kinds []uint16) *kindSet {
	s := kindSet(distinct(kinds))
	return &s
}

func (s *kindSet) has(kind uint16) bool {
	const few = 8
	if len(*s) <= few {
		return slices.Contains(*s, kind)
	}
	_, ok := slices.BinarySearch(*s, kind)
	return ok
}

// authorSet is a set of author numbers with a fast membership test: a few are compared
// one by one, many have a bit each.
type authorSet struct {
	list []uint32
	bits []uint64 // nil for few
}

func newAuthorSet(list []uint32) *authorSet {
	slices.Sort(list)
	list = slices.Compact(list)
	s := &authorSet{list: list}
	if len(list) > fewAuthors {
		s.bits = make([]uint64, list[len(list)-1]/64+1)
		for _, a := range list {
			s.bits[a/64] |= 1 << (a % 64)
		}
	}
	return s
}

func (s *authorSet) has(a uint32) bool {
	if s.bits == nil {
		return slices.Contains(s.list, a)
	}
	return a/64 < uint32(len(s.bits)) && s.bits[a/64]&(1<<(a%64)) != 0
}

func distinct[T uint16 | string](values []T) []T {
	values = slices.Clone(values)
	slices.Sort(values)
	return slices.Compact(values)
}

// fewAuthors is up to how many numbers comparing one by one is faster.
const fewAuthors = 16
