package notesync

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
)

// names turns the first letter of each relay list into an author.
func people(lists []string) (authors []nostr.PubKey, writes func(nostr.PubKey) []string) {
	by := map[nostr.PubKey][]string{}
	for i, list := range lists {
		a := nostr.PubKey{byte(i + 1)}
		authors = append(authors, a)
		by[a] = strings.Fields(list)
	}
	return authors, func(a nostr.PubKey) []string { return by[a] }
}

func TestEachAuthorIsAskedForAtTheRelaysThatServeMost(t *testing.T) {
	tests := []struct {
		name    string
		lists   []string // write relays of authors 1, 2 …
		base    []string
		asked   map[string]string // relay to the numbers of its authors
		counted []string          // by author
	}{
		{"two of their relays at most", []string{"a b c"}, nil, map[string]string{"a": "1", "b": "1"}, []string{"a b"}},
		{"the shared relay before others", []string{"x a", "y a", "z a"}, nil, map[string]string{"a": "123", "x": "1", "y": "2", "z": "3"}, []string{"a x", "a y", "a z"}},
		{"base relays are asked for all", []string{"a", ""}, []string{"base"}, map[string]string{"base": "12", "a": "1"}, []string{"a", "base"}},
		{"a base relay that is theirs counts", []string{"base a"}, []string{"base"}, map[string]string{"base": "1", "a": "1"}, []string{"base a"}},
		{"a relay listed twice is one", []string{"a a"}, nil, map[string]string{"a": "1"}, []string{"a"}},
		{"no more than eight of a list are looked at", []string{"1 2 3 4 5 6 7 8 z", "z", "z"}, nil, map[string]string{"z": "23", "1": "1", "2": "1"}, []string{"1 2", "z", "z"}},
		{"nobody", nil, []string{"base"}, map[string]string{"base": ""}, nil},
		{"no relay at all", []string{""}, nil, map[string]string{}, []string{""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			authors, writes := people(tt.lists)
			c := choose(authors, writes, tt.base)
			if len(c.asked) != len(tt.asked) {
				t.Errorf("asked: %v", c.asked)
			}
			for url, want := range tt.asked {
				got := ""
				for _, a := range c.asked[url] {
					got += fmt.Sprint(a[0])
				}
				if got != want {
					t.Errorf("%s is asked for %s, want %s", url, got, want)
				}
			}
			for i, a := range authors {
				if got := strings.Join(c.counted[a], " "); got != tt.counted[i] {
					t.Errorf("for author %d count %q, want %q", i+1, got, tt.counted[i])
				}
			}
		})
	}
}

// TestTheChoiceKeepsItsLimits draws random lists: never over 20 connections,
// nobody gets a second relay that could have been somebody's first, and the
// greedy choice leaves nobody out whom an open relay serves.
func TestTheChoiceKeepsItsLimits(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		lists := make([]string, 1+rng.IntN(120))
		for i := range lists {
			var urls []string
			for range rng.IntN(12) {
				urls = append(urls, fmt.Sprintf("r%d", int(rng.ExpFloat64()*15)))
			}
			lists[i] = strings.Join(urls, " ")
		}
		authors, writes := people(lists)
		base := []string{"base1", "r0", "base2"}[:rng.IntN(4)]
		c := choose(authors, writes, base)
		if len(c.asked) > maxConnections {
			t.Fatalf("seed %d: %d connections", seed, len(c.asked))
		}
		for _, a := range authors {
			own := writes(a)
			own = own[:min(len(own), maxListedPerAuthor)]
			got := c.counted[a]
			fromOwn := len(got) > 0 && slices.Contains(own, got[0])
			for _, url := range got {
				if !slices.Contains(c.asked[url], a) {
					t.Fatalf("seed %d: %s counts for an author and is not asked for them", seed, url)
				}
				if fromOwn && !slices.Contains(own, url) {
					t.Fatalf("seed %d: %s is not a relay of the author", seed, url)
				}
			}
			if fromOwn && len(got) > relaysPerAuthor {
				t.Fatalf("seed %d: %d relays for one author", seed, len(got))
			}
			if !fromOwn && slices.ContainsFunc(own, func(url string) bool { return c.asked[url] != nil }) {
				t.Fatalf("seed %d: an author is left out, though one of %v is asked", seed, own)
			}
			if !fromOwn && len(own) > 0 && len(c.asked) < maxConnections {
				t.Fatalf("seed %d: an author is left out with connections to spare", seed)
			}
		}
	}
}
