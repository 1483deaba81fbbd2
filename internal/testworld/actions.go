package testworld

import (
	"fmt"
	"slices"
	"time"

	"bowerbird/app/sample/actor"
)

// later puts something on the agenda unless the events or the time run out.
func (m *maker) later(at time.Time, do func(time.Time) error) {
	if at.After(m.o.Now) || m.made+m.agenda.len()+1 >= m.o.Events {
		return
	}
	m.agenda.add(at, do)
}

// text writes what p says of a topic, with all of must in one sentence, which it
// returns as well.
func (m *maker) text(p *citizen, t *topic, must []string) (text, told string) {
	var words []string
	if t != nil {
		words = t.words[p.lang]
	}
	told = p.lang.sentence(m.rng, words, must)
	parts := []string{told}
	for m.rng.IntN(5) < 2 && len(parts) < 4 {
		parts = append(parts, p.lang.sentence(m.rng, words, nil))
	}
	m.rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	if p.slogan != nil && m.rng.IntN(5) < 3 {
		parts = append(parts, p.lang.sentence(m.rng, nil, p.slogan))
	}
	text = p.lang.join(parts...)
	if m.rng.Float64() < m.r.links {
		text += fmt.Sprintf("\nhttps://%s.example/%x", m.cast.langs[0].common[m.rng.IntN(400)], m.rng.Uint32())
	}
	if t != nil && m.rng.Float64() < m.r.tags {
		text += "\n#" + t.tag
	}
	return text, told
}

func (m *maker) newTalk(p *citizen, t *topic, ps *actor.Post) *talk {
	return &talk{Post: ps, writer: p, topic: t, thread: &thread{author: p}}
}

func (m *maker) doNote(at time.Time) error {
	p := m.cast.anyone(m.rng)
	if m.big != nil && m.big.hot(at) && m.rng.IntN(100) < 35 {
		return m.big.mention(m, p, at)
	}
	t := actor.Pick(m.rng, p.topics)
	text, _ := m.text(p, t, nil)
	if m.rng.IntN(25) == 0 {
		text = capital(p.lang.greeting) + "! " + p.lang.sentence(m.rng, nil, nil)
	}
	tk := m.newTalk(p, t, p.Note(at, text, nil))
	if err := m.publish(tk); err != nil {
		return err
	}
	if slices.Contains(m.cast.stars, p) {
		m.pileOn(tk, at)
	}
	return nil
}

// pileOn lets many strangers answer a star, as long as such crowds send at most a
// tenth of all events.
func (m *maker) pileOn(target *talk, at time.Time) {
	n := 12 + m.rng.IntN(28)
	if m.rng.IntN(8) == 0 {
		n *= 8
	}
	n = min(n, m.o.Events/60)
	if m.piled += n; m.piled > m.made/10 {
		m.piled -= n
		return
	}
	for i := range n {
		fan := actor.Pick(m.rng, m.cast.strangers)
		when := at.Add(time.Duration(20+m.rng.ExpFloat64()*7000) * time.Second)
		if i%4 == 0 {
			m.later(when, func(at time.Time) error { return m.answer(fan, target, at, nil) })
			continue
		}
		m.later(when, func(at time.Time) error {
			return m.send(fan.Actor, fan.React(at, target.Post, actor.Taste(m.rng)))
		})
	}
}

// someone finds a recent post and a person who may take it up.
func (m *maker) someone() (*citizen, *talk) {
	for range 20 {
		t := m.glance()
		if t == nil {
			return nil, nil
		}
		if p := m.cast.anyone(m.rng); p != t.writer && t.thread.admits(p) {
			return p, t
		}
	}
	return nil, nil
}

// glance picks a recent post, the newer ones more often.
func (m *maker) glance() *talk {
	if len(m.recent) == 0 {
		return nil
	}
	back := int(m.rng.ExpFloat64() * 120)
	return m.recent[max(0, len(m.recent)-1-min(back, memory-1))]
}

func (m *maker) doReply(at time.Time) error {
	p, target := m.someone()
	if p == nil {
		return nil
	}
	if err := m.answer(p, target, at, nil); err != nil {
		return err
	}
	// The answered person always may answer back: author or already a taker.
	if m.rng.Float64() < m.r.dialogue {
		m.dialogue(m.recent[len(m.recent)-1], target.writer, p, at)
	}
	return nil
}

// dialogue lets two people answer each other in turn for a while.
func (m *maker) dialogue(last *talk, a, b *citizen, at time.Time) {
	turns := 3 + m.rng.IntN(16)
	for range turns {
		at = at.Add(time.Duration(60+m.rng.ExpFloat64()*900) * time.Second)
		speaker := a
		m.later(at, func(at time.Time) error {
			if err := m.answer(speaker, last, at, nil); err != nil {
				return err
			}
			last = m.recent[len(m.recent)-1]
			return nil
		})
		a, b = b, a
	}
}

// answer publishes p's reply to target, with the words of must in it.
func (m *maker) answer(p *citizen, target *talk, at time.Time, must []string) error {
	text := p.lang.sentence(m.rng, target.topic.words[p.lang], must)
	if m.rng.IntN(3) == 0 {
		text = p.lang.join(text, p.lang.sentence(m.rng, nil, nil))
	}
	target.thread.take(p)
	return m.publish(&talk{
		Post: p.Reply(at, target.Post, text, nil), writer: p, topic: target.topic, thread: target.thread,
	})
}

func (m *maker) doLike(at time.Time) error {
	// Of two posts the one that begins a thread is more likely to be liked.
	t, u := m.glance(), m.glance()
	if t == nil {
		return nil
	}
	if t.Root != nil {
		t = u
	}
	p := m.cast.anyone(m.rng)
	if p == t.writer {
		return nil
	}
	return m.send(p.Actor, p.React(at, t.Post, actor.Taste(m.rng)))
}

func (m *maker) doRepost(at time.Time) error {
	p, target := m.someone()
	if p == nil {
		return nil
	}
	return m.passOn(p, target, at)
}

func (m *maker) passOn(p *citizen, target *talk, at time.Time) error {
	e, err := p.Repost(at, target.Post)
	if err != nil {
		return err
	}
	target.thread.take(p)
	return m.send(p.Actor, e)
}

func (m *maker) doQuote(at time.Time) error {
	p, target := m.someone()
	if p == nil {
		return nil
	}
	return m.quote(p, target, at, nil)
}

func (m *maker) quote(p *citizen, target *talk, at time.Time, must []string) error {
	text := p.lang.sentence(m.rng, target.topic.words[p.lang], must)
	target.thread.take(p)
	link, tags := target.Link()
	return m.publish(m.newTalk(p, target.topic, p.Note(at, text+"\n\n"+link, tags)))
}

func (m *maker) doZap(at time.Time) error {
	t, p := m.glance(), m.cast.anyone(m.rng)
	if t == nil || t.writer == p {
		return nil
	}
	sats := []int64{21, 21, 42, 100, 210, 500, 1000, 2100, 5000, 21000}[m.rng.IntN(1+m.rng.IntN(10))]
	e, err := m.wallet.ZapReceipt(at, p.Actor, t.Post, sats, "")
	if err != nil {
		return err
	}
	return m.send(m.wallet, e)
}

func (m *maker) doEdit(at time.Time) error {
	p := m.cast.anyone(m.rng)
	e, err := p.Profile(at, p.lang.sentence(m.rng, p.topics[0].words[p.lang], nil))
	if err != nil {
		return err
	}
	return m.send(p.Actor, e)
}

// doDelete takes a post back that began a thread nobody took up.
func (m *maker) doDelete(at time.Time) error {
	for range 20 {
		t := m.glance()
		if t == nil || t.Root != nil || t.thread.plot != nil || len(t.thread.takers) > 0 || t == m.recent[len(m.recent)-1] {
			continue
		}
		return m.send(t.By, t.By.Remove(at, t.Post, ""))
	}
	return nil
}
