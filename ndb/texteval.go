package ndb

import "math"

// evaluator finds which notes of one segment may meet a query.
type evaluator struct {
	store   *Store
	rows    map[*searchNode]*leafRows
	segment uint32
}

// meets returns the notes that may meet the node; those that surely do where the
// node is exact.
func (ev *evaluator) meets(n *searchNode) *bitset {
	switch n.op {
	case opAnd:
		return ev.allOf(n.kids)
	case opOr:
		some := new(bitset)
		for _, kid := range n.kids {
			some.or(ev.meets(kid))
		}
		return some
	case opNot:
		return ev.allOf([]*searchNode{n})
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
func (ev *evaluator) allOf(nodes []*searchNode) *bitset {
	var all *bitset
	for _, n := range nodes {
		if n.op == opNot {
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
		if n.op == opNot && isExact(n.kids[0], ev.rows) {
			all.without(ev.meets(n.kids[0]))
		}
	}
	return all
}

// isExact reports whether the index alone decides about a node.
func isExact(n *searchNode, rows map[*searchNode]*leafRows) bool {
	for m := range n.all() {
		switch {
		case m.op == opLang, m.op == opLink, m.op == opWords && len(m.terms) > 1:
			return false
		case m.time != nil && *m.time >= math.MaxUint32: // an index tells no such times apart
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
func (ev *evaluator) columns(n *searchNode) *bitset {
	switch n.op {
	case opKind:
		kinds := make(map[uint16]bool, len(n.kinds))
		for _, kind := range n.kinds {
			kinds[kind] = true
		}
		return ev.where(func(c column) bool { return kinds[c.kind] })
	case opFrom:
		people := make(map[uint32]bool, len(n.people))
		for _, p := range n.people {
			if a, ok := ev.store.people.get(*p.key); ok {
				people[a] = true
			}
		}
		return ev.where(func(c column) bool { return people[c.author] })
	case opSince:
		return ev.where(func(c column) bool { return c.its <= invertTime(*n.time) })
	case opUntil:
		return ev.where(func(c column) bool { return *n.time >= 0 && c.its >= invertTime(*n.time) })
	}
	return ev.everything()
}
