package notesync_test

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
)

// background runs a sync until stop is called, which fails the test when it ends
// otherwise than well.
func background(t *testing.T, opt notesync.Options) (stage func() string, stop func() notesync.Summary) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var (
		mu   sync.Mutex
		last notesync.Progress
		sum  notesync.Summary
		err  error
	)
	opt.Once = false
	opt.Progress = func(p notesync.Progress) {
		mu.Lock()
		defer mu.Unlock()
		last = p
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		sum, err = notesync.Run(ctx, opt)
	}()
	stage = func() string {
		mu.Lock()
		defer mu.Unlock()
		return last.Stage
	}
	return stage, func() notesync.Summary {
		cancel()
		<-done
		if err != nil {
			t.Errorf("a run that went on ended with %v", err)
		}
		return sum
	}
}

func TestNewNotesArriveWhileARunGoesOn(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.lists, c.notes...)...)
	s := openStore(t)
	opened := runtime.NumGoroutine()
	opt := options(s, c.reader(t), server.URL)
	opt.Sleep = nil // so that nothing but the live subscription can bring it
	stage, stop := background(t, opt)
	testkit.Eventually(t, "the run gets to its live stage", func() bool { return stage() == "live" })
	written := c.authors[0].Event(t, 1, time.Now().Unix(), "just now")
	to := testkit.NewKey("stranger").Event(t, 1, time.Now().Unix(), "hello", []string{"p", c.me.PubKey})
	server.Publish(written, to)
	testkit.Eventually(t, "the new notes arrive", func() bool { return missing(t, s, parse(t, [][]byte{written, to})) == 0 })
	if sum := stop(); sum.Complete != 2 || reportOf(t, sum, strings.TrimPrefix(server.URL, "ws://")).State != "done" {
		t.Errorf("%+v, want 2 people complete", sum)
	}
	testkit.Eventually(t, "the relay sees the end of the connection", func() bool {
		connections, _ := server.Open()
		return connections == 0
	})
	testkit.Eventually(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= opened })
}

func TestARelayThatComesBackIsTakenUpAgain(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.lists, c.notes...)...)
	s := openStore(t)
	stage, stop := background(t, options(s, c.reader(t), server.URL))
	testkit.Eventually(t, "the run gets to its live stage", func() bool { return stage() == "live" })
	server.Stop()
	missed := c.authors[1].Event(t, 1, time.Now().Unix(), "while you were away")
	server.Publish(missed)
	dials := server.Dials()
	server.Start()
	testkit.Eventually(t, "what was missed arrives", func() bool { return missing(t, s, parse(t, [][]byte{missed})) == 0 })
	if server.Dials() == dials {
		t.Error("there was no new connection")
	}
	later := c.authors[0].Event(t, 1, time.Now().Unix(), "later")
	server.Publish(later)
	testkit.Eventually(t, "what is new arrives", func() bool { return missing(t, s, parse(t, [][]byte{later})) == 0 })
	stop()
}

func TestProgressOnlyGoesForwards(t *testing.T) {
	w := smallWorld(t, 5)
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Page: 30}, asJSON(w.Events)...)
	opt := options(openStore(t), w.Me, server.URL)
	var all []notesync.Progress
	inside := false
	opt.Progress = func(p notesync.Progress) {
		if inside {
			t.Error("two calls at one time")
		}
		inside = true
		all = append(all, p)
		inside = false
	}
	mustRun(t, opt)
	order := map[string]int{"": 0, "lists": 1, "profiles": 2, "notes": 3, "context": 4, "live": 5}
	var last notesync.Progress
	connected := 0
	for _, p := range all {
		connected = max(connected, p.Connected)
		switch {
		case order[p.Stage] < order[last.Stage], p.Stored < last.Stored, p.People < last.People, p.Filled > p.Windows,
			p.Stage == last.Stage && (p.Filled < last.Filled || p.Windows != last.Windows):
			t.Errorf("%+v after %+v", p, last)
		}
		if p.Stage != last.Stage && last.Filled != last.Windows {
			t.Errorf("%+v followed before all was filled: %+v", p, last)
		}
		last = p
	}
	if last.Stage != "context" || last.People != 13 || connected != 1 || last.Connected != 0 {
		t.Errorf("it ended with %+v, at most %d connected", last, connected)
	}
}

func TestARunEndsAtOnceWhenItIsStopped(t *testing.T) {
	c := newCircle(t, "ada")
	hostile := testkit.StartHostile(t, append(c.lists, c.notes...)...)
	for _, way := range []string{"no-reply", "no-read", "too-many", "slow-eose", "http-503"} {
		t.Run(way, func(t *testing.T) {
			s := openStore(t)
			ctx, cancel := context.WithCancel(t.Context())
			opt := options(s, c.reader(t), hostile.At(way), hostile.At("honest"))
			opt.Once, opt.Sleep = false, nil
			opt.Progress = func(p notesync.Progress) {
				if p.Connected > 0 {
					cancel()
				}
			}
			_, err := notesync.Run(ctx, opt)
			if ctx.Err() == nil {
				t.Errorf("it ended by itself: %v", err)
			}
			cancel()
		})
	}
}
