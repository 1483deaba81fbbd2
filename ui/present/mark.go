package present

import (
	"slices"
	"strings"

	"bowerbird/ndb"
)

// Marked returns the note with what a search looked for marked, found as the
// search finds it: cases and accents folded, phrases as a whole. Where nothing of
// it stands in the clamped text, Body begins at the paragraph that has it.
func (n Note) Marked(q ndb.SearchQuery) Note {
	m := newMarker(q)
	if m == nil {
		return n
	}
	body, found := m.paragraphs(n.Body)
	if n.Whole != nil {
		whole, at := m.first(n.Whole)
		n.Whole = whole
		if !found && at > 0 {
			body, _ = clampParagraphs(whole[at:], bodyLines, bodyRunes)
			body = append([]Paragraph{{{Text: "…"}}}, body...)
		}
	}
	n.Body = body
	if n.Quote != nil {
		quote := *n.Quote
		quote.Body, _ = m.paragraphs(quote.Body)
		n.Quote = &quote
	}
	return n
}

// marker finds words and phrases.
type marker struct {
	phrases [][]string
}

func newMarker(q ndb.SearchQuery) *marker {
	m := &marker{}
	for _, w := range q.Words {
		m.phrases = append(m.phrases, []string{w})
	}
	for _, p := range q.Phrases {
		if terms := strings.Fields(p); len(terms) > 0 {
			m.phrases = append(m.phrases, terms)
		}
	}
	for _, tag := range q.Tags {
		for tok := range ndb.Tokens(tag) {
			m.phrases = append(m.phrases, []string{tok.Term})
		}
	}
	if len(m.phrases) == 0 {
		return nil
	}
	return m
}

// first marks paragraphs and returns the index of the first that has a mark, -1
// for none.
func (m *marker) first(ps []Paragraph) ([]Paragraph, int) {
	at := -1
	out := make([]Paragraph, len(ps))
	for i, p := range ps {
		marked, found := m.paragraph(p)
		out[i] = marked
		if found && at < 0 {
			at = i
		}
	}
	return out, at
}

func (m *marker) paragraphs(ps []Paragraph) ([]Paragraph, bool) {
	out, at := m.first(ps)
	return out, at >= 0
}

func (m *marker) paragraph(p Paragraph) (Paragraph, bool) {
	var out Paragraph
	found := false
	for _, s := range p {
		at := 0
		for _, r := range m.ranges(s.Text) {
			found = true
			if r[0] > at {
				out = append(out, s.part(at, r[0], false))
			}
			out = append(out, s.part(r[0], r[1], true))
			at = r[1]
		}
		if at < len(s.Text) {
			out = append(out, s.part(at, len(s.Text), false))
		}
	}
	return out, found
}

func (s Span) part(from, to int, mark bool) Span {
	s.Text, s.Mark = s.Text[from:to], mark
	return s
}

// ranges returns the marked stretches of a text in bytes, in order and apart.
func (m *marker) ranges(text string) [][2]int {
	tokens := slices.Collect(ndb.Tokens(text))
	var rs [][2]int
	for i := range tokens {
		end := -1
		for _, phrase := range m.phrases {
			if i+len(phrase) <= len(tokens) && matches(tokens[i:i+len(phrase)], phrase) {
				end = max(end, tokens[i+len(phrase)-1].End)
			}
		}
		switch last := len(rs) - 1; {
		case end < 0:
		case last >= 0 && tokens[i].Start <= rs[last][1]:
			rs[last][1] = max(rs[last][1], end)
		default:
			rs = append(rs, [2]int{tokens[i].Start, end})
		}
	}
	return rs
}

func matches(tokens []ndb.Token, phrase []string) bool {
	for i, term := range phrase {
		if tokens[i].Term != term {
			return false
		}
	}
	return true
}
