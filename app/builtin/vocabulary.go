package builtin

import (
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// A vocabulary holds each word of the notes once: it is looked up when a text is read, and
// from then on compared and counted by pointer.
type vocabulary struct {
	words map[string]*word
	pairs map[uint64]*word // by the ids of their words
	known int32            // of both
	spare []word           // allocated many at a time
}

// A word is an entry of a vocabulary: a single word, or two adjacent ones.
type word struct {
	term      string   // "" of two
	parts     [2]*word // of two; nil of one
	sum       uint64
	id        int32  // counts up
	now, past int32  // notes with it, in the window and before
	counted   int32  // the last older note that it was counted in
	threads   int32  // threads of the window with it; one that comes back after another is counted twice
	thread    int32  // the last of these
	from, to  int32  // the first and the last note of the window with it, by number
	usual     uint32 // see grammar
	content   bool   // a content word: it can show what a note is about
	wide      bool   // it is of a script without spaces
	figure    bool   // it has a digit
	denies    bool   // a denial ends with it; see developments.go
	small     bool   // it was written without a capital
	inner     bool   // it was written with one inside a sentence
}

// sums seeds the hashes of words and texts, so that nobody can post words that collide.
var sums = maphash.MakeSeed()

// newVocabulary returns a vocabulary sized for the words of so many notes.
func newVocabulary(notes int) *vocabulary {
	return &vocabulary{words: make(map[string]*word, 2*notes), pairs: make(map[uint64]*word, notes)}
}

func (v *vocabulary) add(w word) *word {
	if len(v.spare) == 0 {
		v.spare = make([]word, min(8+len(v.words), 256))
	}
	added := &v.spare[0]
	*added, v.spare = w, v.spare[1:]
	added.id = v.known
	v.known++
	return added
}

// word returns the entry of a term.
func (v *vocabulary) word(term string, g *grammar) *word {
	w := v.words[term]
	if w == nil {
		usual := g.usual[term]
		w = v.add(word{
			term: term, sum: maphash.String(sums, term), usual: usual, content: usual == 0 && isContent(term), wide: wide(firstOf(term)),
			figure: strings.ContainsFunc(term, unicode.IsDigit), denies: g.denial[term] != nil,
		})
		v.words[term] = w
	}
	return w
}

// pair returns the entry of two adjacent words.
func (v *vocabulary) pair(first, second *word) *word {
	key := pairKey(first, second)
	w := v.pairs[key]
	if w == nil {
		w = v.add(word{parts: [2]*word{first, second}})
		v.pairs[key] = w
	}
	return w
}

func pairKey(first, second *word) uint64 { return uint64(first.id)<<32 | uint64(second.id) }

// sorted returns the single words by term.
func (v *vocabulary) sorted() []*word {
	return slices.SortedFunc(maps.Values(v.words), func(a, b *word) int { return strings.Compare(a.term, b.term) })
}

// isPair reports whether the entry is two adjacent words.
func (w *word) isPair() bool { return w.parts[0] != nil }

// hiragana reports whether the entry contains Hiragana.
func (w *word) hiragana() bool {
	if w.isPair() {
		return w.parts[0].hiragana() || w.parts[1].hiragana()
	}
	return hiragana(w.term)
}
