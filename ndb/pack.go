package ndb

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"

	"bowerbird/ndb/nostr"
)

// A packed note is: version 1, id 32, pubkey 32, sig 64, uvarint created_at,
// uvarint kind, content, and the tags: uvarint their number, each tag as uvarint
// its number of items, each item as a string. A string is uvarint length*2 and its
// bytes; 64 lower-case hex digits are 1 and their 32 bytes.
const (
	packVersion  = 1
	packHeader   = 1 + 32 + 32 + 64
	packHexItem  = 1
	maxPackedLen = 1<<20 - 1 // values up to here stay out of Badger's value log
)

var errPacked = errors.New("packed note is cut or malformed")

// appendPacked appends the event in the form that the store keeps.
func appendPacked(dst []byte, e *nostr.Event) []byte {
	dst = append(dst, packVersion)
	dst = append(dst, e.ID[:]...)
	dst = append(dst, e.PubKey[:]...)
	dst = append(dst, e.Sig[:]...)
	dst = binary.AppendUvarint(dst, uint64(e.CreatedAt))
	dst = binary.AppendUvarint(dst, uint64(e.Kind))
	dst = appendPackedString(dst, e.Content)
	dst = binary.AppendUvarint(dst, uint64(len(e.Tags)))
	for _, tag := range e.Tags {
		dst = binary.AppendUvarint(dst, uint64(len(tag)))
		for _, item := range tag {
			dst = appendPackedString(dst, item)
		}
	}
	return dst
}

func appendPackedString(dst []byte, s string) []byte {
	if raw, ok := hex32(s); ok {
		return append(append(dst, packHexItem), raw[:]...)
	}
	dst = binary.AppendUvarint(dst, uint64(len(s))*2)
	return append(dst, s...)
}

// packedID returns the id of a packed note without reading the rest.
func packedID(packed []byte) (id nostr.ID, err error) {
	if len(packed) < packHeader || packed[0] != packVersion {
		return id, errPacked
	}
	copy(id[:], packed[1:])
	return id, nil
}

// unpackChecked reads a packed note and hashes its id again.
func unpackChecked(packed []byte) (*nostr.Event, error) {
	e, err := unpack(packed)
	if err == nil && e.ComputeID() != e.ID {
		return nil, fmt.Errorf("it does not match its id %s", e.ID)
	}
	return e, err
}

// unpack reads a packed note. It checks form, not the id. Nothing of the event
// refers to packed.
func unpack(packed []byte) (*nostr.Event, error) {
	if len(packed) < packHeader {
		return nil, errPacked
	}
	if packed[0] != packVersion {
		return nil, fmt.Errorf("packed note has form %d, known is %d", packed[0], packVersion)
	}
	e := new(nostr.Event)
	rest := packed[1:]
	rest = rest[copy(e.ID[:], rest):]
	rest = rest[copy(e.PubKey[:], rest):]
	rest = rest[copy(e.Sig[:], rest):]
	r := unpacker{rest: rest, text: string(rest)}
	created, kind := r.uvarint(), r.uvarint()
	if created > math.MaxInt64 || kind > math.MaxUint16 {
		return nil, errPacked
	}
	e.CreatedAt, e.Kind = int64(created), uint16(kind)
	e.Content = r.string()
	e.Tags = r.tags()
	if r.failed || len(r.rest) != 0 {
		return nil, errPacked
	}
	return e, nil
}

// unpacker reads the part behind the header. Its strings share one copy of it, and those
// that are packed as bytes share another.
type unpacker struct {
	rest   []byte
	text   string
	hex    strings.Builder
	failed bool
}

func (r *unpacker) uvarint() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.failed, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// count reads the number of things that follow, each at least one byte long.
func (r *unpacker) count() int {
	v := r.uvarint()
	if v > uint64(len(r.rest)) {
		r.failed, r.rest = true, nil
		return 0
	}
	return int(v)
}

func (r *unpacker) string() string {
	v := r.uvarint()
	if v == packHexItem {
		if len(r.rest) < 32 {
			r.failed, r.rest = true, nil
			return ""
		}
		var digits [64]byte
		hex.Encode(digits[:], r.rest[:32])
		r.rest = r.rest[32:]
		start := r.hex.Len()
		r.hex.Write(digits[:])
		return r.hex.String()[start:]
	}
	if v%2 != 0 || v/2 > uint64(len(r.rest)) {
		r.failed, r.rest = true, nil
		return ""
	}
	start := len(r.text) - len(r.rest)
	r.rest = r.rest[v/2:]
	return r.text[start : start+int(v/2)]
}

// tags reads them into memory that they share.
func (r *unpacker) tags() nostr.Tags {
	items, hexes, ok := r.countItems()
	if !ok {
		r.failed, r.rest = true, nil
		return nil
	}
	shared := make(nostr.Tag, items)
	r.hex.Grow(hexes * 64)
	tags := make(nostr.Tags, r.count())
	for i := range tags {
		n := r.count()
		tags[i], shared = shared[:n:n], shared[n:]
		for j := range tags[i] {
			tags[i][j] = r.string()
		}
	}
	return tags
}

// countItems looks ahead at how many items the tags have, and how many of them are packed
// as bytes; ok is false if the tags are cut or malformed.
func (r *unpacker) countItems() (items, hexes int, ok bool) {
	ahead := unpacker{rest: r.rest}
	for range ahead.count() {
		n := ahead.count()
		items += n
		for range n {
			v := ahead.uvarint()
			size := v / 2
			if v == packHexItem {
				size = 32
				hexes++
			}
			if size > uint64(len(ahead.rest)) {
				return 0, 0, false
			}
			ahead.rest = ahead.rest[size:]
		}
	}
	return items, hexes, !ahead.failed
}

type storedNote struct {
	n     uint32
	a     uint32
	event *nostr.Event
}

// winner is the current version of a replaceable event.
type winner struct {
	created int64
	n       uint32
	id      nostr.ID
}

func decodeWinner(row []byte) (w winner, err error) {
	if len(row) != winnerRowLen {
		return w, fmt.Errorf("%w: row of a winner has %d bytes", ErrDamaged, len(row))
	}
	w.created, w.n = int64(binary.BigEndian.Uint64(row)), binary.BigEndian.Uint32(row[8:])
	copy(w.id[:], row[12:])
	return w, nil
}

func encodeWinner(w winner) []byte {
	row := make([]byte, 0, winnerRowLen)
	row = binary.BigEndian.AppendUint64(row, uint64(w.created))
	row = binary.BigEndian.AppendUint32(row, w.n)
	return append(row, w.id[:]...)
}

const winnerRowLen = 8 + 4 + 32
