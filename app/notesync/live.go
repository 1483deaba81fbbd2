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

// How long, and how many, events of a live subscription are collected before they are
// stored: one transaction for many is much cheaper.
const (
	liveGather = 300 * time.Millisecond
	liveMost   = 200
)

// How many events one live subscription may deliver: so many at once, then 50 a second.
const (
	liveEvery = time.Second / 50
	liveBurst = 2000
)

// How often a run that continues confirms what the live subscriptions brought, and tries
// relays again that were given up.
const (
	proveEvery = 5 * time.Minute
	retryEvery = leaveFailed
)

// A live subscription starts in the past, since notes may be published long after their
// date. Of its stored events the relay is asked for the newest few only: pages fill the
// windows.
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

// live stores what a relay's people write from now on, until ctx ends. The error is the
// store's.
func (r *run) live(ctx context.Context, url string, inbox bool) error {
	l := r.link(url)
	for ctx.Err() == nil {
		conn, err := l.connect(ctx)
		if err == nil {
			l.refuse(nil, 0)
			if l.isBack() {
				r.rouse() // to catch up
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

// liveFilters returns the filters of each subscription, as many as the relay permits. For
// further people tail is soon enough.
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
	_, people, _ := r.link(url).learned.narrow(r.choice.asked[url], 0)
	for part := range slices.Chunk(people, m.perFilter) {
		f := filterFor(coverage.Feed, part)
		f.Kinds = append(f.Kinds, profileKinds()...)
		add(f, coverage.Feed)
	}
	// One filter for each subscription as long as that is enough: relays limit filters
	// too.
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
			defer cancel() // all start again when one ends
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
				_ = r.opt.Sleep(ctx, wait) // its error appears below
			}
		}
		if err == nil && len(batch) < liveMost {
			continue
		}
		// What arrived is stored even when ctx has ended.
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

// next returns the next event, and waits only a moment if there are some to store.
func next(ctx context.Context, sub *relay.Sub, some bool) (*nostr.Event, error) {
	if some {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, liveGather)
		defer cancel()
	}
	return sub.Next(ctx)
}

// follow stays up to date until ctx ends, which is not an error, or until the next round is
// due.
func (r *run) follow(ctx context.Context, live *watcher, urls, inbox []string) error {
	r.enter(stageLive, 0)
	f := &follower{run: r, urls: urls, inbox: inbox, caught: map[string]time.Time{}}
	f.proved = r.opt.Now()
	for {
		if due := r.roundIsDue(ctx); due {
			return errAgain
		}
		if err := f.keepUp(ctx); err != nil {
			return unlessEnded(ctx, err)
		}
		if err := r.fulfil(ctx, r.takeWishes()); err != nil {
			return unlessEnded(ctx, err)
		}
		timely, err := r.idle(ctx, live)
		if err != nil {
			return unlessEnded(ctx, err)
		}
		if timely {
			f.proved = time.Time{}
		}
	}
}

func unlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (r *run) roundIsDue(ctx context.Context) bool {
	if r.opt.Refresh <= 0 || len(r.opt.Authors) > 0 {
		r.anew = r.refresh.Swap(false)
		return r.anew
	}
	age := time.Duration(r.opt.Now().Unix()-r.start) * time.Second
	r.anew = r.refresh.Swap(false)
	return r.anew || age >= r.opt.Refresh || !slices.Equal(r.lists, r.ownLists(ctx))
}

// idle waits until it is time to confirm what arrived (timely), or until there is something
// else to do. The error is the store's or that of ctx.
func (r *run) idle(ctx context.Context, live *watcher) (timely bool, err error) {
	timely, err = pause(ctx, r.opt.Sleep, proveEvery, r.wake)
	select {
	case failed := <-live.failed:
		return false, failed
	default:
		return timely, err
	}
}

// pause sleeps for d, or until kick is closed or receives, which whole reports.
func pause(ctx context.Context, sleep func(context.Context, time.Duration) error, d time.Duration, kick <-chan struct{}) (whole bool, err error) {
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	slept := make(chan error, 1)
	go func() { slept <- sleep(waiting, d) }()
	select {
	case err := <-slept:
		return true, err
	case <-kick:
		cancel()
		<-slept
		return false, ctx.Err()
	}
}

type follower struct {
	*run
	urls, inbox []string
	proved      time.Time            // when everything was last confirmed; zero if that is due
	caught      map[string]time.Time // when a relay was last caught up with
}

// keepUp catches up with relays that were away, and confirms what the live subscriptions
// brought if that is due.
func (f *follower) keepUp(ctx context.Context) error {
	all := slices.Clone(f.inbox)
	for _, url := range f.urls {
		if !slices.Contains(all, url) {
			all = append(all, url)
		}
	}
	for _, url := range all {
		f.link(url).revive()
	}
	var back []string
	for _, url := range all {
		// A relay whose connection comes and goes is caught up with at the next
		// confirmation.
		if l := f.link(url); l.isBack() && f.opt.Now().Sub(f.caught[url]) >= proveEvery {
			l.caughtUp()
			back = append(back, url)
			f.caught[url] = f.opt.Now()
		}
	}
	if len(back) > 0 {
		if err := f.catchUp(ctx, back); err != nil {
			return err
		}
	}
	if !f.proved.IsZero() {
		return nil
	}
	f.proved = f.opt.Now()
	if err := f.tail(ctx, f.urls, f.inbox); err != nil {
		return err
	}
	if err := f.refetch(ctx, f.urls, f.inbox); err != nil {
		return err
	}
	return f.lookAgain(ctx, f.urls, f.inbox)
}

func (f *follower) catchUp(ctx context.Context, back []string) error {
	only := func(urls []string) []string {
		return slices.DeleteFunc(slices.Clone(urls), func(url string) bool { return !slices.Contains(back, url) })
	}
	past := f.past()
	past.to = f.opt.Now().Unix()
	plan, err := f.plan(ctx, only(f.urls), only(f.inbox), windows(past))
	if err != nil {
		return err
	}
	return f.carryOut(ctx, plan, true, unreported)
}
