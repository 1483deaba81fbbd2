package search

import (
	"iter"

	"bowerbird/ndb/nostr"
)

// Op is what a node of a query requires.
type Op uint8

const (
	OpAnd   Op = iota // all of kids
	OpOr              // any of kids
	OpNot             // not the one kid
	OpWords           // terms adjacent in the text
	OpChar            // one character of a script without spaces
	OpTerm            // one index term that is not a word: feature, hashtag, host
	OpLink            // a link that begins with value
	OpKind            // kinds
	OpFrom            // one of people
	OpTo              // a p tag of one of people
	OpLang            // one of langs
	OpSince           // time, inclusive
	OpUntil           // time, inclusive
)

// Node is one part of a query's tree.
type Node struct {
	Op     Op
	Kids   []*Node  // OpAnd, OpOr, OpNot
	Terms  []string // OpWords, OpChar, OpTerm, OpLink
	Prefix bool     // the last of Terms matches every term that begins with it
	Kinds  []uint16 // OpKind
	People []Person // OpFrom, OpTo
	Time   *int64   // OpSince, OpUntil; nil until resolved

	part   Part   // with its operator, without a preceding -
	name   string // of the operator; "" for none
	value  string // of the operator, as it is understood
	at     Part   // of the value as it was written, with its quotes
	quoted bool
	typed  bool     // a word, phrase or hashtag that may continue at its end
	emoji  bool     // Terms hold pictures
	langs  []string // OpLang
}

// Person is one value of from: or to:.
type Person struct {
	Key *nostr.PubKey // nil until resolved

	name string
	part Part // with the operator
	at   Part // of the name as it was written, with its quotes
}

// All yields the node and all nodes below it.
func (n *Node) All() iter.Seq[*Node] {
	return func(yield func(*Node) bool) { n.walk(yield) }
}

func (n *Node) walk(yield func(*Node) bool) bool {
	if n == nil {
		return true
	}
	if !yield(n) {
		return false
	}
	for _, kid := range n.Kids {
		if !kid.walk(yield) {
			return false
		}
	}
	return true
}

// wanted yields the leaves that a note may be found by: not those below a "-".
func (n *Node) wanted() iter.Seq[*Node] {
	return func(yield func(*Node) bool) { n.walkWanted(yield) }
}

func (n *Node) walkWanted(yield func(*Node) bool) bool {
	switch {
	case n == nil || n.Op == OpNot:
		return true
	case len(n.Kids) == 0:
		return yield(n)
	}
	for _, kid := range n.Kids {
		if !kid.walkWanted(yield) {
			return false
		}
	}
	return true
}

// allOf joins nodes that must all match. Several adjacent people, kinds or languages are
// alternatives: a note has one author, one kind, usually one language.
func allOf(nodes []*Node) *Node {
	var kept []*Node
	merged := make(map[Op]*Node)
	for _, n := range nodes {
		switch n.Op {
		case OpFrom, OpKind, OpLang:
			if first := merged[n.Op]; first != nil {
				first.People = append(first.People, n.People...)
				first.Kinds = append(first.Kinds, n.Kinds...)
				first.langs = append(first.langs, n.langs...)
				continue
			}
			merged[n.Op] = n
		}
		kept = append(kept, n)
	}
	switch len(kept) {
	case 0:
		return nil
	case 1:
		return kept[0]
	}
	return &Node{Op: OpAnd, Kids: kept}
}

func anyOf(a, b *Node) *Node {
	if a.Op == OpOr && a.part == (Part{}) {
		a.Kids = append(a.Kids, b)
		return a
	}
	return &Node{Op: OpOr, Kids: []*Node{a, b}}
}

// Part is a part of a search text, in bytes.
type Part struct {
	Start, Len int
}

// In returns the part of the text.
func (p Part) In(text string) string { return text[p.Start : p.Start+p.Len] }
