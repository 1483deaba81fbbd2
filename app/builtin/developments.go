package builtin

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"bowerbird/app/sentence"
)

// A story has developments: how it began, what came of it, that it turned out to be false. A
// reader must never be left with a claim that was taken back.

// denies reports whether a note takes something back. A common word, used for other things
// too, is no sign of that by itself.
func (g *grammar) denies(n *note, words []occurrence, l *lexis) bool {
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
func precedes(words []occurrence, terms []string) bool {
	from := len(words) - len(terms)
	return from >= 0 && slices.EqualFunc(words[from:], terms, func(w occurrence, term string) bool { return w.term == term })
}

// laterDevelopment is how many seconds after the lead a development comes at least. A reply within the
// hour is conversation, unless it takes something back.
const laterDevelopment = 3600

// development rates a sentence as a later development of a topic that began with lead; 0 if it is none. A
// development refers to the story, and is by the person who began it, was taken up itself, or
// comes after a silence.
func (t *topic) development(c *candidate, lead *note) float64 {
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
	case n.at < lead.at+laterDevelopment || asksFirst(c.raw):
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
	sum += 0.3 * math.Min(math.Log2(1+float64(silence)/laterDevelopment), 3)
	return max(0, sum-leastDevelopment)
}

// leastDevelopment is the score above which a sentence is a development: it needs at least two of the
// signs that are added up. denied outranks any sum of them.
const (
	leastDevelopment = 1.1
	denied           = 100.0
)

// latest returns the candidate that shows the current state of the story, nil for none: the
// newest denial; else the newest independent note with the story's name that has about as
// much news as the others; else the best development.
func (t *topic) latest(list []candidate, lead *note) *candidate {
	var best, newest *candidate
	most, news := 0.0, 0.0
	for i := range list {
		c := &list[i]
		rating := t.development(c, lead)
		if rating > most || rating == denied && c.note.at > best.note.at {
			best, most = c, rating
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

// asMuch is the share of the other developments' news that the newest one must have: yesterday's
// state is not replaced by a remark of today.
const asMuch = 0.75

// goesOn reports whether a sentence carries the story on rather than comments on it: its
// note is independent, or by the person who began, and shares a new name with the lead.
func (t *topic) goesOn(c *candidate, lead *note) bool {
	n := c.note
	if n.at < lead.at+laterDevelopment || !n.fresh || n.news == 0 || asksFirst(c.raw) || c.supposes {
		return false
	}
	if n.parent != "" && n.author != t.begin.author && n.author != lead.author {
		return false
	}
	return n == t.begin && n.newPair || slices.ContainsFunc(n.names, func(name name) bool {
		return name.past == 0 && (!name.isPair() || name.parts[0].wide) && !name.hiragana() && (lead.names.has(name.word) || t.begin.names.has(name.word))
	})
}

// asksFirst reports whether a quotation begins with a question. One that follows the news
// takes nothing from it.
func asksFirst(s string) bool {
	end, _ := sentence.End(s)
	return sentence.Asks(s[:end])
}

// supposes reports whether a sentence is conditional.
func (g *grammar) supposes(s, lang string) bool {
	s = strings.TrimLeftFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) })
	first, _, _ := strings.Cut(s, " ")
	return slices.Contains(g.conditions[lang], first) || slices.ContainsFunc(g.conditionInside, func(c string) bool { return strings.HasPrefix(s, c) })
}

// negates reports whether a text contains a negation.
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

// takesUp is the share of a claim's information that a note must repeat to contradict it.
const takesUp = 0.3

// correction returns the candidate that contradicts a claim, whoever wrote it: an answer or
// quote that repeats its rare words, negates, and states something itself. It is nil for
// none, or if the claim is itself a denial.
func (d *drafter) correction(list []candidate, claim *candidate) *candidate {
	if claim.note.denies {
		return nil
	}
	all, most := 0.0, 0.0
	for w := range claim.terms {
		all += d.lexis.information(w, claim.note.lang)
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
				taken += d.lexis.information(w, claim.note.lang)
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
