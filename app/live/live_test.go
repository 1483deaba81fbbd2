package live

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/notesync"
	"bowerbird/app/state"
	"bowerbird/app/upkeep"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

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
			l := New(Options{Logger: slog.New(slog.DiscardHandler), NetworkEvery: time.Millisecond, Addresses: func() string {
				if asked.Add(1) == 1 {
					return tc.before
				}
				return tc.after
			}})
			kick := l.Anew()
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

func TestAnEstimateCountsDownAndDoesNotJump(t *testing.T) {
	now := time.Date(2026, 5, 4, 8, 0, 0, 0, time.UTC)
	var e estimate
	if got := e.at(now); got != 0 {
		t.Errorf("before anything is known: %v", got)
	}
	last := time.Duration(0)
	// A tenth every second, but for a pause in the middle.
	parts := []float64{0, .1, .2, .3, .4, .4, .4, .4, .5, .6, .7, .8, .9, 1}
	for i, part := range parts {
		e.update(part, now)
		got := e.at(now)
		if i >= 2 && got == 0 {
			t.Errorf("after %d s: nothing", i)
		}
		if last > 0 && (got-last).Abs() > 5*time.Second {
			t.Errorf("after %d s: %v, a second before %v", i, got, last)
		}
		last = got
		now = now.Add(time.Second)
	}
}

func TestAFirstSyncIsRememberedForWhomItWas(t *testing.T) {
	store, err := ndb.Open(t.TempDir(), ndb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	remembered := state.New(store.Bucket(state.Bucket), true)
	keeper, err := upkeep.New(t.Context(), upkeep.Options{State: remembered})
	if err != nil {
		t.Fatal(err)
	}
	before, now := nostr.PubKey{1}, nostr.PubKey{2}
	l := New(Options{State: remembered, Upkeep: keeper, Now: time.Now, Syncing: new(atomic.Bool), Me: func() nostr.PubKey { return now }})
	l.change(func(s *liveState) { s.begin(before, true, 7) })
	l.progress(notesync.Progress{Stage: string(StageLive)}) // the last word of the session of the one before
	if got, err := l.Synced(t.Context()); err != nil || !slices.Equal(got, []nostr.PubKey{before}) {
		t.Errorf("synced are %v, %v; want the one before", got, err)
	}
}

// TestASyncAsksNoneButTheUsersOwnRelays: with none of their own, nobody is asked.
func TestASyncAsksNoneButTheUsersOwnRelays(t *testing.T) {
	store, err := ndb.Open(t.TempDir(), ndb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	me := func() nostr.PubKey { return nostr.PubKey{1} }
	remembered := state.New(store.Bucket(state.Bucket), true)
	settings := func() config.Settings { return config.Settings{Sync: config.Sync{OnlyOwn: true}} }
	keeper, err := upkeep.New(t.Context(), upkeep.Options{Notes: store, Own: store, State: remembered, Me: me, Now: time.Now, Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	l := New(Options{
		Notes: store, Own: store, State: remembered, Upkeep: keeper, Settings: settings, Me: me,
		Now: time.Now, Syncing: new(atomic.Bool), FreeSpace: func() (int64, error) { return 1 << 40, nil },
	})
	if _, err := l.Sync(t.Context(), SyncOptions{Once: true}); !errors.Is(err, notesync.ErrNoRelays) {
		t.Errorf("it ended with %v, want that there is no relay to ask", err)
	}
}

func TestRelaysThatWereTriedInVainAreToldUntilTheNextTry(t *testing.T) {
	at := func(url string, trouble notesync.Trouble) notesync.RelayState {
		return notesync.RelayState{URL: url, Trouble: trouble, Phase: notesync.Resting}
	}
	some := failedOf([]notesync.RelayState{at("a", notesync.NoTrouble), at("b", notesync.NameUnknown), at("c", notesync.Stopped)})
	if len(some) != 1 || some[0].URL != "b" || some[0].Trouble != notesync.NameUnknown || some[0].Phase != notesync.Waiting {
		t.Errorf("of three relays told is %+v", some)
	}
	all := failedOf([]notesync.RelayState{at("a", notesync.NameUnknown), at("b", notesync.NameUnknown)})
	if len(all) != 2 || all[0].Trouble != notesync.Offline || all[1].Trouble != notesync.Offline {
		t.Errorf("without a network told is %+v", all)
	}
}
