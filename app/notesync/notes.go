package notesync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"bowerbird/app/relay"
	"bowerbird/ndb"
)

// What is asked at one time, and how.
const (
	backfillREQs = 4   // windows filled side by side at one relay
	pageLimit    = 500 // events a page, where the relay permits it
	clockSkew    = 900 // seconds that relays and writers may be off
)

// notes fetches the feed of all authors: live first, so that nothing is lost
// while the past is filled, newest windows first.
func (r *run) notes(ctx context.Context) error {
	base := r.base(ctx)
	writes := func(pk ndb.PubKey) []string { return r.listed(ctx, pk, "write") }
	if len(r.opt.Only) > 0 {
		writes = func(ndb.PubKey) []string { return nil }
	}
	r.choice = choose(r.authors, writes, base)
	urls := slices.Sorted(maps.Keys(r.choice.asked))
	if len(urls) == 0 {
		return ErrNoRelays
	}
	if err := SaveAsked(ctx, r.opt.Store, r.choice.counted); err != nil {
		return err
	}
	r.report(func(p *Progress) { p.Stage, p.Relays = "notes", len(urls) })

	live, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	ws := windows(span{r.start - int64(r.opt.Days)*day, r.start})
	err := r.round(ctx, urls, ws, func(url string) {
		for group := range slices.Chunk(r.choice.asked[url], authorsPerFilter) {
			wg.Go(func() { r.live(live, url, group) })
		}
	})
	if err != nil {
		return err
	}
	if err := r.context(ctx); err != nil {
		return err
	}
	// What was written while the windows were filled came by the live
	// subscriptions; this proves it, and finds what a relay let slip.
	if err := r.tail(ctx, urls); err != nil || r.opt.Once {
		return err
	}
	return r.follow(ctx, urls)
}

// round fills what is lacking of the windows at all relays. before runs for each
// relay once it is connected.
func (r *run) round(ctx context.Context, urls []string, ws []span, before func(url string)) error {
	var failed error
	var mu sync.Mutex
	fail := func(err error) {
		mu.Lock()
		failed = errors.Join(failed, err)
		mu.Unlock()
	}
	r.everywhere(urls, func(url string) {
		tasks, err := r.tasks(ctx, url, ws, ndb.PurposeFeed, r.choice.asked[url])
		if err == nil && r.opt.Me != (ndb.PubKey{}) && slices.Contains(r.choice.counted[r.opt.Me], url) {
			var inbox []task
			inbox, err = r.tasks(ctx, url, ws, ndb.PurposeInbox, []ndb.PubKey{r.opt.Me})
			tasks = append(tasks, inbox...)
		}
		if err != nil {
			fail(err)
			return
		}
		if before != nil {
			before(url)
		}
		if err := r.work(ctx, url, tasks); err != nil {
			fail(err)
		}
	})
	return errors.Join(failed, ctx.Err())
}

// work fills tasks at one relay. The error is the store's or that of ctx; what
// the relay did wrong is kept for the summary.
func (r *run) work(ctx context.Context, url string, tasks []task) error {
	if len(tasks) == 0 {
		return nil
	}
	r.report(func(p *Progress) { p.Windows += len(tasks) })
	l := r.link(url)
	queue := make(chan task, len(tasks))
	for _, t := range tasks {
		queue <- t
	}
	close(queue)
	limit := r.pageLimit(ctx, url)
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex
		failed error
	)
	for range min(backfillREQs, len(tasks)) {
		wg.Go(func() {
			f := &filler{relay: url, source: l, sink: relaySink{r, l}, limit: limit, now: r.opt.Now}
			for t := range queue {
				err := f.fill(ctx, t)
				r.report(func(p *Progress) { p.Filled++ })
				switch {
				case err == nil:
				case errors.Is(err, errGivenUp), errors.Is(err, errRelayGivenUp):
					r.remember(url, err)
				default:
					mu.Lock()
					failed = errors.Join(failed, err)
					mu.Unlock()
					return
				}
			}
		})
	}
	wg.Wait()
	return failed
}

// relaySink is where a relay's pages go.
type relaySink struct {
	run  *run
	link *link
}

func (s relaySink) put(ctx context.Context, events []*ndb.Event, rows []ndb.Coverage) (int, error) {
	return s.run.put(ctx, s.link, events, rows)
}

// pageLimit returns how many events a page may ask for; a relay that says
// nothing of itself is asked for the usual.
func (r *run) pageLimit(ctx context.Context, url string) int {
	info, err := relay.FetchInfo(ctx, r.opt.Client, url)
	if err != nil || info.MaxLimit == 0 {
		return pageLimit
	}
	return min(pageLimit, info.MaxLimit)
}

// The live subscriptions gather events for so long, or so many, before they are
// stored: one transaction for many is what makes storing cheap.
const (
	liveGather = 300 * time.Millisecond
	liveMost   = 200
)

// live stores what is written from now on, until ctx ends; with Once also until
// the relay is given up.
func (r *run) live(ctx context.Context, url string, authors []ndb.PubKey) {
	l := r.link(url)
	since := r.start - clockSkew
	for ctx.Err() == nil {
		conn, err := l.connect(ctx)
		if err != nil { // given up: for this run, or until follow revives it
			if r.opt.Once || r.opt.Sleep(ctx, followEvery) != nil {
				return
			}
			continue
		}
		f := filterFor(ndb.PurposeFeed, authors)
		f.Since = &since
		sub, err := conn.Subscribe(ctx, relay.Live, f)
		if err == nil {
			err = r.drain(ctx, l, sub)
			sub.Close()
			since = r.opt.Now().Unix() - clockSkew
		}
		if ctx.Err() != nil {
			return
		}
		if err := l.failed(ctx, conn, err); err != nil && (r.opt.Once || !errors.Is(err, errRelayGivenUp)) {
			return
		}
	}
}

// drain stores what a subscription brings until it ends.
func (r *run) drain(ctx context.Context, l *link, sub *relay.Sub) error {
	var batch []*ndb.Event
	for {
		wait, cancel := ctx, context.CancelFunc(func() {})
		if len(batch) > 0 {
			wait, cancel = context.WithTimeout(ctx, liveGather)
		}
		e, err := sub.Next(wait)
		cancel()
		if e != nil {
			batch = append(batch, e)
		}
		if err == nil && len(batch) < liveMost {
			continue
		}
		// What came is kept even when we are told to stop.
		if _, putErr := r.put(context.WithoutCancel(ctx), l, batch, nil); putErr != nil {
			return putErr
		}
		batch = batch[:0:0]
		if err != nil && !errors.Is(err, relay.EOSE) && !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
	}
}

// tail proves the stretch from the start of the run until now.
func (r *run) tail(ctx context.Context, urls []string) error {
	now := r.opt.Now().Unix()
	return r.round(ctx, urls, []span{{r.start - clockSkew, now}}, nil)
}

// followEvery is how often a run that goes on proves what the live subscriptions
// brought, and tries relays again that were given up.
const followEvery = 5 * time.Minute

// follow keeps up until ctx ends.
func (r *run) follow(ctx context.Context, urls []string) error {
	r.report(func(p *Progress) { p.Stage = "live" })
	for {
		if err := r.opt.Sleep(ctx, followEvery); err != nil {
			return nil // the user's wish, not a failure
		}
		r.revive()
		if err := r.tail(ctx, urls); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

// askedBucket holds, per author, the relays whose word counts for them, so that
// the coverage statement can be made without a sync.
const askedBucket = "sync-asked"

// SaveAsked keeps which relays' word counts for whose coverage.
func SaveAsked(ctx context.Context, s *ndb.Store, asked map[ndb.PubKey][]string) error {
	values := make(map[string][]byte, len(asked))
	for a, urls := range asked {
		raw, err := json.Marshal(urls)
		if err != nil {
			return err
		}
		values[a.String()] = raw
	}
	if err := s.Bucket(askedBucket).Put(ctx, values); err != nil {
		return fmt.Errorf("saving the choice of relays: %w", err)
	}
	return nil
}

// RelaysAsked returns the relays whose word counts for an author's coverage;
// none when the author was never synced.
func RelaysAsked(ctx context.Context, s *ndb.Store, author ndb.PubKey) []string {
	raw, err := s.Bucket(askedBucket).Get(ctx, author.String())
	if err != nil {
		return nil
	}
	var urls []string
	if json.Unmarshal(raw, &urls) != nil {
		return nil
	}
	return urls
}
