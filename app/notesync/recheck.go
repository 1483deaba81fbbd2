package notesync

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// recheck says that the last back seconds are confirmed again every so many seconds. Notes
// may reach a relay long after their date: somebody was offline, or one relay got them from
// another. So what was confirmed is confirmed again, recent time more often. The ledger
// holds when each interval was confirmed, so the schedule outlives a run.
type recheck struct{ back, every int64 }

var rechecks = []recheck{{30 * day, 7 * day}, {7 * day, day}, {2 * day, day / 4}}

// due returns since when what a relay confirmed is to be confirmed again; now if nothing
// is.
func due(have []coverage.Interval, now int64) int64 {
	for _, r := range rechecks {
		if slices.ContainsFunc(have, func(h coverage.Interval) bool {
			return h.To >= now-r.back && h.VerifiedAt <= now-r.every
		}) {
			return now - r.back
		}
	}
	return now
}

// fresh returns the intervals that need not be confirmed again yet.
func fresh(have []coverage.Interval, now int64) (kept []coverage.Interval) {
	for _, h := range have {
		for _, r := range rechecks {
			if h.VerifiedAt <= now-r.every {
				h.To = min(h.To, now-r.back-1)
			}
		}
		if h.From <= h.To {
			kept = append(kept, h)
		}
	}
	return kept
}

// newest returns up to when a ledger reaches; -1 if it is empty.
func newest(have []coverage.Interval) int64 {
	to := int64(-1)
	for _, h := range have {
		to = max(to, h.To)
	}
	return to
}

// lookAgain asks for what is to be confirmed again. Where a relay compares sets, that costs
// one question. Elsewhere the notes must be paged again; so each person's are asked for at
// one relay only, of those that count for them and are up to date the one that confirmed
// last, and at most againPages pages of one relay at a time: the rest stays due. An equal
// number of notes (NIP-45) would prove nothing, since what is stored of a person came from
// several relays.
//
// A relay that compares sets is paged after a week as well, since it may call any set equal
// to its own. Its sets are not compared until all these pages were read, except for people
// whom it refuses, in as many runs as that takes.
func (r *run) lookAgain(ctx context.Context, urls, inbox []string) error {
	again, now := todo{}, r.opt.Now().Unix()
	believed, err := r.longBelieved(ctx, slices.Concat(urls, inbox))
	if err != nil {
		return err
	}
	add := func(urls []string, purpose coverage.Purpose, people []nostr.PubKey, counted func(nostr.PubKey) []string) error {
		late := map[string]map[nostr.PubKey][]coverage.Interval{}
		put := func(url string, pk nostr.PubKey, have []coverage.Interval) {
			if slices.Contains(r.link(url).learned.refused(), pk) {
				return
			}
			if late[url] == nil {
				late[url] = map[nostr.PubKey][]coverage.Interval{}
			}
			late[url][pk] = have
		}
		for _, pk := range people {
			have, err := r.confirmed(ctx, pk, purpose)
			if err != nil {
				return err
			}
			if url, from := leastDue(have, counted(pk), now); from < now && slices.Contains(urls, url) {
				put(url, pk, fresh(have[url], now))
			}
			for url, since := range believed {
				if len(have[url]) > 0 && slices.Contains(urls, url) {
					put(url, pk, slices.DeleteFunc(fresh(have[url], now), func(h coverage.Interval) bool { return h.VerifiedAt < since }))
				}
			}
		}
		past := r.past()
		past.to = now - clockSkew // anything newer has just been asked for
		for url, have := range late {
			who := slices.DeleteFunc(slices.Clone(people), func(pk nostr.PubKey) bool { _, is := have[pk]; return !is })
			ws := from(windows(past), max(now-rechecks[0].back, r.earliest(purpose)))
			again[url] = append(again[url], plan(ws, purpose, who, func(pk nostr.PubKey) []coverage.Interval { return have[pk] })...)
		}
		return nil
	}
	counted := func(pk nostr.PubKey) []string { // with relays that may send by pages what they only named
		return slices.Concat(r.choice.counted[pk], r.withholding)
	}
	if err := add(urls, coverage.Feed, r.authors, counted); err != nil {
		return err
	}
	if len(inbox) > 0 {
		if err := add(inbox, coverage.Inbox, []nostr.PubKey{r.opt.Me}, func(nostr.PubKey) []string { return inbox }); err != nil {
			return err
		}
	}
	for _, tasks := range again {
		left := new(atomic.Int64)
		left.Store(againPages)
		for i := range tasks {
			tasks[i].left = left
		}
	}
	var mu sync.Mutex
	err = r.carryOut(ctx, again, false, func(url string, t task, err error) {
		mu.Lock()
		defer mu.Unlock()
		if err != nil || t.left.Load() <= 0 {
			delete(believed, url) // it has more pages
		}
	})
	if err != nil {
		return err
	}
	return r.pagedNow(ctx, slices.Collect(maps.Keys(believed)))
}

// longBelieved returns the relays that are to be paged after a week of comparing sets, and
// since when what they confirmed is to be paged.
func (r *run) longBelieved(ctx context.Context, urls []string) (due map[string]int64, err error) {
	var begun []string
	due = map[string]int64{}
	for _, url := range urls {
		if r.link(url).asIt().perSet == 0 {
			continue
		}
		if since, known := r.pagedSince(ctx, url); !known {
			begun = append(begun, url)
		} else if since+nearly <= r.opt.Now().Unix() {
			due[url] = since
		}
	}
	return due, r.pagedNow(ctx, begun)
}

// nearly is by how many seconds the ledger may date a confirmation too early
// ([ndb.Store.Confirmed]). For that long before pages are due no sets are compared.
const nearly = 60 * 60

// pagedSince returns since when what a relay that compares sets confirms is to be paged.
func (r *run) pagedSince(ctx context.Context, url string) (since int64, known bool) {
	raw, err := r.opt.Store.Bucket(triesBucket).Get(ctx, pagedRow(url))
	return readTries(raw).Next - nearly, err == nil
}

// pagesDue reports whether pages of such a relay are due.
func (r *run) pagesDue(ctx context.Context, url string) bool {
	since, known := r.pagedSince(ctx, url)
	return known && since <= r.opt.Now().Unix()
}

func (r *run) pagedNow(ctx context.Context, urls []string) error {
	rows := map[string][]byte{}
	for _, url := range urls {
		rows[pagedRow(url)] = tries{Next: r.opt.Now().Unix() + rechecks[0].every}.row()
	}
	return r.keepTries(ctx, rows)
}

func pagedRow(url string) string { return "paged:" + url }

// againPages is how many pages of one relay are asked for again at a time.
const againPages = 100

// leastDue returns the relay where the least is to be confirmed again, among those that
// reach as far as any, and since when.
func leastDue(have map[string][]coverage.Interval, counted []string, now int64) (url string, from int64) {
	last := int64(-1)
	for _, u := range counted {
		last = max(last, newest(have[u]))
	}
	for _, u := range counted {
		if to := newest(have[u]); to < 0 || to < last-day {
			continue
		}
		if at := due(have[u], now); url == "" || at > from {
			url, from = u, at
		}
	}
	if url == "" {
		return "", now
	}
	return url, from
}

func (r *run) confirmed(ctx context.Context, pk nostr.PubKey, purpose coverage.Purpose) (map[string][]coverage.Interval, error) {
	rows, err := r.opt.Store.Confirmed(ctx, pk, purpose)
	if err != nil {
		return nil, fmt.Errorf("reading the coverage ledger: %w", err)
	}
	have := map[string][]coverage.Interval{}
	for _, row := range rows {
		have[row.Relay] = append(have[row.Relay], row.Interval)
	}
	for url, list := range have {
		have[url] = sober(list, r.opt.Now().Unix()+clockSkew)
	}
	return have, nil
}
