package notesync

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"bowerbird/ndb"
)

// selfWait is how long the reader's own lists are waited for.
const selfWait = 10 * time.Second

// people returns whose notes are wanted: those given, or the people whom the
// reader follows, and the reader.
func (r *run) people(ctx context.Context) ([]ndb.PubKey, error) {
	if len(r.opt.Authors) > 0 {
		return r.opt.Authors, nil
	}
	r.report(func(p *Progress) { p.Stage = "lists" })
	if err := r.selfLists(ctx); err != nil {
		return nil, err
	}
	follows, err := r.opt.Store.Contacts(ctx, r.opt.Me)
	if errors.Is(err, ndb.ErrNotFound) {
		if cause := r.nobodyAnswered(); cause != nil {
			return nil, fmt.Errorf("%w: %w", ErrNoNetwork, cause)
		}
		return nil, ErrNoContacts
	}
	if err != nil {
		return nil, err
	}
	if len(follows) == 0 {
		return nil, ErrNobody
	}
	authors := []ndb.PubKey{r.opt.Me}
	for _, pk := range follows {
		if pk != r.opt.Me {
			authors = append(authors, pk)
		}
	}
	return authors, nil
}

// selfLists asks all lookup relays for the reader's own lists and waits for all
// of them, since the newest version may be at any.
func (r *run) selfLists(ctx context.Context) error {
	urls, err := r.lookup(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, selfWait)
	defer cancel()
	limit := 100
	r.everywhere(urls, func(url string) {
		l := r.link(url)
		p, err := l.page(ctx, ndb.Filter{Authors: []ndb.PubKey{r.opt.Me}, Kinds: selfKinds(), Limit: &limit})
		if err == nil {
			_, err = r.put(ctx, l, p.events, nil)
		}
		r.remember(url, errors.Join(err, p.err))
	})
	return nil
}

// lookup returns the relays that are asked for lists and profiles.
func (r *run) lookup(ctx context.Context) ([]string, error) {
	urls := r.usable(r.opt.Only...)
	if len(r.opt.Only) == 0 {
		urls = r.usable(append(append([]string{}, r.base(ctx)...), r.opt.Indexers...)...)
	}
	if len(urls) == 0 {
		return nil, ErrNoRelays
	}
	return urls, nil
}

// maxOwnRead is how many of the reader's read relays are asked for everybody.
const maxOwnRead = 5

// base returns the relays that are asked for everybody: those of the settings and
// the reader's read relays.
func (r *run) base(ctx context.Context) []string {
	if len(r.opt.Only) > 0 {
		return r.usable(r.opt.Only...)
	}
	own := r.listed(ctx, r.opt.Me, "read")
	return r.usable(append(append([]string{}, r.opt.Base...), own[:min(len(own), maxOwnRead)]...)...)
}

// listed returns the relays of a person's relay list (NIP-65) that are marked
// with the use, or with none.
func (r *run) listed(ctx context.Context, pk ndb.PubKey, use string) []string {
	e, err := r.opt.Store.Latest(ctx, 10002, pk, "")
	if err != nil {
		return nil // none is stored
	}
	var urls []string
	for _, t := range e.Tags {
		if len(t) >= 2 && t[0] == "r" && (len(t) == 2 || t[2] == "" || t[2] == use) {
			urls = append(urls, t[1])
		}
	}
	return r.usable(urls...)
}

// profiles fetches the names and the relay lists of the authors.
func (r *run) profiles(ctx context.Context) error {
	r.report(func(p *Progress) { p.Stage, p.People = "profiles", len(r.authors) })
	urls, err := r.lookup(ctx)
	if err != nil {
		return err
	}
	always := []span{{0, r.start}}
	var failed error
	var mu sync.Mutex
	r.everywhere(urls, func(url string) {
		tasks, err := r.tasks(ctx, url, always, ndb.PurposeProfile, r.authors)
		if err == nil {
			err = r.work(ctx, url, tasks)
		}
		mu.Lock()
		failed = errors.Join(failed, err)
		mu.Unlock()
	})
	return failed
}

// tasks plans what the ledger lacks of the windows at a relay.
func (r *run) tasks(ctx context.Context, url string, ws []span, purpose ndb.Purpose, authors []ndb.PubKey) ([]task, error) {
	have := make(map[ndb.PubKey][]ndb.Interval, len(authors))
	for _, a := range authors {
		rows, err := r.opt.Store.Coverage(ctx, a, purpose)
		if err != nil {
			return nil, fmt.Errorf("reading the coverage ledger: %w", err)
		}
		for _, row := range rows {
			if row.Relay == url {
				have[a] = append(have[a], row.Interval)
			}
		}
	}
	return plan(ws, purpose, authors, func(a ndb.PubKey) []ndb.Interval { return have[a] }), nil
}

// maxDials is how many relays are worked with at one time.
const maxDials = 8

// everywhere runs do for each relay, some side by side.
func (r *run) everywhere(urls []string, do func(url string)) {
	places := make(chan struct{}, maxDials)
	var wg sync.WaitGroup
	for _, url := range urls {
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			do(url)
		})
	}
	wg.Wait()
}

// remember keeps why something could not be had from a relay, for the summary.
func (r *run) remember(url string, err error) {
	if err == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reasons[url] = err
}

// nobodyAnswered returns why, when not one relay could be reached.
func (r *run) nobodyAnswered() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var why error
	for _, l := range r.links {
		if l.reached() {
			return nil
		}
		why = r.reasons[l.url]
	}
	return why
}
