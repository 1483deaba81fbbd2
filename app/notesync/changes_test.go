package notesync_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
)

// changes gathers what is told of the changes of a relay.
type changes struct {
	mu   sync.Mutex
	told []notesync.RelayState
}

func (c *changes) take(p notesync.Progress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.Change != nil {
		c.told = append(c.told, *p.Change)
	}
}

// since reports whether from some point on a change was told that is as wanted.
func (c *changes) since(n int, as func(notesync.RelayState) bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.told[min(n, len(c.told)):], as)
}

func (c *changes) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.told)
}

func TestEachChangeOfARelayIsTold(t *testing.T) {
	c := newCircle(t, "ada")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.lists, c.notes...)...)
	opt := options(openStore(t), c.reader(t), server.URL)
	opt.Once = false
	var all changes
	opt.Progress = all.take
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	var sum notesync.Summary
	go func() {
		defer close(done)
		sum, _ = notesync.Run(ctx, opt)
	}()
	follows := func(st notesync.RelayState) bool {
		return st.Phase == notesync.Following && st.Connected && st.Why == ""
	}
	testkit.Eventually(t, "it is told that the relay is live", func() bool { return all.since(0, follows) })
	n := all.count()
	server.Stop()
	testkit.Eventually(t, "it is told that nobody is there", func() bool {
		return all.since(n, func(st notesync.RelayState) bool { return !st.Connected && st.Why == "nothing answers at its address" })
	})
	n = all.count()
	server.Publish(c.authors[0].Event(t, 1, time.Now().Unix(), "while you were away"))
	server.Start()
	testkit.Eventually(t, "it is told that the relay is back", func() bool { return all.since(n, follows) })
	cancel()
	<-done
	// It may be in the middle of catching up.
	if r := reportOf(t, sum, server.URL); r.Error != "" && r.Error != "the sync was stopped" {
		t.Errorf("%+v of a relay that was away and is back", r)
	}
}

func TestALimitIsToldWhenItBeginsAndWhenItEnds(t *testing.T) {
	c := crowded(t, 40, "ada")
	server, clock := limitedRelay(t, testkit.GoRelayOptions{Page: 5, Rate: testkit.Rate{Most: 20, More: 20}}, append(c.lists, c.notes...)...)
	opt := options(openStore(t), c.reader(t), server.URL)
	opt.Now, opt.Sleep = clock.Now, clock.Sleep
	var all changes
	opt.Progress = all.take
	mustRun(t, opt)
	limited := slices.IndexFunc(all.told, func(st notesync.RelayState) bool {
		return st.Trouble == notesync.AskedTooMuch && st.Phase == notesync.Waiting && st.Connected && !st.Again.IsZero()
	})
	if limited < 0 {
		t.Fatalf("no limit was told: %+v", all.told)
	}
	if !all.since(limited+1, func(st notesync.RelayState) bool { return st.Trouble == notesync.NoTrouble && st.Connected }) {
		t.Errorf("nor its end: %+v", all.told[limited:])
	}
}
