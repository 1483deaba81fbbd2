package builtin

import (
	"maps"
	"math"
	"slices"
)

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
		named: newNames(convs, l), by: byAuthor(convs), use: map[*person]map[*word]int{}, overlaps: make([]overlap, len(convs)),
		byTerm: make([][]knownBy, len(l.words.words)), byName: map[*word][]int32{}, byAuthor: map[*person][]int32{},
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
	named    map[*word]bool
	by       map[*person][]*note
	use      map[*person]map[*word]int // see ownUse
	out      []*topic
	byTerm   [][]knownBy // by the word's id
	byName   map[*word][]int32
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
	for _, w := range t.core {
		m.byTerm[w.id] = append(m.byTerm[w.id], knownBy{i, w.weight})
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
	for _, w := range conv.core {
		known := m.byTerm[w.id]
		if len(known) == 0 {
			continue
		}
		rarity, surprise := m.rarity(w.word, conv.begin.lang), m.surprise(w.word)
		for _, k := range known {
			m.with(k.topic).add(rarity, w.weight*k.weight, surprise)
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
		lone := rare && !name.isPair() && name.now <= loneName && conv.begin.lang != "de" && len(conv.people) >= takenUp-1
		for _, i := range topics {
			m.with(i).name(name, isNew || lone && len(m.out[i].people) >= takenUp)
		}
	}
	for _, i := range m.byAuthor[conv.begin.author] {
		if conv.goesOn(m.out[i], m.lexis, m.ownUse) {
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
func newNames(convs []*topic, l *lexis) map[*word]bool {
	by, in := map[*word]map[*person]bool{}, map[*word]int{}
	for _, t := range convs {
		here := map[*word]bool{}
		for _, n := range t.notes {
			for name := range n.names {
				if !n.fresh || l.surprise(name) < sure || name.hiragana() {
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
	named := map[*word]bool{}
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

// byAuthor sorts the notes of conversations by who wrote them.
func byAuthor(convs []*topic) map[*person][]*note {
	out := map[*person][]*note{}
	for _, t := range convs {
		for _, n := range t.notes {
			out[n.author] = append(out[n.author], n)
		}
	}
	return out
}

// ownUse counts in how many notes somebody used each word.
func (m *merger) ownUse(who *person) map[*word]int {
	if m.use[who] == nil {
		use := map[*word]int{}
		for _, n := range m.by[who] {
			for _, w := range n.terms {
				use[w]++
			}
		}
		m.use[who] = use
	}
	return m.use[who]
}

// goesOn reports whether a thread goes on with what another one of the same author was
// about.
func (t *topic) goesOn(other *topic, l *lexis, ownUse func(*person) map[*word]int) bool {
	if min(len(t.people), len(other.people)) < takenUp-1 {
		return false
	}
	own := func(w *word) bool { return ownUse(t.begin.author)[w] <= ownWord }
	for name, full := range t.begin.names {
		if _, ok := other.begin.names[name]; ok && (full || !name.isPair()) && own(name) && l.rare(name, t.begin.lang) {
			return true
		}
	}
	if min(len(t.people), len(other.people)) < takenUp || !t.meets(other) {
		return false
	}
	tells := func(terms []*word, in *topic) bool { // in the author's words
		return slices.ContainsFunc(terms, func(w *word) bool {
			return w.past == 0 && w.now <= rareWord && own(w) && in.says(w)
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
func (t *topic) says(w *word) bool {
	return slices.ContainsFunc(t.notes, func(n *note) bool { return n.author == t.begin.author && slices.Contains(n.terms, w) })
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

func (o *overlap) name(name *word, isNew bool) {
	o.named = o.named || isNew
	if name.isPair() {
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
