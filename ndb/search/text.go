package search

import (
	"slices"

	"bowerbird/ndb/nostr"
)

// Text is a filter's search text at a moment: what the filter's own fields can express is
// in them, the rest is to be looked for.
type Text struct {
	Query Query
	Rest  *Node // nil: the fields express everything
	Empty bool  // nothing to look for, so nothing is found
}

// Read parses a filter's search text; nil if it is only white space. Relative times refer
// to now.
func Read(text string, now int64) (*Text, error) {
	q, err := parse(text, MaxLength)
	if err == nil {
		err = q.read(now)
	}
	if err != nil {
		return nil, err
	}
	if startsWithSpaceOnly(text) {
		return nil, nil
	}
	return &Text{Query: q, Rest: q.root, Empty: q.root == nil}, nil
}

func startsWithSpaceOnly(text string) bool {
	for _, r := range text {
		if !startsWithSpace(string(r)) {
			return false
		}
	}
	return true
}

// Narrow moves unconditional parts that fields can express into the filter.
func (t *Text) Narrow(f nostr.Filter) nostr.Filter {
	if f.Kinds == nil && len(t.Query.Kinds()) == 0 {
		f.Kinds = textKinds()
	}
	var left []*Node
	for _, n := range topOf(t.Query.root) {
		switch n.Op {
		case OpFrom:
			f.Authors = both(f.Authors, keysOf(n.People))
		case OpKind:
			f.Kinds = both(f.Kinds, n.Kinds)
		case OpSince:
			if f.Since == nil || *n.Time > *f.Since {
				f.Since = n.Time
			}
		case OpUntil:
			if f.Until == nil || *n.Time < *f.Until {
				f.Until = n.Time
			}
		default:
			left = append(left, n)
		}
	}
	t.Rest = &Node{Op: OpAnd, Kids: left}
	if len(left) == 0 {
		t.Rest = nil
	}
	return f
}

// topOf returns the nodes that must all match.
func topOf(n *Node) []*Node {
	switch {
	case n == nil:
		return nil
	case n.Op == OpAnd:
		return n.Kids
	}
	return []*Node{n}
}

func keysOf(people []Person) (keys []nostr.PubKey) {
	for _, p := range people {
		keys = append(keys, *p.Key)
	}
	return keys
}

// both returns what is in two lists, where nil is everything.
func both[T comparable](a, b []T) []T {
	if a == nil {
		return b
	}
	return slices.DeleteFunc(slices.Clone(a), func(v T) bool { return !slices.Contains(b, v) })
}

// Passes reports whether an event passes a filter, including its search text, at a time;
// an invalid text matches nothing.
func Passes(f nostr.Filter, e *nostr.Event, now int64) bool {
	if f.Search == "" {
		return f.Matches(e)
	}
	t, err := Read(f.Search, now)
	if err != nil {
		return false
	}
	if t == nil {
		return f.Matches(e)
	}
	f = t.Narrow(f)
	return !t.Empty && f.Matches(e) && (t.Rest == nil || t.Rest.MetBy(e, nil))
}

// Frame is what every note that matches a query has, whatever else the query requires.
type Frame struct {
	Authors      []nostr.PubKey // one of these; nil for anybody
	Since, Until *int64         // unix seconds, inclusive; nil for no bound
}

// Frame returns the query's frame. The error is that of a name or time which is not
// resolved.
func (q Query) Frame() (Frame, error) {
	if err := q.read(0); err != nil {
		return Frame{}, err
	}
	f := (&Text{Query: q}).Narrow(nostr.Filter{})
	return Frame{f.Authors, f.Since, f.Until}, nil
}
