package app

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
)

func TestFetchingStopsWhileTheDiskIsNearlyFullAndGoesOnByItself(t *testing.T) {
	c := newCircle("ada", "ben")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.notes(t, 5), c.follows(t, 2, time.Hour))...)
	a := c.reading(t, config.Locate(t.TempDir(), ""), server.URL)
	defer closeApp(t, a)
	var free atomic.Int64
	free.Store(live.LeastFree - 1)
	a.opt.freeSpace = func(string) (int64, error) { return free.Load(), nil }
	a.Live().Start()
	testkit.Eventually(t, "it says that there is too little room", func() bool {
		s := a.Live().Status()
		return s.Stage == live.StageWaiting && s.Trouble == live.TroubleStore && errors.Is(s.Err, ndb.ErrNoSpace)
	})
	if n := countNotes(t, a); n != 0 || server.Dials() != 0 {
		t.Errorf("%d notes were fetched, %d times a relay was asked", n, server.Dials())
	}
	free.Store(live.LeastFree)
	a.Live().Retry()
	testkit.Eventually(t, "it is live", a.isLive)
	if n := countNotes(t, a); n != 10 {
		t.Errorf("%d notes", n)
	}
	free.Store(live.LeastFree - 1) // while it runs
	server.Publish(c.people[0].Event(t, 1, time.Now().Unix(), "the last straw"))
	testkit.Eventually(t, "it stops", func() bool { return errors.Is(a.Live().Status().Err, ndb.ErrNoSpace) })
}
