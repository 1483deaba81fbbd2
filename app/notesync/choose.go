package notesync

import (
	"cmp"
	"slices"

	"bowerbird/ndb"
)

// The limits of the choice of relays.
const (
	maxConnections     = 20 // relays asked in one run
	relaysPerAuthor    = 2  // write relays asked for one author
	maxListedPerAuthor = 8  // write relays looked at in one list
)

// choice says which relays are asked for whom.
type choice struct {
	// asked maps a relay to the authors asked for there, sorted.
	asked map[string][]ndb.PubKey
	// counted maps an author to the relays whose word counts for their coverage:
	// their own write relays where one of them is asked, else the base relays.
	counted map[ndb.PubKey][]string
}

// choose gives every author the best of their write relays. Everybody gets one
// relay before anybody gets a second, and relays that many authors name go
// first, so that few connections reach many people. base relays are asked for
// everyone; an author without write relays counts as covered by them.
func choose(authors []ndb.PubKey, writes func(ndb.PubKey) []string, base []string) choice {
	c := choice{asked: map[string][]ndb.PubKey{}, counted: map[ndb.PubKey][]string{}}
	listed := make(map[ndb.PubKey][]string, len(authors))
	named := map[string]int{}
	for _, a := range authors {
		list := writes(a)
		listed[a] = list[:min(len(list), maxListedPerAuthor)]
		for _, url := range listed[a] {
			named[url]++
		}
	}
	for _, url := range base {
		for _, a := range authors {
			c.ask(url, a)
		}
	}
	for round := range relaysPerAuthor {
		for _, a := range authors {
			ranked := slices.Clone(listed[a])
			slices.SortStableFunc(ranked, func(x, y string) int {
				return cmp.Or(cmp.Compare(named[y], named[x]), cmp.Compare(x, y))
			})
			for _, url := range ranked {
				if len(c.counted[a]) > round {
					break
				}
				if slices.Contains(c.counted[a], url) {
					continue
				}
				if _, open := c.asked[url]; !open && len(c.asked) >= maxConnections {
					continue
				}
				c.ask(url, a)
				c.counted[a] = append(c.counted[a], url)
			}
		}
	}
	for _, a := range authors {
		if len(c.counted[a]) == 0 {
			c.counted[a] = slices.Clone(base)
		}
	}
	for url := range c.asked {
		slices.SortFunc(c.asked[url], func(a, b ndb.PubKey) int { return slices.Compare(a[:], b[:]) })
	}
	return c
}

func (c *choice) ask(url string, a ndb.PubKey) {
	if !slices.Contains(c.asked[url], a) {
		c.asked[url] = append(c.asked[url], a)
	}
}
