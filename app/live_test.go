package app

import (
	"context"
	"sync"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/internal/testkit"
)

func TestTheFirstSyncOnlyGoesForwardsAndIsRemembered(t *testing.T) {
	c := newCircle("ada", "ben", "cleo", "dora")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Page: 10}, append(c.notes(t, 30), c.follows(t, 4, time.Hour))...)
	places := config.Locate(t.TempDir(), "")
	a := c.reading(t, places, server.URL)
	var mu sync.Mutex
	var seen []live.Status
	first := a.Live() // a is another one further down, and may be told of this one still
	first.OnChange(func() {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, first.Status())
	})
	first.Start()
	first.Start() // does nothing
	testkit.Eventually(t, "it is live", a.isLive)
	testkit.Eventually(t, "all is there", func() bool { return countNotes(t, a) == 120 })
	end := a.Live().Status()
	if end.Connected != 1 || end.Relays != 1 || end.Offline || end.LastSync.IsZero() || end.First || end.Share != 1 || end.PeopleDone != 4 {
		t.Errorf("live: %+v", end)
	}
	a.Live().Stop()
	if s := a.Live().Status(); s.Stage != live.StageStopped || s.Connected != 0 || s.LastSync.IsZero() {
		t.Errorf("stopped: %+v", s)
	}
	mu.Lock()
	var last live.Status
	for _, s := range seen {
		if s.Share < last.Share || s.PeopleDone < last.PeopleDone {
			t.Errorf("it went back: %+v after %+v", s, last)
		}
		last = s
	}
	if len(seen) == 0 {
		t.Error("nothing was told")
	}
	mu.Unlock()
	closeApp(t, a)

	a = c.reading(t, places, server.URL)
	defer closeApp(t, a)
	a.Live().Start()
	testkit.Eventually(t, "it is live again", func() bool {
		if a.Live().Status().First {
			t.Fatal("the second start is called the first")
		}
		return a.isLive()
	})
	if s := a.Live().Status(); s.LastSync.IsZero() || countNotes(t, a) != 120 {
		t.Errorf("nothing was new: %+v, %d notes", s, countNotes(t, a))
	}
}

func TestClosedInTheMiddleItGoesOnWhereItWas(t *testing.T) {
	c := newCircle("ada", "ben", "cleo")
	everything := append(c.notes(t, 60), c.follows(t, 3, time.Hour))
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Page: 7}, everything...)
	places := config.Locate(t.TempDir(), "")
	for i, at := range []int{5, 40, 90} {
		a := c.reading(t, places, server.URL)
		a.Live().Start()
		testkit.Eventually(t, "some came", func() bool { return countNotes(t, a) >= at })
		before := countNotes(t, a)
		closeApp(t, a) // while it fetches
		a = c.reading(t, places, server.URL)
		if now := countNotes(t, a); now < before {
			t.Errorf("round %d: %d notes, there were %d", i, now, before)
		}
		closeApp(t, a)
	}
	a := c.reading(t, places, server.URL)
	defer closeApp(t, a)
	a.Live().Start()
	testkit.Eventually(t, "it is live", a.isLive)
	if n := countNotes(t, a); n != 180 {
		t.Errorf("%d notes of 180", n)
	}
	cov, err := a.Live().Coverage(t.Context())
	if err != nil || cov.Complete != 3 || len(cov.People) != 3 {
		t.Errorf("%+v, %v", cov, err)
	}
}

func TestTheSampleFetchesNothingAndSaysSo(t *testing.T) {
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Sample: true})
	saysSo := func() bool { return a.Live().Status().Stage == live.StageSample }
	if !saysSo() { // the window never starts it
		t.Errorf("before it was started it says %s", a.Live().Status().Stage)
	}
	a.Live().Start()
	testkit.Eventually(t, "it says so", saysSo)
	cov, err := a.Live().Coverage(t.Context())
	if err != nil || len(cov.People) < 10 || cov.Complete != len(cov.People) || cov.People[0].Last.After(time.Now()) {
		t.Errorf("%d of %d, %v", cov.Complete, len(cov.People), err)
	}
	a.Live().Retry()
	a.Live().RetryPeople(context.Background(), a.Me())
	a.Live().Stop()
	if !saysSo() {
		t.Errorf("stopped it says %s", a.Live().Status().Stage)
	}
}
