package question

import (
	"slices"
	"strings"
	"unicode"
)

// A Held is what a question holds that was not understood as a whole: whom it names, words
// that notes may have, and those that make another question of it.
type Held struct {
	Names    []string
	Words    []string
	Outcomes []string // how notes in any language report the outcome that is asked after
	Reports  []string // in these words
	Window   Window
	Except   string
	Passed   []string
}

// Held returns what can be used of a question that was not understood; false for nothing, as
// where it names a time that is not known.
func (p *Reader) Held(text string, c Calendar, t *Talk) (h Held, ok bool) {
	if len(text) > maxQuestion || p.isCode(text) {
		return h, false
	}
	text, h.Except = p.withoutExcept(text, t)
	lx := p.byLanguage(text, t.Lang)[0].eased
	add := func(to *[]string, word string) {
		if word != "" && !slices.Contains(*to, word) {
			*to = append(*to, word)
		}
	}
	for _, s := range lx.sentencesOf(text) {
		toks := lx.tokenize(s)
		if len(toks) > maxWords || lx.isOutside(toks) || lx.endsOrBeginsACommand(toks, c, t) {
			return Held{}, false
		}
		cl := lx.clause(toks, c, t, false)
		if cl.has&cNot != 0 && slices.ContainsFunc(cl.runs(), cl.names) {
			return Held{}, false // it may be of everybody else
		}
		if h.Window.Asked && cl.window.Asked && h.Window != cl.window {
			return Held{}, false
		}
		if cl.window.Asked {
			h.Window = cl.window
		}
		for i := range cl.toks {
			if cl.marks[i]&cInTopic != 0 && !lx.vocabulary[cl.toks[i].fold] {
				cl.marks[i] = 0 // what it is about is looked for word by word
			}
			if m := cl.marks[i]; m&(restricts|cTimes) != 0 && m&(cFiller|cNewest) == 0 && !lx.isOutcome(cl.toks[i].fold) {
				add(&h.Passed, cl.toks[i].text)
			}
			if lx.isOutcome(cl.toks[i].fold) {
				add(&h.Reports, cl.toks[i].text)
			}
		}
		for _, r := range cl.runs() {
			if cl.namesTime(r) {
				return Held{}, false
			}
			name, from, to := cl.nameIn(r)
			add(&h.Names, name)
			for i := r.from; i < r.to; i++ {
				if (name == "" || i < from || i >= to) && !lx.isOutcome(cl.toks[i].fold) {
					add(&h.Words, strings.Trim(cl.content(i), `"`))
				}
			}
		}
	}
	h.Outcomes = p.Outcomes(text)
	return h, len(h.Names)+len(h.Words)+len(h.Outcomes) > 0 && len(h.Words) <= 2*maxLoose
}

// isCode reports whether a text holds a note or a key.
func (p *Reader) isCode(text string) bool {
	return p.note.MatchString(text) || p.key.MatchString(text) || p.hex.MatchString(text)
}

// endsOrBeginsACommand reports whether a sentence is a request to do something.
func (lx *compiled) endsOrBeginsACommand(toks []token, c Calendar, t *Talk) bool {
	return lx.clause(slices.Clone(toks), c, t, false).commands(&Question{})
}

// Outcomes returns the words by which notes in any language report the outcome that a question
// asks after, such as that something was found or won; nil where it asks after none.
func (p *Reader) Outcomes(text string) (words []string) {
	asked := map[string]bool{}
	for _, lx := range p.byLanguage(text, "")[:1] {
		toks := lx.tokenize(text)
		for kind, said := range lx.Outcomes {
			asked[kind] = slices.ContainsFunc(toks, func(t token) bool { return lx.isIn(said, t.fold) })
		}
	}
	for _, lx := range p.langs {
		for kind, said := range lx.Outcomes {
			if asked[kind] {
				words = append(words, said...)
			}
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// isOutcome reports whether a word reports an outcome.
func (lx *compiled) isOutcome(word string) bool {
	for _, said := range lx.Outcomes {
		if lx.isIn(said, word) {
			return true
		}
	}
	return false
}

// isIn reports whether a word is one of these, of which those with a * are beginnings; in
// a language without spaces, whether it holds one.
func (lx *compiled) isIn(said Phrases, word string) bool {
	return slices.ContainsFunc(said, func(s string) bool {
		s, begins := strings.CutSuffix(Fold(s), "*")
		return word == s || begins && strings.HasPrefix(word, s) || lx.Unspaced && strings.ContainsFunc(s, unicode.IsLetter) && strings.Contains(word, s)
	})
}
