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
		byTerm: make([][]knownBy, len(l.words.words)), byName: map[*word][]int32{}, byAuthor: map[*person][]int32{}, all: newMeetings(), meets: map[string]*meetings{},
	}
	m.measure(convs)
	for _, conv := range convs {
		if conv.round {
			m.out = append(m.out, conv)
		} else if like := m.like(conv); like != nil {
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
	all      *meetings
	meets    map[string]*meetings // by language
	window   float64              // from the first conversation's begin to the last one's, in seconds
	overlaps []overlap            // with each of out; all zero between two conversations
	touched  []int32              // those that are not
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
		gathered := m.gathered(w.word)
		for _, k := range known {
			o := m.with(k.topic)
			o.add(rarity, w.weight*k.weight, surprise)
			if gathered {
				o.gathered++
			}
			if m.seldom(w.word) {
				tells := m.tells(w.word, conv.begin.lang)
				o.rare, o.rarest, o.newest = o.rare+tells, max(o.rarest, tells), max(o.newest, surprise)
			}
		}
	}
	for name, full := range conv.begin.names {
		topics := m.byName[name]
		if len(topics) == 0 {
			continue
		}
		rare := m.rare(name, conv.begin.lang)
		gathered := rare && m.gathered(name)
		isNew := m.named[name] || full && gathered || rare && conv.begin.denies && couldBeNew(name, full)
		// A name that hardly anybody uses tells one story, where people took up both.
		lone := gathered && !name.isPair() && name.now <= loneName && len(conv.people) >= takenUp-1
		for _, i := range topics {
			o := m.with(i)
			o.rareName = o.rareName || rare
			tells := isNew || lone && len(m.out[i].people) >= takenUp
			o.name(name, tells && !conv.begin.namesakes(m.out[i].begin, name))
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
		o.named = o.named || m.coincide(o, conv, m.out[i])
		cosine := o.product / (conv.norm * m.out[i].norm)
		if cosine >= m.leastShared(conv) && o.alike(m.enough, cosine, m.lexis) && (cosine > most || cosine == most && i < best) {
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

// What it takes to think two conversations about one thing, in nats, and less where it is
// sure that the words that they share are new; and what their time counts of what chance
// would not give.
const (
	coincidence = 3.2
	sureOfWords = 1.2
	mostTime    = 3.5
	timeCounts  = 0.3
	mostMeeting = 2.0 // people who meet often are a circle that chance knows nothing of
)

// meetings are the conversations of two people or more in a language: who speaks it meets
// the others who do again and again.
type meetings struct {
	talks float64             // conversations
	parts float64             // people in all of them
	busy  map[*person]float64 // in how many of them somebody took part
}

func newMeetings() *meetings { return &meetings{busy: map[*person]float64{}} }

func (in *meetings) add(t *topic) {
	in.talks++
	in.parts += float64(len(t.people))
	for p := range t.people {
		in.busy[p]++
	}
}

// fewTalks is how many conversations in a language tell nothing of who speaks it.
const fewTalks = 24

// measure learns how many conversations there are, and who takes part in how many.
func (m *merger) measure(convs []*topic) {
	first, last := int64(math.MaxInt64), int64(0)
	for _, t := range convs {
		first, last = min(first, t.begin.at), max(last, t.begin.at)
		if len(t.people) < 2 {
			continue
		}
		m.all.add(t)
		if m.meets[t.lang()] == nil {
			m.meets[t.lang()] = newMeetings()
		}
		m.meets[t.lang()].add(t)
	}
	m.window = float64(last - first)
}

// coincide reports whether chance would not have two conversations that share a rare word
// share people and time too.
func (m *merger) coincide(o *overlap, a, b *topic) bool {
	if o.rare == 0 || a.begin.news == 0 || b.begin.news == 0 {
		return false
	}
	sum := min(o.rare-o.rarest, mostNews) / (2 * mostNews)
	if o.rareName {
		sum++
	}
	apart := math.Abs(float64(a.begin.at-b.begin.at)) + 60
	sum += min(mostMeeting, m.meeting(a, b)) + timeCounts*min(mostTime, max(0, math.Log(m.window/(2*apart))))
	return sum >= coincidence-sureOfWords*min(1, o.newest/sure)
}

// meeting is how little chance would have as many people take part in two conversations as
// did.
func (m *merger) meeting(a, b *topic) float64 {
	in := m.meets[a.lang()]
	if in == nil || in.talks < fewTalks {
		in = m.all
	}
	both, expected := 0.0, 0.0
	for p := range a.people {
		if p == a.begin.author && p == b.begin.author {
			continue
		}
		expected += max(in.busy[p], 0.5) / in.talks
		if _, ok := b.people[p]; ok {
			both++
		}
	}
	expected *= float64(len(b.people)) * in.talks / in.parts
	if both <= expected {
		return 0
	}
	return both*math.Log(both/expected) - both + expected
}

// leastShared is how much of what a conversation says another one says too, at least, that
// is about the same: a name in a long tale is not what it is about. Pairs of characters are
// more, and fewer of them are shared, than words.
func (m *merger) leastShared(t *topic) float64 {
	if slices.Contains(caseless, t.begin.lang) {
		return leastShared / 2
	}
	return leastShared
}

const leastShared = 0.1

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
				if !n.fresh || l.surprise(name) < sure || !l.gathered(name) || name.hiragana() {
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

// A person's own threads are one story where they share a rare name that they used in no
// more than ownWord notes.
const (
	ownWord  = 4
	loneName = 3 // notes at most
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
	return false
}

// namesakes reports whether a name is a part of two full names that two notes do not share:
// two people of one surname.
func (n *note) namesakes(other *note, name *word) bool {
	if name.isPair() {
		return false
	}
	mine, theirs := n.names.fullWith(name), other.names.fullWith(name)
	return len(mine) > 0 && len(theirs) > 0 && !slices.ContainsFunc(mine, func(full *word) bool { return slices.Contains(theirs, full) })
}

// fullWith are the full names that have a word.
func (a names) fullWith(w *word) []*word {
	var out []*word
	for name, full := range a {
		if full && (name.parts[0] == w || name.parts[1] == w) {
			out = append(out, name)
		}
	}
	return out
}

// overlap is what two conversations share.
type overlap struct {
	words, gathered, phrases int // phrases are pairs of the words that stand side by side in both
	sum, product, surprise   float64
	rare, rarest, newest     float64 // what the words tell that are seldom used, in nats, one of them, and how sure one is new
	rareName                 bool
	named, touched           bool // named: a new name
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
	words := o.gathered - o.phrases
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
