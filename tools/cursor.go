package tools

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"bowerbird/ndb"
)

// A cursor is the place of the last note shown, and a hash over that place and
// the question: what was cut, altered or belongs to another question is refused.
// It is a place in time, so notes that arrive meanwhile move nothing.
const (
	cursorSum  = 8
	cursorSize = 8 + 32 + cursorSum
)

// binding is what ties a cursor to its question.
type binding [sha256.Size]byte

// bind hashes a question without what may change from page to page.
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

func (b binding) cursor(at ndb.Cursor) string {
	raw := binary.BigEndian.AppendUint64(make([]byte, 0, cursorSize), uint64(at.CreatedAt))
	raw = append(raw, at.ID[:]...)
	return base64.RawURLEncoding.EncodeToString(append(raw, b.sum(raw)...))
}

func (b binding) parse(text string) (*ndb.Cursor, error) {
	refused := wrongValue("cursor", "the cursor of an earlier answer to the same question", text)
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) != cursorSize {
		return nil, refused
	}
	place, sum := raw[:cursorSize-cursorSum], raw[cursorSize-cursorSum:]
	at := binary.BigEndian.Uint64(place)
	if !bytes.Equal(sum, b.sum(place)) || at > latestTime {
		return nil, refused
	}
	return &ndb.Cursor{CreatedAt: int64(at), ID: ndb.ID(place[8:])}, nil
}

// cursorBehind is the cursor that goes on after a note of the answer.
func (r QueryResult) cursorBehind(n Note) string {
	id, err := ndb.ParseID(n.NoteID)
	if err != nil {
		return ""
	}
	return r.bind.cursor(ndb.Cursor{CreatedAt: n.CreatedAtUnix, ID: id})
}
