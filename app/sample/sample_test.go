package sample

import (
	"slices"
	"testing"
	"time"

	"bowerbird/ndb"
)

// noon is a moment in the middle of a day; the sample may not depend on which.
func noon() time.Time { return time.Date(2026, 2, 11, 12, 0, 0, 0, time.UTC) }

func makeSample(t testing.TB, now time.Time) *World {
	t.Helper()
	w, err := Make(Options{Now: now, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func byKind(events []*ndb.Event) map[uint16][]*ndb.Event {
	kinds := make(map[uint16][]*ndb.Event)
	for _, e := range events {
		kinds[e.Kind] = append(kinds[e.Kind], e)
	}
	return kinds
}

func TestEveryEventOfTheSampleVerifies(t *testing.T) {
	w := makeSample(t, noon())
	seen := make(map[ndb.ID]bool)
	for _, e := range w.Events {
		if err := e.Verify(); err != nil {
			t.Errorf("kind %d %q: %v", e.Kind, e.Content, err)
		}
		if seen[e.ID] {
			t.Errorf("kind %d %q stands twice", e.Kind, e.Content)
		}
		seen[e.ID] = true
	}
}

func TestAnotherSeedGivesOtherKeysToTheSameTexts(t *testing.T) {
	a := makeSample(t, noon())
	b, err := Make(Options{Now: noon(), Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	if a.Me == b.Me {
		t.Error("two seeds share a key")
	}
	texts := func(w *World) []string {
		var out []string
		for _, e := range byKind(w.Events)[kindArticle] {
			out = append(out, e.Content)
		}
		return out
	}
	if !slices.Equal(texts(a), texts(b)) {
		t.Error("two seeds have different articles")
	}
}

func TestMakeWithoutAClockIsAnError(t *testing.T) {
	if _, err := Make(Options{Seed: 1}); err == nil {
		t.Error("no error without a time")
	}
}
