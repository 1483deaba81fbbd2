package question

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// leastLetters is how long a word is, at least, that may be misspelt: a shorter one is
// near too many others.
const leastLetters = 4

// tellingLetters is how long a word that asks nothing is, at least, to be taken for
// one misspelt: a topic may look like a shorter one.
const tellingLetters = 7

// respell puts known words in place of those that no language knows and that are one
// edit away, as few as needed for the sentence to be read.
func (lx *compiled) respell(toks []token, readable func([]token) bool) ([]token, bool) {
	if lx.Unspaced {
		return nil, false
	}
	near, alone := map[int][]string{}, !lx.asks(lx.spelledOut(toks))
	var odd []int
	for i, t := range toks {
		if t.quoted || t.at || lx.vocabulary[t.fold] || utf8.RuneCountInString(t.fold) < leastLetters-1 {
			continue
		}
		if len(t.fold) < leastLetters {
			if w := t.fold + t.fold[len(t.fold)-1:]; lx.vocabulary[w] { // mis, wil
				near[i], odd = []string{w}, append(odd, i)
			}
			continue
		}
		for w := range lx.vocabulary {
			if m := lx.phrases[w]; m&^(cFiller|cDid) == 0 && m != 0 && len(w) < tellingLetters {
				continue // "pont" is no "sont"
			}
			if (len(w) == len(t.fold) && len(w) == leastLetters || alone && len(w) < tellingLetters-1) && !sameLetters(t.fold, w) {
				continue // too many short words are one letter apart: "pont" alone is no "point"
			}
			if i > 0 && lx.articles[toks[i-1].fold] && lx.phrases[w]&cWrote != 0 && lx.phrases[w]&cNotes == 0 {
				continue // no verb follows an article: "o cometa" is not "comenta"
			}
			if utf8.RuneCountInString(w) >= leastLetters-1 && oneEdit(t.fold, w) {
				near[i] = append(near[i], w)
			}
		}
		if len(near[i]) > 0 {
			slices.Sort(near[i])
			odd = append(odd, i)
		}
	}
	if len(odd) > 3 {
		odd = odd[:3]
	}
	for most := 1; most <= len(odd); most++ {
		if fixed, ok := tryWords(slices.Clone(toks), odd, near, most, readable); ok {
			return fixed, true
		}
	}
	return nil, false
}

// tryWords replaces exactly most of the odd words.
func tryWords(toks []token, odd []int, near map[int][]string, most int, readable func([]token) bool) ([]token, bool) {
	if most == 0 {
		return toks, readable(toks)
	}
	for k, i := range odd {
		was := toks[i]
		for _, w := range near[i] {
			toks[i].text, toks[i].fold = w, w
			if fixed, ok := tryWords(toks, odd[k+1:], near, most-1, readable); ok {
				return fixed, true
			}
		}
		toks[i] = was
	}
	return nil, false
}

// Nearest returns the one name that is one edit away from a name, or else the one name that
// has such a word in it: "Hamsih" is Hamish Reid. It returns "" if there is none, or if
// there are several.
func Nearest(name string, names []string) string {
	if utf8.RuneCountInString(name) < leastLetters {
		return ""
	}
	name = Fold(name)
	whole := func(n string) bool { return oneEdit(name, Fold(n)) }
	part := func(n string) bool {
		return slices.ContainsFunc(strings.Fields(Fold(n)), func(w string) bool {
			return utf8.RuneCountInString(w) >= leastLetters && oneEdit(name, w)
		})
	}
	for _, near := range []func(string) bool{whole, part} {
		found := ""
		for _, n := range names {
			if near(n) && found != n {
				if found != "" {
					return ""
				}
				found = n
			}
		}
		if found != "" {
			return found
		}
	}
	return ""
}

// sameLetters reports whether two words have the same letters in whatever order.
func sameLetters(a, b string) bool {
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// oneEdit reports whether one letter too many, too few, wrong, or two in the wrong
// order make b of a.
func oneEdit(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(y)-len(x) > 1 {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	if len(x) < len(y) {
		return slices.Equal(x[i:], y[i+1:])
	}
	if i == len(x) {
		return false // the same
	}
	return slices.Equal(x[i+1:], y[i+1:]) ||
		i+1 < len(x) && x[i] == y[i+1] && x[i+1] == y[i] && slices.Equal(x[i+2:], y[i+2:])
}
