package notesync_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
)

func TestAfterARelayBrokeOffNothingFalseIsClaimedAndTheNextRunFetchesTheRest(t *testing.T) {
	w := smallWorld(t, 2)
	now := time.Now().Unix()
	want := feedOf(t, w.Events, followed(w), now-10*24*3600, now)
	for _, sent := range []int{0, 1, 30, 45, 80, 150} {
		server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Page: 25}, asJSON(w.Events)...)
		server.BreakAfter(sent)
		s := openStore(t)
		opt := options(s, w.Me, server.URL)
		sum, err := notesync.Run(t.Context(), opt)
		if err == nil && sum.Complete == sum.People {
			t.Errorf("broken after %d events: all is called complete", sent)
		}
		wantTrue(t, s, server.URL, want)
		server.Start()
		if sum := mustRun(t, opt); sum.Complete != 12 {
			t.Errorf("broken after %d events: %+v after the next run", sent, sum)
		}
		wantAll(t, s, want)
	}
}

func TestARealRelayKilledInTheMiddleLosesNothing(t *testing.T) {
	w := smallWorld(t, 3)
	server := testkit.StartNPMRelay(t, 3) // pages of 30, so that there is a middle
	server.Publish(t, asJSON(w.Events)...)
	held := heldBy(t, server.URL, followed(w), feedKinds, 10)
	spoken := referredTo(held, everything(t, server.URL, nostr.Filter{}))
	s := openStore(t)
	opt := options(s, w.Me, server.URL)
	kill := make(chan struct{})
	var once atomic.Bool
	opt.Progress = func(p notesync.Progress) {
		if p.Stage == "notes" && p.Stored > 60 && once.CompareAndSwap(false, true) {
			close(kill)
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		<-kill
		server.Kill()
	}()
	sum, err := notesync.Run(t.Context(), opt)
	if !once.Load() {
		t.Fatalf("it ended before the relay was killed: %+v, %v; the test has lost its meaning", sum, err)
	}
	testkit.Receive(t, "the relay's death", done)
	t.Logf("killed: %+v, %v", sum, err)
	wantTrue(t, s, server.URL, held)
	server.Start(t)
	opt.Progress = nil
	if sum := mustRun(t, opt); sum.Complete != 12 {
		t.Errorf("%+v after the next run, want all 12 complete", sum)
	}
	wantAll(t, s, held)
	wantAll(t, s, spoken)
}

func TestARunThatIsStoppedAnywhereIsTakenUpWhereItWas(t *testing.T) {
	w := smallWorld(t, 4)
	now := time.Now().Unix()
	want := feedOf(t, w.Events, followed(w), now-10*24*3600, now)
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Page: 20}, asJSON(w.Events)...)
	s := openStore(t)
	opt := options(s, w.Me, server.URL)
	rng := rand.New(rand.NewPCG(7, 7))
	stopped := 0
	for range 12 {
		ctx, cancel := context.WithCancel(t.Context())
		left := 1 + rng.IntN(40)
		opt.Progress = func(notesync.Progress) {
			if left--; left == 0 {
				cancel()
			}
		}
		if _, err := notesync.Run(ctx, opt); errors.Is(err, context.Canceled) {
			stopped++
		} else if err != nil {
			t.Fatal(err)
		}
		cancel()
		wantTrue(t, s, server.URL, want)
	}
	if stopped < 3 {
		t.Errorf("only %d of 12 runs were stopped: the test has lost its meaning", stopped)
	}
	opt.Progress = nil
	mustRun(t, opt)
	wantAll(t, s, want)

	// All is known now, so that only the newest minutes are asked for again.
	before := len(server.REQs())
	end := time.Now().Unix()
	mustRun(t, opt)
	asked := filters(t, server.REQs()[before:])
	for _, f := range asked {
		if f.Since != nil && *f.Since < end-2*15*60-60 {
			t.Errorf("asked again from %d, %d s before the end of the last run", *f.Since, end-*f.Since)
		}
	}
	if len(asked) > 20 {
		t.Errorf("%d questions for nothing new", len(asked))
	}
}

// TestNoWindowIsAskedForTwice counts: windows whose page came whole are in the
// ledger when a run is stopped right after, and are not asked for again.
func TestNoWindowIsAskedForTwice(t *testing.T) {
	c := newCircle(t, "ada")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.lists, c.notes...)...)
	s := openStore(t)
	opt := options(s, c.reader(t), server.URL)
	opt.Days = 200
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	opt.Progress = func(p notesync.Progress) {
		if p.Stage == "notes" && p.Filled == p.Windows/5 {
			cancel()
		}
	}
	if _, err := notesync.Run(ctx, opt); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v, want that it was stopped", err)
	}
	first := len(server.REQs())
	opt.Progress = nil
	mustRun(t, opt)
	type window struct{ since, until int64 }
	feeds := func(reqs []string) map[window]bool {
		found := map[window]bool{}
		for _, f := range filters(t, reqs) {
			if len(f.Authors) > 0 && f.Since != nil && f.Until != nil && *f.Until < time.Now().Unix()-2*24*3600 {
				found[window{*f.Since, *f.Until}] = true
			}
		}
		return found
	}
	before, after := feeds(server.REQs()[:first]), feeds(server.REQs()[first:])
	if len(before) == 0 || len(after) == 0 {
		t.Fatalf("%d windows before, %d after: the test has lost its meaning", len(before), len(after))
	}
	again := 0
	for w := range after {
		if before[w] {
			again++
		}
	}
	if again > 4 { // what was under way when it was stopped
		t.Errorf("%d of %d windows were asked for again", again, len(before))
	}
}
