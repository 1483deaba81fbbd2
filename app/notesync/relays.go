package notesync

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"bowerbird/app/relay"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// maxOwnRead is how many of the account's read relays are asked for everybody.
const maxOwnRead = 5

func (r *run) lookup(ctx context.Context) ([]string, error) {
	urls := r.base(ctx)
	if r.opt.Only == nil {
		urls = r.usable(append(urls, r.opt.Indexers...)...)
	}
	if len(urls) == 0 {
		return nil, ErrNoRelays
	}
	return urls, nil
}

// base returns the relays that are asked for everybody: those in the settings and the
// account's read relays.
func (r *run) base(ctx context.Context) []string {
	if r.opt.Only != nil {
		return r.usable(r.opt.Only...)
	}
	own := r.listed(ctx, r.opt.Me, "read")
	return r.usable(append(append([]string{}, r.opt.Base...), own[:min(len(own), maxOwnRead)]...)...)
}

// inbox returns the relays to which others send what is addressed to the account: its read
// relays, or the base relays if no list names any.
func (r *run) inbox(ctx context.Context) []string {
	if r.opt.Me == (nostr.PubKey{}) || len(r.opt.Authors) > 0 {
		return nil
	}
	base := r.base(ctx)
	if own := r.listed(ctx, r.opt.Me, "read"); r.opt.Only == nil && len(own) > 0 {
		return own[:min(len(own), maxOwnRead)]
	}
	return base
}

// listed returns the relays of a person's relay list (NIP-65) that are marked for a use,
// "read" or "write", or unmarked.
func (r *run) listed(ctx context.Context, pk nostr.PubKey, use string) []string {
	return r.usable(ListedRelays(ctx, r.opt.Store, pk, use)...)
}

// ListedRelays returns the relays of a person's relay list (NIP-65) for a use, "read" or
// "write", unchecked; none if no list is stored.
func ListedRelays(ctx context.Context, s *ndb.Store, pk nostr.PubKey, use string) (urls []string) {
	e, err := s.Latest(ctx, 10002, pk, "")
	if err != nil {
		return nil
	}
	for _, t := range e.Tags {
		if len(t) >= 2 && t[0] == "r" && (len(t) == 2 || t[2] == "" || t[2] == use) {
			urls = append(urls, t[1])
		}
	}
	return urls
}

func (r *run) usable(urls ...string) []string {
	var out []string
	seen := map[string]bool{}
	for _, u := range urls {
		normal, err := relay.ParseURL(u, r.opt.Client.Policy())
		if err != nil || seen[normal] || r.banned[normal] {
			continue
		}
		seen[normal] = true
		out = append(out, normal)
	}
	return out
}

// setBanned determines the relays that are never asked: those of the options, and those in
// the account's list of blocked relays (NIP-51, kind 10006).
func (r *run) setBanned(ctx context.Context) {
	r.banned = nil
	names := slices.Clone(r.opt.Never)
	if e, err := r.opt.Store.Latest(ctx, 10006, r.opt.Me, ""); err == nil {
		for _, t := range e.Tags {
			if len(t) >= 2 && t[0] == "relay" {
				names = append(names, t[1])
			}
		}
	}
	r.banned = keysOf(r.usable(names...), func(url string) string { return url })
}

// listKinds are the account's lists that decide whom to ask for what: follows, relay list,
// blocked relays.
func listKinds() []uint16 { return []uint16{3, 10002, 10006} }

func (r *run) ownLists(ctx context.Context) (ids []nostr.ID) {
	for _, kind := range listKinds() {
		var id nostr.ID
		if e, err := r.opt.Store.Latest(ctx, kind, r.opt.Me, ""); err == nil {
			id = e.ID
		}
		ids = append(ids, id)
	}
	return ids
}

const (
	maxConnections     = 20 // relays asked in one run
	relaysPerAuthor    = 2  // write relays asked for each author
	maxListedPerAuthor = 8  // write relays considered of each list
)

type choice struct {
	// asked maps a relay to the authors asked for there, sorted.
	asked map[string][]nostr.PubKey
	// counted maps an author to the relays that count for their coverage: their own write
	// relays if one of them is asked, otherwise the base relays.
	counted map[nostr.PubKey][]string
}

// choose assigns to every author up to two of their write relays. Everybody gets a first
// one before anybody gets a second, and the relay that serves most of those without one
// goes first, so that few connections serve many people. Base relays are asked for
// everyone; they count for an author if none of the author's write relays is asked.
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
		unserved := slices.DeleteFunc(slices.Clone(authors), func(a nostr.PubKey) bool { return len(c.counted[a]) > round })
		for len(unserved) > 0 {
			url, ok := c.best(unserved, listed)
			if !ok {
				break
			}
			unserved = slices.DeleteFunc(unserved, func(a nostr.PubKey) bool { return c.give(a, url, listed[a]) })
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

// best returns the relay that most of the authors list and do not have yet; relays that are
// already asked take precedence.
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
	open := func(url string) int { return min(len(c.asked[url]), 1) }
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
