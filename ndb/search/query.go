// Package search is the query language, and the words that notes are found by. It knows
// no store: it parses what somebody typed, says what is wrong with it, highlights matches
// in a text, and decides whether an event matches.
//
//	q, err := search.Parse(`"blue birds" OR #birds -from:ada since:7d`)
//	if err == nil {
//		q, err = q.Resolve(search.Resolver{Person: keyOf, Moment: unixOf}) // names, times
//	}
//	if err == nil && q.Match(note) {
//		stretches := q.Highlights(note.Content)
//	}
//
// For an index, [Terms] returns the terms that an event is found by, [Read] splits a
// search text into what a filter's fields express and a tree of [Node]s to look for, and
// [Weights] scores how well a note fits.
package search

import (
	"fmt"
	"slices"
	"strings"
)

// Query is a parsed search text. The zero value looks for nothing.
//
// The language, which the window, the tools, the terminal and NIP-50's search field
// share (docs/search.md explains it to users):
//
//	query  = { [ "OR" | "AND" ] term }
//	term   = [ "-" ] ( word | phrase | tag | operator | "(" query ")" )
//	word   = letters and signs up to white space; "*" at its end finds what begins so
//	phrase = "words in this order", in any kind of quotes
//	tag    = "#" hashtag, "*" likewise
//	operator = name ":" ( word | phrase )
//
// Terms that stand side by side must all be met. OR joins the two terms beside it
// and binds tighter than that, as in web and mail searches: a b OR c is a (b OR c).
// AND says what is so anyway. Both are in capitals. A - before a term leaves out
// what meets it.
//
//	from:NAME      by a person; several: by any of them (also by:, author:)
//	to:NAME        mentions or answers a person: has a p tag of theirs (mentions:)
//	kind:WHAT      number or name; several: any of them (type:)
//	is:WHAT        reply, or a kind's name
//	has:WHAT       image, video, audio, link, article, quote
//	lang:CODE      written in a language (language:)
//	site:HOST      has a link to a host or to one below it (domain:)
//	since:TIME     at or after (after:)
//	until:TIME     at or before (before:)
//
// Words are folded as Tokens does. One with signs in it (don't, self-custody) is a
// phrase, one of a script without spaces is found anywhere in a run of characters. A
// name of the network (github.com) is found as words and in links, a link in links
// that begin so. What has nothing to look for, such as a lone sign, is left out.
//
// Where no kind is named, by the query or by the filter it stands in, only kinds
// with text are found: 0, 1, 11, 20, 1111 and 30023.
type Query struct {
	text       string
	root       *Node // nil: nothing to look for
	unfinished []Gap
}

// Gap is a part that is still incomplete.
type Gap struct {
	Part
	Operator string // whose value is missing; "#" for a hashtag; "" for a phrase without its closing quote
}

// Problem is what is wrong with a search text.
type Problem string

// The problems. All but the last three come from Parse.
const (
	TooLong         Problem = "long"     // in bytes or in parts
	NotText         Problem = "text"     // no UTF-8
	TooDeep         Problem = "deep"     // brackets in brackets
	UnknownOperator Problem = "operator" // of other searches, unknown here
	BadValue        Problem = "value"    // an operator does not take this value
	NoPerson        Problem = "person"   // nobody is known by the name
	Ambiguous       Problem = "people"   // several people go by the name
	BadTime         Problem = "time"     // the value is no time
)

// Error says which part of a search text cannot be understood, and what to write instead.
type Error struct {
	Part
	Problem  Problem
	Operator string // that the part is, by its canonical name; "" for none
	Text     string // the part as written, at most 80 bytes of it
	Want     string // what to write instead, in English
}

func (e *Error) Error() string {
	return fmt.Sprintf("search: at byte %d: %q: %s", e.Start, e.Text, e.Want)
}

// String returns the text of the query, which Parse reads back.
func (q Query) String() string { return q.text }

// IsEmpty reports whether there is nothing to look for, since nothing was written, or
// nothing that can be found yet. Such a query finds nothing.
func (q Query) IsEmpty() bool { return q.root == nil }

// Unfinished returns the last part that is still incomplete, such as an operator without
// its value. That is no error: the rest is the query.
func (q Query) Unfinished() (gap Gap, ok bool) {
	if len(q.unfinished) == 0 {
		return Gap{}, false
	}
	return q.unfinished[len(q.unfinished)-1], true
}

// Kinds returns the kinds that the query names, including excluded ones; nil if it names
// none.
func (q Query) Kinds() (kinds []uint16) {
	for n := range q.root.All() {
		if n.Op == OpKind {
			kinds = append(kinds, n.Kinds...)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// Asks reports whether the query has an operator with a given text or beginning, such as
// "is:reply" or "has:".
func (q Query) Asks(operator string) bool {
	for n := range q.root.All() {
		if n.name != "" && strings.HasPrefix(n.name+":"+n.value, operator) {
			return true
		}
	}
	return false
}

// Plain returns the query's words if it has nothing but words: they could be somebody's
// name. "" otherwise.
func (q Query) Plain() string {
	if q.root == nil {
		return ""
	}
	for n := range q.root.All() {
		if n.Op != OpAnd && (n.Op != OpWords || n.quoted) {
			return ""
		}
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.Join(strings.Fields(q.text), " "), "@"), "*")
}

// HasWords reports whether the query looks for words, phrases or links: only then does
// Ranked consider more than how new a note is.
func (q Query) HasWords() bool { return q.root != nil && len(q.Units()) > 0 }

// Units returns the leaves of the query that contribute to a score.
func (q Query) Units() (units []*Node) {
	for n := range q.root.wanted() {
		if n.Op == OpWords || n.Op == OpLink || n.Op == OpTerm && n.Terms[0][0] > ' ' {
			units = append(units, n)
		}
	}
	return units
}
