package builtin

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"
)

// A topic is what several notes are about: one or more conversations (a thread with its
// quotes, reposts and reactions) that share words which are rare elsewhere. Its weight
// depends on how many different people the user follows took part, not on how often each of
// them did.
type topic struct {
	notes        []*note             // fresh ones by people followed, and what they answer; oldest first
	people       map[*person]float64 // followed, with how much their part counts
	core         []weighed           // the words that characterize it, sorted by term
	norm         float64             // the length of core as a vector
	begin        *note               // the note that got most answers and reactions
	developments []*note             // the leading notes of the conversations that joined it
	whole        *conversation       // the conversation it was before others joined it
	round        bool                // see isRound

	thought   map[*note]bool // cached by continued
	thoughtOf struct {       // the state it was computed for
		begin *note
		notes int
	}
}

// How much each way of taking part counts. Reposting or quoting recommends a note to
// others; an answer may be banter; a reaction costs nothing, and in a busy network an
// everyday note gets ten of them, so that eight weigh as much as one note. All values are
// sums of powers of two: adding them is exact, so the order in which a map yields people
// cannot change a sum.
const (
	weightPassOn   = 1.5
	weightWrite    = 1.0
	weightAnswer   = 0.75
	weightReaction = 0.125
)

// weight ranks a topic: the people who took part, scaled down where its notes contain no
// news, do not come to the point, or cannot be understood without a note that is missing.
func (t *topic) weight() float64 {
	point := t.most(func(n *note) float64 { return n.point })
	w := t.taken() * (leastNews + (1-leastNews)*t.news()) * point
	if t.begin.orphan && !t.isClear() {
		w *= withoutContext
	}
	if t.round {
		w *= ofARound
	}
	return w
}

// ofARound scales the weight of a round: many people take part in polls and games, which
// are no news.
const ofARound = 0.1

// isClear reports whether an answer whose question is missing is understandable by itself:
// it states something, and others answered the same question, or it.
func (t *topic) isClear() bool {
	return t.begin.states && !t.begin.asks && !t.begin.short && len(t.people) >= takenUp
}

// withoutContext scales the weight of a topic that begins with an answer to a missing note,
// since readers cannot see what it is about.
const withoutContext = 0.4

// taken sums up how much people took part.
func (t *topic) taken() float64 {
	sum := 0.0
	for _, w := range t.people {
		sum += w
	}
	return sum
}

// news is the highest news score of its notes, from 0 to 1.
func (t *topic) news() float64 { return t.most(func(n *note) float64 { return n.news }) }

// most returns the highest value among the notes that lead the topic and those that
// continue its first one.
func (t *topic) most(of func(*note) float64) float64 {
	most := of(t.begin)
	for _, n := range t.developments {
		most = max(most, of(n))
	}
	for n := range t.continued() {
		most = max(most, of(n))
	}
	return most
}

// continues reports whether a note continues what its author began in the leading note: one
// text posted as several notes, each answering the one before.
func (t *topic) continues(n *note) bool { return t.continued()[n] }

// continued returns the notes for which continues is true, nil for none. The result is
// cached, since ranking asks for it again and again.
func (t *topic) continued() map[*note]bool {
	of := &t.thoughtOf
	if of.begin == t.begin && of.notes == len(t.notes) {
		return t.thought
	}
	of.begin, of.notes, t.thought = t.begin, len(t.notes), nil
	var own []*note
	for _, o := range t.notes {
		if o != t.begin && !o.repeated && o.author == t.begin.author && o.at < t.begin.at+laterDevelopment && o.parent != "" {
			own = append(own, o)
		}
	}
	if len(own) == 0 {
		return nil
	}
	sortNotes(own)
	known := map[string]bool{t.begin.id: true}
	for _, o := range own {
		if known[o.parent] {
			if t.thought == nil {
				t.thought = map[*note]bool{}
			}
			known[o.id], t.thought[o] = true, true
		}
	}
	return t.thought
}

// leastNews scales the weight of a topic without news. It is not 0, so that on a quiet day
// the busiest chatter still comes first.
const leastNews = 0.1

// part is how much writing the note counts as taking part. An answer without any news of
// its own counts as a nod.
func (n *note) part() float64 {
	switch {
	case len(n.quotes) > 0 && len(n.quotes) <= maxQuotesJoined && !n.greets:
		return weightPassOn
	case n.news == 0:
		return weightReaction
	case n.parent != "":
		return weightAnswer
	}
	return weightWrite
}

func (t *topic) join(p *person, weight float64) {
	if p.followed {
		t.people[p] = max(t.people[p], weight)
	}
}

// topics groups the notes into topics. Strangers' notes are part of a topic only if people
// the user follows have answered, quoted or reposted them.
func (c *corpus) topics(ctx context.Context, sorted []*note, l *lexis) []*topic {
	convs := c.conversations(sorted)
	for _, t := range until(ctx, convs) {
		t.setCore(core(t, l))
		t.round = t.isRound() && !l.isElsewhere(t.begin)
	}
	sortTopics(convs)
	return merge(ctx, convs, l, len(sorted))
}

// sortTopics sorts by weight, heaviest first, then by size and by newest note.
func sortTopics(ts []*topic) {
	type weighed struct {
		*topic
		weight float64
	}
	list := make([]weighed, len(ts))
	for i, t := range ts {
		list[i] = weighed{t, t.weight()}
	}
	slices.SortFunc(list, func(a, b weighed) int {
		if a.weight != b.weight {
			return cmp.Compare(b.weight, a.weight)
		}
		return cmp.Or(cmp.Compare(len(b.notes), len(a.notes)),
			cmp.Compare(b.last().at, a.last().at),
			cmp.Compare(a.last().id, b.last().id))
	})
	for i := range list {
		ts[i] = list[i].topic
	}
}

func (t *topic) last() *note { return t.notes[len(t.notes)-1] }

// conversations joins notes by threads and quotes, and adds the people who reacted or
// reposted.
func (c *corpus) conversations(sorted []*note) []*topic {
	g := &groups{numbers: make(map[string]int32, 2*len(sorted))}
	for _, n := range sorted {
		number := g.number(n.id)
		for _, id := range []string{n.parent, n.root} {
			if id != "" {
				g.union(number, g.number(id))
			}
		}
		for _, id := range n.quotes {
			if quoted := g.number(id); len(n.quotes) <= maxQuotesJoined {
				g.union(number, quoted)
			}
		}
	}
	byRoot := make([]*topic, len(g.up))
	done := make([]int, len(g.up)) // see note.done
	for _, n := range sorted {
		root := g.find(g.numbers[n.id])
		t := byRoot[root]
		if t == nil {
			t = &topic{people: map[*person]float64{}}
			t.whole = &conversation{people: t.people}
			byRoot[root] = t
		}
		t.notes = append(t.notes, n)
		if n.fresh && n.author.followed {
			t.whole.fresh++
			t.join(n.author, n.part())
		}
		if n.parent != "" {
			done[g.numbers[n.parent]] += 2
		}
		if n.root != "" {
			done[g.numbers[n.root]] += 2
		}
		for _, id := range n.quotes {
			done[g.numbers[id]] += 2
		}
	}
	for _, a := range c.acts {
		target, known := g.numbers[a.target]
		if !known || byRoot[g.find(target)] == nil {
			continue
		}
		t := byRoot[g.find(target)]
		done[target]++
		if a.repost {
			done[target]++
			t.join(a.by, weightPassOn)
		} else {
			t.join(a.by, weightReaction)
		}
	}
	var out []*topic
	for _, n := range sorted { // in a fixed order
		number := g.numbers[n.id]
		t := byRoot[g.find(number)]
		if t.begin == nil {
			out = append(out, t)
		}
		n.done, n.in = done[number], t.whole
		n.orphan = n.parent != "" && c.notes[n.parent] == nil
		n.stray = n.orphan && n.root == "" || n.root != "" && c.notes[n.root] == nil
		if t.begin == nil || n.leads(t.begin) {
			t.begin = n
		}
	}
	return slices.DeleteFunc(out, func(t *topic) bool { return len(t.people) == 0 })
}

// leads reports whether the note leads its conversation rather than other: it got more
// answers and reactions. If the note that all others answer is missing, the one with more
// news that comes to the point leads, since somebody often repeats what everybody is
// answering.
func (n *note) leads(other *note) bool {
	if n.stray && other.stray {
		return n.news*n.point*(1-other.news) > other.news*other.point*(1-n.news)
	}
	return n.done > other.done
}

// roundAnswers is how many answers a round has at least; with fewer, one cannot distinguish a poll
// from a talk.
const roundAnswers = 5

// isRound reports whether a conversation is a round: a question, poll or game that people
// answer in a few words, each for themselves. What a note states by a name or a figure is
// no round, however short the answers: the greater the news, the less people say to it.
func (t *topic) isRound() bool {
	if len(t.notes) <= roundAnswers || !t.begin.asks && t.begin.states {
		return false
	}
	answers, short, own := 0, 0, 0
	for _, n := range t.notes {
		if n.author == t.begin.author || n.parent == "" {
			continue
		}
		answers++
		if !n.short {
			continue
		}
		short++
		if len(n.terms) > 0 && !slices.ContainsFunc(n.terms, func(w *word) bool { return slices.Contains(t.begin.terms, w) }) {
			own++
		}
	}
	return answers >= roundAnswers && 3*short >= 2*answers && (t.begin.asks || 3*own >= answers)
}

// isElsewhere reports whether others write independent notes about what a note says: it
// uses a new word that several threads took up within a short time. Such a conversation is
// news even if its answers look like a round.
func (l *lexis) isElsewhere(n *note) bool {
	return slices.ContainsFunc(n.terms, func(w *word) bool { return l.seldom(w) && l.burst(w) >= sure })
}

// maxQuotesJoined is how many notes one may quote and still connect them; a longer list of
// links is a collection, not a conversation.
const maxQuotesJoined = 2

// maxCore limits the words that characterize a topic; more would make long threads similar
// to everything.
const maxCore = 40

// core returns the words that characterize a conversation: those of its leading note, and
// those that at least two people used. A word weighs more the rarer it is and, with
// diminishing returns, the more people used it.
func core(t *topic, l *lexis) []weighed {
	var list []weighed
	add := func(w *word, users int) {
		if rarity := l.rarity(w, t.begin.lang); rarity > 0 {
			list = append(list, weighed{w, rarity * math.Sqrt(float64(users))})
		}
	}
	if len(t.notes) == 1 { // most of them
		list = make([]weighed, 0, len(t.begin.terms))
		for _, w := range t.begin.terms {
			add(w, 1)
		}
	} else {
		users, said := t.users(), t.said()
		for w, by := range users {
			if by.people > 1 || said[w] {
				add(w, by.people)
			}
		}
	}
	if len(list) > maxCore {
		slices.SortFunc(list, func(a, b weighed) int {
			return cmp.Or(cmp.Compare(b.weight, a.weight), strings.Compare(a.term, b.term))
		})
		list = list[:maxCore]
	}
	slices.SortFunc(list, func(a, b weighed) int { return strings.Compare(a.term, b.term) })
	return list
}

// said returns the words of the leading note and of those that continue it.
func (t *topic) said() map[*word]bool {
	said := set(t.begin.terms...)
	for n := range t.continued() {
		maps.Copy(said, set(n.terms...))
	}
	return said
}

// users counts how many people used each word of a topic, and holds who used it last.
type users map[*word]struct {
	people int
	last   *person
}

func (t *topic) users() users {
	notes := slices.Clone(t.notes)
	slices.SortFunc(notes, func(a, b *note) int { return strings.Compare(a.author.key, b.author.key) })
	users := users{}
	for _, n := range notes {
		for _, w := range n.terms {
			if by := users[w]; by.last != n.author {
				by.last = n.author
				by.people++
				users[w] = by
			}
		}
	}
	return users
}

// others reports whether anybody but one person used a word.
func (u users) others(w *word, than *person) bool {
	by := u[w]
	return by.people > 1 || by.people == 1 && by.last != than
}

// A weighed word characterizes a topic; its weight grows with its rarity.
type weighed struct {
	*word
	weight float64
}

// setCore sets the words that characterize the topic, sorted by term.
func (t *topic) setCore(words []weighed) {
	t.core = words
	sum := 0.0
	for _, w := range words { // in one order, as sums of floats depend on it
		sum += w.weight * w.weight
	}
	t.norm = math.Sqrt(sum)
}

// knownBy returns the weight of a word in the topic's core, 0 if it is not part of it.
func (t *topic) knownBy(term string) float64 {
	i, found := slices.BinarySearchFunc(t.core, term, func(w weighed, term string) int { return strings.Compare(w.term, term) })
	if !found {
		return 0
	}
	return t.core[i].weight
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// groups is a union-find over note ids, which are numbered to keep it small.
type groups struct {
	numbers map[string]int32
	up      []int32
}

// number returns the number of an id.
func (g *groups) number(id string) int32 {
	n, known := g.numbers[id]
	if !known {
		n = int32(len(g.up))
		g.numbers[id] = n
		g.up = append(g.up, n)
	}
	return n
}

func (g *groups) find(n int32) int32 {
	for g.up[n] != n {
		g.up[n] = g.up[g.up[n]] // halve the path
		n = g.up[n]
	}
	return n
}

func (g *groups) union(a, b int32) { g.up[g.find(a)] = g.find(b) }
