package builtin

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// usage finds stock phrases: runs of words that different people wrote before the window,
// or paste within it. Threads that share only such a phrase have nothing to do with each
// other, and a note made of nothing else is small talk, in any language.
type usage struct {
	*vocabulary
	said  []run              // all runs, in the order they were written
	again filter             // of runs that were written more than once, which are few
	pairs []uint64           // of content words side by side, in the order they were written
	side  map[uint64]int     // how often, of those written more than once
	runs  map[uint64]writers // of the runs in again
}

// writers counts the people who wrote a run. Only the last one is remembered, so that one
// who comes back after another is counted twice; that is cheap, and one too many does no
// harm.
type writers struct {
	people int
	last   *person
}

// A run is a run of words, and who wrote it.
type run struct {
	key uint64
	by  *person
}

// A filter finds keys that were added more than once, in a few bits a key. It never misses
// one, and reports few others by mistake; which these are depends on the seed of the sums.
type filter struct{ once, twice []uint64 }

// newFilter returns a filter for about so many keys.
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

// How many words a stock phrase has, and how many people must have written it: before the
// window, and within it, where a story makes people repeat each other. Two people suffice
// for five words in scripts with spaces, where that is more than a name and its grammar.
const (
	stockBefore, stockPeople  = 3, 2
	pastedWords, pastedPeople = 5, 3
	copiedPeople              = 2 // where five words are more than a name and its grammar
)

// newUsage returns a usage sized for the runs of so many notes.
func newUsage(notes int, v *vocabulary) *usage {
	runs := 16 * notes
	return &usage{vocabulary: v, said: make([]run, 0, runs), again: newFilter(runs), side: map[uint64]int{}, runs: map[uint64]writers{}}
}

// before yields the runs that are stock phrases if older notes have them: two adjacent
// content words, or any three words.
func before(words []occurrence, yield func(at, size int)) {
	for i := range words {
		if i+1 < len(words) && words[i].content && words[i+1].content {
			yield(i, 2)
		}
		if i+stockBefore <= len(words) {
			yield(i, stockBefore)
		}
	}
}

// pasted yields the runs that nobody writes twice by chance.
func pasted(words []occurrence, yield func(at, size int)) {
	for i := range len(words) - pastedWords + 1 {
		yield(i, pastedWords)
	}
}

// key hashes a run from the sums of its words.
func (u *usage) key(run []occurrence) uint64 {
	key := uint64(len(run))
	for _, w := range run {
		key = (key ^ w.sum) * 0x9e3779b97f4a7c15
		key ^= key >> 32
	}
	return key
}

// learn adds what a person wrote, by the runs that are counted.
func (u *usage) learn(by *person, words []occurrence, runs func([]occurrence, func(at, size int))) {
	runs(words, func(at, size int) {
		key := u.key(words[at : at+size])
		u.again.put(key)
		u.said = append(u.said, run{key, by})
	})
	for i, w := range words {
		if w.content && !w.capital {
			w.small = true
		}
		w.inner = w.inner || w.name
		if contentPair(words, i) {
			u.pairs = append(u.pairs, u.key(words[i-1:i+1]))
		}
	}
}

// contentPair reports whether a word and the one before it are adjacent content words.
func contentPair(words []occurrence, i int) bool {
	return i > 0 && words[i].after && words[i].content && words[i-1].content
}

// settle counts the writers of each run, once all notes have been added.
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
		if twice.has(key) { // counted exactly, since the filter may be mistaken
			u.side[key]++
		}
	}
	u.pairs = nil
}

// people is how many people wrote a run.
func (u *usage) people(run []occurrence) int {
	key := u.key(run)
	if !u.again.has(key) {
		return 1
	}
	return u.runs[key].people
}

// own holds the content words of a note that are outside stock phrases.
type own struct {
	terms   []*word // each once, at most maxTerms
	names   names
	fulls   []nameOf // by the ids of the parts, then of the names
	newly   names    // of these, those that nobody used before, where no sentence begins
	newPair bool     // it has adjacent words, in a script without spaces, that no other note has
	share   float64  // of its words
	weighed bool     // the above is filled in
}

// names are the names in a note and its adjacent words, as far as other notes may have
// them: each once, sorted by id.
type names []name

type name struct {
	*word
	full  bool // of two words: a full name
	newly bool // nobody used it before, and no sentence begins with it
}

// nameOf is a full name that contains a word.
type nameOf struct{ part, full *word }

// namesIn sorts the names of a note and keeps each once.
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

// fulls lists the full names that contain each word, sorted.
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

// couldBeNew reports whether a name may denote something. Two plain words that happen to be
// adjacent do not, in scripts with capitals; nor does Hiragana, in which Japanese writes
// its grammar.
func couldBeNew(name *word, full bool) bool {
	return full || !name.hiragana() && (!name.isPair() || unicode.Is(unicode.Lo, firstOf(name.parts[0].term)))
}

func firstOf(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// stock reports which words are part of stock phrases.
func (u *usage) stock(words []occurrence) []bool {
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

// own returns a note's own words. A name counts as one even in a pasted phrase.
func (u *usage) own(words []occurrence) own {
	stock := u.stock(words)
	out := own{weighed: true}
	var written []name
	for i, w := range words {
		if !stock[i] {
			out.share += 1 / float64(len(words))
		}
		if !w.content || stock[i] {
			continue
		}
		unit := i > 0 && w.after && words[i-1].figure   // 60 Prozent
		if !unit && (w.name || w.capital && !w.small) { // though a sentence may begin with it
			written = append(written, name{word: w.word, newly: w.name && w.past == 0})
		}
		if contentPair(words, i) && !stock[i-1] {
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

// hiragana reports whether a text contains Hiragana, in which Japanese writes its grammar.
func hiragana(s string) bool {
	return strings.ContainsFunc(s, isHiragana)
}

func isHiragana(r rune) bool { return unicode.Is(unicode.Hiragana, r) }

// greetings holds the small talk of the notes read: what several people wrote as a whole
// note, before the window or on several days. "Good morning" is that in every language, and
// no list of phrases would be complete.
type greetings map[uint64]*habit

// A habit is a phrase that people write again and again.
type habit struct {
	last   *person
	day    int64
	people int // one who comes back after another is counted twice
	days   int // one that comes back after another is counted twice
	before bool
}

// The most words of a phrase, and of a note that begins with it; how many people must write
// it, and on how many days if nobody did before the window: remarks on an event are written
// on one or two.
const (
	phraseWords, talkWords = 4, 7
	habitPeople, habitDays = 3, 4
	habitMany              = 8  // people, on whatever day
	greetedWords           = 14 // of a note that most answers greet back
)

// openingKey hashes the first words of a note.
func openingKey(words []occurrence) uint64 { return (*usage)(nil).key(words) }

// size counts words; in scripts without spaces, two pairs of characters as one.
func size(words []occurrence) int {
	n := 0
	for _, w := range words {
		if n += 2; w.wide {
			n--
		}
	}
	return n / 2
}

// learn adds what somebody wrote.
func (g greetings) learn(n *note, words []occurrence, past bool) {
	if len(words) == 0 || size(words) > phraseWords {
		return
	}
	h := g[openingKey(words)]
	if h == nil {
		h = &habit{}
		g[openingKey(words)] = h
	}
	h.before = h.before || past
	if h.last != n.author {
		h.last, h.people = n.author, h.people+1
	}
	if day := n.at / 86400; h.days == 0 || day != h.day {
		h.day, h.days = day, h.days+1
	}
}

// is reports whether a note is small talk: short, and beginning with such a phrase.
func (g greetings) is(n *note, words []occurrence) bool {
	if n.kind == kindArticle || n.denies || len(words) == 0 || size(words) > talkWords {
		return false
	}
	for i := range words {
		if size(words[:i+1]) > phraseWords {
			break
		}
		if h := g[openingKey(words[:i+1])]; h != nil && (h.people >= habitMany || h.people >= habitPeople && (h.before || h.days >= habitDays)) {
			return true
		}
	}
	return false
}

// greeted finds greetings in languages that few people write, by their answers: most of
// them greet back.
func greeted(sorted []*note, said [][]occurrence) {
	answers, greet := map[string]int{}, map[string]int{}
	for _, n := range sorted {
		answers[n.parent]++
		if n.greets {
			greet[n.parent]++
		}
	}
	for i, n := range sorted {
		if size(said[i]) <= greetedWords && greet[n.id] >= habitPeople && 2*greet[n.id] > answers[n.id] {
			n.greets = true
		}
	}
}

// greetings counts the notes by people followed that greet, or return a greeting.
func (c *corpus) greetings() int {
	count := 0
	for _, n := range c.notes {
		answered := c.notes[n.parent]
		if n.fresh && n.author.followed && n.greets && (n.parent == "" || answered != nil && answered.greets) {
			count++
		}
	}
	return count
}
