package builtin_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"bowerbird/internal/testworld"
	"bowerbird/ndb/nostr"
)

// told counts the planted facts that a list of notes brings up: one of the notes
// tells the fact or takes it up in its words.
func told(w *testworld.World, ids []string) int {
	byID := map[string]*nostr.Event{}
	for _, e := range w.Events {
		byID[e.ID.String()] = e
	}
	n := 0
	for _, f := range w.Planted {
		if slices.ContainsFunc(ids, func(id string) bool {
			return slices.ContainsFunc(f.Events, func(fe nostr.ID) bool { return fe.String() == id }) && mentions(byID[id], f.Terms)
		}) {
			n++
		}
	}
	return n
}

func mentions(e *nostr.Event, terms []string) bool {
	return slices.ContainsFunc(terms, func(t string) bool { return strings.Contains(strings.ToLower(e.Content), strings.ToLower(t)) })
}

// followedNotes are the kind 1 notes by people followed, newest first.
func followedNotes(w *testworld.World) []*nostr.Event {
	followed := map[nostr.PubKey]bool{}
	for _, p := range w.People {
		followed[p.PubKey] = p.Followed
	}
	var out []*nostr.Event
	for _, e := range w.Events {
		if e.Kind == 1 && followed[e.PubKey] {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b *nostr.Event) int { return cmp.Compare(b.CreatedAt, a.CreatedAt) })
	return out
}

func newest(w *testworld.World, n int) []string {
	return firstIDs(followedNotes(w), n)
}

// mostAnswered are the notes by people followed with most replies, whoever wrote them.
func mostAnswered(w *testworld.World, n int) []string {
	replies := map[nostr.ID]int{}
	for _, e := range w.Events {
		if r, ok := nostr.ReplyTo(e); ok && e.Kind == 1 {
			replies[r.Root]++
		}
	}
	notes := followedNotes(w)
	slices.SortStableFunc(notes, func(a, b *nostr.Event) int { return cmp.Compare(replies[b.ID], replies[a.ID]) })
	return firstIDs(notes, n)
}

func firstIDs(es []*nostr.Event, n int) []string {
	var ids []string
	for _, e := range es[:min(len(es), n)] {
		ids = append(ids, e.ID.String())
	}
	return ids
}

func TestADigestFindsWhatWasPlanted(t *testing.T) {
	if testing.Short() {
		t.Skip("makes and reads ten worlds: not beside the race detector")
	}
	for i, shape := range testworld.Shapes() {
		t.Run(shape.String(), func(t *testing.T) {
			w, err := testworld.Make(testworld.Options{Seed: uint64(100 + i), Now: noon, Shape: shape, Planted: 10, Events: 2000, People: 140})
			if err != nil {
				t.Fatal(err)
			}
			r := newReader(t, w.Me, noon, w.Events)
			a := r.ask(t, "What did I miss in the last 7 days?")
			found, new, answered := told(w, a.notes), told(w, newest(w, len(a.notes))), told(w, mostAnswered(w, len(a.notes)))
			t.Logf("of %d facts: %d found with %d notes; the newest have %d, the most answered %d", len(w.Planted), found, len(a.notes), new, answered)
			if found*10 < len(w.Planted)*9 {
				t.Errorf("%d of %d facts found", found, len(w.Planted))
			}
			checkQuotes(t, r, a)
			if found < 2*new {
				t.Errorf("%d facts found, the newest notes have %d", found, new)
			}
		})
	}
}
