package ndb

import (
	"slices"
	"strings"

	"bowerbird/ndb/nostr"
)

// Match reports whether an event meets the query, looking at nothing but the event.
// It is what the store's answer means, however it was found. People and times that
// are not resolved to what the store itself can read are met by nothing. An empty
// query is met by nothing.
func (q SearchQuery) Match(e *nostr.Event) bool {
	if q.root == nil || q.read(e.CreatedAt) != nil {
		return false
	}
	if !hasText(e.Kind) && len(q.Kinds()) == 0 {
		return false
	}
	return newDoc(e, nil).meets(q.root)
}

// searchDoc is an event while a query is put to it: its text is read once, and only
// when it is asked about.
type searchDoc struct {
	event    *nostr.Event
	read     bool
	tokens   []Token
	words    []string // terms of words alone, for phrases
	plain    []string // and of pictures
	features []string // nil until one is asked about
	language func(*nostr.Event) string
}

// newDoc makes an event ready for queries. language tells what a text is written in,
// and may remember; nil for languageOf.
func newDoc(e *nostr.Event, language func(*nostr.Event) string) *searchDoc {
	if language == nil {
		language = languageOf
	}
	return &searchDoc{event: e, language: language}
}

func (d *searchDoc) text() {
	if d.read {
		return
	}
	d.read = true
	if !hasText(d.event.Kind) {
		return
	}
	for t := range Tokens(searchText(d.event)) {
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

func (d *searchDoc) meets(n *searchNode) bool {
	e := d.event
	switch n.op {
	case opAnd:
		return !slices.ContainsFunc(n.kids, func(kid *searchNode) bool { return !d.meets(kid) })
	case opOr:
		return slices.ContainsFunc(n.kids, d.meets)
	case opNot:
		return !d.meets(n.kids[0])
	case opKind:
		return slices.Contains(n.kinds, e.Kind)
	case opFrom:
		return slices.ContainsFunc(n.people, func(p searchPerson) bool { return p.key != nil && *p.key == e.PubKey })
	case opTo:
		return slices.ContainsFunc(n.people, func(p searchPerson) bool {
			return p.key != nil && e.Kind != nostr.KindContacts && e.Tags.HasAny('p', []string{p.key.String()})
		})
	case opSince:
		return n.time != nil && e.CreatedAt >= *n.time
	case opUntil:
		return n.time != nil && e.CreatedAt <= *n.time
	case opLang:
		return d.speaks(n.langs)
	}
	if n.op == opTerm && n.terms[0][0] < ' ' {
		return d.bears(n)
	}
	d.text()
	return d.holds(n)
}

// bears reports whether the event has a feature or hashtag.
func (d *searchDoc) bears(n *searchNode) bool {
	if d.features == nil {
		d.features = append(featuresOf(d.event), "")
	}
	return slices.ContainsFunc(d.features, func(f string) bool { return f == n.terms[0] || n.prefix && strings.HasPrefix(f, n.terms[0]) })
}

// holds makes the tests that need the text.
func (d *searchDoc) holds(n *searchNode) bool {
	switch n.op {
	case opWords:
		return d.place(n, 0) >= 0
	case opChar:
		return slices.ContainsFunc(d.words, func(w string) bool { return strings.Contains(w, n.terms[0]) })
	case opLink:
		text := searchText(d.event)
		return slices.ContainsFunc(d.tokens, func(t Token) bool { return t.Kind == TokenHost && n.isLinkAt(text, t) })
	case opTerm:
		return slices.ContainsFunc(d.tokens, func(t Token) bool { return t.Kind == TokenHost && t.Term == n.terms[0] })
	}
	return false
}

// place returns where the node's terms stand side by side, at a place or after it,
// among the words, or among words and pictures where the node has pictures; -1 for
// nowhere.
func (d *searchDoc) place(n *searchNode, from int) int {
	text := d.words
	if n.emoji {
		text = d.plain
	}
	for i := from; i+len(n.terms) <= len(text); i++ {
		if n.standsAt(text[i:]) {
			return i
		}
	}
	return -1
}

// standsAt reports whether the terms of a text begin with those of the node.
func (n *searchNode) standsAt(text []string) bool {
	last := len(n.terms) - 1
	for i, term := range n.terms {
		if text[i] != term && !(n.prefix && i == last && strings.HasPrefix(text[i], term)) {
			return false
		}
	}
	return true
}

// isLinkAt reports whether the link with a host's token begins as the node asks.
func (n *searchNode) isLinkAt(text string, host Token) bool {
	link := text[host.Start : host.Start+linkLength(text[host.Start:])]
	return strings.HasPrefix(normalLink(link), n.value)
}

func (d *searchDoc) speaks(langs []string) bool {
	if labels := languageLabels(d.event); len(labels) > 0 {
		return slices.ContainsFunc(labels, func(code string) bool { return slices.Contains(langs, code) })
	}
	code := d.language(d.event)
	return code != "" && slices.Contains(langs, code)
}
