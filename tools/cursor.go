package tools

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// A cursor is the position of the last note shown, and a hash over that position and the
// query: a cursor that was cut, altered or belongs to another query is refused. It is a
// position in time, so notes that arrive meanwhile do not shift it.
const (
	cursorSum  = 8
	cursorSize = 8 + 32 + cursorSum
)

// binding ties a cursor to its query.
type binding [sha256.Size]byte

// bind hashes a query without what may change from page to page.
func bind(env *Env, context string, a QueryArgs) (binding, error) {
	a.Cursor, a.Limit, a.Counters, a.Context = "", 0, false, context
	raw, err := json.Marshal(a)
	if err != nil {
		return binding{}, fmt.Errorf("bind a cursor: %w", err)
	}
	return sha256.Sum256(append(raw, env.Me[:]...)), nil
}

func (b binding) sum(place []byte) []byte {
	h := sha256.New()
	h.Write(b[:])
	h.Write(place)
	return h.Sum(nil)[:cursorSum]
}

// seal makes a cursor of a position.
func (b binding) seal(place []byte) string {
	return base64.RawURLEncoding.EncodeToString(append(place, b.sum(place)...))
}

// open returns the position in a cursor made by seal.
func (b binding) open(text string) ([]byte, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if end := len(raw) - cursorSum; err == nil && end >= 0 && bytes.Equal(raw[end:], b.sum(raw[:end])) {
		return raw[:end], nil
	}
	return nil, wrongCursor(text)
}

func wrongCursor(text string) error {
	return wrongValue("cursor", "the cursor of an earlier answer to the same question", text)
}

func (b binding) cursor(at ndb.Cursor) string {
	raw := binary.BigEndian.AppendUint64(make([]byte, 0, cursorSize), uint64(at.CreatedAt))
	return b.seal(append(raw, at.ID[:]...))
}

func (b binding) parse(text string) (*ndb.Cursor, error) {
	place, err := b.open(text)
	if err != nil {
		return nil, err
	}
	if len(place) != cursorSize-cursorSum || binary.BigEndian.Uint64(place) > latestTime {
		return nil, wrongCursor(text)
	}
	return &ndb.Cursor{CreatedAt: int64(binary.BigEndian.Uint64(place)), ID: nostr.ID(place[8:])}, nil
}

// parseRanked parses a cursor of a result that is ordered by score.
func (b binding) parseRanked(text string) (*ndb.RankCursor, error) {
	place, err := b.open(text)
	if err != nil {
		return nil, err
	}
	at := new(ndb.RankCursor)
	if err := at.UnmarshalBinary(place); err != nil {
		return nil, wrongCursor(text)
	}
	return at, nil
}

// cursorBehind is the cursor that continues after a note of the result.
func (r QueryResult) cursorBehind(n Note) string {
	if r.ranked != nil {
		i := slices.IndexFunc(r.ranked.Hits, func(h ndb.SearchHit) bool { return h.Event.ID.String() == n.NoteID })
		if i < 0 {
			return ""
		}
		place, err := r.ranked.Cursor(i).MarshalBinary()
		if err != nil {
			return ""
		}
		return r.bind.seal(place)
	}
	id, err := nostr.ParseID(n.NoteID)
	if err != nil {
		return ""
	}
	return r.bind.cursor(ndb.Cursor{CreatedAt: n.CreatedAtUnix, ID: id})
}
