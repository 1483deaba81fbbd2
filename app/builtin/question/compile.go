package question

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// compiled is a lexicon ready for use.
type compiled struct {
	*Lexicon
	*spelling
	time       timeWords
	phrases    map[string]Concept
	longest    int            // words of the longest phrase
	nth        map[string]int // of ordinals
	how, items []string
	when, why  []string
	tellers    []string
	tags       []string
	withWhom   []string
	habits     map[string]Hours // by their folded phrases
	outside    []string
	imperative map[string]bool
	spellsOut  map[string][]token
	by         bool            // it has another word for of than for by
	kana       bool            // it has words in Japanese syllables
	vocabulary map[string]bool // every single word that is known
	spelt      map[string]bool // the same with their accents
	letters    map[rune]bool   // of these words, besides a to z
	usual      map[string]bool
	articles   map[string]bool
	or         map[string]bool
	eased      *compiled // with its usual words as fillers
}

func compile(lx *Lexicon, s *spelling) *compiled {
	c := &compiled{Lexicon: lx, spelling: s, phrases: map[string]Concept{}, nth: map[string]int{}, habits: map[string]Hours{}, imperative: map[string]bool{}, spellsOut: map[string][]token{}, vocabulary: map[string]bool{}, spelt: map[string]bool{}, letters: map[rune]bool{}}
	for key, phrases := range lx.Words {
		for _, p := range phrases {
			c.add(p, meanings[key])
		}
	}
	c.by = len(lx.Words["by"]) > 0
	for i, forms := range lx.Ordinals {
		for _, p := range forms {
			c.add(p, cOrdinal)
			c.nth[Fold(p)] = i + 1
		}
	}
	for into, phrases := range map[*[]string]Phrases{
		&c.how: lx.How, &c.when: lx.When, &c.why: lx.Why, &c.tellers: lx.Tellers, &c.tags: lx.Tags, &c.outside: lx.Outside, &c.withWhom: lx.WithWhom,
	} {
		for _, p := range phrases {
			*into = append(*into, Fold(p))
		}
	}
	for _, p := range lx.Items {
		c.items = append(c.items, Fold(p))
		c.vocabulary[Fold(p)] = true
	}
	for _, p := range lx.Imperatives {
		c.imperative[Fold(p)] = true
		c.vocabulary[Fold(p)] = c.vocabulary[Fold(p)] || !lx.Unspaced // there, a verb would be cut otherwise
	}
	for short, long := range lx.Short {
		c.spellsOut[Fold(short)] = s.tokenize(long)
		c.vocabulary[Fold(short)] = true
	}
	c.time = compileTimes(&lx.Time, s)
	c.time.ordinals = c.nth
	c.usual = map[string]bool{}
	c.articles, c.or = map[string]bool{}, map[string]bool{}
	for _, w := range lx.Words["or"] {
		c.or[Fold(w)] = true
	}
	for _, w := range lx.Articles {
		c.articles[Fold(w)] = true
	}
	for _, w := range lx.Usual {
		c.usual[Fold(w)] = true
	}
	for _, w := range c.time.words() {
		c.vocabulary[w] = true
	}
	named := c.time.names()
	for _, w := range named {
		c.usual[w] = true
	}
	for w := range c.vocabulary {
		c.kana = c.kana || strings.ContainsFunc(w, isKana)
	}
	for p, hours := range lx.Habits {
		toks := s.tokenize(p)
		if lx.Unspaced {
			toks = c.cut(toks)
		}
		c.habits[strings.Join(folds(toks), " ")] = hours
	}
	eased := *c
	eased.phrases, eased.vocabulary = maps.Clone(c.phrases), maps.Clone(c.vocabulary)
	for _, w := range lx.Usual {
		if w = Fold(w); c.phrases[w] == 0 && !slices.Contains(named, w) {
			eased.add(w, cFiller)
		}
	}
	c.eased, eased.eased = &eased, &eased
	return c
}

func (c *compiled) add(phrase string, meaning Concept) {
	toks := c.tokenize(phrase)
	words := folds(toks)
	for i, t := range toks {
		c.spelt[t.text] = true
		for _, r := range t.text {
			c.letters[r] = true
		}
		c.vocabulary[words[i]] = true
	}
	c.phrases[strings.Join(words, " ")] |= meaning
	c.longest = max(c.longest, len(words))
}

// isKana reports whether a character is one of the syllables that only Japanese has.
func isKana(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }
