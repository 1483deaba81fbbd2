package notesync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// selfWait is how long to wait for the account's own lists.
const selfWait = 10 * time.Second

// selfLinger is how long to wait for the other relays once one has answered and a contact
// list is stored, in a run that looks again later.
const selfLinger = 2 * time.Second

func (r *run) people(ctx context.Context) ([]nostr.PubKey, error) {
	if len(r.opt.Authors) > 0 {
		return distinct(r.opt.Authors), nil
	}
	r.enter(stageLists, 0)
	if err := r.selfLists(ctx); err != nil {
		return nil, err
	}
	r.setBanned(ctx)
	r.lists = r.ownLists(ctx)
	follows, err := r.opt.Store.Contacts(ctx, r.opt.Me)
	if errors.Is(err, ndb.ErrNotFound) {
		if err := r.nobodyAnswered(); err != nil {
			return nil, err
		}
		return nil, r.noContacts()
	}
	if err != nil {
		return nil, fmt.Errorf("reading the contact list: %w", err)
	}
	if len(follows) == 0 {
		return nil, ErrNobody
	}
	return distinct(append([]nostr.PubKey{r.opt.Me}, follows...)), nil
}

func keySet(keys []nostr.PubKey) map[nostr.PubKey]bool {
	return keysOf(keys, func(pk nostr.PubKey) nostr.PubKey { return pk })
}

func distinct(keys []nostr.PubKey) []nostr.PubKey {
	seen := make(map[nostr.PubKey]bool, len(keys))
	return slices.DeleteFunc(slices.Clone(keys), func(pk nostr.PubKey) bool {
		again := seen[pk]
		seen[pk] = true
		return again
	})
}

// selfKinds are the account's own kinds to fetch: first those of which there is one event
// each, then those of which there may be many.
var selfKinds = [][]uint16{{0, 3, 10000, 10002, 10003, 10006, 10007, 10050}, {30000, 30078}}

// selfLists asks all lookup relays for the account's own lists and waits for all of them,
// since any may have the newest version.
func (r *run) selfLists(ctx context.Context) error {
	urls, err := r.lookup(ctx)
	if err != nil {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, selfWait)
	defer cancel()
	var found sync.Once
	return everywhere(urls, func(url string) error {
		l := r.link(url)
		r.forgive(url, stageLists)
		for i, kinds := range selfKinds {
			if lately, err := r.lookedUp(ctx, url, r.opt.Me); err != nil || i > 0 && lately {
				return err // the second group is only kept
			}
			if more, err := r.selfPage(ctx, waiting, l, kinds); err != nil || !more {
				return err
			}
		}
		// A newer version at another relay is found in the next round, if there is one.
		if _, err := r.opt.Store.Contacts(ctx, r.opt.Me); err == nil && r.opt.Refresh > 0 {
			found.Do(func() { time.AfterFunc(selfLinger, cancel) })
		}
		return nil
	})
}

// selfPage asks a relay for lists of the account until waiting ends, for fewer kinds at a
// time if it refuses so many or its page is full. The error is the store's or that of ctx;
// more means that the relay may be asked further.
func (r *run) selfPage(ctx, waiting context.Context, l *link, kinds []uint16) (more bool, err error) {
	p, failed := l.page(waiting, nostr.Filter{Authors: []nostr.PubKey{r.opt.Me}, Kinds: kinds, Limit: new(pageLimit)})
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	tooMany := refusedThisQuery(p.err) && strings.Contains(strings.ToLower(said(p.err)), "kind")
	if failed == nil && len(kinds) > 1 && (tooMany || len(p.events) >= l.asIt().limit) {
		half := len(kinds) / 2
		if more, err := r.selfPage(ctx, waiting, l, kinds[:half]); err != nil || !more {
			return false, err
		}
		return r.selfPage(ctx, waiting, l, kinds[half:])
	}
	if failed != nil && waiting.Err() != nil {
		failed = errSlow
	}
	r.remember(l.url, stageLists, errors.Join(failed, p.err))
	_, err = r.put(ctx, l, ndb.Batch{Events: p.events})
	return failed == nil, err
}

// noContacts returns [ErrNoContacts], with the reason of a relay that did not answer
// everything.
func (r *run) noContacts() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, url := range r.order {
		if why := r.reason(url); why != nil {
			_, words := TroubleOf(why)
			return fmt.Errorf("%w: at %s %s", ErrNoContacts, url, words)
		}
	}
	return ErrNoContacts
}

// errSlow is the error of a relay that others do not wait for.
var errSlow = errors.New("it was too slow to answer")

// profileEvery is for how many seconds names and relay lists are not asked for again,
// unless the user asks. Live subscriptions deliver changes too.
const profileEvery = 6 * 60 * 60

// lookedUp reports whether a relay was asked for a person's name and relays less than
// profileEvery ago.
func (r *run) lookedUp(ctx context.Context, url string, pk nostr.PubKey) (bool, error) {
	have, err := r.confirmed(ctx, pk, coverage.Profile)
	return !r.anew && r.opt.Now().Unix()-newest(have[url]) < profileEvery, err
}

func (r *run) profiles(ctx context.Context) error {
	urls, err := r.lookup(ctx)
	if err != nil {
		return err
	}
	always := []span{{0, r.start}}
	tasks := make(map[string][]task, len(urls))
	windows := 0
	for _, url := range urls {
		var due []nostr.PubKey
		for _, pk := range r.authors {
			lately, err := r.lookedUp(ctx, url, pk)
			if err != nil {
				return err
			}
			if !lately {
				due = append(due, pk)
			}
		}
		if tasks[url], err = r.tasks(ctx, url, always, coverage.Profile, due); err != nil {
			return err
		}
		windows += len(tasks[url])
	}
	r.report(func(p *Progress) { p.People = len(r.authors) })
	r.enter(stageProfiles, windows)
	return r.unhurried(ctx, urls, func(ctx context.Context, url string) error {
		return r.work(ctx, url, tasks[url], false, r.tick)
	})
}

// profileWait is how long to wait for the other relays once one has sent all its profiles;
// profileLinger applies in a run that looks again later.
const (
	profileWait   = 10 * time.Second
	profileLinger = 3 * time.Second
)

// unhurried runs do for each relay, but does not wait for those that take much longer than
// the first that answered.
func (r *run) unhurried(ctx context.Context, urls []string, do func(ctx context.Context, url string) error) error {
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	var first sync.Once
	return everywhere(urls, func(url string) error {
		err := do(waiting, url)
		if waiting.Err() != nil && ctx.Err() == nil {
			r.remember(url, stageProfiles, cmp.Or(r.link(url).doneWithout(), errSlow))
			return nil
		}
		if err == nil && r.link(url).wasReached() {
			first.Do(func() {
				go func() {
					wait := profileWait
					if r.opt.Refresh > 0 {
						wait = profileLinger
					}
					_ = r.opt.Sleep(waiting, wait) // ends early when all have answered
					cancel()
				}()
			})
		}
		return err
	})
}

// nobodyAnswered returns [ErrNoNetwork], with a reason, if no relay was reached.
func (r *run) nobodyAnswered() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var why error
	for _, url := range r.order {
		if r.links[url].wasReached() {
			return nil
		}
		if why == nil {
			why = r.reason(url)
		}
	}
	if why == nil {
		return ErrNoNetwork
	}
	_, words := TroubleOf(why)
	return fmt.Errorf("%w: %s", ErrNoNetwork, words)
}
