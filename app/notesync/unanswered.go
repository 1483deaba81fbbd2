package notesync

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// How many events of a kind, of how many people, must be known from elsewhere until a relay
// that never sent one is taken to leave the kind out.
const (
	unansweredEvents = 5
	unansweredPeople = 3
)

type answers struct {
	gave   int                   // events of the kind that it sent
	missed int                   // events of time that it confirmed, which only others sent
	people map[nostr.PubKey]bool // their authors
}

// discount removes relays that silently leave out a kind from those that count for anybody:
// they send other kinds, and have confirmed time of which another relay has events of this
// kind by several of the same people. If no other relay is asked for them, or has any, this
// cannot be known. Relays that name notes which they do not send do not count either. It
// also saves what is known about kinds that relays leave out (kinds_left_out.go).
func (r *run) discount(ctx context.Context) error {
	silent := map[string]bool{}
	for url := range r.choice.asked {
		if r.withheld(ctx, url) {
			silent[url] = true
			r.remember(url, stageNotes, errors.New("it names notes that it does not give"))
		}
	}
	r.withholding = slices.Sorted(maps.Keys(silent))
	var given map[string]map[uint16]*answers
	silences := func(url string) bool { return r.link(url).learned.kinds.known().silentOfAll() }
	if len(r.choice.asked) > 1 || slices.ContainsFunc(slices.Collect(maps.Keys(r.choice.asked)), silences) {
		var err error
		if given, err = r.given(ctx); err != nil {
			return err
		}
	}
	for url, kinds := range given {
		gave := 0
		for _, a := range kinds {
			gave += a.gave
		}
		r.link(url).learned.kinds.judgeSilence(gave)
		for kind, a := range kinds {
			known := slices.Contains(r.link(url).learned.kinds.known().leftOut(), kind)
			if !known && gave > 0 && a.gave == 0 && a.missed >= unansweredEvents && len(a.people) >= unansweredPeople {
				silent[url] = true
				r.remember(url, stageNotes, fmt.Errorf("it never gave an event of kind %d, which others have of the same people", kind))
			}
		}
	}
	for url := range r.choice.asked {
		l := r.link(url)
		if leftOut := l.learned.kinds.known().leftOut(); len(leftOut) > 0 {
			r.remember(url, stageNotes, fmt.Errorf("it gives no events of %s", nostr.KindsInWords(leftOut)))
		}
		if err := r.keepKinds(ctx, l); err != nil {
			return err
		}
	}
	if len(silent) == 0 {
		return nil
	}
	isSilent := func(url string) bool { return silent[url] }
	r.mu.Lock()
	defer r.mu.Unlock()
	for pk, counted := range r.choice.counted {
		kept := append([]string{}, slices.DeleteFunc(slices.Clone(counted), isSilent)...)
		if len(kept) == 0 {
			kept = append(kept, slices.DeleteFunc(slices.Clone(r.baseURLs), isSilent)...)
		}
		r.choice.counted[pk] = kept // not nil: it is known that no relay counts
	}
	return nil
}

// given reads from the store what the relays sent of each kind, by the newest events of the
// run's time. Deletions are ignored, since many relays carry them out and do not pass them
// on.
func (r *run) given(ctx context.Context) (map[string]map[uint16]*answers, error) {
	asked := map[nostr.PubKey][]string{}
	given := map[string]map[uint16]*answers{}
	for url, people := range r.choice.asked {
		given[url] = map[uint16]*answers{}
		for _, pk := range people {
			asked[pk] = append(asked[pk], url)
		}
	}
	confirmed := map[nostr.PubKey][]coverage.Row{}
	kinds := slices.DeleteFunc(feedKinds(), func(kind uint16) bool { return kind == 5 })
	filter := nostr.Filter{Authors: r.authors, Kinds: kinds, Since: new(r.past().from), Limit: new(recallMost)}
	for e, err := range r.opt.Store.Query(ctx, ndb.QueryOptions{}, filter) {
		if err != nil {
			return nil, fmt.Errorf("reading what relays gave: %w", err)
		}
		seen, err := r.opt.Store.SeenOn(ctx, e.ID)
		if err != nil {
			continue // removed meanwhile
		}
		rows, read := confirmed[e.PubKey]
		if !read {
			if rows, err = r.opt.Store.Coverage(ctx, e.PubKey, coverage.Feed); err != nil {
				return nil, fmt.Errorf("reading the coverage ledger: %w", err)
			}
			confirmed[e.PubKey] = rows
		}
		for _, url := range asked[e.PubKey] {
			a := given[url][e.Kind]
			if a == nil {
				a = &answers{people: map[nostr.PubKey]bool{}}
				given[url][e.Kind] = a
			}
			covers := func(row coverage.Row) bool {
				return row.Relay == url && row.Interval.From <= e.CreatedAt && e.CreatedAt <= row.Interval.To
			}
			switch {
			case slices.Contains(seen, url):
				a.gave++
			case len(seen) > 0 && slices.ContainsFunc(rows, covers):
				a.missed++
				a.people[e.PubKey] = true
			}
		}
	}
	return given, nil
}
