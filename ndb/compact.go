package ndb

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// CompactReport says what a compaction did.
type CompactReport struct {
	Before int64 `json:"before"` // bytes on disk
	After  int64 `json:"after"`
}

// compactSteps are the parts of a compaction, for its progress.
const compactSteps = 3

// Compact gives back the space of what was removed and replaced: all tables are
// merged into one level, which drops it. Reads and writes go on. Progress is told in
// steps. When ctx ends, or Close is called, it ends after the merge of a few tables
// that it is at, and the next one goes on from there. While an export, a backup or a
// check lasts, what it can see stays on disk. Of two at a time the second waits.
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

// mergeTables merges all tables into one level, until ctx ends.
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
	fillBytes = 1000 << 10 // written at a time: less than goes to the value log
	flushPoll = 10 * time.Millisecond
)

// flushMemory brings what Badger holds in memory into tables: the latest removals
// are there, and drop nothing as long as they are. During Badger's own call for it,
// which is part of dropping a prefix, nobody could write, and nobody any more after
// it failed; so it is made to do what it does when its memory is full.
//
// A young store, with all of its tables in the first level, gets as many as Badger
// moves down: it merges them only on the way.
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

// flushUpTo fills Badger's memory until another takes its place, and waits until what
// was written up to a version is in tables.
func (s *Store) flushUpTo(ctx context.Context, last uint64) error {
	var begun string
	for !s.inTables(last) {
		_, logs, err := databaseFiles(s.dir)
		if err != nil {
			return err
		}
		newest := slices.Max(append(logs, "")) // of the memory that is being filled
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

// fillMemory writes a row that has expired as it is written: nobody sees it, and the
// next merge drops it.
func (s *Store) fillMemory(ctx context.Context) error {
	return s.change(ctx, &change{1, fillBytes + 2*rowOverhead, func(t *tx) {
		t.setExpired(metaKey(metaFilling), make([]byte, fillBytes))
	}})
}

// inTables reports whether all that was written up to a version is in tables. Each
// transaction writes the row of marks, which is never removed: the table that it went
// to, or what that was merged into, has a version as high.
func (s *Store) inTables(last uint64) bool {
	return slices.ContainsFunc(s.db.Tables(), func(t badger.TableInfo) bool { return t.MaxVersion >= last })
}

// hasLevels reports whether there are tables that mergeTables can merge: some below
// the first level, or more in it than Badger leaves there.
func (s *Store) hasLevels() bool {
	tables := s.db.Tables()
	below := slices.ContainsFunc(tables, func(t badger.TableInfo) bool { return t.Level > 0 })
	return below || len(tables) > level0Tables
}
