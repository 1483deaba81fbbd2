package notesync

import (
	"context"
	"slices"

	"bowerbird/app/relay"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// maxOwnRead is how many of the reader's read relays are asked for everybody.
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

// base returns the relays that are asked for everybody: those of the settings and
// the reader's read relays.
func (r *run) base(ctx context.Context) []string {
	if r.opt.Only != nil {
		return r.usable(r.opt.Only...)
	}
	own := r.listed(ctx, r.opt.Me, "read")
	return r.usable(append(append([]string{}, r.opt.Base...), own[:min(len(own), maxOwnRead)]...)...)
}

// inbox returns the relays where others leave what they say to the reader: the
// read relays, where a list names them.
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

// listed returns the relays of a person's relay list (NIP-65) that are marked
// with the use, or with none.
func (r *run) listed(ctx context.Context, pk nostr.PubKey, use string) []string {
	return r.usable(ListedRelays(ctx, r.opt.Store, pk, use)...)
}

// ListedRelays returns what a person's relay list (NIP-65) names for a use, "read" or
// "write", unchecked; none where no list is stored.
func ListedRelays(ctx context.Context, s *ndb.Store, pk nostr.PubKey, use string) (urls []string) {
	e, err := s.Latest(ctx, 10002, pk, "")
	if err != nil {
		return nil // none is stored
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

// setBanned finds the relays that are never asked: those of the options, and those
// on the reader's own list of such (NIP-51, kind 10006).
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
	banned := map[string]bool{}
	for _, url := range r.usable(names...) {
		banned[url] = true
	}
	r.banned = banned
}

// listKinds are the reader's lists that decide who is asked for what: whom they
// follow, where they read and write, and which relays they want nothing of.
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

func (r *run) namesLists(events []*nostr.Event) bool {
	return slices.ContainsFunc(events, func(e *nostr.Event) bool {
		return e.PubKey == r.opt.Me && slices.Contains(listKinds(), e.Kind)
	})
}
