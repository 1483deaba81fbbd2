package search

import (
	"slices"
	"strings"

	"bowerbird/ndb/nostr"
)

// Match reports whether an event matches the query, looking only at the event. It defines
// what the store's answer means, however it was found. People and times that are not
// resolved to what the store itself can read match nothing. An empty query matches
// nothing.
func (q Query) Match(e *nostr.Event) bool {
	if q.root == nil || q.read(e.CreatedAt) != nil {
		return false
	}
	if !HasText(e.Kind) && len(q.Kinds()) == 0 {
		return false
	}
	return q.root.MetBy(e, nil)
}

// doc is an event being matched: its text is read once, and only when needed.
type doc struct {
	event    *nostr.Event
	read     bool
	tokens   []Token
	words    []string // terms of words alone, for phrases
	plain    []string // and of pictures
	features []string // nil until needed
	language func(*nostr.Event) string
}

// MetBy reports whether an event matches the node. language returns the language of a
// text, and may cache it, as [Languages.Of] does; nil for no cache.
func (n *Node) MetBy(e *nostr.Event, language func(*nostr.Event) string) bool {
	return newDoc(e, language).meets(n)
}

func newDoc(e *nostr.Event, language func(*nostr.Event) string) *doc {
	if language == nil {
		language = languageOf
	}
	return &doc{event: e, language: language}
}

func (d *doc) text() {
	if d.read {
		return
	}
	d.read = true
	if !HasText(d.event.Kind) {
		return
	}
	for t := range Tokens(textOf(d.event)) {
		d.tokens = append(d.tokens, t)
		switch t.Kind {
		case TokenWord:
			d.words = append(d.words, t.Term)
			d.plain = append(d.plain, t.Term)
		case TokenEmoji:
			d.plain = append(d.plain, t.Term)
		}
	}
}

func (d *doc) meets(n *Node) bool {
	e := d.event
	switch n.Op {
	case OpAnd:
		return !slices.ContainsFunc(n.Kids, func(kid *Node) bool { return !d.meets(kid) })
	case OpOr:
		return slices.ContainsFunc(n.Kids, d.meets)
	case OpNot:
		return !d.meets(n.Kids[0])
	case OpKind:
		return slices.Contains(n.Kinds, e.Kind)
	case OpFrom:
		return slices.ContainsFunc(n.People, func(p Person) bool { return p.Key != nil && *p.Key == e.PubKey })
	case OpTo:
		return slices.ContainsFunc(n.People, func(p Person) bool {
			return p.Key != nil && e.Kind != nostr.KindContacts && e.Tags.HasAny('p', []string{p.Key.String()})
		})
	case OpSince:
		return n.Time != nil && e.CreatedAt >= *n.Time
	case OpUntil:
		return n.Time != nil && e.CreatedAt <= *n.Time
	case OpLang:
		return d.speaks(n.langs)
	}
	if n.Op == OpTerm && n.Terms[0][0] < ' ' {
		return d.bears(n)
	}
	d.text()
	return d.holds(n)
}

// bears reports whether the event has a feature or hashtag.
func (d *doc) bears(n *Node) bool {
	if d.features == nil {
		d.features = append(featuresOf(d.event), "")
	}
	return slices.ContainsFunc(d.features, func(f string) bool { return f == n.Terms[0] || n.Prefix && strings.HasPrefix(f, n.Terms[0]) })
}

// holds makes the tests that need the text.
func (d *doc) holds(n *Node) bool {
	switch n.Op {
	case OpWords:
		return d.place(n, 0) >= 0
	case OpChar:
		return slices.ContainsFunc(d.words, func(w string) bool { return strings.Contains(w, n.Terms[0]) })
	case OpLink:
		text := textOf(d.event)
		return slices.ContainsFunc(d.tokens, func(t Token) bool { return t.Kind == TokenHost && n.isLinkAt(text, t) })
	case OpTerm:
		return slices.ContainsFunc(d.tokens, func(t Token) bool { return t.Kind == TokenHost && t.Term == n.Terms[0] })
	}
	return false
}

// place returns where the node's terms are adjacent, at an index or after it, among the
// words, or among words and pictures if the node has pictures; -1 if nowhere.
func (d *doc) place(n *Node, from int) int {
	text := d.words
	if n.emoji {
		text = d.plain
	}
	for i := from; i+len(n.Terms) <= len(text); i++ {
		if n.standsAt(text[i:]) {
			return i
		}
	}
	return -1
}

// standsAt reports whether the terms of a text begin with those of the node.
func (n *Node) standsAt(text []string) bool {
	last := len(n.Terms) - 1
	for i, term := range n.Terms {
		if text[i] != term && !(n.Prefix && i == last && strings.HasPrefix(text[i], term)) {
			return false
		}
	}
	return true
}

// isLinkAt reports whether the link with a host's token begins as the node requires.
func (n *Node) isLinkAt(text string, host Token) bool {
	link := text[host.Start : host.Start+linkLength(text[host.Start:])]
	return strings.HasPrefix(normalLink(link), n.value)
}

func (d *doc) speaks(langs []string) bool {
	if labels := languageLabels(d.event); len(labels) > 0 {
		return slices.ContainsFunc(labels, func(code string) bool { return slices.Contains(langs, code) })
	}
	code := d.language(d.event)
	return code != "" && slices.Contains(langs, code)
}
