package ndb

// SKELETON: signatures only, for parallel work; each is replaced by its real file.

import (
	"errors"
	"iter"
)

var errSkeleton = errors.New("not built yet")

// Token is one word of a text, as full text indexes it: case and width folded,
// CJK by bigrams.
type Token struct {
	Term       string
	Start, End int // byte offsets in the text
}

// Tokens yields the words of a text. Links, nostr: codes and long hex are left out.
func Tokens(text string) iter.Seq[Token] { return func(func(Token) bool) {} }

// SearchQuery is a parsed search text: words that must all stand in the note,
// phrases, words that must not, and operators.
type SearchQuery struct {
	Words   []string // folded terms, all required
	Phrases []string // folded, verbatim
	Not     []string
	From    []string // from:NAME or key, unresolved
	Tags    []string // #hashtag, lower case
	Since   string   // since:TIME as written; "" when absent
	Until   string
}

// ParseSearch reads a search text; an error says what is wrong and where.
func ParseSearch(s string) (SearchQuery, error) { return SearchQuery{}, errSkeleton }

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
