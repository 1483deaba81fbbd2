package testworld

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"bowerbird/app/sample/actor"
)

// citizen is a person of a test world.
type citizen struct {
	*actor.Actor
	lang   *language
	topics []*topic
	slogan []string // words that this person alone repeats; nil for most
}

// topic is a thing that some people write of all the time; no news.
type topic struct {
	words map[*language][]string
	tag   string
}

// cast makes the people: the first is me. Activity falls by a power law, and
// followed people and strangers stand among each other in it.
type cast struct {
	all       []*citizen
	byRank    []*citizen // without me, most active first
	followed  []*citizen
	strangers []*citizen
	stars     []*citizen // whose notes strangers crowd around
	active    weights    // over byRank
	langs     []*language
	topics    []*topic
}

func newCast(o Options, r recipe) *cast {
	c := new(cast)
	rng := actor.Random(o.Seed, "cast of "+o.Shape.String())
	lex := &lexicon{rng: rng, taken: make(map[string]bool)}
	for i, a := range r.scripts {
		c.langs = append(c.langs, newLanguage(lex, fmt.Sprintf("%s-%d", a, i+1), a))
	}
	for range max(4, int(r.topics*float64(o.Followed))) {
		c.topics = append(c.topics, newTopic(c.langs))
	}
	popularity := zipf(len(c.topics), 0.4)
	for i := range o.People {
		c.all = append(c.all, c.newCitizen(o, rng, popularity, i))
	}
	c.byRank = append(c.byRank, c.all[1:]...)
	rng.Shuffle(len(c.byRank), func(i, j int) { c.byRank[i], c.byRank[j] = c.byRank[j], c.byRank[i] })
	c.active = zipf(len(c.byRank), 0.8)
	for _, p := range c.byRank {
		if p.Followed {
			c.followed = append(c.followed, p)
			continue
		}
		c.strangers = append(c.strangers, p)
	}
	c.stars = slices.Concat(c.strangers[:3], c.followed[2:6])
	// Two busy people have a slogan: repetition by one is no news.
	for _, p := range c.followed[:2] {
		p.slogan = p.lang.coinAll(3, 3)
	}
	return c
}

func newTopic(langs []*language) *topic {
	t := &topic{words: make(map[*language][]string), tag: langs[0].coin(2)}
	for _, l := range langs {
		t.words[l] = l.coinAll(60, 2)
	}
	return t
}

func (c *cast) newCitizen(o Options, rng *rand.Rand, popularity weights, i int) *citizen {
	// The first language has half of the people, the others share the rest.
	l := c.langs[0]
	if rng.IntN(2) == 0 {
		l = actor.Pick(rng, c.langs)
	}
	handle := strings.ToLower(c.langs[0].coin(2))
	name := handle
	if l.alphabet != han {
		name = capital(l.coin(1)) + " " + capital(l.coin(2))
	}
	p := &citizen{lang: l}
	p.Actor = actor.New(o.Seed, actor.Person{
		Handle: handle, Name: name, NIP05: handle + "@" + l.name + ".example", Lang: l.name,
		Followed: i >= 1 && i <= o.Followed,
	}, rng.IntN(5) == 0, []string{fmt.Sprintf("wss://relay%d.example", rng.IntN(12)), "wss://hub.example"})
	for range 1 + rng.IntN(3) {
		p.topics = append(p.topics, c.topics[popularity.pick(rng)])
	}
	p.About = l.sentence(rng, p.topics[0].words[l], nil)
	return p
}

func capital(w string) string {
	first := []rune(w)[:1]
	return strings.ToUpper(string(first)) + strings.TrimPrefix(w, string(first))
}

// anyone picks by activity.
func (c *cast) anyone(rng *rand.Rand) *citizen { return c.byRank[c.active.pick(rng)] }

// follows draws a contact list: mine is fixed, the others' are of 5 to 150
// people, the busy ones more often.
func (c *cast) follows(rng *rand.Rand, p *citizen) []*actor.Actor {
	var out []*actor.Actor
	if p == c.all[0] {
		for _, f := range c.followed {
			out = append(out, f.Actor)
		}
		return out
	}
	seen := map[*citizen]bool{p: true}
	for range min(5+int(rng.ExpFloat64()*30), 150) {
		if f := c.anyone(rng); !seen[f] {
			seen[f] = true
			out = append(out, f.Actor)
		}
	}
	return out
}
