package app

import (
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

func TestADayHasOneMomentForItsDigestAlsoWhenTheClockIsPut(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	// The clock goes forward on 29 March 2026 at 2:00 and back on 25 October at 3:00.
	for _, start := range []time.Time{
		time.Date(2026, 3, 27, 0, 0, 0, 0, berlin), time.Date(2026, 10, 23, 0, 0, 0, 0, berlin),
	} {
		for _, clock := range [][2]int{{0, 0}, {2, 0}, {2, 30}, {3, 0}, {8, 0}, {23, 59}} {
			moments := map[string][]time.Time{}
			var last time.Time
			for now := start; now.Before(start.AddDate(0, 0, 4)); now = now.Add(time.Minute) {
				due := dueSince(now, clock[0], clock[1])
				if due.After(now) {
					t.Fatalf("%v: due at %v, which is ahead", now, due)
				}
				if !due.Equal(last) && !last.IsZero() {
					if due.Before(last) {
						t.Fatalf("%v: due at %v, before it was at %v", now, due, last)
					}
					day := due.Format(time.DateOnly)
					moments[day] = append(moments[day], due)
				}
				last = due
			}
			for day, at := range moments {
				if len(at) != 1 {
					t.Errorf("%02d:%02d on %s: %v", clock[0], clock[1], day, at)
				}
			}
			if len(moments) < 3 {
				t.Errorf("%02d:%02d: only the days %v", clock[0], clock[1], moments)
			}
		}
	}
}

func TestTheDailyDigestIsMadeOnceADayAndMadeUpForAtTheNextStart(t *testing.T) {
	c := &clock{time.Date(2026, 5, 4, 15, 0, 0, 0, time.UTC)}
	places := config.Locate(t.TempDir(), "")
	a := open(t, Options{Places: places, Now: c.time, Zone: time.UTC})
	due := func() bool {
		t.Helper()
		d, err := a.DigestDue(t.Context(), c.now)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if due() {
		t.Error("it is due though nobody asked for it")
	}
	if err := a.SaveSettings(func(s *config.Settings) { s.Digest = config.Digest{Daily: true, At: "08:00"} }); err != nil {
		t.Fatal(err)
	}
	steps := []struct {
		name string
		at   time.Time
		want bool
		made bool // it is then made
	}{
		{"the afternoon on which it was chosen", c.now, false, false},
		{"before its time", time.Date(2026, 5, 5, 7, 59, 0, 0, time.UTC), false, false},
		{"its time", time.Date(2026, 5, 5, 8, 0, 0, 0, time.UTC), true, true},
		{"later that day", time.Date(2026, 5, 5, 23, 0, 0, 0, time.UTC), false, false},
		{"a start after three days away", time.Date(2026, 5, 9, 6, 0, 0, 0, time.UTC), true, true},
		{"two hours later, at its time", time.Date(2026, 5, 9, 8, 0, 0, 0, time.UTC), false, false},
		{"the day after", time.Date(2026, 5, 10, 8, 0, 0, 0, time.UTC), true, true},
		{"a minute later", time.Date(2026, 5, 10, 8, 1, 0, 0, time.UTC), false, false},
	}
	for _, s := range steps {
		c.now = s.at
		if got := due(); got != s.want {
			t.Errorf("%s: due %v", s.name, got)
		}
		if s.made {
			if err := a.DigestMade(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	settings, err := config.Load(places.Settings)
	if err != nil {
		t.Fatal(err)
	}
	a = open(t, Options{Places: places, Settings: settings, Now: c.time, Zone: time.UTC})
	if due() {
		t.Error("it is due again after a start on the same day")
	}
}

// storedAs reads events as they are put into a store.
func storedAs(t *testing.T, raw ...[]byte) (all []*nostr.Event) {
	t.Helper()
	for _, r := range raw {
		all = append(all, parsed(t, r))
	}
	return all
}

func TestADigestNeedsNotesOfSomebodyElse(t *testing.T) {
	c := newCircle("ada", "ben")
	list := storedAs(t, c.follows(t, 2, time.Hour))
	notes := storedAs(t, c.notes(t, 1)...)
	for name, tc := range map[string]struct {
		events []*nostr.Event
		want   bool
	}{
		"nothing is stored":           {nil, false},
		"notes, but nobody followed":  {notes, false},
		"somebody followed, no notes": {list, false},
		"notes of somebody followed":  {append(notes, list...), true},
	} {
		a := c.reading(t, config.Locate(t.TempDir(), ""), "wss://relay.invalid")
		if _, err := a.notes.Put(t.Context(), ndb.Batch{Events: tc.events}); err != nil {
			t.Fatal(err)
		}
		if got, err := a.HasNotes(t.Context()); err != nil || got != tc.want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		closeApp(t, a)
	}
}

// TestWhatTheClockAsksIsNoVisit: whoever comes after the daily digest is told what is
// new since they were here themselves.
func TestWhatTheClockAsksIsNoVisit(t *testing.T) {
	c := &clock{time.Date(2026, 5, 4, 20, 0, 0, 0, time.UTC)}
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Sample: true, Now: c.time})
	if _, err := a.Visit(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := c.now
	for _, unattended := range []bool{true, false} {
		c.now = c.now.Add(12 * time.Hour)
		answer, err := a.Ask(t.Context(), Question{Text: "What did I miss since yesterday?", Unattended: unattended})
		if err != nil {
			t.Fatal(err)
		}
		for range answer.Events {
		}
		got, err := a.LastVisit(t.Context())
		if err != nil || !got.Equal(want) {
			t.Errorf("unattended %v: last here at %v, want %v (%v)", unattended, got, want, err)
		}
	}
}
