package ndb

import (
	"encoding/binary"
	"fmt"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

// winner is the version of a replaceable event that counts.
type winner struct {
	created int64
	n       uint32
	id      nostr.ID
}

const winnerRowLen = 8 + 4 + 32

func encodeWinner(w winner) []byte {
	row := make([]byte, 0, winnerRowLen)
	row = binary.BigEndian.AppendUint64(row, uint64(w.created))
	row = binary.BigEndian.AppendUint32(row, w.n)
	return append(row, w.id[:]...)
}

func decodeWinner(row []byte) (w winner, err error) {
	if len(row) != winnerRowLen {
		return w, fmt.Errorf("%w: row of a winner has %d bytes", ErrDamaged, len(row))
	}
	w.created, w.n = int64(binary.BigEndian.Uint64(row)), binary.BigEndian.Uint32(row[8:])
	copy(w.id[:], row[12:])
	return w, nil
}

func (t *tx) winner(key []byte) (winner, bool) {
	row, ok := t.get(key)
	if !ok {
		return winner{}, false
	}
	w, err := decodeWinner(row)
	if err != nil {
		t.fail(err)
	}
	return w, err == nil
}

// wins reports whether the event is better than the version that is stored.
func (t *tx) wins(a uint32, e *nostr.Event) bool {
	old, ok := t.winner(winnerKey(a, e.Kind, nostr.D(e)))
	return !ok || nostr.Supersedes(e.CreatedAt, e.ID, old.created, old.id)
}

// win makes note n the version that counts; the one before is removed, and kept
// aside when it is an own list.
func (t *tx) win(a, n uint32, e *nostr.Event) {
	key := winnerKey(a, e.Kind, nostr.D(e))
	if old, ok := t.winner(key); ok {
		if packed, ok := t.get(noteKey(old.n)); ok {
			if before, err := unpack(packed); err == nil {
				t.keepVersion(a, before, packed)
			}
		}
		t.discard(a, old.n)
	}
	t.set(key, encodeWinner(winner{e.CreatedAt, n, e.ID}))
}

const keptVersions = 20

// keepVersion keeps an older version of an own list, at most keptVersions of them
// beside the one that counts.
func (t *tx) keepVersion(a uint32, e *nostr.Event, packed []byte) {
	if !keepsVersions(e.Kind) || !t.w.store.isOwn(e.PubKey) {
		return
	}
	t.set(versionKey(a, e), packed)
	for i, key := range t.versionKeys(a, e.Kind) {
		if i >= keptVersions-1 {
			t.del(key)
		}
	}
}

// versionKeys returns the keys of the kept versions, newest first.
func (t *tx) versionKeys(a uint32, kind uint16) [][]byte {
	var keys [][]byte
	it := t.txn.NewIterator(keysOnly(versionPrefix(a, kind)))
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		keys = append(keys, it.Item().KeyCopy(nil))
	}
	return keys
}

// dropVersions removes the kept versions of an author for which drop is true.
func (t *tx) dropVersions(a uint32, pk nostr.PubKey, drop func(*nostr.Event) bool) {
	if !t.w.store.isOwn(pk) {
		return
	}
	for _, kind := range []uint16{nostr.KindProfile, nostr.KindContacts, nostr.KindMutes, nostr.KindRelays} {
		for _, key := range t.versionKeys(a, kind) {
			packed, ok := t.get(key)
			if !ok {
				continue
			}
			if e, err := unpack(packed); err != nil || drop(e) {
				t.del(key)
			}
		}
	}
}

// readWinner returns the version of a replaceable that counts, as readers see it:
// one dated in the future takes over when its time comes, even before the writer
// has seen to it.
func (s *Store) readWinner(txn *badger.Txn, a uint32, kind uint16, d string) (winner, error) {
	key := winnerKey(a, kind, d)
	row, err := txnGet(txn, key)
	var w winner
	if err == nil {
		w, err = decodeWinner(row)
	}
	if due, ok := s.future.best(string(key), s.visibleUntil()); ok {
		if err != nil || nostr.Supersedes(due.created, due.id, w.created, w.id) {
			return due, nil
		}
	}
	return w, err
}
