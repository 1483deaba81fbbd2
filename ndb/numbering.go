package ndb

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

// numbering gives each thing a number, and keeps all of them in memory. The writer adds
// to it after the rows are on disk; readers look up.
type numbering[T comparable] struct {
	mu     sync.RWMutex
	number map[T]uint32
	thing  map[uint32]T
}

func newNumbering[T comparable]() *numbering[T] {
	return &numbering[T]{number: make(map[T]uint32), thing: make(map[uint32]T)}
}

func (n *numbering[T]) get(thing T) (uint32, bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	number, ok := n.number[thing]
	return number, ok
}

func (n *numbering[T]) name(number uint32) (T, bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	thing, ok := n.thing[number]
	return thing, ok
}

func (n *numbering[T]) add(more map[T]uint32) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for thing, number := range more {
		n.number[thing] = number
		n.thing[number] = thing
	}
}

func loadPeople(txn *badger.Txn) (*numbering[nostr.PubKey], error) {
	return loadNumbering(txn, []byte{famAuthor}, func(rest []byte) (nostr.PubKey, bool) {
		var pk nostr.PubKey
		return pk, copy(pk[:], rest) == len(rest) && len(rest) == len(pk)
	})
}

func loadRelays(txn *badger.Txn) (*numbering[string], error) {
	return loadNumbering(txn, metaKey(metaRelay), func(rest []byte) (string, bool) {
		return string(rest), true
	})
}

func loadNumbering[T comparable](txn *badger.Txn, prefix []byte, read func(rest []byte) (T, bool)) (*numbering[T], error) {
	all := newNumbering[T]()
	it := txn.NewIterator(keysOnly(prefix))
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		item := it.Item()
		thing, ok := read(item.Key()[len(prefix):])
		err := item.Value(func(row []byte) error {
			if !ok || len(row) != 4 {
				return fmt.Errorf("%w: row %x of a number", ErrDamaged, item.Key())
			}
			number := binary.BigEndian.Uint32(row)
			all.number[thing], all.thing[number] = number, thing
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// marks are the high-water marks and counts that a store keeps in one row.
type marks struct {
	note, author, relay uint32 // the next number of each
	texts               uint64 // notes in the full-text index
	words               uint64 // tokens of their texts, in total
}

func encodeMarks(m marks) []byte {
	row := binary.BigEndian.AppendUint32(nil, m.note)
	row = binary.BigEndian.AppendUint32(row, m.author)
	row = binary.BigEndian.AppendUint32(row, m.relay)
	row = binary.BigEndian.AppendUint64(row, m.texts)
	return binary.BigEndian.AppendUint64(row, m.words)
}

func decodeMarks(row []byte) (marks, error) {
	if len(row) != 28 && len(row) != 20 { // of schema 1, without words
		return marks{}, fmt.Errorf("%w: row of high-water marks has %d bytes", ErrDamaged, len(row))
	}
	be := binary.BigEndian
	m := marks{note: be.Uint32(row), author: be.Uint32(row[4:]), relay: be.Uint32(row[8:]), texts: be.Uint64(row[12:])}
	if len(row) == 28 {
		m.words = be.Uint64(row[20:])
	}
	return m, nil
}

// readSeq returns how many transactions were written; ErrNotFound in a store that
// has no ledger yet.
func readSeq(txn *badger.Txn) (uint64, error) {
	row, err := txnGet(txn, metaKey(metaLedger, ledgerSeq))
	if err != nil {
		return 0, err
	}
	if len(row) != 8 {
		return 0, fmt.Errorf("%w: number of transactions has %d bytes", ErrDamaged, len(row))
	}
	return binary.BigEndian.Uint64(row), nil
}
