package testworld

import (
	"fmt"
	"math/rand/v2"
	"time"

	"bowerbird/app/sample/actor"
	"bowerbird/ndb/nostr"
)

// ring is strangers who push one thing together. It reads what others wrote, but
// nothing of its own gets into their sight or into their random sequence, so
// that the rest of the world stays as it is without the ring.
type ring struct {
	Collusion
	rng    *rand.Rand
	lang   *language
	people []*actor.Actor
	posts  []*actor.Post
	agenda agenda
}

// eventsEach is how much one colluder sends besides a profile.
const eventsEach = 16

func newRing(m *maker) *ring {
	r := &ring{rng: actor.Random(m.o.Seed, "ring"), lang: m.cast.langs[0]}
	r.Terms = r.lang.coinAll(4, 3)
	span := float64(m.o.Now.Sub(m.start))
	for i := range m.o.Colluders {
		handle := fmt.Sprintf("%s%d", r.Terms[0], i)
		a := actor.New(m.o.Seed, actor.Person{
			Handle: handle, Name: capital(r.Terms[1]) + fmt.Sprint(" ", i),
			NIP05: handle + "@ring.example", Lang: r.lang.name,
		}, false, []string{"wss://hub.example"})
		r.people = append(r.people, a)
		r.Collusion.People = append(r.Collusion.People, a.PubKey)
		for n := range eventsEach + 1 {
			at := m.start.Add(time.Duration(span * (0.1 + 0.88*r.rng.Float64())))
			if n == 0 {
				at = m.start
			}
			r.agenda.add(at, func(at time.Time) error { return r.act(m, a, n, at) })
		}
	}
	return r
}

// until sends what is older than t.
func (r *ring) until(m *maker, t time.Time) error {
	for {
		d, ok := r.agenda.next(t)
		if !ok {
			return nil
		}
		if err := d.do(d.at); err != nil {
			return err
		}
	}
}

func (r *ring) act(m *maker, a *actor.Actor, n int, at time.Time) error {
	mate, victim := r.mate(a), r.victim(m)
	switch {
	case n == 0:
		e, err := a.Profile(at, r.text())
		if err != nil {
			return err
		}
		return r.send(m, a, e)
	case mate == nil || n <= 6:
		return r.publish(m, a.Note(at, r.text(), nil))
	case n <= 9:
		return r.publish(m, a.Reply(at, mate, r.text(), nil))
	case n <= 11:
		e, err := a.Repost(at, mate)
		if err != nil {
			return err
		}
		return r.send(m, a, e)
	case victim == nil || n <= 13:
		return r.send(m, a, a.React(at, mate, "+"))
	case n <= 15:
		return r.publish(m, a.Reply(at, victim.Post, r.text(), nil))
	default:
		return r.send(m, a, a.React(at, victim.Post, "+"))
	}
}

func (r *ring) text() string { return r.lang.sentence(r.rng, nil, r.Terms) }

// mate is a post by another of the ring, if there is one.
func (r *ring) mate(a *actor.Actor) *actor.Post {
	for range 10 {
		if len(r.posts) == 0 {
			return nil
		}
		if p := actor.Pick(r.rng, r.posts); p.By != a {
			return p
		}
	}
	return nil
}

// victim is a recent post of somebody followed, under which the ring writes.
func (r *ring) victim(m *maker) *talk {
	for range 10 {
		if len(m.recent) == 0 {
			return nil
		}
		if t := m.recent[max(0, len(m.recent)-1-r.rng.IntN(100))]; t.By.Followed {
			return t
		}
	}
	return nil
}

func (r *ring) publish(m *maker, p *actor.Post) error {
	r.posts = append(r.posts, p)
	return r.send(m, p.By, p.Event)
}

func (r *ring) send(m *maker, a *actor.Actor, e *nostr.Event) error {
	r.Collusion.Events = append(r.Collusion.Events, e.ID)
	return m.press.add(a, e)
}
