package present

import (
	"strings"

	"bowerbird/ndb/nostr"
)

// Name returns the name to show for a person: their own, else the start and the
// end of their npub.
func Name(p nostr.Profile) string {
	if name := p.Best(); name != "" {
		return name
	}
	return shortNpub(p.PubKey)
}

// ToldApart returns names with the beginning and the end of the key behind those that
// several people have, in whatever case.
func ToldApart(names []string, keys []nostr.PubKey) []string {
	owner, shared := map[string]nostr.PubKey{}, map[string]bool{}
	for i, name := range names {
		name = strings.ToLower(name)
		if first, known := owner[name]; known && first != keys[i] {
			shared[name] = true
		}
		owner[name] = keys[i]
	}
	out := make([]string, len(names))
	for i, name := range names {
		if out[i] = name; shared[strings.ToLower(name)] && name != "" {
			out[i] += " (" + shortNpub(keys[i]) + ")"
		}
	}
	return out
}

func shortNpub(key nostr.PubKey) string {
	npub := key.Npub()
	return npub[:9] + "…" + npub[len(npub)-4:]
}

// ShortKey is the beginning and the end of a key.
func ShortKey(npub string) string {
	if len(npub) < 24 {
		return npub
	}
	return npub[:12] + "…" + npub[len(npub)-8:]
}
