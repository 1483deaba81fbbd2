package ndb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// The steps that make the text index anew. They do not depend on what the index
// held, so whenever Tokens changes, the same two lead to the next schema, under
// other names.

// clearWords removes the postings.
func clearWords(m *migration) error {
	next := []byte{famWord} // what was removed before it is not walked over again
	for {
		var keys [][]byte
		err := m.store.db.View(func(txn *badger.Txn) error {
			it := txn.NewIterator(keysOnly([]byte{famWord}))
			defer it.Close()
			for it.Seek(next); it.Valid() && len(keys) < migrationRows; it.Next() {
				keys = append(keys, it.Item().KeyCopy(nil))
			}
			return nil
		})
		if err != nil || len(keys) == 0 {
			return err
		}
		next = keys[len(keys)-1]
		err = m.commit(nil, func(txn *badger.Txn) error {
			for _, key := range keys {
				if err := txn.Delete(key); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if err := m.progress(0, 1); err != nil {
			return err
		}
	}
}

// indexWords writes the postings of every note, a segment at a time: of a segment
// all rows are known before the first is written, so that writing it twice does no
// harm.
func indexWords(m *migration) error {
	at, err := m.place()
	if err != nil {
		return err
	}
	done, err := decodeIndexed(at)
	if err != nil {
		return err
	}
	all, err := m.marks()
	if err != nil {
		return err
	}
	segments := (all.note + segmentNotes - 1) / segmentNotes
	for done.segment < segments {
		if done, err = indexSegment(m, done, segments); err != nil {
			return err
		}
		if err := m.progress(int(done.segment), int(segments)); err != nil {
			return err
		}
	}
	all.texts, all.words = done.texts, done.words
	return m.commit(done.encode(), func(txn *badger.Txn) error {
		return txn.Set(metaKey(metaMarks), encodeMarks(all))
	})
}

// indexed is the place of indexWords: the next segment, and the statistics of those
// before it.
type indexed struct {
	segment      uint32
	texts, words uint64
}

func (i indexed) encode() []byte {
	row := binary.BigEndian.AppendUint32(nil, i.segment)
	row = binary.BigEndian.AppendUint64(row, i.texts)
	return binary.BigEndian.AppendUint64(row, i.words)
}

func decodeIndexed(row []byte) (indexed, error) {
	if len(row) == 0 {
		return indexed{}, nil
	}
	if len(row) != 20 {
		return indexed{}, fmt.Errorf("%w: place of a migration has %d bytes", ErrDamaged, len(row))
	}
	be := binary.BigEndian
	return indexed{be.Uint32(row), be.Uint64(row[4:]), be.Uint64(row[12:])}, nil
}

// marks reads the high-water marks; a store that never held a note has none.
func (m *migration) marks() (all marks, err error) {
	err = m.store.db.View(func(txn *badger.Txn) error {
		row, err := txnGet(txn, metaKey(metaMarks))
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err == nil {
			all, err = decodeMarks(row)
		}
		return err
	})
	return all, err
}

// indexSegment writes the postings of one segment, of so many that there are, and
// returns the place after it.
func indexSegment(m *migration, at indexed, of uint32) (indexed, error) {
	rows, next, err := segmentPostings(m.store, at)
	if err != nil {
		return at, err
	}
	for part := range parts(rows) {
		err := m.commit(at.encode(), func(txn *badger.Txn) error {
			for _, term := range part {
				if err := txn.Set(wordKey(term, at.segment), rows[term].row); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return at, err
		}
		if err := m.progress(int(at.segment), int(of)); err != nil {
			return at, err
		}
	}
	return next, m.commit(next.encode(), func(*badger.Txn) error { return nil })
}

// parts yields the terms of rows in their order, as many at a time as go into one
// transaction.
func parts(rows map[string]*postingRow) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		terms := slices.Sorted(maps.Keys(rows))
		from, bytes := 0, 0
		for i, term := range terms {
			size := len(wordKey(term, 0)) + len(rows[term].row) + rowOverhead
			if i > from && (i-from == migrationRows || bytes+size > migrationBytes) {
				if !yield(terms[from:i]) {
					return
				}
				from, bytes = i, 0
			}
			bytes += size
		}
		if from < len(terms) {
			yield(terms[from:])
		}
	}
}

// segmentPostings reads the notes of a segment. A note that cannot be read is left
// out: Check and every query that meets it say so.
func segmentPostings(s *Store, at indexed) (rows map[string]*postingRow, next indexed, err error) {
	rows, next = make(map[string]*postingRow), at
	next.segment++
	err = s.db.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(keysOnly([]byte{famNote}))
		defer it.Close()
		for it.Seek(noteKey(at.segment << segmentBits)); it.Valid(); it.Next() {
			key := it.Item().Key()
			if len(key) != 5 {
				continue
			}
			n := binary.BigEndian.Uint32(key[1:])
			if segmentOf(n) != at.segment {
				break
			}
			var e *nostr.Event
			err := it.Item().Value(func(packed []byte) (err error) {
				e, err = unpack(packed)
				return err
			})
			if err != nil {
				continue
			}
			terms, words := search.Terms(e)
			if search.HasText(e.Kind) {
				next.texts++
			}
			next.words += uint64(words)
			for _, term := range terms {
				if rows[term] == nil {
					rows[term] = newPostingRow(nil)
				}
				rows[term].add(uint16(n % segmentNotes))
			}
		}
		return nil
	})
	return rows, next, err
}
