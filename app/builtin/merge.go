package builtin

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
)

// Conversations are one topic if they share more rare words than chance explains, and these
// words are a good part of what both say. The margin keeps unrelated threads apart even
// among tens of thousands of notes; the cosines keep a long tale from being joined with
// every story that it mentions.
const (
	chanceMargin = 5.0 // nats beyond the log of the number of notes
	minCosine    = 0.15
	sameWords    = 4    // shared words that suffice if none of them is new,
	sameCosine   = 0.35 // if they are this much of both
	fewWords     = 3    // the same if hardly any older notes are stored
)

// merge joins conversations that are about the same thing. The heaviest come first, so that
// smaller ones join them and not the other way round.
func merge(ctx context.Context, convs []*topic, l *lexis, notes int) []*topic {
	words := 0
	for _, t := range convs {
		words += len(t.core)
	}
	m := &merger{
		lexis: l, enough: math.Log(max(float64(notes), fewNotes)) + chanceMargin,
		called: callings(convs, l), by: byAuthor(convs), use: map[*person]map[*word]int{}, overlaps: make([]overlap, len(convs)),
		byTerm: make([]int32, l.words.known), known: make([]knownBy, 1, 1+words), byName: map[*word][]int32{}, all: newMeetings(), meets: map[string]*meetings{},
	}
	m.measure(convs)
	for _, conv := range until(ctx, convs) {
		if conv.round {
			m.out = append(m.out, conv)
		} else if like := m.like(conv); like != nil {
			absorb(like, conv)
		} else {
			m.add(conv)
		}
	}
	for _, t := range until(ctx, m.out) {
		sortNotes(t.notes)
		if len(t.developments) > 0 {
			t.setCore(core(t, l))
		}
	}
	sortTopics(m.out)
	return m.out
}

// A merger holds the topics found so far, indexed by the words and names that another
// conversation may share with them.
type merger struct {
	*lexis
	enough   float64
	called   map[*word]*calling
	by       map[*person][]*note
	use      map[*person]map[*word]int // see ownUse
	out      []*topic
	known    []knownBy
	byTerm   []int32 // by a word's id, the index in known of its newest entry; 0 for none
	byName   map[*word][]int32
	all      *meetings
	meets    map[string]*meetings // by language
	window   float64              // seconds between the first and the last leading note
	overlaps []overlap            // with each of out; all zero between two conversations
	touched  []int32              // the others
}

// knownBy is an entry of a linked list: a topic, the weight of a word in its core, and the
// index of the previous entry of that word.
type knownBy struct {
	topic, before int32
	weight        float64
}

func (m *merger) add(t *topic) {
	i := int32(len(m.out))
	m.out = append(m.out, t)
	for _, w := range t.core {
		m.known = append(m.known, knownBy{i, m.byTerm[w.id], w.weight})
		m.byTerm[w.id] = int32(len(m.known) - 1)
	}
	for _, name := range t.begin.names {
		m.byName[name.word] = append(m.byName[name.word], i)
	}
}

// with returns the overlap with a topic, and marks it as touched.
func (m *merger) with(i int32) *overlap {
	o := &m.overlaps[i]
	if !o.touched {
		o.touched = true
		m.touched = append(m.touched, i)
	}
	return o
}

// like returns the topic that a conversation belongs to, nil for none. Only topics that
// share a core word or a name are looked at, which keeps merging fast in a week of 40,000
// notes.
func (m *merger) like(conv *topic) *topic {
	for _, w := range conv.core {
		at := m.byTerm[w.id]
		if at == 0 {
			continue
		}
		rarity, surprise, gathered := m.rarity(w.word, conv.begin.lang), m.surprise(w.word), m.gathered(w.word)
		seldom, nats := m.seldom(w.word), m.information(w.word, conv.begin.lang)
		for ; at > 0; at = m.known[at].before {
			k := &m.known[at]
			o := m.with(k.topic)
			o.add(rarity, w.weight*k.weight, surprise)
			if gathered {
				o.words++
			}
			if seldom {
				o.rare, o.rarest, o.newest = o.rare+nats, max(o.rarest, nats), max(o.newest, surprise)
			}
		}
	}
	for _, named := range conv.begin.names {
		name, topics := named.word, m.byName[named.word]
		if len(topics) == 0 {
			continue
		}
		rare, isNew := m.rare(name, conv.begin.lang), m.isNew(name)
		if !rare && !isNew && !name.isPair() {
			continue
		}
		for _, i := range topics {
			o, other := m.with(i), m.out[i]
			if name.isPair() {
				o.phrases++
			}
			if !rare && !isNew || namesakes(name, conv.begin, other.begin) {
				continue
			}
			o.rareName = o.rareName || rare && (name.isPair() || name.inner)
			if isNew || m.oneStory(name, named.full, conv, other) {
				o.named = true
				o.early = o.early || conv.begin.early(name) && other.begin.early(name)
			}
			if rare && m.isRun(name) {
				o.runs++
			}
		}
	}
	best, most := int32(-1), -1.0
	noCapitals := slices.Contains(caseless, conv.begin.lang)
	for _, i := range m.touched {
		o := &m.overlaps[i]
		cosine := o.product / (conv.norm * m.out[i].norm)
		if cosine >= o.leastShared(noCapitals) && (cosine > most || cosine == most && i < best) {
			if o.named = o.named || m.coincide(o, conv, m.out[i]); o.alike(m.enough, cosine, m.lexis) {
				best, most = i, cosine
			}
		}
		*o = overlap{}
	}
	m.touched = m.touched[:0]
	if best < 0 {
		return nil
	}
	return m.out[best]
}

// How improbable shared words, people and time must be together for two conversations to be
// about one thing, in nats. Less is required if the words are certainly new. People and
// time have upper limits: friends who always talk to each other, or notes of the same
// minute, prove nothing by that alone.
const (
	coincidence = 3.2
	sureOfWords = 1.2
	mostTime    = 3.5
	timeCounts  = 0.3
	mostMeeting = 2.0
)

// meetings counts the conversations of at least two people in one language. People who
// share a language meet again and again, so chance must be judged within it.
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

// fewTalks is the number of conversations in a language below which the counts of all
// languages are used.
const fewTalks = 24

// measure counts the conversations, and in how many of them each person took part.
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

// coincide reports whether it would be too much of a coincidence that two conversations
// share a rare word as well as people and time.
func (m *merger) coincide(o *overlap, a, b *topic) bool {
	if o.rare == 0 || a.begin.news == 0 || b.begin.news == 0 || a.begin.lang != b.begin.lang && !o.rareName {
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

// meeting returns, in nats, how improbable it is that as many people take part in both
// conversations by chance (a Poisson bound on the expected number).
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
		expected += max(in.busy[p], 0.5) // in halves, whose sum no order changes
		if _, ok := b.people[p]; ok {
			both++
		}
	}
	expected *= float64(len(b.people)) / in.parts
	if both <= expected {
		return 0
	}
	return both*math.Log(both/expected) - both + expected
}

// leastShared is the cosine that two conversations must have at least: a name in a long
// tale is not what the tale is about. Scripts without capitals are split into pairs of
// characters, of which two texts share fewer than words; and a name that two short notes
// mention right away is what they are about. Both need half.
func (o *overlap) leastShared(noCapitals bool) float64 {
	if o.early || noCapitals {
		return leastShared / 2
	}
	return leastShared
}

const (
	leastShared = 0.1
	fewTerms    = 20 // words of a short note
	atOnce      = 8  // of these, among which an early name is
)

// early reports whether a short note mentions a name right away.
func (n *note) early(name *word) bool {
	return len(n.terms) <= fewTerms && slices.Contains(n.terms[:min(len(n.terms), atOnce)], name)
}

// A name that nobody used before and that at least namedBy people use now, in at most
// namedIn conversations, is what a story is about. One in more conversations is a name of
// everyday talk that happens to be new here.
const (
	namedBy = 3
	namedIn = 12
)

// A calling is who uses a name that nobody used before the window.
type calling struct {
	by   []*person // namedBy at most
	in   int       // conversations
	last *topic    // the last of these
}

// callings collects the names that may be new.
func callings(convs []*topic, l *lexis) map[*word]*calling {
	out := map[*word]*calling{}
	for _, t := range convs {
		for _, n := range t.notes {
			for _, name := range n.names {
				if !n.fresh || name.past > 0 || name.now < 2 || !l.gathered(name.word) || name.hiragana() {
					continue
				}
				c := out[name.word]
				if c == nil {
					c = &calling{}
					out[name.word] = c
				}
				if len(c.by) < namedBy && !slices.Contains(c.by, n.author) {
					c.by = append(c.by, n.author)
				}
				if c.last != t {
					c.last = t
					c.in++
				}
			}
		}
	}
	return out
}

// isNew reports whether a name is what a story is about; see namedBy.
func (m *merger) isNew(name *word) bool {
	c := m.called[name]
	return c != nil && len(c.by) == namedBy && c.in <= namedIn && m.surprise(name) >= sure
}

// A single-word name in at most loneName notes identifies a story. In German, where any
// noun looks like a name, or with little history, it must be in at most loneLess notes and
// taken up by as many people in both conversations.
const (
	loneName = 6
	loneLess = 3
	takenUp  = 3 // people in one of the threads, and one less in the other
	ownWord  = 4 // notes in which one author may use a name of their own
)

// oneStory reports whether two conversations that share a rare name are about one thing.
func (m *merger) oneStory(name *word, full bool, a, b *topic) bool {
	fewer, more := min(len(a.people), len(b.people)), max(len(a.people), len(b.people))
	switch {
	case (a.begin.denies || b.begin.denies) && couldBeNew(name, full):
		return true
	case !m.gathered(name):
		return false
	case full:
		return true
	case name.isPair() || !name.inner || a.begin.news == 0 || b.begin.news == 0:
		return false
	case a.begin.author == b.begin.author && fewer >= takenUp-1 && m.ownUse(a.begin.author)[name] <= ownWord:
		return true
	case name.now <= loneLess && (fewer >= takenUp-1 && more >= takenUp || m.called[name] != nil && len(m.called[name].by) == loneLess):
		return true
	}
	return name.now <= loneName && !m.knowsLittle() && a.begin.lang != "de" // which writes all nouns as names
}

// namesakes reports whether a word is part of full names in both notes, none of which they
// share: two people of the same surname.
func namesakes(name *word, a, b *note) bool {
	if name.isPair() {
		return false
	}
	inA, inB := a.fullNames(name), b.fullNames(name)
	if len(inA) == 0 || len(inB) == 0 {
		return false
	}
	for _, one := range inA {
		if _, both := slices.BinarySearchFunc(inB, one, nameOf.compare); both {
			return false
		}
	}
	return true
}

// fullNames returns the full names in a note that contain a word.
func (n *note) fullNames(part *word) []nameOf {
	from, _ := slices.BinarySearchFunc(n.fulls, part.id, func(of nameOf, id int32) int { return cmp.Compare(of.part.id, id) })
	to, _ := slices.BinarySearchFunc(n.fulls, part.id+1, func(of nameOf, id int32) int { return cmp.Compare(of.part.id, id) })
	return n.fulls[from:to]
}

// isRun reports whether a rare name is two overlapping pairs of characters, in a script
// without spaces, that nobody combined before. Two notes that share two such runs share a
// name.
func (m *merger) isRun(name *word) bool {
	return name.isPair() && wide(firstOf(name.parts[0].term)) && !name.hiragana() &&
		name.parts[0].past+name.parts[1].past == 0 && name.now <= loneName && !m.knowsLittle()
}

// ownUse counts in how many of a person's notes each word is.
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

// byAuthor groups the notes of conversations by author.
func byAuthor(convs []*topic) map[*person][]*note {
	out := map[*person][]*note{}
	for _, t := range convs {
		for _, n := range t.notes {
			out[n.author] = append(out[n.author], n)
		}
	}
	return out
}

// overlap is what two conversations share.
type overlap struct {
	words, phrases         int // gathered words, and pairs of words that are adjacent in both, which would count their words twice
	runs                   int // see isRun
	sum, product, surprise float64
	rare, rarest, newest   float64 // information of all seldom words, of the rarest, and how certainly one is new; in nats
	rareName               bool
	named, early           bool // a name that identifies a story; one that both mention early
	touched                bool
}

func (o *overlap) add(rarity, product, surprise float64) {
	o.sum += rarity
	o.product += product
	o.surprise += min(surprise, sure)
}

// alike reports whether two conversations share more than chance explains: a new name, two
// new words, or most of what both say.
func (o *overlap) alike(enough, cosine float64, l *lexis) bool {
	words := o.words - o.phrases
	if l.past.notes < l.now.notes/20 && words >= fewWords && o.sum >= enough && (cosine >= minCosine || l.now.notes < fewNotes) {
		return true
	}
	return o.named || o.runs >= 2 || o.sum >= enough &&
		(words >= 2 && o.surprise-sure*float64(o.phrases) >= 2*sure && cosine >= minCosine || words >= sameWords && cosine >= sameCosine)
}

func absorb(t, other *topic) {
	t.notes = append(t.notes, other.notes...)
	if other.begin.done > 0 || other.begin.denies {
		t.developments = append(t.developments, other.begin)
	}
	t.developments = append(t.developments, other.developments...)
	t.people = maps.Clone(t.people) // those of its own conversation stay as they are
	for p, w := range other.people {
		t.people[p] = max(t.people[p], w)
	}
}
