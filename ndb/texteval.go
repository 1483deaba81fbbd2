package ndb

import (
	"math"

	"bowerbird/ndb/search"
)

// evaluator finds which notes of one segment may meet a query.
type evaluator struct {
	store   *Store
	rows    map[*search.Node]*leafRows
	segment uint32
}

// meets returns the notes that may meet the node; those that surely do where the
// node is exact.
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

// allOf leaves out what a node below a - surely meets; what only may meet it stays,
// to be looked at.
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

// isExact reports whether the index alone decides about a node.
func isExact(n *search.Node, rows map[*search.Node]*leafRows) bool {
	for m := range n.All() {
		switch {
		case m.Op == search.OpLang, m.Op == search.OpLink, m.Op == search.OpWords && len(m.Terms) > 1:
			return false
		case m.Time != nil && *m.Time >= math.MaxUint32: // an index tells no such times apart
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

// columns answers the leaves that no index row is needed for.
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
