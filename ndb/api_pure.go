package ndb

// SKELETON: signatures only, for parallel work; each is replaced by its real file.

import "errors"

var errSkeleton = errors.New("not built yet")

// Profile is what a kind 0 event says of a person (NIP-01, NIP-24), with control,
// bidirectional and zero-width characters stripped from its one-line fields.
type Profile struct {
	PubKey      PubKey
	Name        string
	DisplayName string
	NIP05       string // as claimed, not checked
	About       string
	Picture     string
	Website     string
	LUD16       string
	Bot         bool
	UpdatedAt   int64 // unix seconds; 0 when no profile is stored
}

// ParseProfile reads a kind 0 event's content; broken JSON gives an error and a
// Profile with the key alone.
func ParseProfile(e *Event) (Profile, error) { return Profile{}, errSkeleton }

// Best returns the name to show: display name, else name, else "" (callers then
// show the npub).
func (p Profile) Best() string { return "" }
