package notesync

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"bowerbird/app/relay"
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

// narrow leaves at most width places, but at least one. It reports whether there were more.
func (p *places) narrow(width int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	width = max(width, 1)
	if width >= p.width {
		return false
	}
	p.shed += p.width - width
	p.width = width
	for p.shed > 0 {
		select {
		case <-p.free:
			p.shed--
		default:
			return true // the others are taken at the moment
		}
	}
	return true
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

// How much is asked at a time of a relay that reports no limits.
const (
	backfillREQs = 4   // windows filled side by side
	liveREQs     = 2   // live subscriptions
	allREQs      = 8   // with questions on demand
	pageLimit    = 500 // events in a page
	perFilter    = 100 // authors or ids in a filter; relays refuse more
	liveFilters  = 9   // filters of a live subscription; many relays accept 10
	pageBytes    = 4 << 20
)

// manners are how a relay wants to be asked, as far as it says so (NIP-11).
type manners struct {
	limit     int // events in a page
	perFilter int // authors or ids in a filter
	filters   int // filters of a live subscription
	backfill  int // windows filled side by side
	live      int // live subscriptions
	subs      int // in total
	message   int // bytes of a message from us
	perSet    int // authors whose notes are compared at a time; 0 if it cannot compare
}

// Upper bounds of the size of a REQ, in bytes.
const (
	reqFrame = 400              // everything except the keys
	setFrame = reqFrame + 32*66 // with the first message about a set
	keyBytes = 67               // an author or id with quotes and comma
)

func mannersFor(info relay.Info, limits relay.Limits) manners {
	message := limits.Outgoing
	if message == 0 {
		message = relay.DefaultLimits().Outgoing
	}
	if said := info.MaxMessageLength; said > 0 {
		message = min(message, max(said, reqFrame+keyBytes))
	}
	m := manners{limit: pageLimit, subs: allREQs, message: message}
	if info.MaxLimit > 0 {
		m.limit = min(m.limit, info.MaxLimit)
	}
	m.perFilter = min(perFilter, (message-reqFrame)/keyBytes)
	m.filters = max(1, min(liveFilters, message/(reqFrame+m.perFilter*keyBytes)))
	switch said := info.MaxSubscriptions; {
	case said == 0:
	case said <= 2:
		m.subs = said
	default:
		// Two are kept free: relays differ in when they count one as ended.
		m.subs = min(m.subs, max(2, said-2))
	}
	switch {
	case m.subs == 1:
	case m.subs < 4:
		m.live = 1
	default:
		m.live = liveREQs
	}
	m.backfill = min(backfillREQs, m.subs-m.live)
	if info.Compares {
		m.perSet = max(0, (message-setFrame)/keyBytes)
	}
	return m
}

func (m manners) apply(limits relay.Limits) relay.Limits {
	limits.Outgoing, limits.Subscriptions = m.message, m.subs
	if limits.PageBytes == 0 {
		limits.PageBytes = pageBytes // many pages are in memory at a time
	}
	return limits
}
