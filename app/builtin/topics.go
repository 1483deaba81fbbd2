package builtin

import (
	"cmp"
	"context"
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
	core   []weighed           // the words that it is known by, sorted
	norm   float64             // the length of core as a vector
	begin  *note               // the note that most was done to
	turns  []*note             // what other conversations of it turn on
	whole  *conversation       // that it was, before others joined it
	round  bool                // everybody answers for themselves; see isRound

	thought   map[*note]bool // see continues
	thoughtOf struct {       // for which it was found
		begin *note
		notes int
	}
}

// How much taking part counts. Who passes a note on, by reposting or quoting it, tells it
// to others; an answer may be banter; a reaction is easily given, and where many write some
// everyday note has ten of them. The numbers are sums of powers of two, so that no order of
// adding them can show in a sum.
const (
	weightPassOn   = 1.5
	weightWrite    = 1.0
	weightAnswer   = 0.75
	weightReaction = 0.125
)

// weight is how many took part, less where what they took part in says nothing new or
// cannot be understood.
func (t *topic) weight() float64 {
	point := t.most(func(n *note) float64 { return n.point })
	w := t.taken() * (leastNews + (1-leastNews)*t.news()) * point
	if t.begin.orphan && !t.stands() {
		w *= withoutContext
	}
	if t.round {
		w *= ofARound
	}
	return w
}

// ofARound is what is left of the weight of a round of answers to a question or a game.
const ofARound = 0.1

// stands reports whether an answer whose question is not here tells by itself what it is
// about: it states something, and others answered the same, or it.
func (t *topic) stands() bool {
	return t.begin.states && !t.begin.asks && !t.begin.short && len(t.people) >= takenUp
}

// withoutContext is what is left of the weight of a topic that turns on an answer whose
// question is not here: nobody can tell what it is about.
const withoutContext = 0.4

// taken is how many took part.
func (t *topic) taken() float64 {
	sum := 0.0
	for _, w := range t.people {
		sum += w
	}
	return sum
}

// news is how much new there is in a topic, from 0 to 1.
func (t *topic) news() float64 { return t.most(func(n *note) float64 { return n.news }) }

// most returns the highest value among the notes that the topic and its turns begin with.
func (t *topic) most(of func(*note) float64) float64 {
	most := of(t.begin)
	for _, n := range t.turns {
		most = max(most, of(n))
	}
	for n := range t.continued() {
		most = max(most, of(n))
	}
	return most
}

// continues reports whether a note goes on with what its author began in the note that
// the topic turns on: a thought in several notes, each of which answers the one before.
func (t *topic) continues(n *note) bool { return t.continued()[n] }

// continued are the notes that continue what the topic turns on; nil for none.
func (t *topic) continued() map[*note]bool {
	of := &t.thoughtOf
	if of.begin == t.begin && of.notes == len(t.notes) {
		return t.thought
	}
	of.begin, of.notes, t.thought = t.begin, len(t.notes), nil
	var own []*note
	for _, o := range t.notes {
		if o != t.begin && !o.repeated && o.author == t.begin.author && o.at < t.begin.at+laterTurn && o.parent != "" {
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

// leastNews is what is left of a conversation's weight when nothing in it is new.
const leastNews = 0.1

// part is how much it counts to have written a note: an answer that says nothing of
// its own is a nod.
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

// topics groups what was read. Strangers' notes are part of a topic only as what
// people followed have answered, quoted or passed on.
func (c *corpus) topics(ctx context.Context, sorted []*note, l *lexis) []*topic {
	convs := c.conversations(sorted)
	for _, t := range until(ctx, convs) {
		t.setCore(core(t, l))
		t.round = t.isRound() && !l.isElsewhere(t.begin)
	}
	sortTopics(convs)
	return merge(ctx, convs, l, len(sorted))
}

// sortTopics puts those with most people first; equal ones by the newest note.
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

// conversations joins notes by threads and quotes, and adds who took them up.
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
	done := make([]int, len(g.up)) // how much was done to a note
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

// leads reports whether a conversation turns on a note rather than on another one of it: more
// was done to it; where the note that all of it answers is not here, it says more and more to
// the point, as somebody often repeats what all of them answer.
func (n *note) leads(other *note) bool {
	if n.stray && other.stray {
		return n.news*n.point*(1-other.news) > other.news*other.point*(1-n.news)
	}
	return n.done > other.done
}

// How many short answers make a round.
const roundAnswers = 5

// isRound reports whether a conversation is a round: a question or a game that people
// answer in few words, each for themselves. What it begins with tells: to what states
// something, by a name or a figure, people say little, too, and the less the greater it is.
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

// isElsewhere reports whether others write notes of their own about what a note says: it
// uses a new word that other threads took up within a short time.
func (l *lexis) isElsewhere(n *note) bool {
	return slices.ContainsFunc(n.terms, func(w *word) bool { return l.seldom(w) && l.burst(w) >= sure })
}

// maxQuotesJoined is how many notes one may quote and still tie them together; a
// list of links is no conversation.
const maxQuotesJoined = 2

// maxCore is how many words a topic is known by.
const maxCore = 40

// core returns the words that a conversation is known by: those of the note that
// began it, and those that two people or more used.
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

// said are the words of the note that a topic turns on, and of those that go on with it.
func (t *topic) said() map[*word]bool {
	said := set(t.begin.terms...)
	for n := range t.continued() {
		maps.Copy(said, set(n.terms...))
	}
	return said
}

// users tell by how many people each word of a topic was used, and by whom last.
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

// others reports whether anybody else used a word.
func (u users) others(w *word, than *person) bool {
	by := u[w]
	return by.people > 1 || by.people == 1 && by.last != than
}

// A weighed word is one of those that a topic is known by, and how rare it is.
type weighed struct {
	*word
	weight float64
}

// setCore sets the words that a topic is known by, sorted.
func (t *topic) setCore(words []weighed) {
	t.core = words
	sum := 0.0
	for _, w := range words { // in one order, as sums of floats depend on it
		sum += w.weight * w.weight
	}
	t.norm = math.Sqrt(sum)
}

// knownBy returns what a word weighs in a topic; 0 where it is not known by it.
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

// groups is a union-find over ids, each of which has a number.
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
