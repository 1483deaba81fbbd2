package ndb

import (
	"iter"

	"bowerbird/ndb/nostr"
)

// searchOp is what a node of a query asks.
type searchOp uint8

const (
	opAnd   searchOp = iota // all of kids
	opOr                    // any of kids
	opNot                   // not the one kid
	opWords                 // terms side by side in the text
	opChar                  // one character of a script without spaces
	opTerm                  // one term of the index that is no word: feature, hashtag, host
	opLink                  // a link that begins with value
	opKind                  // kinds
	opFrom                  // one of people
	opTo                    // a p tag of one of people
	opLang                  // one of langs
	opSince                 // time, inclusive
	opUntil                 // time, inclusive
)

// searchNode is one part of a query's tree.
type searchNode struct {
	op   searchOp
	kids []*searchNode

	part   SearchPart // with its operator, without a - before it
	name   string     // of the operator; "" for none
	value  string     // of the operator as it is meant
	at     SearchPart // of the value as it was written, with its quotes
	quoted bool
	typed  bool // a word, phrase or hashtag that may go on at its end

	terms  []string // opWords, opChar, opTerm, opLink
	prefix bool     // the last of terms stands for all that begin so
	emoji  bool     // terms hold pictures
	kinds  []uint16
	langs  []string
	people []searchPerson
	time   *int64 // nil until it is known
}

// searchPerson is one value of from: or to:.
type searchPerson struct {
	name string
	part SearchPart    // with the operator
	at   SearchPart    // of the name as it was written, with its quotes
	key  *nostr.PubKey // nil until it is known
}

// all yields the node and all below it.
func (n *searchNode) all() iter.Seq[*searchNode] {
	return func(yield func(*searchNode) bool) { n.walk(yield) }
}

func (n *searchNode) walk(yield func(*searchNode) bool) bool {
	if n == nil {
		return true
	}
	if !yield(n) {
		return false
	}
	for _, kid := range n.kids {
		if !kid.walk(yield) {
			return false
		}
	}
	return true
}

// wanted yields the leaves that a note may be found by: not those below a -.
func (n *searchNode) wanted() iter.Seq[*searchNode] {
	return func(yield func(*searchNode) bool) { n.walkWanted(yield) }
}

func (n *searchNode) walkWanted(yield func(*searchNode) bool) bool {
	switch {
	case n == nil || n.op == opNot:
		return true
	case len(n.kids) == 0:
		return yield(n)
	}
	for _, kid := range n.kids {
		if !kid.walkWanted(yield) {
			return false
		}
	}
	return true
}

// allOf joins nodes that must all be met. Several people, kinds or languages side by
// side are one question: a note has one author, one kind, mostly one language.
func allOf(nodes []*searchNode) *searchNode {
	var kept []*searchNode
	merged := make(map[searchOp]*searchNode)
	for _, n := range nodes {
		switch n.op {
		case opFrom, opKind, opLang:
			if first := merged[n.op]; first != nil {
				first.people = append(first.people, n.people...)
				first.kinds = append(first.kinds, n.kinds...)
				first.langs = append(first.langs, n.langs...)
				continue
			}
			merged[n.op] = n
		}
		kept = append(kept, n)
	}
	switch len(kept) {
	case 0:
		return nil
	case 1:
		return kept[0]
	}
	return &searchNode{op: opAnd, kids: kept}
}

func anyOf(a, b *searchNode) *searchNode {
	if a.op == opOr && a.part == (SearchPart{}) {
		a.kids = append(a.kids, b)
		return a
	}
	return &searchNode{op: opOr, kids: []*searchNode{a, b}}
}
