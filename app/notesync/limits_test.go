package notesync_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
)

// timelapse is a clock whose sleepers wake at once in the order of their time: when
// for a moment nothing was asked of the relay, nobody waits for anything else.
type timelapse struct {
	mu     sync.Mutex
	now    time.Time
	sleeps map[chan struct{}]time.Time
	calls  int // of Sleep
}

func newTimelapse(t testing.TB, asked func() int) *timelapse {
	c := &timelapse{now: time.Now(), sleeps: map[chan struct{}]time.Time{}}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	t.Cleanup(func() { cancel(); <-done })
	go func() {
		defer close(done)
		ticks := time.NewTicker(2 * time.Millisecond)
		defer ticks.Stop()
		for before := -1; ctx.Err() == nil; {
			<-ticks.C
			n := asked()
			c.mu.Lock()
			if n += c.calls; n == before {
				c.wakeNext()
			}
			before = n
			c.mu.Unlock()
		}
	}()
	return c
}

// wakeNext lets the time pass until the next sleepers wake. c.mu is held.
func (c *timelapse) wakeNext() {
	var next time.Time
	for _, at := range c.sleeps {
		if next.IsZero() || at.Before(next) {
			next = at
		}
	}
	if next.After(c.now) {
		c.now = next
	}
	for ch, at := range c.sleeps {
		if !at.After(c.now) {
			delete(c.sleeps, ch)
			close(ch)
		}
	}
}

func (c *timelapse) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *timelapse) Sleep(ctx context.Context, d time.Duration) error {
	ch := make(chan struct{})
	c.mu.Lock()
	c.sleeps[ch] = c.now.Add(d)
	c.calls++
	c.mu.Unlock()
	select {
	case <-ch:
		return ctx.Err()
	case <-ctx.Done():
		c.mu.Lock()
		delete(c.sleeps, ch)
		c.mu.Unlock()
		return ctx.Err()
	}
}

// crowded is a circle whose notes take many pages in many stretches of time: of each
// of its people so many, three quarters of an hour apart.
func crowded(t testing.TB, each int, names ...string) circle {
	t.Helper()
	c := newCircle(t, names...)
	now := time.Now().Unix()
	for n, k := range c.authors {
		for i := range each {
			c.notes = append(c.notes, k.Event(t, 1, now-int64(i)*45*60-int64(n)-1000, fmt.Sprint(i)))
		}
	}
	return c
}

// limitedRelay starts a relay that limits questions by the clock that it makes.
func limitedRelay(t testing.TB, opt testkit.GoRelayOptions, events ...[]byte) (*testkit.GoRelay, *timelapse) {
	t.Helper()
	var server *testkit.GoRelay
	ready := make(chan struct{})
	clock := newTimelapse(t, func() int {
		select {
		case <-ready:
			return len(server.REQs())
		default:
			return 0
		}
	})
	opt.Rate.Now = clock.Now
	server = testkit.StartGoRelay(t, opt, events...)
	close(ready)
	return server, clock
}

func TestARelayThatLimitsQuestionsIsReadToTheEnd(t *testing.T) {
	tests := []struct {
		name    string
		each    int // notes of each person
		rate    testkit.Rate
		within  time.Duration
		refused int // at most
	}{
		{"a hundred, then twenty a minute", 300, testkit.Rate{Most: 100, More: 20}, 12 * time.Minute, 16},
		{"twenty a minute", 300, testkit.Rate{Most: 20, More: 20}, 16 * time.Minute, 16},
		{"by a NOTICE alone", 120, testkit.Rate{Most: 50, More: 50, Notice: true}, 12 * time.Minute, 12},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := crowded(t, tt.each, "ada", "ben", "cleo")
			server, clock := limitedRelay(t, testkit.GoRelayOptions{Page: 8, Rate: tt.rate}, append(c.lists, c.notes...)...)
			s := openStore(t)
			opt := options(s, c.reader(t), server.URL)
			opt.Days, opt.Now, opt.Sleep = 10, clock.Now, clock.Sleep
			opt.Limits.Notice = 200 * time.Millisecond // connections go by the clock on the wall
			began := clock.Now()
			var ends []time.Time // as they were estimated
			opt.Progress = func(p notesync.Progress) {
				if p.Stage == "notes" && p.Left > 0 {
					ends = append(ends, clock.Now().Add(p.Left))
				}
			}
			sum := mustRun(t, opt)
			took, refused, asked := clock.Now().Sub(began), server.Refused(), len(server.REQs())
			all := parse(t, c.notes)
			t.Logf("%d of %d notes, %d of %d people complete, %v, %d questions, %d of them refused", len(all)-missing(t, s, all), len(all), sum.Complete, sum.People, took, asked, refused)
			wantAll(t, s, all)
			wantTrue(t, s, server.URL, all)
			if r := reportOf(t, sum, server.URL); sum.People != 3 || sum.Complete != 3 || r.State != "done" {
				t.Errorf("%+v", sum)
			}
			if took > tt.within || refused > tt.refused {
				t.Errorf("it took %v and %d refusals, want at most %v and %d", took, refused, tt.within, tt.refused)
			}
			if tt.each == 300 {
				wantHonest(t, began, clock.Now(), ends)
			}

			// What was learned is kept: the next run is not refused once.
			server.Publish(c.authors[0].Event(t, 1, clock.Now().Unix()-5, "and another"))
			clock.mu.Lock()
			clock.now = clock.now.Add(time.Minute)
			clock.mu.Unlock()
			mustRun(t, opt)
			if more := server.Refused() - refused; more > 0 {
				t.Errorf("the next run was refused %d times", more)
			}
			t.Logf("the next run: %d questions", len(server.REQs())-asked)
		})
	}
}

// wantHonest fails the test when the middle one of the estimates is far off: by more
// than half of what it took.
func wantHonest(t testing.TB, began, ended time.Time, ends []time.Time) {
	t.Helper()
	if len(ends) == 0 {
		t.Fatal("nothing was said of how long it takes")
	}
	slices.SortFunc(ends, time.Time.Compare)
	for _, at := range []int{0, len(ends) / 2, len(ends) - 1} {
		t.Logf("estimate: %v of %v", ends[at].Sub(began), ended.Sub(began))
	}
	if off := ends[len(ends)/2].Sub(ended).Abs(); off > ended.Sub(began)/2 {
		t.Errorf("the middle one of %d estimates was off by %v", len(ends), off)
	}
}

func TestARelayThatRefusesEveryQuestionIsLeftAtOnceByAll(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	deaf, clock := limitedRelay(t, testkit.GoRelayOptions{Page: 5, Rate: testkit.Rate{Most: 14, More: 0}}, append(c.lists, c.notes...)...)
	s := openStore(t)
	opt := options(s, c.reader(t), deaf.URL)
	opt.Days, opt.Now, opt.Sleep = 10, clock.Now, clock.Sleep
	began := clock.Now()
	sum := mustRun(t, opt)
	took := clock.Now().Sub(began)
	if took > 4*time.Minute {
		t.Errorf("it took %v", took)
	}
	if r := reportOf(t, sum, deaf.URL); r.State != "partly" || r.Error != "it asked for fewer requests: rate-limited: slow down, please" {
		t.Errorf("%+v", r)
	}
	wantTrue(t, s, deaf.URL, parse(t, c.notes))
}

func TestARelayThatHangsUpAfterEachAnswerIsReadToTheEnd(t *testing.T) {
	c := crowded(t, 30, "ada", "ben", "cleo")
	server, clock := limitedRelay(t, testkit.GoRelayOptions{Page: 20, HangUp: true}, append(c.lists, c.notes...)...)
	s := openStore(t)
	opt := options(s, c.reader(t), server.URL)
	opt.Now, opt.Sleep = clock.Now, clock.Sleep
	sum := mustRun(t, opt)
	all := parse(t, c.notes)
	t.Logf("%d of %d notes, %d of %d people complete, %d questions", len(all)-missing(t, s, all), len(all), sum.Complete, sum.People, len(server.REQs()))
	wantAll(t, s, all)
	wantTrue(t, s, server.URL, all)
	if r := reportOf(t, sum, server.URL); sum.People != 3 || sum.Complete != 3 || r.State != "done" {
		t.Errorf("%+v", sum)
	}
}

// TestARelayThatIsSilentToASecondQuestionIsAskedOneAtATime: it answers one question at a
// time and says nothing to those beside it.
func TestARelayThatIsSilentToASecondQuestionIsAskedOneAtATime(t *testing.T) {
	t.Parallel()
	me, people, held := crowd(t)
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{MaxSubs: 1, Mute: true, Page: 5}, held...)
	s := openStore(t)
	opt := options(s, me, server.URL)
	opt.Days, opt.Sleep = 5, atOnce
	opt.Limits.FirstByte = 5 * time.Second // a busy machine answers late, too
	sum := mustRun(t, opt)
	t.Logf("%d of %d questions were not answered", server.Refused(), len(server.REQs()))
	if sum.Complete != len(people) {
		t.Errorf("%+v", sum)
	}
	if n := server.Refused(); n < 1 || n > 3 {
		t.Errorf("%d questions were silently refused, want those beside the first alone", n)
	}
	wantAll(t, s, parse(t, held))
}

// TestACheckThatIsNotAnsweredBesideOthersIsAskedAgain: what a relay is asked to find out
// which kinds it leaves out is asked once, so that one silence would leave everybody
// incomplete.
func TestACheckThatIsNotAnsweredBesideOthersIsAskedAgain(t *testing.T) {
	t.Parallel()
	me, people, held := crowd(t)
	var checks atomic.Int64
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Mute: true, Page: 5, Refuse: func(f nostr.Filter) string {
		if len(f.Authors) > 0 || len(f.Tags) > 0 || len(f.IDs) > 0 || checks.Add(1) > 1 {
			return ""
		}
		return "silent"
	}}, held...)
	s := openStore(t)
	opt := options(s, me, server.URL)
	opt.Days, opt.Sleep = 5, atOnce
	opt.Limits.FirstByte = 2 * time.Second
	sum := mustRun(t, opt)
	if checks.Load() < 2 || server.Refused() != 1 {
		t.Fatalf("%d checks, %d questions not answered", checks.Load(), server.Refused())
	}
	if sum.Complete != len(people) {
		t.Errorf("%+v", sum)
	}
	wantAll(t, s, parse(t, held))
}
