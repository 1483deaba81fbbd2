package builtin

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// A topic is what several notes are about: conversations (a thread with what
// reposts, quotes and reactions it got) that share words which are rare
// elsewhere. Its weight is how many different people that the user follows took
// part, whatever each of them did how often.
type topic struct {
	notes  []*note             // fresh ones by people followed, and what they answer; oldest first
	people map[*person]float64 // followed, with how much their part counts
	core   map[string]float64  // the words that it is known by, and how rare they are
	known  []string            // the same words, sorted
	norm   float64             // the length of core as a vector
	begin  *note               // the note that most was done to
	turns  []*note             // what other conversations of it turn on
	whole  *conversation       // that it was, before others joined it
}

// How much taking part counts. Who writes or passes a note on stands for it
// before others; a reaction is easily given. The numbers are sums of powers of
// two, so that no order of adding them can show in a sum.
const (
	weightWrite    = 1.0
	weightRepost   = 1.0
	weightReaction = 0.5
)

// weight is how many took part, less where what they took part in says nothing new.
func (t *topic) weight() float64 { return t.taken() * (leastNews + (1-leastNews)*t.news()) }

// taken is how many took part.
func (t *topic) taken() float64 {
	sum := 0.0
	for _, w := range t.people {
		sum += w
	}
	return sum
}

// news is how much new there is in a topic, from 0 to 1.
func (t *topic) news() float64 {
	news := t.begin.news
	for _, n := range t.turns {
		news = max(news, n.news)
	}
	return news
}

// leastNews is what is left of a conversation's weight when nothing in it is new.
const leastNews = 0.1

// part is how much it counts to have written a note: an answer that says nothing of
// its own is a nod.
func (n *note) part() float64 {
	if n.news == 0 {
		return weightReaction
	}
	return weightWrite
}

func (t *topic) join(p *person, weight float64) {
	if p.followed {
		t.people[p] = max(t.people[p], weight)
	}
}

// A lexis knows how usual words are among the notes read.
type lexis struct {
	now, past tally
}

// A tally counts the notes of a time, those of each language, and those that hold a
// word or a name.
type tally struct {
	notes float64
	langs map[string]int
	df    map[string]int
}

// newTally makes a tally with room for the words of so many notes.
func newTally(notes int) tally {
	return tally{langs: map[string]int{}, df: make(map[string]int, 12*notes)}
}

func (t *tally) add(n *note) {
	t.notes++
	t.langs[n.lang]++
	for _, term := range n.terms {
		t.df[term]++
	}
	for name := range n.names {
		if strings.Contains(name, " ") {
			t.df[name]++
		}
	}
}

// How many of the notes of a language may hold a word that still tells one from
// another, and how many of them one that says something new: of those before the
// window, or where these are few of those in it, which hold the story too.
const (
	usualShare = 0.12
	usualLeast = 8 // notes
	newShare   = 0.005
	newNow     = 10 // notes at least, of those in the window
)

// fewNotes is how many notes are taken to be there where fewer are: of a handful,
// nothing tells which words are rare.
const fewNotes = 400

// rarity is the information in a word, in nats; 0 for one that is usual in the
// language of the note.
func (l *lexis) rarity(term, lang string) float64 {
	df := l.now.df[term] + l.past.df[term]
	if float64(df) > max(usualLeast, usualShare*float64(l.now.langs[lang]+l.past.langs[lang])) {
		return 0
	}
	return math.Log(max(l.now.notes+l.past.notes, fewNotes) / (float64(df) + 0.5))
}

// surprise is how sure it is that a word or a name is new: how often it would have been
// used before the window, had it been used as it is now; 0 for one that was.
func (l *lexis) surprise(term string) float64 {
	if l.past.df[term] > 0 {
		return 0
	}
	return float64(l.now.df[term]) * l.past.notes / l.now.notes
}

// rare reports whether a name was used in few notes of the window and in none before, and
// has no word that many use: a sentence may begin in front of a name.
func (l *lexis) rare(name, lang string) bool {
	for word := range strings.FieldsSeq(name) {
		if l.common(word, lang) {
			return false
		}
	}
	return l.past.df[name] == 0 && float64(l.now.df[name]) <= min(max(4, 0.003*l.now.notes), rareAtMost)
}

// common reports whether a word is used by more than a few notes of a language.
func (l *lexis) common(term, lang string) bool {
	return float64(l.now.df[term]+l.past.df[term]) > max(commonLeast, newShare*float64(l.now.langs[lang]+l.past.langs[lang]))
}

const commonLeast = 24 // notes

// rareAtMost is how many notes use a name that is rare, however many there are.
const rareAtMost = 20

// sure is the surprise from which on a word counts as new.
const sure = 3.0

// How much the new words of a note add up to, in nats, for half of what it could say;
// the most that one of them counts; and what they must be more than, as every greeting
// has a word of its own.
const (
	halfNews  = 12.0
	mostNews  = 6.0
	smallTalk = 4.0
)

// serial is from how many times on a note that is said again with other figures is no
// news: a price, the height of a chain.
const serial = 4

// news is how much new a note says, from 0 to 1: nothing where all its words are usual
// ones and stock phrases.
func (l *lexis) news(n *note) float64 {
	most, usual := max(2, newShare*float64(l.past.langs[n.lang])), l.past.df
	if l.past.notes < l.now.notes/4 {
		most, usual = max(newNow, newShare*float64(l.now.langs[n.lang])), l.now.df
	}
	sum := -smallTalk
	for _, term := range n.terms {
		if float64(usual[term]) <= most {
			sum += l.tells(term, n.lang)
		}
	}
	return max(0, sum/(sum+halfNews))
}

// tells is how much a word says, in nats.
func (l *lexis) tells(term, lang string) float64 {
	tells := min(l.rarity(term, lang), mostNews)
	if wide(firstOf(term)) { // a pair of characters: a word has several
		tells /= 2
	}
	return tells
}

// weigh fills in what the notes speak of, and counts their words with those of older
// notes.
func (c *corpus) weigh(sorted []*note, g *grammar) *lexis {
	l := &lexis{newTally(len(sorted)), newTally(len(c.past))}
	used, none := newUsage(len(sorted)+len(c.past)), newUsage(0)
	meet := newGreetings()
	for _, n := range c.past {
		words, lang := g.words(n.title + "\n" + n.text)
		n.own, n.lang = none.own(words), lang
		used.learn(n.author, words, before)
		meet.learn(n, words, true)
		l.past.add(n)
	}
	said := make([][]spoken, len(sorted))
	for i, n := range sorted {
		said[i], n.lang = g.words(n.title + "\n" + n.text)
		used.learn(n.author, said[i], pasted)
		meet.learn(n, said[i], false)
	}
	for i, n := range sorted {
		n.own = used.own(said[i])
		if !n.repeated {
			l.now.add(n)
		}
	}
	for i, n := range sorted {
		n.denies = g.denies(n, said[i], l)
		n.greets = meet.is(n, said[i])
		if n.times < serial && !n.greets {
			n.news = l.news(n)
		}
	}
	return l
}

// topics groups what was read. Strangers' notes are part of a topic only as what
// people followed have answered, quoted or passed on.
func (c *corpus) topics(sorted []*note, l *lexis) []*topic {
	convs := c.conversations(sorted)
	for _, t := range convs {
		t.setCore(core(t, l))
	}
	sortTopics(convs)
	return merge(convs, l, len(sorted))
}

// sortTopics puts those with most people first; equal ones by the newest note.
func sortTopics(ts []*topic) {
	slices.SortFunc(ts, func(a, b *topic) int {
		return cmp.Or(cmp.Compare(b.weight(), a.weight()),
			cmp.Compare(len(b.notes), len(a.notes)),
			cmp.Compare(b.last().at, a.last().at),
			cmp.Compare(a.last().id, b.last().id))
	})
}

func (t *topic) last() *note { return t.notes[len(t.notes)-1] }

// conversations joins notes by threads and quotes, and adds who took them up.
func (c *corpus) conversations(sorted []*note) []*topic {
	g := groups{}
	for _, n := range sorted {
		for _, id := range []string{n.parent, n.root} {
			if id != "" {
				g.union(n.id, id)
			}
		}
		if len(n.quotes) <= maxQuotesJoined {
			for _, id := range n.quotes {
				g.union(n.id, id)
			}
		}
	}
	byRoot := map[string]*topic{}
	done := map[string]int{} // how much was done to a note
	for _, n := range sorted {
		root := g.find(n.id)
		t := byRoot[root]
		if t == nil {
			t = &topic{people: map[*person]float64{}}
			t.whole = &conversation{people: t.people}
			byRoot[root] = t
		}
		t.notes = append(t.notes, n)
		if n.fresh {
			t.whole.fresh++
			t.join(n.author, n.part())
		}
		for _, id := range append([]string{n.parent, n.root}, n.quotes...) {
			done[id] += 2
		}
	}
	for _, a := range c.acts {
		t := byRoot[g.find(a.target)]
		if t == nil {
			continue
		}
		done[a.target]++
		if a.repost {
			done[a.target]++
			t.join(a.by, weightRepost)
		} else {
			t.join(a.by, weightReaction)
		}
	}
	var out []*topic
	for _, n := range sorted { // in a fixed order
		t := byRoot[g.find(n.id)]
		if t.begin == nil {
			out = append(out, t)
		}
		n.done, n.in = done[n.id], t.whole
		if t.begin == nil || n.done > t.begin.done {
			t.begin = n
		}
	}
	return slices.DeleteFunc(out, func(t *topic) bool { return len(t.people) == 0 })
}

// maxQuotesJoined is how many notes one may quote and still tie them together; a
// list of links is no conversation.
const maxQuotesJoined = 2

// maxCore is how many words a topic is known by.
const maxCore = 40

// core returns the words that a conversation is known by: those of the note that
// began it, and those that two people or more used.
func core(t *topic, l *lexis) map[string]float64 {
	type weighed struct {
		term   string
		weight float64
	}
	var list []weighed
	add := func(term string, users int) {
		if rarity := l.rarity(term, t.begin.lang); rarity > 0 {
			list = append(list, weighed{term, rarity * math.Sqrt(float64(users))})
		}
	}
	if len(t.notes) == 1 { // most of them
		for _, term := range t.begin.terms {
			add(term, 1)
		}
	} else {
		begin := set(t.begin.terms...)
		for term, by := range t.users() {
			if len(by) > 1 || begin[term] {
				add(term, len(by))
			}
		}
	}
	slices.SortFunc(list, func(a, b weighed) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), strings.Compare(a.term, b.term))
	})
	out := make(map[string]float64, min(len(list), maxCore))
	for _, w := range list[:min(len(list), maxCore)] {
		out[w.term] = w.weight
	}
	return out
}

// users are the people who used a word.
func (t *topic) users() map[string][]*person {
	users := map[string][]*person{}
	for _, n := range t.notes {
		for _, term := range n.terms {
			if by := users[term]; !slices.Contains(by, n.author) {
				users[term] = append(by, n.author)
			}
		}
	}
	return users
}

// When conversations are one topic: the words that they share must be more than
// chance would give them, and a good part of what both are about.
const (
	chanceMargin = 5.0 // nats beyond the log of the number of notes
	minCosine    = 0.15
	sameWords    = 4 // that two conversations share, where none of them is new
	sameCosine   = 0.35
	fewWords     = 3 // the same, where next to nothing is known of before the window
)

// merge joins conversations that are about the same, the larger ones first.
func merge(convs []*topic, l *lexis, notes int) []*topic {
	m := &merger{
		lexis: l, enough: math.Log(max(float64(notes), fewNotes)) + chanceMargin,
		named: newNames(convs, l), use: ownUse(convs), overlaps: make([]overlap, len(convs)),
		byTerm: map[string][]knownBy{}, byName: map[string][]int32{}, byAuthor: map[*person][]int32{},
	}
	for _, conv := range convs {
		if like := m.like(conv); like != nil {
			absorb(like, conv)
		} else {
			m.add(conv)
		}
	}
	for _, t := range m.out {
		sortNotes(t.notes)
		if len(t.turns) > 0 {
			t.setCore(core(t, l))
		}
	}
	sortTopics(m.out)
	return m.out
}

// A merger has the topics that there are so far, by what others may share with them.
type merger struct {
	*lexis
	enough   float64
	named    map[string]bool
	use      map[*person]map[string]int
	out      []*topic
	byTerm   map[string][]knownBy
	byName   map[string][]int32
	byAuthor map[*person][]int32
	overlaps []overlap // with each of out; all zero between two conversations
	touched  []int32   // those that are not
}

// knownBy is a topic that is known by a word, and the word's weight in it.
type knownBy struct {
	topic  int32
	weight float64
}

func (m *merger) add(t *topic) {
	i := int32(len(m.out))
	m.out = append(m.out, t)
	for _, term := range t.known {
		m.byTerm[term] = append(m.byTerm[term], knownBy{i, t.core[term]})
	}
	for name := range t.begin.names {
		m.byName[name] = append(m.byName[name], i)
	}
	m.byAuthor[t.begin.author] = append(m.byAuthor[t.begin.author], i)
}

// with is the overlap with a topic.
func (m *merger) with(i int32) *overlap {
	o := &m.overlaps[i]
	if !o.touched {
		o.touched = true
		m.touched = append(m.touched, i)
	}
	return o
}

// like returns the topic that a conversation belongs to; nil for none.
func (m *merger) like(conv *topic) *topic {
	for _, term := range conv.known {
		known := m.byTerm[term]
		if len(known) == 0 {
			continue
		}
		rarity, surprise, weight := m.rarity(term, conv.begin.lang), m.surprise(term), conv.core[term]
		for _, k := range known {
			m.with(k.topic).add(rarity, weight*k.weight, surprise)
		}
	}
	for name, full := range conv.begin.names {
		topics := m.byName[name]
		if len(topics) == 0 {
			continue
		}
		rare := m.rare(name, conv.begin.lang)
		isNew := m.named[name] || (full || conv.begin.denies && couldBeNew(name, full)) && rare
		// A name that hardly anybody uses tells one story, where people took up both. German
		// writes every noun as a name.
		lone := rare && !strings.Contains(name, " ") && m.now.df[name] <= loneName && conv.begin.lang != "de" && len(conv.people) >= takenUp-1
		for _, i := range topics {
			m.with(i).name(name, isNew || lone && len(m.out[i].people) >= takenUp)
		}
	}
	for _, i := range m.byAuthor[conv.begin.author] {
		if conv.goesOn(m.out[i], m.lexis, m.use[conv.begin.author]) {
			m.with(i).named = true
		}
	}
	best, most := int32(-1), -1.0
	for _, i := range m.touched {
		o := &m.overlaps[i]
		cosine := o.product / (conv.norm * m.out[i].norm)
		if o.alike(m.enough, cosine, m.lexis) && (cosine > most || cosine == most && i < best) {
			best, most = i, cosine
		}
		*o = overlap{}
	}
	m.touched = m.touched[:0]
	if best < 0 {
		return nil
	}
	return m.out[best]
}

// A name that nobody used before and that at least namedBy people use now, in no more
// than namedIn conversations, is what a story is about.
const (
	namedBy = 3
	namedIn = 12
)

// newNames finds those names.
func newNames(convs []*topic, l *lexis) map[string]bool {
	by, in := map[string]map[*person]bool{}, map[string]int{}
	for _, t := range convs {
		here := map[string]bool{}
		for _, n := range t.notes {
			for name := range n.names {
				if !n.fresh || l.surprise(name) < sure || hiragana(name) {
					continue
				}
				if by[name] == nil {
					by[name] = map[*person]bool{}
				}
				by[name][n.author] = true
				here[name] = true
			}
		}
		for name := range here {
			in[name]++
		}
	}
	named := map[string]bool{}
	for name, people := range by {
		named[name] = len(people) >= namedBy && in[name] <= namedIn
	}
	return named
}

// A person's own threads are one story where they share a rare name, or a rare word and
// somebody who took both up. A word is rare that its author used in no more than ownWord
// notes.
const (
	ownWord  = 4
	rareWord = 6 // notes at most
	loneName = 3 // likewise
	takenUp  = 3 // people of each thread
)

// ownUse counts in how many notes people used a word.
func ownUse(convs []*topic) map[*person]map[string]int {
	out := map[*person]map[string]int{}
	for _, t := range convs {
		for _, n := range t.notes {
			if out[n.author] == nil {
				out[n.author] = map[string]int{}
			}
			for _, term := range n.terms {
				out[n.author][term]++
			}
		}
	}
	return out
}

// goesOn reports whether a thread goes on with what another one of the same author was
// about.
func (t *topic) goesOn(other *topic, l *lexis, own map[string]int) bool {
	if min(len(t.people), len(other.people)) < takenUp-1 {
		return false
	}
	for name, full := range t.begin.names {
		if _, ok := other.begin.names[name]; ok && (full || !strings.Contains(name, " ")) && own[name] <= ownWord && l.rare(name, t.begin.lang) {
			return true
		}
	}
	if min(len(t.people), len(other.people)) < takenUp || !t.meets(other) {
		return false
	}
	tells := func(terms []string, in *topic) bool { // in the author's words
		return slices.ContainsFunc(terms, func(term string) bool {
			return own[term] <= ownWord && l.past.df[term] == 0 && l.now.df[term] <= rareWord && in.says(term)
		})
	}
	return tells(t.begin.terms, other) || tells(other.begin.terms, t)
}

// meets reports whether somebody beside the author took part in both topics.
func (t *topic) meets(other *topic) bool {
	for p := range t.people {
		if _, ok := other.people[p]; ok && p != t.begin.author {
			return true
		}
	}
	return false
}

// says reports whether the author of a topic uses a word in it.
func (t *topic) says(term string) bool {
	return slices.ContainsFunc(t.notes, func(n *note) bool { return n.author == t.begin.author && slices.Contains(n.terms, term) })
}

// overlap is what two conversations share.
type overlap struct {
	words, phrases         int // phrases are pairs of the words that stand side by side in both
	sum, product, surprise float64
	named, touched         bool // named: a new name
}

func (o *overlap) add(rarity, product, surprise float64) {
	o.words++
	o.sum += rarity
	o.product += product
	o.surprise += min(surprise, sure)
}

func (o *overlap) name(name string, isNew bool) {
	o.named = o.named || isNew
	if strings.Contains(name, " ") {
		o.phrases++
	}
}

// alike reports whether two conversations share more than chance would give them: a new
// name, two new words, or most of what both say.
func (o *overlap) alike(enough, cosine float64, l *lexis) bool {
	words := o.words - o.phrases
	if l.past.notes < l.now.notes/20 && words >= fewWords && o.sum >= enough && (cosine >= minCosine || l.now.notes < fewNotes) {
		return true
	}
	return o.named || o.sum >= enough &&
		(words >= 2 && o.surprise-sure*float64(o.phrases) >= 2*sure && cosine >= minCosine || words >= sameWords && cosine >= sameCosine)
}

// setCore sets the words that a topic is known by.
func (t *topic) setCore(words map[string]float64) {
	t.core, t.known = words, sortedKeys(words)
	sum := 0.0
	for _, term := range t.known { // in one order, as sums of floats depend on it
		sum += words[term] * words[term]
	}
	t.norm = math.Sqrt(sum)
}

func absorb(t, other *topic) {
	t.notes = append(t.notes, other.notes...)
	if other.begin.done > 0 || other.begin.denies {
		t.turns = append(t.turns, other.begin)
	}
	t.turns = append(t.turns, other.turns...)
	t.people = maps.Clone(t.people) // those of its own conversation stay as they are
	for p, w := range other.people {
		t.people[p] = max(t.people[p], w)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// groups is a union-find over ids.
type groups map[string]string

func (g groups) find(id string) string {
	for {
		up, ok := g[id]
		if !ok || up == id {
			return id
		}
		if next, ok := g[up]; ok {
			g[id] = next // halve the path
		}
		id = up
	}
}

// union joins two groups; the smaller id leads, so that order does not show.
func (g groups) union(a, b string) {
	ra, rb := g.find(a), g.find(b)
	if ra > rb {
		ra, rb = rb, ra
	}
	if ra != rb {
		g[rb] = ra
	}
}
