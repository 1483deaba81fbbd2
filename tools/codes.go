package tools

import (
	"strings"

	"bowerbird/ndb"
)

// BRIDGE until ndb's text cleaner lands.

func cleanLine(s string, maxRunes int) string {
	return clip(strings.Join(strings.Fields(s), " "), maxRunes)
}
func cleanText(s string) string { return strings.ToValidUTF8(s, "") }

// shortNpub tells a person without a name apart from others, for the eye.
func shortNpub(pk ndb.PubKey) string { return pk.Npub()[:12] + "…" }
