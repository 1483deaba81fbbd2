package app

import (
	"errors"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/live"
)

// TestInTheSampleNoRelayIsAskedAndNothingOfItHoldsForOthers: the settings are those
// of the user's own notes too.
func TestInTheSampleNoRelayIsAskedAndNothingOfItHoldsForOthers(t *testing.T) {
	places := config.Locate(t.TempDir(), "")
	a := open(t, Options{Places: places, Sample: true})
	defer closeApp(t, a)
	l, relay := a.Live(), "relay.example"
	_, added := l.AddRelay(relay)
	_, _, checked := l.CheckRelay(t.Context(), relay)
	for what, err := range map[string]error{
		"adding": added, "trying": checked, "removing": l.RemoveRelay(relay), "restoring": l.RestoreRelay(relay), "only own": l.SetOnlyOwn(true),
	} {
		if !errors.Is(err, live.ErrSample) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if s := a.Settings().Sync; s.OnlyOwn || len(s.Relays)+len(s.Without) > 0 {
		t.Errorf("the settings became %+v", s)
	}
}

// TestTheLastVisitIsTheEndOfTheSessionBefore opens the window twice within the half
// hour that is one visit otherwise.
func TestTheLastVisitIsTheEndOfTheSessionBefore(t *testing.T) {
	for name, window := range map[string]bool{"window": true, "terminal": false} {
		c := &clock{time.Date(2026, 5, 4, 20, 0, 0, 0, time.UTC)}
		places := config.Locate(t.TempDir(), "")
		visit := func() time.Time {
			t.Helper()
			a := open(t, Options{Places: places, Window: window, Now: c.time})
			defer func() {
				if err := a.Close(); err != nil {
					t.Fatal(err)
				}
			}()
			var last time.Time
			for range 2 { // coming, and going five minutes later
				var err error
				if last, err = a.Visit(t.Context()); err != nil {
					t.Fatal(err)
				}
				c.now = c.now.Add(5 * time.Minute)
			}
			return last
		}
		if last := visit(); !last.IsZero() {
			t.Errorf("%s: a first visit was preceded by one at %v", name, last)
		}
		want := time.Time{}
		if window {
			want = c.now.Add(-5 * time.Minute)
		}
		if last := visit(); !last.Equal(want) {
			t.Errorf("%s: the last visit was at %v, want %v", name, last, want)
		}
	}
}
