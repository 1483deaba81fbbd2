package ndb

import "slices"

// authorSet is a set of author numbers, quick to ask for its size: few are looked
// through, many have a bit each.
type authorSet struct {
	list []uint32
	bits []uint64 // nil for few
}

// fewAuthors is up to how many numbers it is quicker to look through them.
const fewAuthors = 16

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
