package present

import (
	"bowerbird/ndb/search"
)

// Marked returns the note with the matches of a search marked, by the rules of the search:
// ignoring case and accents, phrases as a whole. If the clamped text has no match, Body
// begins at the first paragraph that has.
func (n Note) Marked(q search.Query) Note {
	if q.IsEmpty() {
		return n
	}
	m := &marker{q}
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
	n.TitleMarks = q.Highlights(n.Title)
	if n.Quote != nil {
		quote := *n.Quote
		quote.Body, _ = m.paragraphs(quote.Body)
		quote.TitleMarks = q.Highlights(quote.Title)
		n.Quote = &quote
	}
	return n
}

// marker marks what a query looks for.
type marker struct{ query search.Query }

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
		for _, r := range m.query.Highlights(s.Text) {
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
