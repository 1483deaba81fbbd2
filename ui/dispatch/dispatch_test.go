package dispatch_test

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/ui/dispatch"
)

// thread stands in for the window's: it keeps what it was given, in order.
type thread struct {
	mu  sync.Mutex
	ran []string
}

func (th *thread) do(f func()) {
	th.mu.Lock()
	defer th.mu.Unlock()
	f()
}

func (th *thread) say(s string) func() { return func() { th.ran = append(th.ran, s) } }

func (th *thread) heard() []string {
	th.mu.Lock()
	defer th.mu.Unlock()
	return slices.Clone(th.ran)
}

func TestOfManyPostsTheNewestRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := &thread{}
		d := dispatch.Window(th.do)
		for _, s := range []string{"a", "b", "c"} {
			d.Post("text", th.say(s))
		}
		time.Sleep(2 * dispatch.Interval)
		if got := th.heard(); !slices.Equal(got, []string{"c"}) {
			t.Errorf("ran %q", got)
		}
	})
}

func TestWhatIsPostedRunsOnceInAnInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := &thread{}
		d := dispatch.Window(th.do)
		for _, s := range []string{"a", "b", "c", "d"} {
			d.Post("text", th.say(s))
			time.Sleep(dispatch.Interval * 3 / 5)
		}
		time.Sleep(dispatch.Interval)
		if got := th.heard(); !slices.Equal(got, []string{"b", "d"}) {
			t.Errorf("ran %q", got)
		}
	})
}

func TestKeysDoNotReplaceOneAnother(t *testing.T) {
	th := &thread{}
	d := dispatch.Window(th.do)
	d.Post("a", th.say("a"))
	d.Post("b", th.say("b"))
	testkit.Eventually(t, "both have run", func() bool { return len(th.heard()) == 2 })
	got := th.heard()
	slices.Sort(got)
	if !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("ran %q", got)
	}
}

func TestWorkIsDoneElsewhereAndShownOnTheThread(t *testing.T) {
	th := &thread{}
	d := dispatch.Window(th.do)
	done := make(chan struct{})
	d.Go(func() func() {
		return func() { th.say("shown")(); close(done) }
	})
	<-done
	d.Go(func() func() { return nil })
	if got := th.heard(); !slices.Equal(got, []string{"shown"}) {
		t.Errorf("ran %q", got)
	}
}
