package notesync

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"bowerbird/app/relay"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// refusedThisQuery reports whether a relay refused this query because of its number of
// authors or one of them, so that it may answer a smaller one; not us, or our pace.
func refusedThisQuery(err error) bool {
	var why *relay.Error
	if !errors.As(err, &why) || why.Kind != relay.Rejected {
		return false
	}
	text := strings.ToLower(why.Detail)
	names := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
	}
	switch why.Prefix {
	case "auth-required", "restricted", "rate-limited":
		return false
	case "", "error":
		return names("author", "pubkey", "filter", "element", "kind") && !names("too fast", "rate limit", "slow down", "concurrent")
	}
	return !tooMuch(why) || names("author", "pubkey", "filter", "element", "kind")
}

// refusals are what a relay does not answer, as learned in one run.
type refusals struct {
	mu       sync.Mutex
	most     int // authors in a filter; 0 for no limit
	people   map[nostr.PubKey]error
	answered map[coverage.Purpose]bool // whether any query was answered

	checking    sync.Mutex               // held while a query for authorsUsed is open
	authorsUsed map[coverage.Purpose]int // how many authors of a filter the relay is known to use
}

// errRefusesAll is the error of a relay that does not even answer the smallest queries.
var errRefusesAll = errors.New("it refuses every query")

// narrow returns how many authors a filter may have, at best most, and the authors who are
// not refused; the error is why others are refused.
func (r *refusals) narrow(authors []nostr.PubKey, most int) (each int, rest []nostr.PubKey, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, a := range authors {
		if why := r.people[a]; why != nil {
			err = why
		} else {
			rest = append(rest, a)
		}
	}
	if r.most > 0 && (most == 0 || r.most < most) {
		most = r.most
	}
	return most, rest, err
}

func (r *refusals) refused() []nostr.PubKey {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.SortedFunc(maps.Keys(r.people), byKey)
}

func (r *refusals) answers(p coverage.Purpose) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.answered == nil {
		r.answered = map[coverage.Purpose]bool{}
	}
	r.answered[p] = true
}

func (r *refusals) refuse(pk nostr.PubKey, p coverage.Purpose, why error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.people == nil {
		r.people = map[nostr.PubKey]error{}
	}
	r.people[pk] = why
	if len(r.people) > 1 && !r.answered[p] {
		return fmt.Errorf("%w: %w: %w", errGivenUp, errRefusesAll, why)
	}
	return fmt.Errorf("%w: %w", errGivenUp, why)
}

// fewer continues after a relay refused a query: within the limits learned by now, otherwise
// with half of the people at a time. If that is answered, there were too many of them.
func (w *window) fewer(ctx context.Context, why error) error {
	if w.purpose == coverage.Inbox {
		return fmt.Errorf("%w: %w", errGivenUp, why)
	}
	if most, rest, _ := w.learned.narrow(w.authors, w.perFilter); len(rest) < len(w.authors) || most > 0 && most < len(w.authors) {
		return w.fill(ctx, w.task)
	}
	if len(w.authors) == 1 {
		return w.learned.refuse(w.authors[0], w.purpose, why)
	}
	half := (len(w.authors) + 1) / 2
	err := w.fillParts(ctx, w.task, half)
	if err == nil {
		w.learned.takes(half)
	}
	return err
}

func (r *refusals) takes(most int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.most == 0 || most < r.most {
		r.most = most
	}
}

// checkSample is how many of the people from whom a relay sent nothing are asked for again.
const checkSample = 5

// usesAll reports whether the relay used all authors of the window's filters: some use the
// first ones and silently ignore the others. So when it first sends events of some of a
// batch but not of all, it is asked again for some of the others alone, and for fewer
// people at a time from then on if it has something after all.
func (w *window) usesAll(ctx context.Context) (bool, error) {
	if w.purpose == coverage.Inbox || len(w.authors) == 1 || len(w.gave) == 0 {
		return true, nil
	}
	w.learned.checking.Lock()
	defer w.learned.checking.Unlock()
	if most, _, _ := w.learned.narrow(nil, len(w.authors)); most < len(w.authors) {
		return false, nil // another window has learned it meanwhile
	}
	silent := slices.DeleteFunc(slices.Clone(w.authors), func(pk nostr.PubKey) bool { return w.gave[pk] })
	if len(w.authors) > w.learned.authorsUsed[w.purpose] && len(silent) > 0 {
		var sample []nostr.PubKey
		n := min(checkSample, len(silent))
		for i := range n {
			sample = append(sample, silent[len(silent)-1-i*len(silent)/n])
		}
		if w.shorten(); w.span.empty() {
			return true, nil
		}
		*w.asked++
		p, err := w.source.page(ctx, w.ask(sample, w.span, 1))
		if err != nil {
			return false, err
		}
		invalid, err := w.keep(ctx, p)
		switch {
		case err != nil:
			return false, err
		case p.err != nil:
			return false, fmt.Errorf("%w: %w", errGivenUp, p.err)
		case len(p.events) > invalid:
			w.learned.takes((len(w.authors) + 1) / 2)
			return false, nil
		}
	}
	if w.learned.authorsUsed == nil {
		w.learned.authorsUsed = map[coverage.Purpose]int{}
	}
	w.learned.authorsUsed[w.purpose] = max(w.learned.authorsUsed[w.purpose], len(w.authors))
	return true, nil
}

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
