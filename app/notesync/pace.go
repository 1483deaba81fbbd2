package notesync

import (
	"context"
	"encoding/json"
	"sync"
	"time"
)

// How fast a relay is asked: ten REQs at once, then five a second. Relays with stricter
// limits say so: see link.judge.
const (
	reqEvery = time.Second / 5
	reqBurst = 10
)

// A relay that refuses is asked more slowly, at least once in paceMost, and a tenth faster
// again after paceFaster answers in a row.
const (
	paceMost    = time.Minute
	paceFaster  = 20
	paceMeasure = 2 * time.Minute
)

// pace limits how often something may happen: a token bucket whose size and rate are
// learned from a relay's refusals. Its methods may be called from any goroutine.
type pace struct {
	mu    sync.Mutex
	every time.Duration
	burst int
	next  time.Time // when the bucket is full again
	hold  time.Time // nothing happens before

	first   int       // answers before the first refusal
	refused time.Time // when last; zero for never
	answers int       // since then, or in all
	row     int       // answers since every was changed
	news    bool      // something is not saved yet
}

// reserve takes a token and returns how long to wait before using it.
func (p *pace) reserve(now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next.Before(now) {
		p.next = now
	}
	wait := max(p.next.Sub(now)-time.Duration(p.burst-1)*p.every, p.hold.Sub(now), 0)
	p.next = p.next.Add(p.every)
	return wait
}

// pause lets nothing happen before until, and one thing then.
func (p *pace) pause(until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until.After(p.hold) {
		p.hold = until
		p.next = until.Add(time.Duration(p.burst-1) * p.every)
	}
}

func (p *pace) resume() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hold = time.Time{}
}

// slower learns from a refusal. Between two refusals the relay answered what it answers in
// that time; the first shows only that it was asked too much. What it answered at once
// before that, if more than two minutes' worth, is the size of its bucket, which fills up
// while it is not asked.
func (p *pace) slower(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch every := p.every; {
	case !p.refused.IsZero() && p.answers > 0:
		p.every = max(every, now.Sub(p.refused)/time.Duration(p.answers))
		p.burst = 1
		if time.Duration(p.first)*p.every > paceMeasure {
			p.burst = p.first / 2
		}
	case every == reqEvery:
		p.first, p.every, p.burst = p.answers, 2*every, 1
	default:
		p.first, p.every = p.answers, every*5/4 // what was learned before no longer applies
	}
	p.every = min(p.every, paceMost)
	p.next = now.Add(time.Duration(p.burst) * p.every)
	p.refused, p.answers, p.row, p.news = now, 0, 0, true
}

// answered counts an answer. Limits change, so now and then a slightly higher rate is
// tried.
func (p *pace) answered() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers++
	if p.every == reqEvery {
		return
	}
	p.news = true // at least next has changed
	if p.row++; p.row < paceFaster {
		return
	}
	if p.row, p.every = 0, p.every*9/10; p.every <= reqEvery {
		p.every, p.burst = reqEvery, reqBurst
	}
}

// slow returns the time between two questions if it is longer than usual, and until when
// none are asked.
func (p *pace) slow(now time.Time) (every time.Duration, hold time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.every > reqEvery {
		every = p.every
	}
	if p.hold.After(now) {
		hold = p.hold
	}
	return every, hold
}

// measured is slow without what is not known yet: the first refusal shows only that it was
// too much.
func (p *pace) measured(now time.Time) (every time.Duration, hold time.Time) {
	every, hold = p.slow(now)
	if every <= 2*reqEvery {
		return 0, hold
	}
	return every, hold
}

// places limits how many questions are open at a time. Unlike a semaphore's, their number
// can shrink while they are taken.
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

// narrow leaves at most width places, but at least one.
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
			return // the others are taken at the moment
		}
	}
}

// paceBucket holds what was learned about the limits of each relay that has some.
const paceBucket = "sync-pace"

const paceKept = 30 * 24 * time.Hour

type keptPace struct {
	Every time.Duration `json:"every"`
	Burst int           `json:"burst"`
	Next  int64         `json:"next"` // when the bucket is full again, unix seconds
}

func (r *run) recallPace(ctx context.Context, url string) *pace {
	p := &pace{every: reqEvery, burst: reqBurst}
	raw, err := r.opt.Store.Bucket(paceBucket).Get(ctx, url)
	var kept keptPace
	if err != nil || json.Unmarshal(raw, &kept) != nil {
		return p
	}
	next, now := time.Unix(kept.Next, 0), r.opt.Now()
	if kept.Every <= reqEvery || kept.Every > paceMost || kept.Burst < 1 || next.Before(now.Add(-paceKept)) || next.After(now.Add(paceKept)) {
		return p
	}
	p.every, p.burst, p.next = kept.Every, kept.Burst, next
	return p
}

// keepPaces saves what was learned about limits in this run. A failure is only logged,
// since it can be learned again.
func (r *run) keepPaces(ctx context.Context) {
	rows := map[string][]byte{}
	r.each(func(l *link) {
		kept, changed := l.pace.kept()
		if !changed {
			return
		}
		rows[l.url] = nil
		if kept.Every > reqEvery {
			rows[l.url], _ = json.Marshal(kept) // numbers have a JSON form
		}
	})
	if len(rows) == 0 {
		return
	}
	if err := r.opt.Store.Bucket(paceBucket).Put(ctx, rows); err != nil {
		r.opt.Logger.Info("keeping how fast relays are asked", "error", err)
	}
}

func (p *pace) kept() (kept keptPace, changed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	changed, p.news = p.news, false
	return keptPace{p.every, p.burst, p.next.Unix()}, changed
}
