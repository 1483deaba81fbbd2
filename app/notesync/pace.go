package notesync

import (
	"context"
	"sync"
	"time"
)

// How fast one relay is asked: ten REQs at once, then five a second. Relays with
// stricter rules say so, and are obeyed; see link.judge.
const (
	reqEvery = time.Second / 5
	reqBurst = 10
)

// pace spaces out what may happen only so often: a token bucket. Its methods may
// be called from any goroutine.
type pace struct {
	every time.Duration
	burst int

	mu   sync.Mutex
	next time.Time // when the bucket will be full again
	hold time.Time // nothing before
}

// reserve takes one token and returns how long to wait before it may be used.
func (p *pace) reserve(now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next.Before(now) {
		p.next = now
	}
	wait := p.next.Sub(now) - time.Duration(p.burst-1)*p.every
	p.next = p.next.Add(p.every)
	return max(wait, p.hold.Sub(now), 0)
}

// pause lets nothing happen before the given time.
func (p *pace) pause(until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until.After(p.hold) {
		p.hold = until
	}
}

// places are how many questions may be open at one time. Unlike a semaphore's
// their number can shrink while they are taken.
type places struct {
	free chan struct{}

	mu    sync.Mutex
	width int
	shed  int // places that vanish when they are given back
}

func newPlaces(width int) *places {
	p := &places{free: make(chan struct{}, width), width: width}
	for range width {
		p.free <- struct{}{}
	}
	return p
}

func (p *places) take(ctx context.Context) error {
	select {
	case <-p.free:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *places) give() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shed > 0 {
		p.shed--
		return
	}
	p.free <- struct{}{}
}

// narrow leaves at most width places, and at least one.
func (p *places) narrow(width int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	width = max(width, 1)
	if width >= p.width {
		return
	}
	p.shed += p.width - width
	p.width = width
	for p.shed > 0 {
		select {
		case <-p.free:
			p.shed--
		default:
			return // the rest is taken at this time
		}
	}
}

// halve leaves half of the places.
func (p *places) halve() {
	p.mu.Lock()
	half := p.width / 2
	p.mu.Unlock()
	p.narrow(half)
}
