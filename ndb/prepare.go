package ndb

import (
	"strconv"
	"strings"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// prepared is an event with everything that storing it needs, computed before the single
// writer sees it, so that it can be done on every core.
type prepared struct {
	event    *nostr.Event
	packed   []byte
	relay    string // that sent it; "" for none
	expiry   int64  // NIP-40; noExpiry when it has none
	tags     []tagRow
	overflow []byte   // letters of tags that have no row
	terms    []string // of the text index, each once
	words    int      // tokens of the text
	names    []string // words that a profile is found by
	effects  []effect // on the counters of other notes
	known    bool     // already stored; only relay is set
}

type tagRow struct {
	letter byte
	value  string
}

const (
	noExpiry        = -1
	maxDeletionTags = 2500 // their tombstones must fit in one transaction
)

// prepare computes the rows of a verified event. It returns an *InvalidError for an event
// whose packed form is too long to store.
func prepare(e *nostr.Event) (*prepared, *nostr.InvalidError) {
	p := &prepared{event: e, packed: appendPacked(nil, e), expiry: expiryOf(e)}
	if len(p.packed) > maxPackedLen {
		return nil, nostr.Invalidf(nostr.ReasonSize, "%d bytes packed, at most %d can be stored", len(p.packed), maxPackedLen)
	}
	if e.Kind == nostr.KindDeletion && len(e.Tags) > maxDeletionTags {
		return nil, nostr.Invalidf(nostr.ReasonTags, "deletion with %d tags, at most %d can be done at once", len(e.Tags), maxDeletionTags)
	}
	p.tags, p.overflow = tagRows(e)
	p.terms, p.words = search.Terms(e)
	if e.Kind == nostr.KindProfile {
		p.names = profileWords(e)
	}
	p.effects = effectsOf(e)
	return p, nil
}

// expiryOf returns the earliest expiration tag that is a number (NIP-40).
func expiryOf(e *nostr.Event) int64 {
	expiry := int64(noExpiry)
	for _, tag := range e.Tags {
		if len(tag) < 2 || tag[0] != "expiration" {
			continue
		}
		at, err := strconv.ParseInt(tag[1], 10, 64)
		if err == nil && at >= 0 && (expiry == noExpiry || at < expiry) {
			expiry = at
		}
	}
	return expiry
}

// tagRows returns the tags that get a row in t, and the letters of those that do not fit.
// The p tags of contact lists get neither: queries scan the lists.
func tagRows(e *nostr.Event) (rows []tagRow, overflow []byte) {
	seen := make(map[tagRow]bool, min(len(e.Tags), maxTagRows))
	for _, tag := range e.Tags {
		if len(tag) < 2 || !isTagLetter(tag[0]) {
			continue
		}
		row := tagRow{tag[0][0], tag[1]}
		if e.Kind == nostr.KindContacts && row.letter == 'p' || seen[row] {
			continue
		}
		if len(rows) == maxTagRows || len(row.value) > maxTagValue {
			if !strings.Contains(string(overflow), tag[0]) {
				overflow = append(overflow, row.letter)
			}
			continue
		}
		seen[row] = true
		rows = append(rows, row)
	}
	return rows, overflow
}

// isTagLetter reports whether a tag's name is one letter, as filters can query (NIP-01).
func isTagLetter(name string) bool {
	return len(name) == 1 && (name[0] >= 'a' && name[0] <= 'z' || name[0] >= 'A' && name[0] <= 'Z')
}
