package tools

import (
	"errors"
	"strings"

	"bowerbird/ndb"
)

// BRIDGE until ndb's NIP-19 reader and text cleaner land.

func cleanLine(s string, maxRunes int) string {
	return clip(strings.Join(strings.Fields(s), " "), maxRunes)
}
func cleanText(s string) string { return strings.ToValidUTF8(s, "") }
func npub(pk ndb.PubKey) string { return pk.String() }
func decodePerson(code string) (ndb.PubKey, error) {
	return ndb.PubKey{}, errors.New("not read yet")
}
func shortNpub(pk ndb.PubKey) string { return "npub1" + pk.String()[:8] + "…" }
