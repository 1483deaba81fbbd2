package sample

import (
	"errors"
	"iter"
	"slices"
	"testing"
	"time"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// The kinds that are looked at.
const (
	kindProfile  = 0
	kindNote     = 1
	kindContacts = 3
	kindDelete   = 5
	kindRepost   = 6
	kindReaction = 7
	kindGeneric  = 16
	kindComment  = 1111
	kindZap      = 9735
	kindMutes    = 10000
	kindRelays   = 10002
	kindArticle  = 30023
)

// noon is a moment in the middle of a day; the sample may not depend on which.
func noon() time.Time { return time.Date(2026, 2, 11, 12, 0, 0, 0, time.UTC) }

// remembered are the samples that tests made: signing one takes seconds under the
// race detector, and tests only read them.
var remembered = map[time.Time]*World{}

// skipWhenShort skips a test that makes another world than the one that most look at.
// Each takes thousands of signatures, one after the other, in which a race detector
// has nothing to find.
func skipWhenShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("another world takes thousands of signatures")
	}
}

// everyFew yields what is verified of events: all, or a part where time is short.
func everyFew(events []*nostr.Event) iter.Seq[*nostr.Event] {
	step := 1
	if testing.Short() {
		step = 10
	}
	return func(yield func(*nostr.Event) bool) {
		for i := 0; i < len(events); i += step {
			if !yield(events[i]) {
				return
			}
		}
	}
}

func makeSample(t *testing.T, now time.Time) *World {
	t.Helper()
	if remembered[now] == nil {
		w, err := Make(Options{Now: now, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		remembered[now] = w
	}
	return remembered[now]
}

func byKind(events []*nostr.Event) map[uint16][]*nostr.Event {
	kinds := make(map[uint16][]*nostr.Event)
	for _, e := range events {
		kinds[e.Kind] = append(kinds[e.Kind], e)
	}
	return kinds
}

func TestPeopleWriteWhereTheOptionsSay(t *testing.T) {
	skipWhenShort(t)
	w, err := Make(Options{Now: noon(), Seed: 1, Relays: func(handle string) []string { return []string{"wss://" + handle + ".example"} }})
	if err != nil {
		t.Fatal(err)
	}
	lists := map[nostr.PubKey]nostr.Tags{}
	for _, e := range byKind(w.Events)[kindRelays] {
		lists[e.PubKey] = e.Tags
	}
	for _, p := range w.People {
		if list := lists[p.PubKey]; len(list) != 1 || list[0][1] != "wss://"+p.Handle+".example" {
			t.Errorf("%s: %v", p.Handle, list)
		}
	}
}

func TestEveryEventOfTheSampleVerifies(t *testing.T) {
	w := makeSample(t, noon())
	seen := make(map[nostr.ID]bool)
	for e := range everyFew(w.Events) {
		if err := e.Verify(); err != nil {
			t.Errorf("kind %d %q: %v", e.Kind, e.Content, err)
		}
		if seen[e.ID] {
			t.Errorf("kind %d %q stands twice", e.Kind, e.Content)
		}
		seen[e.ID] = true
	}
}

func TestTheSampleHasWhatTheProgramMustShow(t *testing.T) {
	w := makeSample(t, noon())
	if n := len(w.Events); n < 1800 || n > 2300 {
		t.Errorf("%d events, want about 2,000", n)
	}
	if n := len(w.People); n < 55 || n > 65 {
		t.Errorf("%d people, want about 60", n)
	}
	kinds := byKind(w.Events)
	for _, want := range []struct {
		kind uint16
		min  int
	}{
		{kindProfile, 56},
		{kindNote, 340},
		{kindContacts, 56},
		{kindDelete, 1},
		{kindRepost, 80},
		{kindReaction, 600},
		{kindGeneric, 2},
		{kindComment, 4},
		{kindZap, 60},
		{kindMutes, 1},
		{kindRelays, 55},
		{kindArticle, 3},
	} {
		if n := len(kinds[want.kind]); n < want.min {
			t.Errorf("%d events of kind %d, want at least %d", n, want.kind, want.min)
		}
	}
	followed := 0
	for _, p := range w.People {
		if p.Followed {
			followed++
		}
	}
	if followed < 42 || followed > 48 {
		t.Errorf("%d people followed, want about 45", followed)
	}
}

func TestTheSameDayAndSeedGiveTheSameEvents(t *testing.T) {
	skipWhenShort(t)
	early, late := makeSample(t, noon()), makeSample(t, noon().Add(9*time.Hour))
	same := slices.EqualFunc(early.Events, late.Events[:len(early.Events)], func(a, b *nostr.Event) bool {
		return a.ID == b.ID && a.Sig == b.Sig
	})
	if !same {
		t.Error("a later hour of the day changed earlier events")
	}
	if len(late.Events) == len(early.Events) {
		t.Error("nine more hours brought nothing")
	}
	other := makeSample(t, noon().Add(24*time.Hour))
	ids := make(map[nostr.ID]bool)
	for _, e := range early.Events {
		ids[e.ID] = true
	}
	for _, e := range other.Events {
		if ids[e.ID] {
			t.Fatalf("event of kind %d has the same id on another day", e.Kind)
		}
	}
}

func TestAnotherSeedGivesOtherKeysToTheSameTexts(t *testing.T) {
	skipWhenShort(t)
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

// What lies after the clock is left out, so the gaps of a whole day tell how old
// the newest note is at any hour of it.
func TestAtAnyHourTheNewestNoteIsLessThanThreeHoursOld(t *testing.T) {
	skipWhenShort(t)
	day := noon().Truncate(24 * time.Hour)
	w := makeSample(t, day.Add(24*time.Hour-time.Second))
	last := day.Add(-3 * time.Hour).Unix()
	notes := byKind(w.Events)[kindNote]
	for _, e := range notes {
		if gap := time.Duration(e.CreatedAt-last) * time.Second; e.CreatedAt > day.Unix() && gap > 3*time.Hour {
			t.Errorf("no note for %v before %v", gap, time.Unix(e.CreatedAt, 0).UTC())
		}
		last = e.CreatedAt
	}
	if last < day.Add(21*time.Hour).Unix() {
		t.Error("the evening is empty")
	}
}

func TestNothingLiesAfterTheClock(t *testing.T) {
	skipWhenShort(t)
	for _, hour := range []int{5, 0, 23} {
		now := noon().Truncate(24 * time.Hour).Add(time.Duration(hour) * time.Hour)
		w := makeSample(t, now)
		if last := w.Events[len(w.Events)-1]; last.CreatedAt > now.Unix() {
			t.Errorf("at %d h there is an event of %v", hour, time.Unix(last.CreatedAt, 0).UTC())
		}
	}
}

func TestMakeWithoutAClockIsAnError(t *testing.T) {
	if _, err := Make(Options{Seed: 1}); err == nil {
		t.Error("no error without a time")
	}
}

func TestAStoreTakesTheWholeSample(t *testing.T) {
	w := makeSample(t, noon())
	s, err := ndb.Open(t.TempDir(), ndb.Options{Now: noon})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	results, err := s.Put(t.Context(), ndb.Batch{Events: w.Events})
	if err != nil {
		t.Fatal(err)
	}
	outcomes := make(map[ndb.Outcome]int)
	for i, r := range results {
		outcomes[r.Outcome]++
		if r.Outcome == ndb.Invalid || r.Hidden {
			t.Errorf("event %s of kind %d: %+v", w.Events[i].ID, w.Events[i].Kind, r)
		}
	}
	if outcomes[ndb.Expired] != 1 {
		t.Errorf("outcomes are %v, want one expired", outcomes)
	}
	follows, err := s.Contacts(t.Context(), w.Me)
	if err != nil || len(follows) < 42 {
		t.Errorf("I follow %d people: %v", len(follows), err)
	}
	gone := byKind(w.Events)[kindDelete][0]
	target, _ := gone.Tags.Value("e")
	id, err := nostr.ParseID(target)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Event(t.Context(), id); !errors.Is(err, ndb.ErrNotFound) {
		t.Errorf("the deleted note is still there: %v", err)
	}
}
