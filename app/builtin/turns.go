package builtin

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"bowerbird/app/sentence"
)

// A story has turns: how it began, what came of it, that it was false. What a reader
// must not be left with is a claim that was taken back.

// denies reports whether a note takes something back. A word that people use for other
// things too says nothing alone.
func (g *grammar) denies(n *note, words []spoken, l *lexis) bool {
	for i, w := range words {
		if !w.denies {
			continue
		}
		for _, d := range g.denial[w.term] {
			if d = d[:len(d)-1]; len(d) == 0 && !l.common(w.word, n.lang) || len(d) > 0 && precedes(words[:i], d) {
				return true
			}
		}
	}
	return strings.ContainsFunc(n.text, wide) && slices.ContainsFunc(g.denialInside, func(d string) bool { return strings.Contains(n.text, d) })
}

// precedes reports whether words end with these terms.
func precedes(words []spoken, terms []string) bool {
	from := len(words) - len(terms)
	return from >= 0 && slices.EqualFunc(words[from:], terms, func(w spoken, term string) bool { return w.term == term })
}

// How much later than what it is told with a turn is at least, in seconds: a reply in
// the same hour is talk, unless it takes something back.
const laterTurn = 3600

// turn tells how well a sentence would do as a turn of a topic's story, as it stood with
// lead; 0 where it is none: what came of it is told by who told it first, or is taken up
// itself, or comes after a silence, and names it.
func (t *topic) turn(c *candidate, lead *note) float64 {
	n := c.note
	switch {
	case n == lead || n.at <= lead.at || !n.fresh || n.news == 0:
		return 0
	case c.supposes:
		return 0
	case n.denies:
		if n.author == lead.author || n.parent == "" || n.done > 0 || n.names.shares(lead.names) {
			return denied
		}
		return 0
	case n.at < lead.at+laterTurn || asksFirst(c.raw):
		return 0
	}
	about := n.names.shares(lead.names) || slices.ContainsFunc(n.terms, func(w *word) bool { return slices.Contains(lead.terms, w) })
	own := n.author == lead.author || n.author == t.begin.author
	if !about && !n.states || n.parent != "" && !own && !slices.ContainsFunc(t.notes, func(o *note) bool { return o.parent == n.id }) {
		return 0 // a remark
	}
	sum := n.news - lead.news + 0.2*math.Min(float64(n.done), 4)
	if own {
		sum += 0.7
	}
	if n.parent == "" {
		sum += 0.4
	}
	if about {
		sum += 0.4
	}
	silence := n.at - lead.at
	for _, o := range t.notes {
		if o.at < n.at {
			silence = n.at - o.at
		}
	}
	sum += 0.3 * math.Min(math.Log2(1+float64(silence)/laterTurn), 3)
	return max(0, sum-leastTurn)
}

// From what on a note is a turn, and how well a denial does.
const (
	leastTurn = 1.1
	denied    = 100.0
)

// latest returns which of the candidates tells how the story of lead stands now: the
// newest denial of what was told; else the newest turn told for itself that has the
// story's name, if it says about as much as the others; else the best turn. nil for none.
func (t *topic) latest(list []candidate, lead *note) *candidate {
	var best, newest *candidate
	most, news := 0.0, 0.0
	for i := range list {
		c := &list[i]
		turn := t.turn(c, lead)
		if turn > most || turn == denied && c.note.at > best.note.at {
			best, most = c, turn
		}
		if t.goesOn(c, lead) {
			news = max(news, c.note.news)
		}
	}
	for i := range list {
		c := &list[i]
		if c.note.news >= asMuch*news && (newest == nil || c.note.at > newest.note.at) && t.goesOn(c, lead) {
			newest = c
		}
	}
	if newest != nil && most < denied {
		return newest
	}
	return best
}

// asMuch is how much of the news of other turns the newest one has, at least.
const asMuch = 0.75

// goesOn reports whether a sentence takes a story further, and does not only talk of it: its
// note is no answer, or by the one who began, and has a name that nobody used before.
func (t *topic) goesOn(c *candidate, lead *note) bool {
	n := c.note
	if n.at < lead.at+laterTurn || !n.fresh || n.news == 0 || asksFirst(c.raw) || c.supposes {
		return false
	}
	if n.parent != "" && n.author != t.begin.author && n.author != lead.author {
		return false
	}
	return n == t.begin && n.newPair || slices.ContainsFunc(n.names, func(name name) bool {
		return name.past == 0 && (!name.isPair() || name.parts[0].wide) && !name.hiragana() && (lead.names.has(name.word) || t.begin.names.has(name.word))
	})
}

// asksFirst reports whether what is quoted begins with a question: one behind the news takes
// nothing from it.
func asksFirst(s string) bool {
	end, _ := sentence.End(s)
	return sentence.Asks(s[:end])
}

// supposes reports whether a sentence only says what would be if something were so.
func (g *grammar) supposes(s, lang string) bool {
	s = strings.TrimLeftFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) })
	first, _, _ := strings.Cut(s, " ")
	return slices.Contains(g.conditions[lang], first) || slices.ContainsFunc(g.conditionInside, func(c string) bool { return strings.HasPrefix(s, c) })
}

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
