package nostr

import (
	"encoding/json"
	"fmt"
	"strings"

	"bowerbird/ndb/clean"
)

// What is kept of a profile's fields, in characters.
const (
	maxName  = 64
	maxAbout = 2_000
	maxField = 256   // nip05
	maxURL   = 2_000 // longer ones are dropped: cut, they would name something else
)

// Profile is what a kind 0 event says of a person (NIP-01, NIP-24), cleaned by
// [clean.Line], About by [clean.Text]. All of it is claimed, nothing is verified.
type Profile struct {
	PubKey      PubKey
	Name        string // at most 64 characters
	DisplayName string // at most 64 characters
	NIP05       string // an address as it is claimed; at most 256 characters
	About       string // at most 2,000 characters, of several lines
	Picture     string // an http or https URL; "" for any other
	Website     string
	Bot         bool  // says of itself that it is automated (NIP-24)
	UpdatedAt   int64 // unix seconds; 0 when no profile is stored
}

// ParseProfile parses a kind 0 event's content. A field of the wrong type counts as
// absent; broken JSON gives an error and a Profile with only the key.
func ParseProfile(e *Event) (Profile, error) {
	p := Profile{PubKey: e.PubKey}
	if e.Kind != 0 {
		return p, fmt.Errorf("profile: kind %d, want 0", e.Kind)
	}
	var fields profileFields
	if err := json.Unmarshal([]byte(e.Content), &fields); err != nil {
		return p, fmt.Errorf("profile of %s: %w", e.PubKey, err)
	}
	if fields == nil {
		return p, fmt.Errorf("profile of %s: null, want an object", e.PubKey)
	}
	p.Name = clean.Line(fields.text("name", "username"), maxName)
	p.DisplayName = clean.Line(fields.text("display_name", "displayName"), maxName)
	p.NIP05 = clean.Line(fields.text("nip05"), maxField)
	p.About = clean.Cut(strings.TrimSpace(clean.Text(fields.text("about"))), maxAbout)
	p.Picture = cleanURL(fields.text("picture"))
	if !hasWebScheme(p.Picture) {
		p.Picture = ""
	}
	p.Website = cleanURL(fields.text("website"))
	_ = json.Unmarshal(fields["bot"], &p.Bot) // stays false if it is not a boolean
	p.UpdatedAt = e.CreatedAt
	return p, nil
}

// profileFields are the fields of a profile's JSON by name.
type profileFields map[string]json.RawMessage

// text returns the first of the named fields that is a non-empty string. Later names are
// those that older clients wrote.
func (f profileFields) text(names ...string) string {
	for _, name := range names {
		var s string
		if json.Unmarshal(f[name], &s) == nil && strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

func cleanURL(s string) string {
	if s = clean.Line(s, 0); len(s) > maxURL {
		return ""
	}
	return s
}

func hasWebScheme(s string) bool {
	s = strings.ToLower(s)
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

// Best returns the name to show: display name, else name, else "" (callers then
// show the npub).
func (p Profile) Best() string {
	if p.DisplayName != "" {
		return p.DisplayName
	}
	return p.Name
}
