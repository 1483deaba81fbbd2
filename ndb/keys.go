package ndb

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"

	"bowerbird/ndb/nostr"

	"github.com/dgraph-io/badger/v4"
)

// schemaVersion is the version of the layout that doc.go describes.
const schemaVersion = 2

const (
	maxRelayURL = 500 // bytes
	maxSeenOn   = 50  // relays recorded for one event
)

// The families of keys; the package comment has the table.
const (
	famNote     = 'n'
	famID       = 'i'
	famAuthor   = 'p'
	famKind     = 'k'
	famByAuthor = 'a'
	famTag      = 't'
	famOverflow = 'o'
	famWord     = 'w'
	famName     = 'g'
	famWinner   = 'r'
	famVersion  = 'v'
	famDeleted  = 'd'
	famExpiry   = 'x'
	famFuture   = 'f'
	famCounter  = 'c'
	famRemoval  = 'q'
	famBucket   = 'b'
	famMeta     = 'm'
)

const (
	maxTagRows      = 64  // tags of one note that get a row in t
	maxTagValue     = 200 // bytes of a value that gets a row in t
	rawHexTag       = 255 // length byte of a value stored as 32 bytes
	idPrefixLen     = 16
	addressHashLen  = 16
	tombstoneEvent  = 'e'
	tombstoneAddr   = 'a'
	tombstoneVanish = 'v'
	metaSchema      = 's'
	metaMarks       = 'h'
	metaRelay       = 'u'
	metaCoverage    = 'c'
	metaVanish      = 'v'
	metaMigration   = 'g'
	metaLedger      = 'l' // the sums of what is stored (ledger.go)
	ledgerSeq       = 's' // in it, the number of transactions
	metaFilling     = 'z' // a row that is never read (compact.go)
)

// invertTime maps a created_at to its place in an index: newer is smaller. Times
// past 2106 share the smallest value.
func invertTime(t int64) uint32 {
	return ^uint32(min(max(t, 0), math.MaxUint32))
}

func noteKey(n uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{famNote}, n)
}

func idKey(id *nostr.ID) []byte {
	return append([]byte{famID}, id[:idPrefixLen]...)
}

func authorKey(pk *nostr.PubKey) []byte {
	return append([]byte{famAuthor}, pk[:]...)
}

func kindPrefix(kind uint16) []byte {
	return binary.BigEndian.AppendUint16([]byte{famKind}, kind)
}

func byAuthorPrefix(a uint32, kind uint16) []byte {
	return binary.BigEndian.AppendUint16(authorPrefix(a), kind)
}

func authorPrefix(a uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{famByAuthor}, a)
}

// appendPlace ends an index key with a note's time and number.
func appendPlace(prefix []byte, its, n uint32) []byte {
	prefix = binary.BigEndian.AppendUint32(prefix, its)
	return binary.BigEndian.AppendUint32(prefix, n)
}

// tagPrefix is the key prefix of one tag value. The value's length comes before it, so
// that no value is a prefix of another.
func tagPrefix(letter byte, value string) []byte {
	if raw, ok := hex32(value); ok {
		return append([]byte{famTag, letter, rawHexTag}, raw[:]...)
	}
	return append([]byte{famTag, letter, byte(len(value))}, value...)
}

func overflowPrefix(letter byte) []byte { return []byte{famOverflow, letter} }

// authorAndKind is the value of the rows in t and o.
func authorAndKind(a uint32, kind uint16) []byte {
	return binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint32(nil, a), kind)
}

func winnerKey(a uint32, kind uint16, d string) []byte {
	key := binary.BigEndian.AppendUint32([]byte{famWinner}, a)
	return appendAddress(key, kind, d)
}

func appendAddress(key []byte, kind uint16, d string) []byte {
	hash := sha256.Sum256([]byte(d))
	key = binary.BigEndian.AppendUint16(key, kind)
	return append(key, hash[:addressHashLen]...)
}

func versionPrefix(a uint32, kind uint16) []byte {
	return binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint32([]byte{famVersion}, a), kind)
}

func versionKey(a uint32, e *nostr.Event) []byte {
	key := binary.BigEndian.AppendUint32(versionPrefix(a, e.Kind), invertTime(e.CreatedAt))
	return append(key, e.ID[:]...)
}

func deletedIDKey(id *nostr.ID, a uint32) []byte {
	return binary.BigEndian.AppendUint32(append([]byte{famDeleted, tombstoneEvent}, id[:]...), a)
}

func deletedAddressKey(a uint32, kind uint16, d string) []byte {
	return appendAddress(binary.BigEndian.AppendUint32([]byte{famDeleted, tombstoneAddr}, a), kind, d)
}

func vanishedKey(a uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{famDeleted, tombstoneVanish}, a)
}

// timedKey is a key of the families x and f: a time to come, and a note.
func timedKey(family byte, at int64, n uint32) []byte {
	key := binary.BigEndian.AppendUint64([]byte{family}, uint64(max(at, 0)))
	return binary.BigEndian.AppendUint32(key, n)
}

// splitTimedKey parses a key made by timedKey.
func splitTimedKey(key []byte) (at int64, n uint32, ok bool) {
	if len(key) != 13 {
		return 0, 0, false
	}
	return int64(binary.BigEndian.Uint64(key[1:])), binary.BigEndian.Uint32(key[9:]), true
}

func counterKey(id *nostr.ID) []byte {
	return append([]byte{famCounter}, id[:idPrefixLen]...)
}

func givenKey(id *nostr.ID, what byte, a uint32) []byte {
	return binary.BigEndian.AppendUint32(append(counterKey(id), what), a)
}

func removalKey(n uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{famRemoval}, n)
}

func metaKey(what byte, rest ...byte) []byte {
	return append([]byte{famMeta, what}, rest...)
}

// hex32 reads exactly 64 lower-case hex digits.
func hex32(s string) (raw [32]byte, ok bool) {
	if len(s) != 64 {
		return raw, false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return raw, false
		}
	}
	_, err := hex.Decode(raw[:], []byte(s))
	return raw, err == nil
}

// after returns the smallest key that is larger than all keys with the prefix; nil if
// there is none.
func after(prefix []byte) []byte {
	next := bytes.Clone(prefix)
	for i := len(next) - 1; i >= 0; i-- {
		next[i]++
		if next[i] != 0 {
			return next[:i+1]
		}
	}
	return nil
}

// txnGet returns a copy of a key's value, or ErrNotFound.
func txnGet(txn *badger.Txn, key []byte) ([]byte, error) {
	item, err := txn.Get(key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("read key %x: %w", key, err)
	}
	return item.ValueCopy(nil)
}

// keysOnly are the options of an iterator over one prefix. Values are not prefetched:
// they are beside their keys.
func keysOnly(prefix []byte) badger.IteratorOptions {
	return badger.IteratorOptions{Prefix: prefix}
}

// place is one row of an index: where a note is in time, and what is known of it without
// reading it.
type place struct {
	its, n uint32
	author uint32
	kind   uint16
}

func placeAt(end []byte) place {
	return place{its: binary.BigEndian.Uint32(end), n: binary.BigEndian.Uint32(end[4:])}
}
