package builtin

import (
	"cmp"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/app/builtin/language"
	"bowerbird/ndb/search"
)

// A grammar holds the function words of the languages that have a file. In other languages,
// how common a word is must do.
type grammar struct {
	usual map[string]uint32 // folded; a bit for each language that has it
	langs []string
	// denial holds phrases that take something back, by their last word; see developments.go.
	denial       map[string][][]string
	negation     map[string]bool
	negationEnds []string            // of words: n't
	conditions   map[string][]string // by language: an Italian condition is another word in Spanish
	selves       []string
	// The same, and conditions and words of the first person, for languages that are
	// written without spaces.
	denialInside, negationInside, conditionInside, selfInside []string
}

func newGrammar(all []*language.Language) *grammar {
	g := &grammar{usual: map[string]uint32{}, denial: map[string][][]string{}, negation: map[string]bool{}, conditions: map[string][]string{}}
	for _, l := range all {
		g.learn(l)
		if l.Notes.Usual == "" {
			continue
		}
		bit := uint32(1) << len(g.langs)
		g.langs = append(g.langs, l.Language)
		for w := range strings.FieldsSeq(l.Notes.Usual) {
			// As tokens are folded, so must these be.
			g.usual[w] |= bit
			for _, term := range termsOf(w) {
				g.usual[term] |= bit
			}
		}
	}
	return g
}

// learn adds the words of a language for denials, negations, conditions and the first
// person.
func (g *grammar) learn(l *language.Language) {
	n := &l.Notes
	if n.Inside {
		g.denialInside, g.negationInside = append(g.denialInside, n.Denials...), append(g.negationInside, n.Negations...)
		g.conditionInside, g.selfInside = append(g.conditionInside, n.Conditions...), append(g.selfInside, n.Selves...)
		return
	}
	for _, d := range n.Denials {
		if terms := termsOf(d); len(terms) > 0 {
			last := terms[len(terms)-1]
			g.denial[last] = append(g.denial[last], terms)
		}
	}
	for _, w := range n.Negations {
		if end, ok := strings.CutPrefix(w, "-"); ok {
			g.negationEnds = append(g.negationEnds, end)
			continue
		}
		for _, term := range append(termsOf(w), w) {
			g.negation[term] = true
		}
	}
	lang := cmp.Or(n.Script, l.Language)
	g.conditions[lang] = append(g.conditions[lang], n.Conditions...)
	g.selves = append(g.selves, n.Selves...)
}

// termsOf splits a phrase as notes are split.
func termsOf(phrase string) (terms []string) {
	for tok := range search.Tokens(phrase) {
		terms = append(terms, tok.Term)
	}
	return terms
}

// maxTerms limits the words of one note, so that an article does not outweigh notes.
const maxTerms = 150

// An occurrence is a word at its place in a note.
type occurrence struct {
	*word
	capital bool
	name    bool // it has a capital inside a sentence
	after   bool // it directly follows the previous word, in the same sentence
}

// words returns the words of a text in order, and its language.
func (g *grammar) words(text string, v *vocabulary) (words []occurrence, lang string) {
	return g.wordsInto(make([]occurrence, 0, len(text)/6), text, v)
}

// wordsInto does the same into a slice that is not needed any more.
func (g *grammar) wordsInto(words []occurrence, text string, v *vocabulary) ([]occurrence, string) {
	var hits [32]int // by the bits of usual
	words = words[:0]
	end := -1
	for tok := range search.Tokens(text) {
		if tok.Kind != search.TokenWord {
			continue
		}
		w := v.word(tok.Term, g)
		for left := w.usual; left != 0; left &= left - 1 {
			hits[bits.TrailingZeros32(left)]++
		}
		upper := capital(text[tok.Start:])
		words = append(words, occurrence{
			word: w, capital: upper, name: upper && inside(text[:tok.Start]),
			after: end >= 0 && besides(text, end, tok.Start),
		})
		end = tok.End
	}
	return words, g.language(hits[:len(g.langs)], text)
}

func (g *grammar) language(hits []int, text string) string {
	if s := script(text); s != "" {
		return s
	}
	best, most := "", 0
	for i, n := range hits {
		if n > most {
			best, most = g.langs[i], n
		}
	}
	return best
}

// script returns the language or script of a text by its first character that is not Latin;
// "" if there is none.
func script(text string) string {
	latin := 0
	for _, r := range clip(text, 400) {
		switch {
		case r < 0x250:
			if latin++; latin > 60 {
				return ""
			}
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			return "ja"
		case unicode.Is(unicode.Han, r):
			if strings.ContainsFunc(text, isHiragana) {
				return "ja"
			}
			return "zh"
		case unicode.Is(unicode.Hangul, r):
			return "ko"
		case unicode.Is(unicode.Cyrillic, r):
			return "Cyrillic"
		case unicode.Is(unicode.Greek, r):
			return "Greek"
		case unicode.Is(unicode.Arabic, r):
			return "Arabic"
		case unicode.Is(unicode.Hebrew, r):
			return "Hebrew"
		case unicode.Is(unicode.Devanagari, r):
			return "Devanagari"
		case unicode.Is(unicode.Thai, r):
			return "Thai"
		}
	}
	return ""
}

// isContent reports whether a word that is no function word can show what a note is about:
// no figure, and no single letter.
func isContent(term string) bool {
	n := utf8.RuneCountInString(term)
	return count(term, unicode.IsLetter) > 0 && count(term, isHiragana) < n && (n > 1 || wide(firstOf(term)))
}

// clip cuts s to at most n bytes, at the end of a rune.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
