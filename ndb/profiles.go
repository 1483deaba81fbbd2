package ndb

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// nameKey is the row of one word of a profile.
func nameKey(word string, n uint32) []byte {
	key := append(append([]byte{famName}, word...), 0)
	return binary.BigEndian.AppendUint32(key, n)
}

// profileWords returns the words that a profile is found by.
func profileWords(e *nostr.Event) []string {
	p, err := nostr.ParseProfile(e)
	if err != nil {
		return nil
	}
	return nameWords(p)
}

func nameWords(p nostr.Profile) []string {
	return search.Words(strings.Join([]string{openWords(p.Name), openWords(p.DisplayName), openWords(p.NIP05)}, "\n"))
}

// openWords splits what full text takes for one word (an address, a_name.like-this).
func openWords(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("@._-/:", r) {
			return ' '
		}
		return r
	}, s)
}

// Profile returns what is stored of a person; with no kind 0 stored, a Profile
// with the key alone.
func (s *Store) Profile(ctx context.Context, pk nostr.PubKey) (nostr.Profile, error) {
	e, err := s.Latest(ctx, nostr.KindProfile, pk, "")
	if errors.Is(err, ErrNotFound) {
		return nostr.Profile{PubKey: pk}, nil
	}
	if err != nil {
		return nostr.Profile{PubKey: pk}, err
	}
	p, err := nostr.ParseProfile(e)
	if err != nil { // a broken profile counts as an empty one
		return nostr.Profile{PubKey: pk, UpdatedAt: e.CreatedAt}, nil
	}
	return p, nil
}

// Contacts returns the keys in a person's newest contact list (kind 3), each
// once, in its order; ErrNotFound when no list is stored.
func (s *Store) Contacts(ctx context.Context, pk nostr.PubKey) ([]nostr.PubKey, error) {
	e, err := s.Latest(ctx, nostr.KindContacts, pk, "")
	if err != nil {
		return nil, fmt.Errorf("contacts: %w", err)
	}
	keys := make([]nostr.PubKey, 0, len(e.Tags))
	seen := make(map[nostr.PubKey]bool, len(e.Tags))
	for _, tag := range e.Tags {
		if len(tag) < 2 || tag[0] != "p" {
			continue
		}
		if raw, ok := hex32(tag[1]); ok && !seen[nostr.PubKey(raw)] {
			seen[nostr.PubKey(raw)] = true
			keys = append(keys, nostr.PubKey(raw))
		}
	}
	return keys, nil
}

const maxNameHits = 20_000 // rows read for one word of a profile search

// SearchProfiles finds people by words of name, display_name or nip05, each given word by
// prefix, at most limit. Those for whom first returns true come before others, exact
// names before names that only begin the same way, then by name.
func (s *Store) SearchProfiles(ctx context.Context, query string, limit int, first func(nostr.PubKey) bool) ([]nostr.Profile, error) {
	words := search.Words(openWords(query))
	if len(words) == 0 || limit <= 0 {
		return nil, nil
	}
	// The longest word has the fewest hits.
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	var found []rankedProfile
	err := s.view(ctx, func(txn *badger.Txn) error {
		visible := s.visibleUntil()
		for _, n := range namesakes(txn, words[0]) {
			e, err := s.event(txn, n)
			if err != nil || e.CreatedAt > visible || isExpired(e, s.now()) {
				continue
			}
			if a, ok := s.people.get(e.PubKey); !ok || s.isOutdated(a, e, visible) {
				continue
			}
			p, err := nostr.ParseProfile(e)
			if err != nil || !allBegin(nameWords(p), words) {
				continue
			}
			found = append(found, rankedProfile{p, first != nil && first(p.PubKey), isCalled(p, query)})
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("search profiles: %w", err)
	}
	slices.SortFunc(found, compareProfiles)
	profiles := make([]nostr.Profile, 0, min(limit, len(found)))
	for _, f := range found[:min(limit, len(found))] {
		profiles = append(profiles, f.Profile)
	}
	return profiles, nil
}

type rankedProfile struct {
	nostr.Profile
	first, exact bool
}

func compareProfiles(a, b rankedProfile) int {
	rank := func(p rankedProfile) int {
		switch {
		case p.first && p.exact:
			return 0
		case p.first:
			return 1
		case p.exact:
			return 2
		}
		return 3
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)),
		strings.Compare(strings.ToLower(a.Best()), strings.ToLower(b.Best())),
		bytes.Compare(a.PubKey[:], b.PubKey[:]))
}

// namesakes returns the notes of profiles with a word that begins this way.
func namesakes(txn *badger.Txn, word string) (notes []uint32) {
	it := txn.NewIterator(keysOnly(append([]byte{famName}, word...)))
	defer it.Close()
	for it.Rewind(); it.Valid() && len(notes) < maxNameHits; it.Next() {
		key := it.Item().Key()
		notes = append(notes, binary.BigEndian.Uint32(key[len(key)-4:]))
	}
	slices.Sort(notes)
	return slices.Compact(notes)
}

func allBegin(have, want []string) bool {
	for _, w := range want {
		if !slices.ContainsFunc(have, func(h string) bool { return strings.HasPrefix(h, w) }) {
			return false
		}
	}
	return true
}

func isCalled(p nostr.Profile, query string) bool {
	query = strings.TrimSpace(query)
	return strings.EqualFold(p.Name, query) || strings.EqualFold(p.DisplayName, query) || strings.EqualFold(p.NIP05, query)
}
