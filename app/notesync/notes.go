package notesync

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// notes fetches the feed of all authors. In a run that continues the live subscriptions
// start first, so that nothing is missed while the past is filled, newest windows first.
func (r *run) notes(ctx context.Context) error {
	writes := func(pk nostr.PubKey) []string { return r.listed(ctx, pk, "write") }
	if r.opt.Only != nil {
		writes = func(nostr.PubKey) []string { return nil }
	}
	base, inbox := r.base(ctx), r.inbox(ctx)
	chosen := choose(r.authors, writes, base)
	r.mu.Lock()
	r.choice, r.baseURLs, r.inboxURLs = chosen, base, inbox
	r.mu.Unlock()
	urls := slices.Sorted(maps.Keys(r.choice.asked))
	if len(urls) == 0 && len(r.order) > 0 { // those that know relay lists were asked
		return cmp.Or(r.nobodyAnswered(), ErrNoRelays)
	} else if len(urls) == 0 {
		return ErrNoRelays
	}
	if err := errors.Join(r.discount(ctx), r.saveAsked(ctx)); err != nil {
		return err
	}
	r.leave(append(slices.Clone(inbox), urls...))
	plan, err := r.plan(ctx, urls, inbox, windows(r.past()))
	if err != nil {
		return err
	}
	r.tally = newTally(r.choice.counted, plan)
	r.report(func(p *Progress) { p.Relays, p.Done = len(urls), r.tally.ready })
	r.enter(stageNotes, plan.size())

	var live *watcher
	if !r.opt.Once {
		live = r.watch(ctx, urls, inbox)
		defer live.stop()
	}
	if err := r.carryOut(ctx, plan, true, r.tick); err != nil {
		return err
	}
	if err := errors.Join(r.discount(ctx), r.nobodyAnswered(), r.saveAsked(ctx), r.refetch(ctx, urls, inbox)); err != nil {
		return err
	}
	// Notes written while the windows were filled arrived by the live subscriptions; this
	// confirms them, and finds what a relay left out.
	if !r.opt.Once || r.opt.Now().Unix()-r.start > tailAfter {
		if err := r.tail(ctx, urls, inbox); err != nil {
			return err
		}
	}
	if err := r.lookAgain(ctx, urls, inbox); err != nil {
		return err
	}
	if err := r.context(ctx); err != nil || r.opt.Once {
		return err
	}
	return r.follow(ctx, live, urls, inbox)
}

// tailAfter is how many seconds a run with Once may take without asking for what was
// written meanwhile: the next run fetches that.
const tailAfter = 60

// saveAsked saves which relays count, once any has answered: a run without a network must
// not invalidate what is known from earlier ones.
func (r *run) saveAsked(ctx context.Context) error {
	if r.nobodyAnswered() != nil {
		return nil
	}
	return SaveAsked(ctx, r.opt.Store, r.choice.counted)
}

type todo map[string][]task

func (t todo) size() int {
	n := 0
	for _, tasks := range t {
		n += len(tasks)
	}
	return n
}

func (r *run) plan(ctx context.Context, urls, inbox []string, ws []span) (todo, error) {
	plan := todo{}
	for _, url := range urls {
		tasks, err := r.tasks(ctx, url, ws, coverage.Feed, r.choice.asked[url])
		if err != nil {
			return nil, err
		}
		plan[url] = tasks
	}
	for _, url := range inbox {
		tasks, err := r.tasks(ctx, url, from(ws, r.earliest(coverage.Inbox)), coverage.Inbox, []nostr.PubKey{r.opt.Me})
		if err != nil {
			return nil, err
		}
		plan[url] = append(plan[url], tasks...)
	}
	return plan, nil
}

// earliest is the time before which nothing is asked for.
func (r *run) earliest(p coverage.Purpose) int64 {
	feed, inbox := r.opt.From()
	switch p {
	case coverage.Feed:
		return feed
	case coverage.Inbox:
		return inbox
	}
	return 0
}

func (r *run) tasks(ctx context.Context, url string, ws []span, purpose coverage.Purpose, authors []nostr.PubKey) ([]task, error) {
	have, now := make(map[nostr.PubKey][]coverage.Interval, len(authors)), r.opt.Now().Unix()
	for _, a := range authors {
		all, err := r.confirmed(ctx, a, purpose)
		if err != nil {
			return nil, err
		}
		have[a] = settled(all[url], now)
	}
	return plan(ws, purpose, authors, func(a nostr.PubKey) []coverage.Interval { return have[a] }), nil
}

// carryOut fills windows at all relays side by side and calls filled after each. past
// reports them as catching up.
func (r *run) carryOut(ctx context.Context, plan todo, past bool, filled func(url string, t task, err error)) error {
	urls := slices.Sorted(maps.Keys(plan))
	return everywhere(urls, func(url string) error { return r.work(ctx, url, plan[url], past, filled) })
}

// work fills tasks at one relay. The error is the store's or that of ctx; the relay's
// failures are recorded for the summary.
func (r *run) work(ctx context.Context, url string, tasks []task, past bool, filled func(url string, t task, err error)) error {
	what := stageNotes
	if len(tasks) > 0 && tasks[0].purpose == coverage.Profile {
		what = stageProfiles
	}
	l := r.link(url)
	if past || what == stageProfiles { // everything that is missing is asked for
		r.forgive(url, what)
		l.revive()
	}
	if len(tasks) == 0 {
		return nil
	}
	l.addWindows(len(tasks))
	if past {
		l.catchUp()
	}
	if _, err := l.connect(ctx); err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	done, err := r.compare(ctx, l, tasks)
	if err != nil {
		return err
	}
	queue := make(chan task, len(tasks))
	for _, t := range tasks {
		queue <- t
	}
	close(queue)
	var all errgroup.Group
	for range min(backfillREQs, len(tasks)) {
		all.Go(func() error {
			m := l.asIt()
			f := &filler{
				relay: url, source: l, now: r.opt.Now, earliest: r.earliest,
				limit: m.limit, perFilter: m.perFilter, learned: &l.learned,
				checkKinds: func(ctx context.Context) error { return r.checkKinds(ctx, l) },
			}
			for t := range queue {
				f.sink = r.sink(l)
				err := f.fillRest(ctx, t, done[t.purpose])
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err != nil && !isOfRelay(err) {
					return err
				}
				if errors.Is(err, errRefusesAll) {
					l.refusesAll(err)
				}
				r.remember(url, what, err)
				l.addWindows(-1)
				filled(url, t, err)
			}
			return nil
		})
	}
	return all.Wait()
}

func isOfRelay(err error) bool {
	return errors.Is(err, errGivenUp) || errors.Is(err, errRelayGivenUp)
}

// fillRest is fill for the people whose window is not known to be complete, as long as the
// task's pages last.
func (f *filler) fillRest(ctx context.Context, t task, done known) error {
	t.authors = slices.DeleteFunc(slices.Clone(t.authors), func(pk nostr.PubKey) bool {
		return len(gaps(t.span, done[pk])) == 0
	})
	if len(t.authors) == 0 || t.left != nil && t.left.Load() <= 0 {
		return nil
	}
	t.asked = new(int)
	err := f.fill(ctx, t)
	if t.left != nil {
		t.left.Add(-int64(*t.asked))
	}
	return err
}

// tick counts a window, and the people who need no others, as done.
func (r *run) tick(url string, t task, err error) {
	r.report(func(p *Progress) {
		p.Filled++
		if r.tally != nil {
			p.Done = r.tally.settle(url, t, err)
		}
	})
}

// unreported is for windows that do not count as progress.
func unreported(string, task, error) {}

// relaySink stores a relay's pages that are asked for from now on. What they prove is void
// if coverage is removed meanwhile: see [ndb.Store.Epoch] and kinds.takeBack.
type relaySink struct {
	run       *run
	link      *link
	epoch     uint64
	takenBack int
}

func (r *run) sink(l *link) relaySink {
	k := &l.learned.kinds
	k.confirming.RLock()
	defer k.confirming.RUnlock()
	return relaySink{r, l, r.opt.Store.Epoch(), k.takenBack}
}

func (s relaySink) put(ctx context.Context, events []*nostr.Event, rows []coverage.Row) ([]*nostr.Event, error) {
	if k := &s.link.learned.kinds; len(rows) > 0 {
		k.confirming.RLock()
		defer k.confirming.RUnlock()
		if s.takenBack != k.takenBack {
			rows = nil
		}
	}
	return s.run.put(ctx, s.link, ndb.Batch{Events: events, Coverage: rows, Epoch: s.epoch})
}

// tail confirms the time from the start of the run, or from the end of the last tail, until
// now.
func (r *run) tail(ctx context.Context, urls, inbox []string) error {
	return r.fillQuietly(ctx, urls, inbox, []span{{r.start - clockSkew, r.opt.Now().Unix()}})
}

// refetch fetches what was removed from the ledger: see keepKinds.
func (r *run) refetch(ctx context.Context, urls, inbox []string) error {
	if !r.again.Swap(false) {
		return nil
	}
	return r.fillQuietly(ctx, urls, inbox, windows(r.past()))
}

func (r *run) fillQuietly(ctx context.Context, urls, inbox []string, ws []span) error {
	plan, err := r.plan(ctx, urls, inbox, ws)
	if err != nil {
		return err
	}
	return r.carryOut(ctx, plan, false, unreported)
}

// everywhere runs do for each relay side by side, so that one that stalls does not hold up
// others.
func everywhere(urls []string, do func(url string) error) error {
	var all errgroup.Group
	for _, url := range urls {
		all.Go(func() error { return do(url) })
	}
	return all.Wait()
}
