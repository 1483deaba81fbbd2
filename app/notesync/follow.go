package notesync

import (
	"context"
	"slices"
	"time"
)

// follow keeps up until ctx ends, which is the user's wish and no failure, or until
// the next round is due.
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

// idle waits until it is time to prove what came, which makes it timely, or until
// something else is to be done. The error is the store's or that of ctx.
func (r *run) idle(ctx context.Context, live *watcher) (timely bool, err error) {
	timely, err = pause(ctx, r.opt.Sleep, proveEvery, r.wake)
	select {
	case failed := <-live.failed:
		return false, failed
	default:
		return timely, err
	}
}

// pause sleeps for d. It ends before, and is not whole, when something comes from kick.
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
	proved      time.Time            // when everything was; zero when that is due
	caught      map[string]time.Time // when a relay was last caught up with
}

// keepUp proves what the live subscriptions brought when that is due, and catches
// up with relays that were away.
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
		// One that comes and goes is caught up with at its next proof.
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
	isBack := func(url string) bool { return slices.Contains(back, url) }
	past := f.past()
	past.to = f.opt.Now().Unix()
	plan, err := f.plan(ctx, only(f.urls, isBack), only(f.inbox, isBack), windows(past))
	if err != nil {
		return err
	}
	return f.carryOut(ctx, plan, true, untold)
}

func only(urls []string, keep func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(urls), func(url string) bool { return !keep(url) })
}
