package notesync

import (
	"cmp"
	"maps"
	"slices"

	"bowerbird/ndb/nostr"
)

const (
	maxConnections     = 20 // relays asked in one run
	relaysPerAuthor    = 2  // write relays asked for one author
	maxListedPerAuthor = 8  // write relays looked at in one list
)

type choice struct {
	// asked maps a relay to the authors asked for there, sorted.
	asked map[string][]nostr.PubKey
	// counted maps an author to the relays whose word counts for their coverage:
	// their own write relays where one of them is asked, else the base relays.
	counted map[nostr.PubKey][]string
}

// choose gives every author up to two of their write relays. Everybody gets one
// before anybody gets a second, and the relay that serves most of those who lack
// one goes first, so that few connections reach many people. base relays are
// asked for everyone; an author of whose write relays none is asked counts as
// covered by them.
func choose(authors []nostr.PubKey, writes func(nostr.PubKey) []string, base []string) choice {
	c := choice{asked: map[string][]nostr.PubKey{}, counted: map[nostr.PubKey][]string{}}
	for _, url := range base {
		c.asked[url] = slices.Clone(authors)
	}
	listed := make(map[nostr.PubKey][]string, len(authors))
	for _, a := range authors {
		list := writes(a)
		listed[a] = list[:min(len(list), maxListedPerAuthor)]
	}
	for round := range relaysPerAuthor {
		lacking := slices.DeleteFunc(slices.Clone(authors), func(a nostr.PubKey) bool { return len(c.counted[a]) > round })
		for len(lacking) > 0 {
			url, ok := c.best(lacking, listed)
			if !ok {
				break
			}
			lacking = slices.DeleteFunc(lacking, func(a nostr.PubKey) bool { return c.give(a, url, listed[a]) })
		}
	}
	for _, a := range authors {
		if len(c.counted[a]) == 0 {
			c.counted[a] = slices.Clone(base)
		}
	}
	for _, who := range c.asked {
		slices.SortFunc(who, byKey)
	}
	return c
}

func byKey(a, b nostr.PubKey) int { return slices.Compare(a[:], b[:]) }

// best returns the relay that the most of the authors list and are not given
// yet; one that is asked already goes before one that is not.
func (c *choice) best(authors []nostr.PubKey, listed map[nostr.PubKey][]string) (url string, ok bool) {
	named := map[string]int{}
	for _, a := range authors {
		for _, url := range listed[a] {
			if _, open := c.asked[url]; (open || len(c.asked) < maxConnections) && !slices.Contains(c.counted[a], url) {
				named[url]++
			}
		}
	}
	if len(named) == 0 {
		return "", false
	}
	open := func(url string) int {
		if _, ok := c.asked[url]; ok {
			return 1
		}
		return 0
	}
	return slices.MinFunc(slices.Collect(maps.Keys(named)), func(a, b string) int {
		return cmp.Or(cmp.Compare(open(b), open(a)), cmp.Compare(named[b], named[a]), cmp.Compare(a, b))
	}), true
}

func (c *choice) give(a nostr.PubKey, url string, listed []string) bool {
	if !slices.Contains(listed, url) || slices.Contains(c.counted[a], url) {
		return false
	}
	if !slices.Contains(c.asked[url], a) {
		c.asked[url] = append(c.asked[url], a)
	}
	c.counted[a] = append(c.counted[a], url)
	return true
}
