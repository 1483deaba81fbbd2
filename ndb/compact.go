package ndb

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// CompactReport is what a compaction did.
type CompactReport struct {
	Before int64 `json:"before"` // bytes on disk
	After  int64 `json:"after"`
}

// compactSteps are the parts of a compaction, for its progress.
const compactSteps = 4

// Compact gives back the disk space of what was removed and replaced: the postings that
// are left of it are removed, and all tables compacted into one level, which drops it. Reads and writes go on. Progress counts
// steps. If ctx ends, or Close is called, Compact ends after the few tables that it is
// compacting, and the next one goes on from there. During an export, a backup or a check,
// what it can see stays on disk. A second call waits for the first.
func (s *Store) Compact(ctx context.Context, progress func(done, of int)) (report CompactReport, err error) {
	if s.opt.ReadOnly {
		return report, fmt.Errorf("compact: %w: it was opened for reading", ErrReadOnly)
	}
	if err := s.begin(); err != nil {
		return report, err
	}
	defer s.end()
	ctx, cancel := s.untilClosing(ctx)
	defer cancel()
	select {
	case s.compacting <- struct{}{}:
		defer func() { <-s.compacting }()
	case <-ctx.Done():
		return report, fmt.Errorf("compact: %w", context.Cause(ctx))
	}
	if report.Before, err = DiskBytes(s.dir); err != nil {
		return report, err
	}
	if progress == nil {
		progress = func(int, int) {}
	}
	for i, step := range []func(context.Context) error{
		s.dropPostings,
		s.mergeTables, // most of the work
		s.flushMemory,
		s.mergeTables,
	} {
		if ctx.Err() == nil {
			progress(i, compactSteps)
			if err = s.needSpace(spaceToTidy); err == nil {
				err = step(ctx)
			}
		}
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return report, fmt.Errorf("compact: %w", err)
		}
	}
	progress(compactSteps, compactSteps)
	report.After, err = DiskBytes(s.dir)
	return report, err
}

// dropPostings removes the postings that replaced notes have left (tx.discard).
func (s *Store) dropPostings(ctx context.Context) error {
	return s.atMoment(ctx, func(frozen *Store) error {
		left, size := make(map[wordRow][]uint16), 0
		drop := func() error {
			some := &change{len(left), size, func(t *tx) {
				for row, places := range left {
					p := t.word(row)
					t.touch(row, p)
					for _, place := range places {
						p.remove(place)
					}
				}
			}}
			err := s.change(ctx, some)
			clear(left)
			size = 0
			return err
		}
		err := frozen.view(ctx, func(txn *badger.Txn) error {
			return eachRow(ctx, txn, []byte{famWord}, func(key, row []byte) error {
				end := len(key) - 5 // of the term
				if end < 1 {
					return nil
				}
				segment := ^binary.BigEndian.Uint32(key[end+1:])
				notes := frozen.times.of(segment)
				var gone []uint16
				for place := range postings(row) {
					if int(place) >= len(notes) || !notes[place].exists {
						gone = append(gone, place)
					}
				}
				if gone == nil {
					return nil
				}
				left[wordRow{string(key[1:end]), segment}] = gone
				if size += len(key) + len(row) + rowOverhead; len(left) < migrationRows && size < migrationBytes {
					return nil
				}
				return drop()
			})
		})
		if err != nil || len(left) == 0 {
			return err
		}
		return drop()
	})
}

// untilClosing returns a context that ends when ctx does, or with ErrClosed when the
// store is about to be closed.
func (s *Store) untilClosing(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-s.closing:
			cancel(ErrClosed)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

// mergeTables compacts all tables into one level, until ctx ends.
func (s *Store) mergeTables(ctx context.Context) (err error) {
	s.merging.ctx.Store(&ctx)
	defer s.merging.ctx.Store(nil)
	defer func() {
		switch r := recover(); r {
		case nil:
		case errMergeEnds:
			err = context.Cause(ctx)
		default:
			panic(r)
		}
	}()
	return s.db.Flatten(1)
}

const (
	fillBytes = 1000 << 10 // written at a time: less than what goes to the value log
	flushPoll = 10 * time.Millisecond
)

// flushMemory writes what Badger holds in memory to tables: the latest removals are in
// it, and drop nothing while they are. Badger's own call for it, part of dropping a
// prefix, would block all writers meanwhile, and for good if it failed; so Badger is made
// to do what it does when its memory is full.
//
// A young store, with all of its tables in the first level, gets as many tables as Badger
// moves down: it compacts them only on the way.
func (s *Store) flushMemory(ctx context.Context) error {
	for range level0Tables + 1 {
		var last uint64 // what is in memory now is this old or older
		err := s.db.View(func(txn *badger.Txn) error { last = txn.ReadTs(); return nil })
		if err != nil || last == 0 {
			return err
		}
		if err := s.flushUpTo(ctx, last); err != nil || s.hasLevels() {
			return err
		}
		if err := s.fillMemory(ctx); err != nil {
			return err
		}
	}
	return nil
}

// flushUpTo fills Badger's memory until another memory table takes its place, and waits
// until what was written up to a version is in tables.
func (s *Store) flushUpTo(ctx context.Context, last uint64) error {
	var begun string
	for !s.inTables(last) {
		_, logs, err := databaseFiles(s.dir)
		if err != nil {
			return err
		}
		newest := slices.Max(append(logs, "")) // of the memory table that is being filled
		if begun == "" {
			begun = newest
		}
		if newest == begun {
			if err := s.fillMemory(ctx); err != nil {
				return err
			}
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(flushPoll):
		}
	}
	return nil
}

// fillMemory writes a row that has already expired: it is never read, and the next
// compaction drops it.
func (s *Store) fillMemory(ctx context.Context) error {
	return s.change(ctx, &change{1, fillBytes + 2*rowOverhead, func(t *tx) {
		t.setExpired(metaKey(metaFilling), make([]byte, fillBytes))
	}})
}

// inTables reports whether everything written up to a version is in tables. Each
// transaction writes the row of marks, which is never removed: the table that holds it,
// or what that was compacted into, has a version as high.
func (s *Store) inTables(last uint64) bool {
	return slices.ContainsFunc(s.db.Tables(), func(t badger.TableInfo) bool { return t.MaxVersion >= last })
}

// hasLevels reports whether there are tables that mergeTables can compact: some below the
// first level, or more in it than Badger leaves there.
func (s *Store) hasLevels() bool {
	tables := s.db.Tables()
	below := slices.ContainsFunc(tables, func(t badger.TableInfo) bool { return t.Level > 0 })
	return below || len(tables) > level0Tables
}
