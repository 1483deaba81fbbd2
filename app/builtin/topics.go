package builtin

import (
	"cmp"
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
	done   int                 // how much that was
	turns  []*note             // what other conversations of it turn on
}

// How much taking part counts. Who writes or passes a note on stands for it
// before others; a reaction is easily given. The numbers are sums of powers of
// two, so that no order of adding them can show in a sum.
const (
	weightWrite    = 1.0
	weightRepost   = 1.0
	weightReaction = 0.25
)

func (t *topic) weight() float64 {
	sum := 0.0
	for _, w := range t.people {
		sum += w
	}
	return sum
}

func (t *topic) join(p *person, weight float64) {
	if p.followed {
		t.people[p] = max(t.people[p], weight)
	}
}

// A lexis knows how usual words are among the notes read.
type lexis struct {
	notes float64
	df    map[string]int
}

// rarity is the information in a word, in nats.
func (l *lexis) rarity(term string) float64 {
	return math.Log((l.notes + 1) / (float64(l.df[term]) + 0.5))
}

// weigh fills in the notes' terms and counts them, with those of older notes.
func (c *corpus) weigh(sorted []*note, g *grammar) *lexis {
	l := &lexis{df: map[string]int{}}
	for _, list := range [][]*note{sorted, c.past} {
		for _, n := range list {
			n.terms, n.lang = g.read(n.title + "\n" + n.text)
			if n.repeated {
				continue
			}
			l.notes++
			for _, t := range n.terms {
				l.df[t]++
			}
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
			byRoot[root] = t
		}
		t.notes = append(t.notes, n)
		if n.fresh {
			t.join(n.author, weightWrite)
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
		if t.begin == nil || done[n.id] > done[t.begin.id] {
			t.begin, t.done = n, done[n.id]
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
	users := map[string]map[*person]bool{}
	for _, n := range t.notes {
		for _, term := range n.terms {
			if users[term] == nil {
				users[term] = map[*person]bool{}
			}
			users[term][n.author] = true
		}
	}
	begin := set(t.begin.terms...)
	type weighed struct {
		term   string
		weight float64
	}
	var list []weighed
	for term, by := range users {
		if len(by) > 1 || begin[term] {
			list = append(list, weighed{term, l.rarity(term) * math.Sqrt(float64(len(by)))})
		}
	}
	slices.SortFunc(list, func(a, b weighed) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), strings.Compare(a.term, b.term))
	})
	out := map[string]float64{}
	for _, w := range list[:min(len(list), maxCore)] {
		out[w.term] = l.rarity(w.term)
	}
	return out
}

// When conversations are one topic: the words that they share must be more than
// chance would give them, and a good part of what both are about.
const (
	chanceMargin = 5.0 // nats beyond the log of the number of notes
	minCosine    = 0.15
)

// merge joins conversations that are about the same, the larger ones first.
func merge(convs []*topic, l *lexis, notes int) []*topic {
	enough := math.Log(float64(notes)+1) + chanceMargin
	var out []*topic
	byTerm := map[string][]int{}
	for _, conv := range convs {
		shared := map[int]*overlap{}
		for _, term := range conv.known {
			for _, i := range byTerm[term] {
				if shared[i] == nil {
					shared[i] = &overlap{}
				}
				shared[i].add(conv.core[term])
			}
		}
		best, most := -1, 0.0
		for i, o := range shared {
			cosine := o.squares / (conv.norm * out[i].norm)
			if o.words < 2 || o.sum < enough || cosine < minCosine {
				continue
			}
			if cosine > most || cosine == most && i < best {
				best, most = i, cosine
			}
		}
		if best >= 0 {
			absorb(out[best], conv)
			continue
		}
		for _, term := range conv.known {
			byTerm[term] = append(byTerm[term], len(out))
		}
		out = append(out, conv)
	}
	for _, t := range out {
		sortNotes(t.notes)
	}
	sortTopics(out)
	return out
}

// overlap is what two conversations share.
type overlap struct {
	words        int
	sum, squares float64
}

func (o *overlap) add(rarity float64) {
	o.words++
	o.sum += rarity
	o.squares += rarity * rarity
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
	if other.done > 0 {
		t.turns = append(t.turns, other.begin)
	}
	t.turns = append(t.turns, other.turns...)
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
