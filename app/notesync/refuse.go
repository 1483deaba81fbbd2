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
