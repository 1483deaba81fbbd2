package ndb

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"

	"github.com/dgraph-io/badger/v4"
)

// step is one part of the migration from an older schema to a newer one. To add one,
// append it to schemaSteps.
//
// A step may be killed at any moment and is then run again by the next Open, so it must
// be idempotent: it writes in small transactions through migration.commit, which saves
// its position, and continues from migration.place. Once it has returned nil it is never
// run again for this store. Nobody reads or writes the store meanwhile, and nothing is in
// memory: no marks, no numbers of people.
type step struct {
	schema int    // the version that the step leads to
	name   string // recorded in the store once the step is done; never changed
	run    func(*migration) error
}

// schemaSteps returns all steps, in the order in which they are done.
func schemaSteps() []step {
	return []step{
		{2, "clear words", clearWords},
		{2, "index words", indexWords},
	}
}

// What a step writes in one transaction at most: a fifth of what fits.
const (
	migrationRows  = 2_000
	migrationBytes = 512 << 10
)

// migrate converts a store of an older schema to the newest. The row of the schema is
// written last, so a store with the newest version has completed all of its steps.
func (s *Store) migrate() error {
	have, err := s.schemaRow()
	if err != nil {
		return err
	}
	switch {
	case have > schemaVersion:
		return &NewerError{Dir: s.dir, Have: have, Known: schemaVersion}
	case have == 0 || have == schemaVersion: // new, or as it should be
		return nil
	case s.opt.ReadOnly:
		return fmt.Errorf("%w: it has schema version %d and must first be brought to %d, by opening it for writing", ErrReadOnly, have, schemaVersion)
	}
	var steps []step
	for _, st := range schemaSteps() {
		if st.schema > have {
			steps = append(steps, st)
		}
	}
	for i, st := range steps {
		m := &migration{store: s, name: st.name, before: i, steps: len(steps)}
		if err := m.do(st); err != nil {
			return fmt.Errorf("bring the store from schema version %d to %d: %s: %w", have, schemaVersion, st.name, err)
		}
	}
	return s.db.Update(func(txn *badger.Txn) error {
		for _, st := range steps {
			if err := txn.Delete(migrationKey(st.name)); err != nil {
				return err
			}
		}
		return txn.Set(metaKey(metaSchema), binary.AppendUvarint(nil, schemaVersion))
	})
}

// schemaRow returns the version recorded in the database; 0 if nothing was ever written
// to it.
func (s *Store) schemaRow() (have int, err error) {
	err = s.db.View(func(txn *badger.Txn) error {
		row, err := txnGet(txn, metaKey(metaSchema))
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		version, n := binary.Uvarint(row)
		if n <= 0 || version == 0 || version > 1<<30 {
			return fmt.Errorf("%w: schema row %x", ErrDamaged, row)
		}
		have = int(version)
		return nil
	})
	return have, err
}

// migration is a step under way.
type migration struct {
	store         *Store
	name          string
	before, steps int // how many steps were done before this one, how many there are
}

func migrationKey(name string) []byte { return append(metaKey(metaMigration), name...) }

// The first byte of a migration's row records whether its step is done; the position that
// it has reached follows.
const (
	stepBegun = iota
	stepDone
)

func (m *migration) do(st step) error {
	row, err := m.row()
	if err != nil || len(row) > 0 && row[0] == stepDone {
		return err
	}
	if err := m.progress(0, 1); err != nil {
		return err
	}
	if err := st.run(m); err != nil {
		return err
	}
	return m.store.db.Update(func(txn *badger.Txn) error {
		return txn.Set(migrationKey(m.name), []byte{stepDone})
	})
}

func (m *migration) row() (row []byte, err error) {
	err = m.store.db.View(func(txn *badger.Txn) error {
		row, err = txnGet(txn, migrationKey(m.name))
		if errors.Is(err, ErrNotFound) {
			err = nil
		}
		return err
	})
	return row, err
}

// place returns the position that the last commit of the step saved; nil at its
// beginning.
func (m *migration) place() ([]byte, error) {
	row, err := m.row()
	if err != nil || len(row) == 0 {
		return nil, err
	}
	return bytes.Clone(row[1:]), nil
}

// commit writes some rows, as many as migrationRows and migrationBytes allow, and with
// them the position of the step: when it returns, both are on disk, or neither is.
func (m *migration) commit(place []byte, write func(*badger.Txn) error) error {
	if err := m.store.needSpace(spaceToStore); err != nil {
		return err
	}
	return m.store.db.Update(func(txn *badger.Txn) error {
		if err := write(txn); err != nil {
			return err
		}
		return txn.Set(migrationKey(m.name), append([]byte{stepBegun}, place...))
	})
}

// progress reports how far the step is. Its error, which is the caller's wish to end,
// ends the step; the next Open continues it.
func (m *migration) progress(done, of int) error {
	if m.store.opt.Migrating == nil {
		return nil
	}
	const whole = 1000 // of a step
	part := whole * min(done, of) / max(of, 1)
	return m.store.opt.Migrating(m.before*whole+part, m.steps*whole)
}

// The steps that rebuild the text index. They do not depend on what the index held, so
// whenever Tokens changes, the same two lead to the next schema, under other names.

// clearWords removes the postings.
func clearWords(m *migration) error {
	next := []byte{famWord} // removed keys before it are not iterated over again
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

// indexWords writes the postings of every note, one segment at a time: all rows of a
// segment are known before the first is written, so that writing it twice does no harm.
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

// indexed is the position of indexWords: the next segment, and the statistics of those
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

// indexSegment writes the postings of one segment, of so many that there are, and returns
// the position after it.
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

// parts yields the terms of rows in their order, as many at a time as fit into one
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

// segmentPostings reads the notes of a segment. A note that cannot be read is left out:
// Check, and every query that matches it, report it.
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
