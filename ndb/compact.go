package ndb

import (
	"context"
	"fmt"

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
// merged into one level, which drops it. Reads and writes go on, but for a moment in
// the middle in which writes wait; progress is told in steps, and ctx is looked at
// between them. While a snapshot, a backup or a check lasts, what it can see stays on
// disk.
func (s *Store) Compact(ctx context.Context, progress func(done, of int)) (report CompactReport, err error) {
	if s.opt.ReadOnly {
		return report, fmt.Errorf("compact: %w: it was opened for reading", ErrReadOnly)
	}
	if err := s.begin(); err != nil {
		return report, err
	}
	defer s.end()
	if report.Before, err = DiskBytes(s.dir); err != nil {
		return report, err
	}
	if progress == nil {
		progress = func(int, int) {}
	}
	flatten := func() error { return s.db.Flatten(1) }
	for i, step := range []func() error{
		flatten, // most of the work, beside reads and writes
		func() error { return s.submit(ctx, &job{quiet: s.flushMemory}) },
		flatten,
	} {
		if err := ctx.Err(); err != nil {
			return report, err
		}
		progress(i, compactSteps)
		if err := s.checkSpace(); err != nil {
			return report, err
		}
		if err := step(); err != nil {
			return report, fmt.Errorf("compact: %w", err)
		}
	}
	progress(compactSteps, compactSteps)
	report.After, err = DiskBytes(s.dir)
	return report, err
}

// flushMemory brings what Badger holds in memory into tables: the latest removals
// are there, and drop nothing as long as they are. Badger has no call for that, but
// does it before it drops a prefix. The writer calls it, between two transactions,
// since nothing may be written meanwhile.
func (s *Store) flushMemory() error {
	mark := metaKey(metaCompaction)
	if err := s.db.Update(func(txn *badger.Txn) error { return txn.Set(mark, nil) }); err != nil {
		return err
	}
	return s.db.DropPrefix(mark)
}
