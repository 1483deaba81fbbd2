package builtin

import (
	"slices"
	"strings"
)

// negates reports whether a text says that something is not so.
func (g *grammar) negates(text string, v *vocabulary) bool {
	words, _ := g.words(text, v)
	for _, w := range words {
		if g.negation[w.term] || slices.ContainsFunc(g.negationEnds, func(end string) bool {
			return strings.HasSuffix(strings.ReplaceAll(w.term, "’", "'"), end)
		}) {
			return true
		}
	}
	return slices.ContainsFunc(g.negationInside, func(s string) bool { return strings.Contains(text, s) })
}

// takesUp is how much of what a claim says in rare words a note takes up at least that
// denies it.
const takesUp = 0.3

// correction is who says of a claim that it is not so, whoever that is: an answer or a
// quote that takes up its rare words, negates, and states something itself. It is nil for
// nobody, and where the claim takes something back itself.
func (d *drafter) correction(list []candidate, claim *candidate) *candidate {
	if claim.note.denies {
		return nil
	}
	all, most := 0.0, 0.0
	for w := range claim.terms {
		all += d.lexis.tells(w, claim.note.lang)
	}
	var out *candidate
	for i := range list {
		c := &list[i]
		n := c.note
		if n.author == claim.note.author || n.at <= claim.note.at || n.short || n.asks || !n.states {
			continue
		}
		taken := 0.0
		for w := range claim.terms {
			if c.terms[w] {
				taken += d.lexis.tells(w, claim.note.lang)
			}
		}
		if taken >= takesUp*all && taken > most && d.grammar.negates(c.raw, d.lexis.words) {
			out, most = c, taken
		}
	}
	if out != nil {
		out.corrects = true
	}
	return out
}
