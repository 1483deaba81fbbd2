package testworld

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"bowerbird/app/sample/actor"
	"bowerbird/ndb/nostr"
)

// memory is how many recent posts people still see and answer.
const memory = 3000

// maker makes a test world, event by event, in the order of time.
type maker struct {
	o       Options
	r       recipe
	rng     *rand.Rand
	cast    *cast
	press   *press
	wallet  *actor.Actor
	start   time.Time
	made    int      // events so far, without the colluders'
	last    nostr.ID // the newest of them
	piled   int      // events that crowds around stars were to send
	agenda  agenda
	recent  []*talk // newest last, at most memory
	ring    *ring   // nil without colluders
	big     *plot   // nil but in a BigEvent world
	plots   []*plot
	shares  weights
	actions []func(time.Time) error
}

// talk is a post and what others need to go on with it.
type talk struct {
	*actor.Post
	writer *citizen
	topic  *topic
	thread *thread
}

// thread is what the posts of one thread share.
type thread struct {
	author *citizen
	takers []*citizen // people followed, besides the author, who took it up
	plot   *plot      // the fact that it tells; nil for most
}

// admits says whether p may take the thread up by chance: at most two people
// followed do, since more would make it a fact.
func (th *thread) admits(p *citizen) bool {
	if !p.Followed || p == th.author {
		return true
	}
	if th.plot != nil {
		return false
	}
	return len(th.takers) < minTakers-1 || slices.Contains(th.takers, p)
}

func (th *thread) take(p *citizen) {
	if p.Followed && p != th.author && !slices.Contains(th.takers, p) {
		th.takers = append(th.takers, p)
	}
}

func generate(ctx context.Context, o Options, emit func([]*nostr.Event) error) (*World, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("make world: %w", err)
	}
	m := newMaker(ctx, o, emit)
	for _, step := range []func() error{m.introduce, m.run, m.press.flush} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("make world: %w", err)
		}
	}
	return m.world(), nil
}

func newMaker(ctx context.Context, o Options, emit func([]*nostr.Event) error) *maker {
	r := o.Shape.recipe()
	m := &maker{
		o: o, r: r, rng: actor.Random(o.Seed, "course of "+o.Shape.String()), cast: newCast(o, r),
		press:  &press{ctx: ctx, emit: emit},
		wallet: actor.New(o.Seed, actor.Person{Handle: "wallet service"}, false, []string{"wss://hub.example"}),
		start:  o.Now.UTC().Truncate(time.Second).Add(-time.Duration(o.Days) * 24 * time.Hour),
	}
	for _, share := range []struct {
		n  int
		do func(time.Time) error
	}{
		{r.notes, m.doNote},
		{r.replies, m.doReply},
		{r.likes, m.doLike},
		{r.reposts, m.doRepost},
		{r.quotes, m.doQuote},
		{r.zaps, m.doZap},
		{r.edits, m.doEdit},
		{r.deletes, m.doDelete},
	} {
		sum := float64(share.n)
		if n := len(m.shares); n > 0 {
			sum += m.shares[n-1]
		}
		m.shares = append(m.shares, sum)
		m.actions = append(m.actions, share.do)
	}
	m.plant()
	if o.Colluders > 0 {
		m.ring = newRing(m)
	}
	return m
}

// introduce sends everybody's lists at the start.
func (m *maker) introduce() error {
	for _, p := range m.cast.all {
		profile, err := p.Profile(m.start, p.About)
		if err != nil {
			return err
		}
		lists := []*nostr.Event{profile, p.RelayList(m.start), p.Contacts(m.start, m.cast.follows(m.rng, p))}
		for _, e := range lists {
			if err := m.send(p.Actor, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// run fills the time: what is on the agenda at its hour, and between that what
// people do by themselves.
func (m *maker) run() error {
	total := float64(m.o.Events)
	for m.made+m.agenda.len() < m.o.Events {
		now := m.clock(float64(m.made) / total)
		if due, ok := m.agenda.next(now); ok {
			if err := due.do(due.at); err != nil {
				return err
			}
			continue
		}
		if err := m.actions[m.shares.pick(m.rng)](now); err != nil {
			return err
		}
	}
	for m.agenda.len() > 0 {
		due, _ := m.agenda.next(m.o.Now.Add(time.Hour))
		if err := due.do(due.at); err != nil {
			return err
		}
	}
	if m.ring != nil {
		return m.ring.until(m, m.o.Now)
	}
	return nil
}

// clock turns the part of the events that is done into a time. Days have busy
// and quiet hours.
func (m *maker) clock(done float64) time.Time {
	days := float64(m.o.Days)
	t := done*days + 0.1*math.Sin(2*math.Pi*done*days)
	at := m.start.Add(time.Duration(t * 24 * float64(time.Hour)))
	if at.After(m.o.Now) {
		at = m.o.Now
	}
	return at.Truncate(time.Second)
}

// send hands a stamped event to the press; before it go the colluders' events
// that are older.
func (m *maker) send(a *actor.Actor, e *nostr.Event) error {
	if m.ring != nil {
		if err := m.ring.until(m, time.Unix(e.CreatedAt, 0)); err != nil {
			return err
		}
	}
	m.made++
	m.last = e.ID
	return m.press.add(a, e)
}

// publish sends a post and lets others see it.
func (m *maker) publish(t *talk) error {
	if err := m.send(t.By, t.Event); err != nil {
		return err
	}
	m.recent = append(m.recent, t)
	if len(m.recent) > 2*memory {
		m.recent = append([]*talk(nil), m.recent[memory:]...)
	}
	return nil
}

func (m *maker) world() *World {
	me := m.cast.all[0]
	w := &World{Me: me.PubKey}
	for _, p := range m.cast.all {
		w.People = append(w.People, p.Person)
	}
	for _, p := range m.plots {
		w.Planted = append(w.Planted, p.fact)
	}
	if m.ring != nil {
		w.Collude = &m.ring.Collusion
		for _, p := range m.ring.people {
			w.People = append(w.People, p.Person)
		}
	}
	return w
}
