package notesync

import (
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// tally counts the people of whom nothing is left to fetch: one of the relays that
// count for them gave all, or each of them gave what it would.
type tally struct {
	left  map[string]map[nostr.PubKey]*rest // by relay
	open  map[nostr.PubKey]int              // relays that count for them and are not through
	ready int
}

type rest struct {
	windows int
	failed  bool // one of them was given up
}

func newTally(counted map[nostr.PubKey][]string, plan todo) *tally {
	t := &tally{left: map[string]map[nostr.PubKey]*rest{}, open: map[nostr.PubKey]int{}}
	for pk, urls := range counted {
		t.open[pk] = len(urls)
		for _, url := range urls {
			if t.left[url] == nil {
				t.left[url] = map[nostr.PubKey]*rest{}
			}
			t.left[url][pk] = &rest{}
		}
		if len(urls) == 0 {
			t.ready++ // nobody can be asked
		}
	}
	for url, tasks := range plan {
		for _, task := range tasks {
			for _, pk := range task.authors {
				if r := t.left[url][pk]; r != nil && task.purpose == coverage.Feed {
					r.windows++
				}
			}
		}
	}
	for _, people := range t.left {
		for pk, r := range people {
			if r.windows == 0 {
				t.through(pk, r)
			}
		}
	}
	return t
}

// settle counts a window as done with and returns how many people are.
func (t *tally) settle(url string, done task, err error) int {
	for _, pk := range done.authors {
		r := t.left[url][pk]
		if r == nil || done.purpose != coverage.Feed {
			continue
		}
		r.windows--
		r.failed = r.failed || err != nil
		if r.windows == 0 {
			t.through(pk, r)
		}
	}
	return t.ready
}

func (t *tally) through(pk nostr.PubKey, r *rest) {
	before := t.open[pk]
	if before == 0 {
		return
	}
	t.open[pk]--
	if !r.failed {
		t.open[pk] = 0
	}
	if t.open[pk] == 0 {
		t.ready++
	}
}

func (t *tally) done() int { return t.ready }
