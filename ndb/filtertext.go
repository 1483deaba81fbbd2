package ndb

import (
	"slices"

	"bowerbird/ndb/nostr"
)

// filterText is a filter's search text as it is meant at a moment: what the filter's
// own fields can say of it stands in them, the rest is to be looked for.
type filterText struct {
	query SearchQuery
	rest  *searchNode // nil: the fields say it all
	empty bool        // nothing to look for, so nothing is found
}

// readText reads a filter's search text; nil for one of white space alone. Times that
// count from now are those of the given one.
func readText(text string, now int64) (*filterText, error) {
	q, err := parseSearch(text, maxResolved)
	if err == nil {
		err = q.read(now)
	}
	if err != nil {
		return nil, err
	}
	if startsWithSpaceOnly(text) {
		return nil, nil
	}
	return &filterText{query: q, rest: q.root, empty: q.root == nil}, nil
}

func startsWithSpaceOnly(text string) bool {
	for _, r := range text {
		if !startsWithSpace(string(r)) {
			return false
		}
	}
	return true
}

// narrow moves what must be met in any case, and fields can say, into the filter.
func (t *filterText) narrow(f nostr.Filter) nostr.Filter {
	if f.Kinds == nil && len(t.query.Kinds()) == 0 {
		f.Kinds = textKinds()
	}
	var left []*searchNode
	for _, n := range topOf(t.query.root) {
		switch n.op {
		case opFrom:
			f.Authors = both(f.Authors, keysOf(n.people))
		case opKind:
			f.Kinds = both(f.Kinds, n.kinds)
		case opSince:
			if f.Since == nil || *n.time > *f.Since {
				f.Since = n.time
			}
		case opUntil:
			if f.Until == nil || *n.time < *f.Until {
				f.Until = n.time
			}
		default:
			left = append(left, n)
		}
	}
	t.rest = &searchNode{op: opAnd, kids: left}
	if len(left) == 0 {
		t.rest = nil
	}
	return f
}

// topOf returns the nodes that must all be met.
func topOf(n *searchNode) []*searchNode {
	switch {
	case n == nil:
		return nil
	case n.op == opAnd:
		return n.kids
	}
	return []*searchNode{n}
}

func keysOf(people []searchPerson) (keys []nostr.PubKey) {
	for _, p := range people {
		keys = append(keys, *p.key)
	}
	return keys
}

// both returns what stands in two lists, where nil is everything.
func both[T comparable](a, b []T) []T {
	if a == nil {
		return b
	}
	return slices.DeleteFunc(slices.Clone(a), func(v T) bool { return !slices.Contains(b, v) })
}

// passes reports whether an event passes a filter, its search text included, at a
// time; a text that cannot be read matches nothing.
func passes(f nostr.Filter, e *nostr.Event, now int64) bool {
	if f.Search == "" {
		return f.Matches(e)
	}
	t, err := readText(f.Search, now)
	if err != nil {
		return false
	}
	if t == nil {
		return f.Matches(e)
	}
	f = t.narrow(f)
	return !t.empty && f.Matches(e) && (t.rest == nil || newDoc(e, nil).meets(t.rest))
}
