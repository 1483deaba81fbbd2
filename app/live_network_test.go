package app

import (
	"testing"
	"time"

	"bowerbird/app/builtin"
	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/internal/testkit"
)

func TestStartedOfflineItWaitsAndIsTakenUpWhenTheRelayIsThere(t *testing.T) {
	c := newCircle("ada", "ben")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.notes(t, 5), c.follows(t, 2, time.Hour))...)
	server.Stop()
	a := c.reading(t, config.Locate(t.TempDir(), ""), server.URL)
	defer closeApp(t, a)
	a.Live().Start()
	testkit.Eventually(t, "it says that it is offline", func() bool {
		s := a.Live().Status()
		return s.Stage == live.StageWaiting && s.Offline && s.Trouble == live.TroubleNet && s.Err != nil && !s.NextTry.IsZero()
	})
	if f := fetching(a.Live().Status()); f != builtin.FetchOffline {
		t.Errorf("an answer is told that fetching is %v", f)
	}
	server.Start()
	a.Live().Retry()
	testkit.Eventually(t, "it is live", a.isLive)
	if s := a.Live().Status(); s.Offline || s.Trouble != live.NoTrouble || countNotes(t, a) != 10 {
		t.Errorf("%+v, %d notes", s, countNotes(t, a))
	}
}
