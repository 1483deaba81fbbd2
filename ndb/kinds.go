package ndb

import (
	"bytes"
	"fmt"
	"strings"
)

// The kinds whose rules are known here.
const (
	kindProfile      = 0
	kindNote         = 1
	kindContacts     = 3
	kindDeletion     = 5
	kindRepost       = 6
	kindReaction     = 7
	kindThread       = 11
	kindGeneric      = 16 // generic repost
	kindPicture      = 20 // NIP-68
	kindVideo        = 21 // NIP-71
	kindShortVideo   = 22
	kindVanish       = 62
	kindComment      = 1111 // NIP-22
	kindVoice        = 1222 // NIP-A0
	kindVoiceComment = 1244 // tagged as NIP-22 has it
	kindZap          = 9735
	kindMutes        = 10000
	kindRelays       = 10002
	kindArticle      = 30023
)

// isEphemeral reports whether events of the kind are never kept (NIP-01).
func isEphemeral(kind uint16) bool { return kind >= 20000 && kind < 30000 }

// isAddressable reports whether an author has one event of the kind for each d tag.
func isAddressable(kind uint16) bool { return kind >= 30000 && kind < 40000 }

// isReplaceable reports whether an author has one event of the kind, or one for
// each d tag.
func isReplaceable(kind uint16) bool {
	return kind == kindProfile || kind == kindContacts || kind >= 10000 && kind < 20000 || isAddressable(kind)
}

// OneEach reports whether an author has one event of the kind.
func OneEach(kind uint16) bool { return isReplaceable(kind) && !isAddressable(kind) }

// isDeletable reports whether a deletion has any effect on the kind (NIP-09, NIP-62).
func isDeletable(kind uint16) bool { return kind != kindDeletion && kind != kindVanish }

// address returns the d tag that tells a replaceable event from its author's
// others of the kind; "" for kinds with one event an author.
func address(e *Event) string {
	if !isAddressable(e.Kind) {
		return ""
	}
	d, _ := e.Tags.Value("d")
	return d
}

// supersedes reports whether the version (created, id) wins over another one:
// the newer, and of equal times the one with the lower id (NIP-01).
func supersedes(created int64, id ID, otherCreated int64, other ID) bool {
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
