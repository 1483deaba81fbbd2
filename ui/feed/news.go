package feed

import (
	"context"
	"slices"
	"sync"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// news is what came into the store since it was looked at last.
type news struct {
	of       int                   // the beginning that the items came after
	items    []item                // that belong into the timeline, in the order they came
	gone     []nostr.ID            // whose deletion was asked for
	profiles map[nostr.PubKey]bool // whose profile is another one
	contacts bool                  // the reader follows others than before
	came     map[nostr.ID]bool     // notes of any kind: one that is shown may have lacked them
}

// watcher gathers news for a timeline, on a goroutine of its own: thousands of
// notes a second come in while the first sync runs.
type watcher struct {
	me   nostr.PubKey
	tell func() // that there are news; called often

	mu   sync.Mutex
	tl   timeline
	of   int // which beginning of the list read tl
	news news
}

// watch begins to gather, until ctx ends. What is wanted is set by follow.
func watch(ctx context.Context, store *ndb.Store, me nostr.PubKey, tell func()) *watcher {
	w := &watcher{me: me, tell: tell}
	kinds := append(timelineKinds(true), 0, 3, kindDeletion)
	sub := store.Subscribe(ctx, nostr.Filter{Kinds: kinds})
	go func() {
		for e, err := range sub {
			if err == nil { // a note that cannot be read is nothing to show
				w.take(ctx, e)
			}
		}
	}()
	return w
}

// follow gathers for a timeline from now on, which a beginning is about to read; one
// that is overtaken changes nothing.
func (w *watcher) follow(tl timeline, of int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if of >= w.of {
		w.tl, w.of, w.news.items = tl, of, nil
	}
}

// look returns the news since the last call.
func (w *watcher) look() news {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := w.news
	n.of = w.of
	w.news = news{}
	return n
}

func (w *watcher) take(ctx context.Context, e *nostr.Event) {
	w.mu.Lock()
	tl, of := w.tl, w.of
	w.mu.Unlock()
	var change func(*news)
	switch e.Kind {
	case 0:
		change = func(n *news) {
			if n.profiles == nil {
				n.profiles = map[nostr.PubKey]bool{}
			}
			n.profiles[e.PubKey] = true
		}
	case 3:
		if e.PubKey == w.me {
			change = func(n *news) { n.contacts = true }
		}
	case kindDeletion:
		change = func(n *news) { n.gone = append(n.gone, deleted(e)...) }
	default:
		if tl.store == nil {
			return
		}
		var items []item
		if it, ok := tl.shows(ctx, e); ok {
			items = append(items, it)
		} else {
			items = tl.passedOn(ctx, e.ID)
		}
		change = func(n *news) {
			if n.came == nil {
				n.came = map[nostr.ID]bool{}
			}
			n.came[e.ID] = true
			if of == w.of { // else they are stored already where the next timeline is read
				n.items = append(n.items, items...)
			}
		}
	}
	if change == nil {
		return
	}
	w.mu.Lock()
	change(&w.news)
	w.mu.Unlock()
	w.tell()
}

// deleted returns the ids that a deletion names.
func deleted(e *nostr.Event) []nostr.ID {
	var ids []nostr.ID
	for _, t := range e.Tags {
		if len(t) > 1 && t[0] == "e" {
			if id, err := nostr.ParseID(t[1]); err == nil && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}
