package builtin

import (
	"cmp"
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
	said  []run              // all that was written, in its order
	again filter             // of what was written more than once, which little is
	pairs []uint64           // of telling words side by side, in the order they were written
	side  map[uint64]int     // how often, of those written more than once
	runs  map[uint64]writers // of what again has
}

// writers are how many people wrote something, at most one too many for each time that
// another one came between; and the last of them.
type writers struct {
	people int
	last   *person
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
	return &usage{vocabulary: v, said: make([]run, 0, runs), again: newFilter(runs), side: map[uint64]int{}, runs: map[uint64]writers{}}
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
	for i, w := range words {
		if w.telling && !w.capital {
			w.small = true
		}
		w.inner = w.inner || w.name
		if besideTelling(words, i) {
			u.pairs = append(u.pairs, u.key(words[i-1:i+1]))
		}
	}
}

// besideTelling reports whether a word and the one before it tell something and stand side
// by side.
func besideTelling(words []spoken, i int) bool {
	return i > 0 && words[i].after && words[i].telling && words[i-1].telling
}

// settle counts who wrote each run, when all have been learnt.
func (u *usage) settle() {
	for _, r := range u.said {
		if !u.again.has(r.key) {
			continue
		}
		if by := u.runs[r.key]; by.last != r.by {
			u.runs[r.key] = writers{by.people + 1, r.by}
		}
	}
	u.said = nil
	twice := newFilter(len(u.pairs))
	for _, key := range u.pairs {
		twice.put(key)
	}
	for _, key := range u.pairs {
		if twice.has(key) { // counted exactly: which others it takes for one depends on the seed of the sums
			u.side[key]++
		}
	}
	u.pairs = nil
}

// people is how many people wrote a run.
func (u *usage) people(run []spoken) int {
	key := u.key(run)
	if !u.again.has(key) {
		return 1
	}
	return u.runs[key].people
}

// own are the telling words of a note that stand outside of stock phrases.
type own struct {
	terms   []*word // each once, at most maxTerms
	names   names
	fulls   []nameOf // by the ids of the parts, then of the names
	newly   names    // of these, those that nobody used before, where no sentence begins
	newPair bool     // it has two words side by side, of a script without spaces, that are in no other note
	share   float64  // of its words
	weighed bool     // all this is known
}

// names are the words of a note that are written as names, and two words side by side, as
// far as other notes could have them: each once, by their ids.
type names []name

type name struct {
	*word
	full  bool // of two words: a full name
	newly bool // nobody used it before, and no sentence begins with it
}

// nameOf is a full name that a word is a part of.
type nameOf struct{ part, full *word }

// namesIn makes the names of a note out of all that it writes so, in their order.
func namesIn(written []name) names {
	slices.SortStableFunc(written, func(a, b name) int { return cmp.Compare(a.id, b.id) })
	out := written[:0]
	for _, n := range written {
		if last := len(out) - 1; last >= 0 && out[last].word == n.word {
			out[last].full = n.full
			continue
		}
		out = append(out, n)
	}
	return out
}

// has reports whether a word is one of the names.
func (in names) has(w *word) bool {
	i, found := slices.BinarySearchFunc(in, w.id, func(n name, id int32) int { return cmp.Compare(n.id, id) })
	return found && in[i].word == w // and no word of another vocabulary
}

// shares reports whether two notes have a name in common.
func (in names) shares(others names) bool {
	for len(in) > 0 && len(others) > 0 {
		switch a, b := in[0].id, others[0].id; {
		case a == b:
			return true
		case a < b:
			in = in[1:]
		default:
			others = others[1:]
		}
	}
	return false
}

// fulls lists the full names that each word is a part of, by the words' ids and their own.
func (in names) fulls() []nameOf {
	var out []nameOf
	for _, n := range in {
		if !n.full {
			continue
		}
		first, second := n.parts[0], n.parts[1]
		if !first.small {
			out = append(out, nameOf{second, n.word})
		}
		if !second.small {
			out = append(out, nameOf{first, n.word})
		}
	}
	slices.SortFunc(out, nameOf.compare)
	return out
}

func (a nameOf) compare(b nameOf) int {
	return cmp.Or(cmp.Compare(a.part.id, b.part.id), cmp.Compare(a.full.id, b.full.id))
}

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
		if people >= pastedPeople || people == copiedPeople && !words[at].wide {
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
	out := own{weighed: true}
	var written []name
	for i, w := range words {
		if !stock[i] {
			out.share += 1 / float64(len(words))
		}
		if !w.telling || stock[i] {
			continue
		}
		unit := i > 0 && w.after && words[i-1].figure   // 60 Prozent
		if !unit && (w.name || w.capital && !w.small) { // though a sentence may begin with it
			written = append(written, name{word: w.word, newly: w.name && w.past == 0})
		}
		if besideTelling(words, i) && !stock[i-1] {
			first, full := words[i-1], w.name && words[i-1].capital
			if full || u.side[u.key(words[i-1:i+1])] > 1 {
				written = append(written, name{word: u.pair(first.word, w.word), full: full})
			} else {
				out.newPair = out.newPair || first.wide && !first.hiragana() && !w.hiragana()
			}
		}
		if len(out.terms) < maxTerms && !slices.Contains(out.terms, w.word) {
			out.terms = append(out.terms, w.word)
		}
	}
	out.names = namesIn(written)
	out.fulls = out.names.fulls()
	out.newly = slices.DeleteFunc(slices.Clone(out.names), func(n name) bool { return !n.newly })
	return out
}

// hiragana reports whether a word has a character that Japanese writes its grammar in.
func hiragana(s string) bool {
	return strings.ContainsFunc(s, isHiragana)
}

func isHiragana(r rune) bool { return unicode.Is(unicode.Hiragana, r) }
