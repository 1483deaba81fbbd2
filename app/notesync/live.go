package notesync

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"bowerbird/app/relay"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// The live subscriptions gather events for so long, or so many, before they are
// stored: one transaction for many is what makes storing cheap.
const (
	liveGather = 300 * time.Millisecond
	liveMost   = 200
)

// What one live subscription may bring: so many at once, then 50 a second.
const (
	liveEvery = time.Second / 50
	liveBurst = 2000
)

// How often a run that goes on proves what the live subscriptions brought, and
// tries relays again that were given up.
const (
	proveEvery = 5 * time.Minute
	retryEvery = leaveFailed
)

// A live subscription reaches so far back, so that notes come by it which bear an
// older time than that at which they are published. Of what a relay has stored by
// then it is to send only the newest few: the windows are filled by pages.
const (
	liveBack   = 48 * time.Hour
	liveStored = 20
)

type watcher struct {
	cancel context.CancelFunc
	wg     sync.WaitGroup
	failed chan error // the store's first error
}

func (r *run) watch(ctx context.Context, urls, inbox []string) *watcher {
	ctx, cancel := context.WithCancel(ctx)
	w := &watcher{cancel: cancel, failed: make(chan error, 1)}
	for _, url := range urls {
		w.wg.Go(func() {
			if err := r.live(ctx, url, slices.Contains(inbox, url)); err != nil && ctx.Err() == nil {
				select {
				case w.failed <- err:
					r.rouse()
				default:
				}
			}
		})
	}
	return w
}

func (w *watcher) stop() {
	w.cancel()
	w.wg.Wait()
}

// live stores what a relay's people write from now on, until ctx ends. The
// error is the store's.
func (r *run) live(ctx context.Context, url string, inbox bool) error {
	l := r.link(url)
	for ctx.Err() == nil {
		conn, err := l.connect(ctx)
		if err == nil {
			l.refuse(nil, 0)
			if l.isBack() {
				r.rouse() // what was missed is to be caught up
			}
			err = r.listen(ctx, l, conn, r.liveFilters(url, l.asIt(), inbox))
			l.follow(false)
		}
		if stored := (*storeError)(nil); errors.As(err, &stored) {
			return err
		}
		if l.bide(ctx, l.wontListen(err)) != nil {
			return nil
		}
		l.revive()
	}
	return nil
}

// liveFilters makes the filters of each subscription, as many as the relay
// permits. For people beyond that the tail is soon enough.
func (r *run) liveFilters(url string, m manners, inbox bool) [][]nostr.Filter {
	if m.live == 0 {
		return nil
	}
	var filters []nostr.Filter
	add := func(f nostr.Filter, purpose coverage.Purpose) {
		f.Since, f.Limit = new(max(r.opt.Now().Add(-liveBack).Unix(), r.earliest(purpose))), new(liveStored)
		filters = append(filters, f)
	}
	if inbox {
		add(filterFor(coverage.Inbox, []nostr.PubKey{r.opt.Me}), coverage.Inbox)
	}
	if r.opt.Refresh > 0 && slices.Contains(r.choice.asked[url], r.opt.Me) {
		add(nostr.Filter{Authors: []nostr.PubKey{r.opt.Me}, Kinds: listKinds()}, coverage.Profile)
	}
	_, people, _ := r.link(url).learnt.narrow(r.choice.asked[url], 0)
	for part := range slices.Chunk(people, m.perFilter) {
		f := filterFor(coverage.Feed, part)
		f.Kinds = append(f.Kinds, profileKinds()...)
		add(f, coverage.Feed)
	}
	// One filter a subscription while that is enough: relays count filters too.
	each := min(max(1, (len(filters)+m.live-1)/m.live), m.filters)
	groups := slices.Collect(slices.Chunk(filters, each))
	return groups[:min(len(groups), m.live)]
}

func (r *run) listen(ctx context.Context, l *link, conn *relay.Conn, groups [][]nostr.Filter) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all errgroup.Group
	for _, filters := range groups {
		all.Go(func() error {
			defer cancel() // when one ends all begin again
			asked, err := l.liveTurn(ctx)
			if err != nil {
				return err
			}
			sub, err := conn.Subscribe(ctx, relay.Live, filters...)
			if err != nil {
				return err
			}
			defer sub.Close()
			err = r.drain(ctx, l, sub)
			l.wantsLess(asked, err)
			return err
		})
	}
	return all.Wait()
}

func (r *run) drain(ctx context.Context, l *link, sub *relay.Sub) error {
	quota := pace{every: liveEvery, burst: liveBurst}
	var batch []*nostr.Event
	for {
		e, err := next(ctx, sub, len(batch) > 0)
		if e != nil {
			batch = append(batch, e)
			if wait := quota.reserve(r.opt.Now()); wait > 0 {
				_ = r.opt.Sleep(ctx, wait) // its end shows below
			}
		}
		if err == nil && len(batch) < liveMost {
			continue
		}
		// What came is kept even when we are told to stop.
		if _, putErr := r.put(context.WithoutCancel(ctx), l, ndb.Batch{Events: batch}); putErr != nil {
			return putErr
		}
		batch = nil
		if errors.Is(err, relay.EOSE) {
			l.follow(true)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !errors.Is(err, relay.EOSE) && !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
	}
}

// next returns the next event, waiting only a moment when there are some to store.
func next(ctx context.Context, sub *relay.Sub, some bool) (*nostr.Event, error) {
	if some {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, liveGather)
		defer cancel()
	}
	return sub.Next(ctx)
}
