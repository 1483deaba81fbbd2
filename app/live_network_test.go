package app

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bowerbird/app/builtin"
	"bowerbird/app/config"
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
		return s.Stage == StageWaiting && s.Offline && s.Trouble == TroubleNet && s.Err != nil && !s.NextTry.IsZero()
	})
	if f := a.Live().fetching(); f != builtin.FetchOffline {
		t.Errorf("an answer is told that fetching is %v", f)
	}
	server.Start()
	a.Live().Retry()
	testkit.Eventually(t, "it is live", a.isLive)
	if s := a.Live().Status(); s.Offline || s.Trouble != NoTrouble || countNotes(t, a) != 10 {
		t.Errorf("%+v, %d notes", s, countNotes(t, a))
	}
}

func TestAnotherNetworkEndsTheWait(t *testing.T) {
	for name, tc := range map[string]struct {
		before, after string
		ends          bool
	}{
		"one comes":     {"", "192.0.2.7/24", true},
		"another comes": {"192.0.2.7/24", "192.0.2.7/24 198.51.100.3/24", true},
		"it goes":       {"192.0.2.7/24", "", false},
		"it stays":      {"192.0.2.7/24", "192.0.2.7/24", false},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			l := &Live{listeners: map[int]func(){}, kick: make(chan struct{})}
			l.app = &App{opt: Options{Logger: slog.New(slog.DiscardHandler), networkEvery: time.Millisecond, addresses: func() string {
				if asked.Add(1) == 1 {
					return tc.before
				}
				return tc.after
			}}}
			kick := l.kicked()
			ctx, cancel := context.WithCancel(t.Context())
			var wg sync.WaitGroup
			wg.Go(func() { l.watchNetwork(ctx) })
			testkit.Eventually(t, "it is asked", func() bool { return asked.Load() > 3 })
			cancel()
			wg.Wait()
			select {
			case <-kick:
				if !tc.ends {
					t.Error("the wait ends")
				}
			default:
				if tc.ends {
					t.Error("the wait goes on")
				}
			}
		})
	}
}

func TestAWaitIsShortenedByAQuarterAtMost(t *testing.T) {
	for share, want := range map[float64]time.Duration{0: 40 * time.Second, 0.5: 35 * time.Second, 1: 30 * time.Second} {
		if got := shortened(40*time.Second, share); got != want {
			t.Errorf("by %g: %v, want %v", share, got, want)
		}
	}
}
