package ndb

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

// The ledger records what must be in the store, so that a loss is noticed: missing tables
// take rows with them that nothing else would miss. It is written in the transaction of
// the rows that it counts.
//
//	m 'l' 's'         how many transactions were written
//	m 'l' 'n' block   of the notes of 4,096 numbers: how many, and the sum of their ids
//	m 'l' 'b' bucket  of the rows of a bucket: how many, and the sum of their digests
//	m 'l' 'd'         likewise of all tombstones
//	m 'l' 'v'         likewise of all older versions
//
// A sum has 128 bits and no order, so that a row costs one addition. Notes are summed by
// the first half of their ids, which is the key of their rows in i.
const (
	ledgerBlock = 4096
	ledgerLen   = 24
)

// sum is a count of things and the sum of their digests.
type sum struct {
	count  uint64
	hi, lo uint64
}

func (s *sum) add(d [16]byte) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, binary.BigEndian.Uint64(d[8:]), 0)
	s.hi, _ = bits.Add64(s.hi, binary.BigEndian.Uint64(d[:8]), carry)
	s.count++
}

func (s *sum) sub(d [16]byte) {
	var borrow uint64
	s.lo, borrow = bits.Sub64(s.lo, binary.BigEndian.Uint64(d[8:]), 0)
	s.hi, _ = bits.Sub64(s.hi, binary.BigEndian.Uint64(d[:8]), borrow)
	s.count--
}

func (s *sum) encode() []byte {
	row := binary.BigEndian.AppendUint64(make([]byte, 0, ledgerLen), s.count)
	row = binary.BigEndian.AppendUint64(row, s.hi)
	return binary.BigEndian.AppendUint64(row, s.lo)
}

func decodeSum(row []byte) (sum, error) {
	if len(row) != ledgerLen {
		return sum{}, fmt.Errorf("%w: row of the ledger has %d bytes", ErrDamaged, len(row))
	}
	be := binary.BigEndian
	return sum{be.Uint64(row), be.Uint64(row[8:]), be.Uint64(row[16:])}, nil
}

// ledgerOfNote is the ledger's key of a note.
func ledgerOfNote(n uint32) string {
	return string(binary.BigEndian.AppendUint32(metaKey(metaLedger, famNote), n/ledgerBlock))
}

// ledgerOfRow is the ledger's key of a row that is counted by itself; "" for the families
// that can be rebuilt from the notes.
func ledgerOfRow(key []byte) string {
	switch key[0] {
	case famBucket:
		name, _, _ := strings.Cut(string(key[1:]), "\x00")
		return string(metaKey(metaLedger, famBucket)) + name
	case famDeleted, famVersion:
		return string(metaKey(metaLedger, key[0]))
	}
	return ""
}

func idDigest(id *nostr.ID) (d [16]byte) {
	copy(d[:], id[:idPrefixLen])
	return d
}

func rowDigest(key, value []byte) [16]byte {
	h := sha256.New()
	h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(key))))
	h.Write(key)
	h.Write(value)
	return [16]byte(h.Sum(nil))
}

// booked returns the ledger's row of a key as the transaction leaves it.
func (t *tx) booked(key string) *sum {
	if s, ok := t.ledger[key]; ok {
		return s
	}
	s := new(sum)
	if row, ok := t.get([]byte(key)); ok {
		var err error
		if *s, err = decodeSum(row); err != nil {
			t.fail(err)
		}
	}
	t.ledger[key] = s
	t.grow(len(key), ledgerLen)
	return s
}

// book updates the ledger for a row that is about to be written; with a nil value the row
// is about to be deleted.
func (t *tx) book(key, value []byte) {
	of := ledgerOfRow(key)
	if of == "" {
		return
	}
	s := t.booked(of)
	if old, ok := t.get(key); ok {
		s.sub(rowDigest(key, old))
	}
	if value != nil {
		s.add(rowDigest(key, value))
	}
}

// writeLedger writes the rows that changed.
func (t *tx) writeLedger() {
	for key, s := range t.ledger {
		if s.count == 0 && s.hi == 0 && s.lo == 0 {
			t.del([]byte(key))
		} else {
			t.set([]byte(key), s.encode())
		}
	}
	t.set(metaKey(metaLedger, ledgerSeq), binary.BigEndian.AppendUint64(nil, t.w.seq+1))
}

// takeStock sums up what is in the store, as the ledger should have it.
func takeStock(ctx context.Context, txn *badger.Txn) (map[string]*sum, error) {
	stock := make(map[string]*sum)
	of := func(key string) *sum {
		s, ok := stock[key]
		if !ok {
			s = new(sum)
			stock[key] = s
		}
		return s
	}
	err := eachRow(ctx, txn, []byte{famID}, func(key, row []byte) error {
		if len(key) != 1+idPrefixLen || len(row) < 4 {
			return fmt.Errorf("%w: row %x of an id holds %x", ErrDamaged, key, row)
		}
		of(ledgerOfNote(binary.BigEndian.Uint32(row))).add([16]byte(key[1:]))
		return nil
	})
	for _, family := range []byte{famBucket, famDeleted, famVersion} {
		if err == nil {
			err = eachRow(ctx, txn, []byte{family}, func(key, row []byte) error {
				of(ledgerOfRow(key)).add(rowDigest(key, row))
				return nil
			})
		}
	}
	return stock, err
}

// eachRow calls fn for all rows of a prefix. Its arguments are valid during the call
// only.
func eachRow(ctx context.Context, txn *badger.Txn, prefix []byte, fn func(key, value []byte) error) error {
	it := txn.NewIterator(keysOnly(prefix))
	defer it.Close()
	for i := 0; ; i++ {
		if i == 0 {
			it.Rewind()
		} else {
			it.Next()
		}
		if !it.Valid() {
			return nil
		}
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		item := it.Item()
		if err := item.Value(func(value []byte) error { return fn(item.Key(), value) }); err != nil {
			return err
		}
	}
}

// auditLedger compares what is stored with the ledger, and calls bad for each difference.
func auditLedger(ctx context.Context, txn *badger.Txn, bad func(format string, args ...any)) error {
	if _, err := readSeq(txn); errors.Is(err, ErrNotFound) {
		return nil // an older store: the next Open for writing makes the ledger
	} else if err != nil {
		return err
	}
	stock, err := takeStock(ctx, txn)
	if err != nil {
		return err
	}
	err = eachRow(ctx, txn, metaKey(metaLedger), func(key, row []byte) error {
		if len(key) < 3 || key[2] == ledgerSeq {
			return nil
		}
		want, err := decodeSum(row)
		if err != nil {
			return err
		}
		have := stock[string(key)]
		if have == nil {
			have = new(sum)
		}
		if *have != want {
			bad("%s: %s", ledgerName(string(key)), difference(have.count, want.count))
		}
		delete(stock, string(key))
		return nil
	})
	for key, have := range stock {
		bad("%s: %s", ledgerName(key), difference(have.count, 0))
	}
	return err
}

func difference(have, want uint64) string {
	switch {
	case have < want:
		return fmt.Sprintf("%d of %d are missing", want-have, want)
	case have > want:
		return fmt.Sprintf("%d are there that were not stored", have-want)
	}
	return fmt.Sprintf("of %d some are not those that were stored", want)
}

// ledgerName names what a row of the ledger counts.
func ledgerName(key string) string {
	rest := key[2:]
	switch rest[0] {
	case famNote:
		if len(rest) == 5 {
			block := binary.BigEndian.Uint32([]byte(rest[1:]))
			return fmt.Sprintf("notes %d to %d", uint64(block)*ledgerBlock, uint64(block)*ledgerBlock+ledgerBlock-1)
		}
	case famBucket:
		return "values of " + rest[1:]
	case famDeleted:
		return "deletions"
	case famVersion:
		return "older versions of own lists"
	}
	return fmt.Sprintf("row %x of the ledger", key)
}

// beginLedger makes the ledger of a store that has none yet.
func (w *writer) beginLedger(ctx context.Context) error {
	t := w.begin()
	defer t.txn.Discard()
	_, err := readSeq(t.txn)
	if !errors.Is(err, ErrNotFound) {
		return err
	}
	if t.ledger, err = takeStock(ctx, t.txn); err != nil {
		return fmt.Errorf("count what is stored: %w", err)
	}
	if len(t.ledger) == 0 {
		return nil // an empty store: the first write begins it
	}
	t.keys = len(t.ledger)
	return t.commit()
}
