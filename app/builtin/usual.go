package builtin

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// usage knows which runs of words are stock phrases: different people have written them
// before the window that is told about, or paste them in it. Threads that share no more
// than such a phrase have nothing to do with one another, and a note made of nothing
// else is a greeting or small talk, in whatever language.
type usage struct {
	*vocabulary
	said  []run          // all that was written, in its order
	again filter         // of what was written more than once, which little is
	runs  map[uint64]int // of that, how many people wrote it: at most one too many for each time that another one came between
}

// A run is a run of words, and who wrote it.
type run struct {
	key uint64
	by  *person
}

// A filter tells which of many keys were put into it more than once: it never misses one,
// and takes few others for one.
type filter struct{ once, twice []uint64 }

// newFilter makes a filter for about so many keys.
func newFilter(keys int) filter {
	words := 1 << bits.Len(uint(keys/8))
	return filter{make([]uint64, words), make([]uint64, words)}
}

func (f filter) place(key uint64) (word int, bit uint64) {
	return int(key >> 6 & uint64(len(f.once)-1)), 1 << (key & 63)
}

func (f filter) put(key uint64) {
	word, bit := f.place(key)
	f.twice[word] |= f.once[word] & bit
	f.once[word] |= bit
}

func (f filter) has(key uint64) bool {
	word, bit := f.place(key)
	return f.twice[word]&bit != 0
}

// How long a run must be that is a stock phrase, in words, where it was used before
// and where it was not, and by how many people.
const (
	stockBefore, stockPeople  = 3, 2
	pastedWords, pastedPeople = 5, 3
	copiedPeople              = 2 // where five words are more than a name and its grammar
)

// newUsage makes a usage with room for the runs of so many notes.
func newUsage(notes int, v *vocabulary) *usage {
	runs := 16 * notes
	return &usage{vocabulary: v, said: make([]run, 0, runs), again: newFilter(runs), runs: map[uint64]int{}}
}

// before yields the runs of words that are stock phrases where they were used before:
// two telling words side by side, or any three.
func before(words []spoken, yield func(at, size int)) {
	for i := range words {
		if i+1 < len(words) && words[i].telling && words[i+1].telling {
			yield(i, 2)
		}
		if i+stockBefore <= len(words) {
			yield(i, stockBefore)
		}
	}
}

// pasted yields the runs of words that nobody writes twice by chance.
func pasted(words []spoken, yield func(at, size int)) {
	for i := range len(words) - pastedWords + 1 {
		yield(i, pastedWords)
	}
}

// key names a run by the sums of its words; see spoken.
func (u *usage) key(run []spoken) uint64 {
	key := uint64(len(run))
	for _, w := range run {
		key = (key ^ w.sum) * 0x9e3779b97f4a7c15
		key ^= key >> 32
	}
	return key
}

// learn takes in what a person wrote, by the runs that count.
func (u *usage) learn(by *person, words []spoken, runs func([]spoken, func(at, size int))) {
	runs(words, func(at, size int) {
		key := u.key(words[at : at+size])
		u.again.put(key)
		u.said = append(u.said, run{key, by})
	})
	for _, w := range words {
		if w.telling && !w.capital {
			w.small = true
		}
		w.inner = w.inner || w.name
	}
}

// settle counts who wrote each run, when all have been learnt.
func (u *usage) settle() {
	last := map[uint64]*person{}
	for _, r := range u.said {
		if u.again.has(r.key) && last[r.key] != r.by {
			last[r.key] = r.by
			u.runs[r.key]++
		}
	}
	u.said = nil
}

// people is how many people wrote a run.
func (u *usage) people(run []spoken) int {
	key := u.key(run)
	if !u.again.has(key) {
		return 1
	}
	return u.runs[key]
}

// own are the telling words of a note that stand outside of stock phrases.
type own struct {
	terms []*word // each once, at most maxTerms
	names names
	newly []*word // names that nobody used before, where no sentence begins
	share float64 // of its words
}

// names are the words of a note that are written as names, and two words side by side;
// true for a full name.
type names map[*word]bool

// couldBeNew reports whether a name could be that of something: two plain words that
// happen to stand side by side are none in scripts that have capitals, nor is what Japanese
// writes its grammar in.
func couldBeNew(name *word, full bool) bool {
	return full || !name.hiragana() && (!name.isPair() || unicode.Is(unicode.Lo, firstOf(name.parts[0].term)))
}

func firstOf(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// stock tells which words stand in stock phrases.
func (u *usage) stock(words []spoken) []bool {
	stock := make([]bool, len(words))
	before(words, func(at, size int) {
		if u.people(words[at:at+size]) >= stockPeople {
			for i := range size {
				stock[at+i] = true
			}
		}
	})
	pasted(words, func(at, size int) {
		people := u.people(words[at : at+size])
		if people >= pastedPeople || people == copiedPeople && !wide(firstOf(words[at].term)) {
			for i := range size {
				stock[at+i] = stock[at+i] || !words[at+i].name || words[at+i].small
			}
		}
	})
	return stock
}

// own returns a note's own words. A name is one even in a phrase that was pasted.
func (u *usage) own(words []spoken) own {
	stock := u.stock(words)
	out := own{names: names{}}
	for i, w := range words {
		if !stock[i] {
			out.share += 1 / float64(len(words))
		}
		if !w.telling || stock[i] {
			continue
		}
		if w.name || w.capital && !w.small { // though a sentence may begin with it
			if _, again := out.names[w.word]; !again && w.name && w.past == 0 {
				out.newly = append(out.newly, w.word)
			}
			out.names[w.word] = false
		}
		if i > 0 && w.after && words[i-1].telling && !stock[i-1] {
			out.names[u.pair(words[i-1].word, w.word)] = w.name && words[i-1].capital
		}
		if len(out.terms) < maxTerms && !slices.Contains(out.terms, w.word) {
			out.terms = append(out.terms, w.word)
		}
	}
	return out
}

// hiragana reports whether a word has a character that Japanese writes its grammar in.
func hiragana(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Hiragana, r) })
}
