package testworld

import (
	"cmp"
	"slices"
	"testing"

	"bowerbird/ndb/nostr"
)

// reader is somebody who tells facts by simple rules: what a digest is measured
// against, and a proof that the facts can be found.
type reader struct {
	w        *World
	notes    []string // by people followed, that begin threads; oldest first
	answers  map[string]int
	followed map[string]map[nostr.PubKey]bool // who of them took a thread up
}

func newReader(w *World) *reader {
	r := &reader{w: w, answers: make(map[string]int), followed: make(map[string]map[nostr.PubKey]bool)}
	follows := make(map[nostr.PubKey]bool)
	for _, p := range w.People {
		follows[p.PubKey] = p.Followed
	}
	for _, e := range w.Events {
		target := ""
		if reply, ok := nostr.ReplyTo(e); ok {
			target = reply.Root.String()
			r.answers[reply.Parent.String()]++
		} else if quotes := nostr.Quotes(e); len(quotes) > 0 {
			target = quotes[0].String()
		} else if e.Kind == kindRepost {
			target, _ = e.Tags.Value("e")
		}
		if e.Kind == kindNote && target == "" && follows[e.PubKey] {
			r.notes = append(r.notes, e.ID.String())
		}
		if target != "" && follows[e.PubKey] {
			if r.followed[target] == nil {
				r.followed[target] = make(map[nostr.PubKey]bool)
			}
			r.followed[target][e.PubKey] = true
		}
	}
	return r
}

// best are the n notes with the highest score.
func (r *reader) best(n int, score func(id string) int) []string {
	notes := slices.Clone(r.notes)
	slices.SortStableFunc(notes, func(a, b string) int { return cmp.Compare(score(b), score(a)) })
	return notes[:n]
}

// found counts the facts that a choice of notes tells.
func (r *reader) found(ids []string) int {
	n := 0
	for _, f := range r.w.Planted {
		if slices.ContainsFunc(f.Events, func(id nostr.ID) bool { return slices.Contains(ids, id.String()) }) {
			n++
		}
	}
	return n
}

// TestFactsAreToldByWhoTookThemUpAndNotByWhatIsNewOrLoud keeps test worlds fair: who
// counts the people followed in each thread finds most facts (the others need
// their words), who takes the newest notes nearly none.
func TestFactsAreToldByWhoTookThemUpAndNotByWhatIsNewOrLoud(t *testing.T) {
	skipWhenShort(t)
	for _, shape := range []Shape{Mixed, Dialogues, Multilingual} {
		t.Run(shape.String(), func(t *testing.T) {
			w := makeWorld(t, Options{Seed: 11, Now: noon(), Events: 4000, People: 180, Followed: 45, Shape: shape, Planted: 20})
			r := newReader(w)
			n := len(w.Planted)
			newest := r.found(r.notes[len(r.notes)-n:])
			answered := r.found(r.best(n, func(id string) int { return r.answers[id] }))
			taken := r.found(r.best(n, func(id string) int { return len(r.followed[id]) }))
			t.Logf("of %d facts: newest %d, most answered %d, most taken up %d", n, newest, answered, taken)
			if newest > n/4 || answered >= taken || taken < n*3/4 {
				t.Errorf("of %d facts: newest %d, most answered %d, most taken up %d", n, newest, answered, taken)
			}
		})
	}
}
