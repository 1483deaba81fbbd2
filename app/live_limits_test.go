package app

import (
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/internal/testkit"
)

// The clocks of the relay and of the program go a hundred times as fast as that on
// the wall.
func TestOfARelayThatLimitsQuestionsItIsToldHowLongItTakes(t *testing.T) {
	began := time.Now()
	now := func() time.Time { return began.Add(100 * time.Since(began)) }
	c := newCircle("ada", "ben", "cleo")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Page: 8, Rate: testkit.Rate{Most: 20, More: 20, Now: now}}, append(c.notes(t, 300), c.follows(t, 3, time.Hour))...)
	a := open(t, Options{
		Places: config.Locate(t.TempDir(), ""), As: c.me.PubKey, AllowPrivate: true, sleep: hurry, Now: now,
		Settings: config.Settings{Sync: config.Sync{Relays: []string{server.URL}, Indexers: []string{server.URL}}},
	})
	a.Live().Start()
	testkit.Eventually(t, "it is told how long it takes", func() bool {
		s := a.Live().Status()
		return s.Limited == server.URL && s.Left > 0 && s.PerMinute > 0 && s.PerMinute < 100
	})
	testkit.Eventually(t, "the relay is told to be the one", func() bool {
		states, err := a.Live().Relays(t.Context())
		return err == nil && len(states) == 1 && states[0].Left > 0 && states[0].PerMinute > 0
	})
	a.Live().Stop()
	if s := a.Live().Status(); s.Limited != "" || s.PerMinute != 0 {
		t.Errorf("stopped: %+v", s)
	}
}
