package testworld

import (
	"math/rand/v2"
	"slices"
	"time"

	"bowerbird/app/sample/actor"
)

// plot is a fact in the making.
type plot struct {
	fact   Fact
	author *citizen
	topic  *topic
	told   *talk
	until  time.Time // of the big event
}

// plant puts the facts on the agenda, evenly over the time, and the big event.
func (m *maker) plant() {
	span := m.o.Now.Sub(m.start)
	authors := m.rng.Perm(len(m.cast.followed))
	for i := range m.o.Planted {
		author := m.cast.followed[authors[i%len(authors)]]
		part := 0.04 + 0.9*(float64(i)+0.2+0.6*m.rng.Float64())/float64(m.o.Planted)
		m.tell(author, m.start.Add(time.Duration(part*float64(span))))
	}
	if m.r.bigEvent {
		p := m.tell(m.cast.followed[authors[len(authors)-1]], m.start.Add(span*3/10))
		p.until = m.start.Add(span * 8 / 10)
		m.big = p
	}
}

// tell lets author tell a fact at a time, and 3 to 8 others take it up.
func (m *maker) tell(author *citizen, at time.Time) *plot {
	p := &plot{author: author, topic: actor.Pick(m.rng, author.topics)}
	p.fact.Author = author.PubKey
	p.fact.Terms = author.lang.coinAll(3+m.rng.IntN(3), 3)
	m.plots = append(m.plots, p)
	m.agenda.add(at, func(at time.Time) error {
		text, told := m.text(author, p.topic, p.fact.Terms)
		p.told = m.newTalk(author, p.topic, author.Note(at, text, nil))
		p.told.thread.plot = p
		p.fact.Text, p.fact.Sentence = text, told
		p.fact.Events = append(p.fact.Events, p.told.Event.ID)
		return m.publish(p.told)
	})
	takers := minTakers + m.rng.IntN(6)
	for _, i := range m.rng.Perm(len(m.cast.followed)) {
		taker := m.cast.followed[i]
		if taker == author {
			continue
		}
		if takers--; takers < 0 {
			break
		}
		m.agenda.add(m.soonAfter(at), func(at time.Time) error { return p.takeUp(m, taker, at) })
	}
	return p
}

// soonAfter is a time within a day of at and before the end.
func (m *maker) soonAfter(at time.Time) time.Time {
	room := min(m.o.Now.Sub(at), 24*time.Hour)
	delay := time.Duration(m.rng.ExpFloat64() * float64(3*time.Hour))
	if delay > room-time.Minute {
		delay = time.Duration(m.rng.Int64N(int64(room)))
	}
	return at.Add(min(delay+5*time.Minute, room))
}

func (p *plot) takeUp(m *maker, taker *citizen, at time.Time) error {
	if err := p.respond(m, taker, at); err != nil {
		return err
	}
	p.fact.Takers = append(p.fact.Takers, taker.PubKey)
	p.fact.Events = append(p.fact.Events, m.last)
	return nil
}

func (p *plot) respond(m *maker, taker *citizen, at time.Time) error {
	switch roll := m.rng.IntN(100); {
	case roll < 30:
		return m.answer(taker, p.told, at, someOf(m.rng, p.fact.Terms, 1))
	case roll < 45:
		return m.answer(taker, p.told, at, nil)
	case roll < 70:
		text, _ := m.text(taker, p.topic, someOf(m.rng, p.fact.Terms, 2))
		return m.publish(m.newTalk(taker, p.topic, taker.Note(at, text, nil)))
	case roll < 85:
		return m.quote(taker, p.told, at, someOf(m.rng, p.fact.Terms, 1))
	default:
		return m.passOn(taker, p.told, at)
	}
}

// someOf picks at least n of the words, in their order.
func someOf(rng *rand.Rand, words []string, n int) []string {
	n += rng.IntN(len(words) - n + 1)
	chosen := rng.Perm(len(words))[:n]
	slices.Sort(chosen)
	out := make([]string, n)
	for i, c := range chosen {
		out[i] = words[c]
	}
	return out
}

// hot says whether the big event is on everybody's lips.
func (p *plot) hot(at time.Time) bool { return p.told != nil && at.Before(p.until) }

// mention lets anybody write of the big event.
func (p *plot) mention(m *maker, by *citizen, at time.Time) error {
	text, _ := m.text(by, p.topic, someOf(m.rng, p.fact.Terms, 2))
	t := m.newTalk(by, p.topic, by.Note(at, text, nil))
	p.fact.Events = append(p.fact.Events, t.Event.ID)
	if by.Followed && by != p.author && !slices.Contains(p.fact.Takers, by.PubKey) {
		p.fact.Takers = append(p.fact.Takers, by.PubKey)
	}
	return m.publish(t)
}
