package builtin

import (
	"slices"
	"strings"
)

// maxBare is how many notes are shown where none can be quoted.
const maxBare = 3

// bare are the notes of a window of which no sentence can be quoted. They are shown
// all the same: an answer is never a heading alone.
type bare struct {
	ids      []string // the newest, at most maxBare
	passedOn bool     // others wrote them; people followed did no more than pass them on
}

// bare finds what to show where nothing can be quoted.
func (c *corpus) bare() bare {
	var own, passed []string
	for _, n := range slices.Backward(c.sorted()) {
		switch {
		case n.fresh && n.author.followed && !n.repeated:
			own = append(own, n.id)
		case slices.ContainsFunc(c.acts, func(a takingUp) bool { return a.repost && a.target == n.id }):
			passed = append(passed, n.id)
		}
	}
	if len(own) == 0 {
		return bare{passed[:min(len(passed), maxBare)], true}
	}
	return bare{own[:min(len(own), maxBare)], false}
}

// unquoted says why a digest quotes nothing, and shows what there is.
func (p *plan) unquoted(d draft, index map[string]int) []Item {
	return []Item{{Lines: []Line{{Text: p.unquotedText(d, index)}}}}
}

func (p *plan) unquotedText(d draft, index map[string]int) string {
	var refs []string
	for _, id := range d.bare.ids {
		if n, shown := index[id]; shown {
			refs = append(refs, ref(n))
		}
	}
	switch {
	case len(refs) == 0:
		return p.words.NotShown
	case d.bare.passedOn:
		return p.words.PassedOn + " " + strings.Join(refs, " ")
	}
	return p.words.NoSentence + " " + strings.Join(refs, " ")
}
