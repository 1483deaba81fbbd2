package llm_test

import (
	"slices"
	"sync"
	"time"

	"bowerbird/llm"
)

// fakeClock stands still until a test advances it. Waits of up to skip go by at
// once, and are kept in waits.
type fakeClock struct {
	mu     sync.Mutex
	now    time.Time
	skip   time.Duration
	waits  []time.Duration
	timers []*fakeTimer
}

type fakeTimer struct {
	clock *fakeClock
	due   time.Time
	f     func()
	set   bool
}

func newFakeClock() *fakeClock {
	return &fakeClock{now: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)}
}

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) AfterFunc(d time.Duration, f func()) llm.Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &fakeTimer{clock: c, due: c.now.Add(d), f: f, set: true}
	if d <= c.skip {
		t.set = false
		c.waits = append(c.waits, d)
		go f()
		return t
	}
	c.timers = append(c.timers, t)
	return t
}

// advance moves the clock on and runs what is due.
func (c *fakeClock) advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	var due []func()
	for _, t := range c.timers {
		if t.set && !t.due.After(c.now) {
			t.set = false
			due = append(due, t.f)
		}
	}
	c.mu.Unlock()
	for _, f := range due {
		f()
	}
}

// nextDue returns how long it is to the next timer; 0 when there is none.
func (c *fakeClock) nextDue() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	var next time.Duration
	for _, t := range c.timers {
		if d := t.due.Sub(c.now); t.set && (next == 0 || d < next) {
			next = d
		}
	}
	return next
}

func (c *fakeClock) waited() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.waits)
}

func (t *fakeTimer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	was := t.set
	t.set = false
	return was
}

func (t *fakeTimer) Reset(d time.Duration) bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	was := t.set
	t.set, t.due = true, t.clock.now.Add(d)
	return was
}
