package nostr

import (
	"bytes"
	"fmt"
	"strings"
)

// The kinds whose rules are known here.
const (
	KindProfile      = 0
	KindNote         = 1
	KindContacts     = 3
	KindDeletion     = 5
	KindRepost       = 6
	KindReaction     = 7
	KindThread       = 11
	KindGeneric      = 16 // generic repost
	KindPicture      = 20 // NIP-68
	KindVideo        = 21 // NIP-71
	KindShortVideo   = 22
	KindVanish       = 62
	KindComment      = 1111 // NIP-22
	KindVoice        = 1222 // NIP-A0
	KindVoiceComment = 1244 // tagged as in NIP-22
	KindZap          = 9735
	KindMutes        = 10000
	KindRelays       = 10002
	KindArticle      = 30023
)

// IsEphemeral reports whether events of the kind are never stored (NIP-01).
func IsEphemeral(kind uint16) bool { return kind >= 20000 && kind < 30000 }

// IsAddressable reports whether an author has one event of the kind for each d tag.
func IsAddressable(kind uint16) bool { return kind >= 30000 && kind < 40000 }

// IsReplaceable reports whether an author has one event of the kind, or one for
// each d tag.
func IsReplaceable(kind uint16) bool {
	return kind == KindProfile || kind == KindContacts || kind >= 10000 && kind < 20000 || IsAddressable(kind)
}

// OneEach reports whether an author has one event of the kind.
func OneEach(kind uint16) bool { return IsReplaceable(kind) && !IsAddressable(kind) }

// IsDeletable reports whether a deletion has any effect on the kind (NIP-09, NIP-62).
func IsDeletable(kind uint16) bool { return kind != KindDeletion && kind != KindVanish }

// D returns the d tag that distinguishes a replaceable event from its author's others of
// the kind; "" for kinds with one event per author.
func D(e *Event) string {
	if !IsAddressable(e.Kind) {
		return ""
	}
	d, _ := e.Tags.Value("d")
	return d
}

// Supersedes reports whether the version (created, id) wins over another one: the newer,
// and at equal times the one with the lower id (NIP-01).
func Supersedes(created int64, id ID, otherCreated int64, other ID) bool {
	if created != otherCreated {
		return created > otherCreated
	}
	return bytes.Compare(id[:], other[:]) < 0
}

// KindsInWords names kinds: "kind 6", "kinds 6 and 7".
func KindsInWords(kinds []uint16) string {
	words := make([]string, len(kinds))
	for i, kind := range kinds {
		words[i] = fmt.Sprint(kind)
	}
	last := len(words) - 1
	if last == 0 {
		return "kind " + words[0]
	}
	return "kinds " + strings.Join(words[:last], ", ") + " and " + words[last]
}
