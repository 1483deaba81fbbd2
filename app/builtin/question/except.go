package question

import (
	"strings"
	"unicode"
)

// withoutExcept cuts "besides Ada" out of a question: the rest, and whom or what it leaves
// out; "" for nothing.
func (p *Reader) withoutExcept(text string, t *Talk) (rest, except string) {
	lx := p.byLanguage(text, t.Lang)[0]
	low := strings.ToLower(text)
	if len(low) != len(text) {
		return text, ""
	}
	for _, words := range lx.Except {
		from := strings.Index(low, strings.ToLower(words))
		if from < 0 || !lx.Unspaced && (!apartAt(text, from) || !apartAt(text, from+len(words))) {
			continue
		}
		to := from + len(words)
		if lx.Postposed {
			start := lx.leftOut(low[:from], t)
			rest, except = text[:start]+text[to:], low[start:from]
			for _, named := range lx.Words["named"] {
				except = strings.TrimSuffix(except, named)
			}
		} else {
			end := lx.leftOutBehind(low[to:], t)
			rest, except = strings.TrimRight(text[:from], " ")+text[to+end:], lx.withoutArticle(low[to:to+end])
		}
		if except = strings.Trim(except, " ,.?!"); lx.phrases[Fold(except)]&(cMe|cSelf) != 0 {
			return rest, "" // the news are of others
		}
		if except != "" && strings.TrimSpace(strings.Trim(rest, " ,.?!")) != "" {
			return rest, except
		}
	}
	return text, ""
}

// apartAt reports whether a word begins or ends at i.
func apartAt(text string, i int) bool {
	return i == 0 || i == len(text) || strings.ContainsRune(" ,.?!", rune(text[i])) || strings.ContainsRune(" ,.?!", rune(text[i-1]))
}

// withoutArticle drops the articles before a word.
func (lx *compiled) withoutArticle(said string) string {
	words := strings.Fields(said)
	for len(words) > 1 && lx.phrases[Fold(words[0])] == cFiller {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

// leftOutBehind returns the length of the name with which a text begins, if somebody is
// known by it, or else of its first word, articles aside.
func (lx *compiled) leftOutBehind(text string, t *Talk) int {
	var ends []int
	for i, r := range text + " " {
		if (unicode.IsSpace(r) || strings.ContainsRune(",.?!", r)) && strings.TrimSpace(text[:i]) != "" {
			ends = append(ends, i)
			if !unicode.IsSpace(r) || len(ends) == maxNameWords {
				break
			}
		}
	}
	one := 0
	for _, end := range ends {
		if one == 0 && lx.phrases[Fold(strings.TrimSpace(text[:end]))] != cFiller {
			one = end
		}
	}
	for k := len(ends) - 1; k >= 0; k-- {
		if t.knows(lx.withoutArticle(text[:ends[k]])) {
			return ends[k]
		}
	}
	return one
}

// leftOut returns where the last name or word of a text begins, in a language without
// spaces.
func (lx *compiled) leftOut(text string, t *Talk) int {
	bare := text
	for _, named := range lx.Words["named"] {
		bare = strings.TrimSuffix(bare, named)
	}
	at := 0
	for i, r := range bare {
		if t.knows(bare[i:]) {
			return i
		}
		if unicode.IsSpace(r) || i > 0 && strings.ContainsRune("、,はがをにで", r) {
			at = i + len(string(r))
		}
	}
	return at
}
