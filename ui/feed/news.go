package feed

import (
	"context"
	"slices"
	"sync"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// news is what arrived in the store since the last look.
type news struct {
	of       int                   // the beginning that the items came after
	items    []item                // that belong into the timeline, in the order they came
	gone     []nostr.ID            // whose deletion was asked for
	profiles map[nostr.PubKey]bool // whose profile is another one
	contacts bool                  // the user follows others than before
	came     map[nostr.ID]bool     // notes of any kind: one that is shown may have lacked them
}

// watcher collects news for a timeline on its own goroutine: during the first sync
// thousands of notes arrive per second.
type watcher struct {
	me     nostr.PubKey
	notify func() // called often, whenever there are news

	mu   sync.Mutex
	tl   timeline
	of   int // which beginning of the list read tl
	news news
}

// watch starts to collect, until ctx ends. follow says for which timeline.
func watch(ctx context.Context, store *ndb.Store, me nostr.PubKey, notify func()) *watcher {
	w := &watcher{me: me, notify: notify}
	kinds := append(timelineKinds(true), 0, 3, kindDeletion)
	sub := store.Subscribe(ctx, nostr.Filter{Kinds: kinds})
	go func() {
		for e, err := range sub {
			if err == nil {
				w.take(ctx, e)
			}
		}
	}()
	return w
}

// follow collects for a timeline from now on. of is the beginning that is about to read
// it; an earlier one than the last changes nothing.
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
	w.notify()
}

// deleted returns the ids that a deletion names (NIP-09).
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
