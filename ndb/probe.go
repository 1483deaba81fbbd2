package ndb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/dgraph-io/badger/v4"
)

// Probe looks whether a store can be opened and holds all that it held: it compares
// every checksum and counts what is there. With full it reads everything, as
// Store.Check does. It works on a copy (see cloneStore), so that nothing is changed,
// whether the store is open or not. Badger may crash on damaged files in ways that
// nothing in this process can hold up; whoever must not crash calls Probe in a
// process of its own.
//
// Where the file system cannot make the same file appear in two folders, the copy takes
// as much of the disk as the store; ErrNoSpace says that it would take too much.
// The error says that it could not be found out; that the store is damaged is in
// the report.
func Probe(ctx context.Context, dir string, full bool, progress func(done, of int)) (CheckReport, error) {
	return probe(ctx, dir, full, progress, disk{FreeSpace, os.Link})
}

func probe(ctx context.Context, dir string, full bool, progress func(done, of int), on disk) (report CheckReport, err error) {
	err = (&Store{dir: dir}).checkSchema()
	var st state
	if err == nil {
		st, err = look(dir)
	}
	if errors.Is(err, ErrDamaged) {
		return CheckReport{Bad: []string{err.Error()}, BadCount: 1}, nil
	}
	if err != nil || st.fresh {
		return CheckReport{}, err
	}
	clone, err := cloneStore(dir, on)
	if err != nil {
		return CheckReport{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(clone)) }()
	report, err = probeClone(ctx, clone, st, full, progress)
	if errors.Is(err, ErrDamaged) {
		report.note(err.Error())
		err = nil
	}
	return report, err
}

func probeClone(ctx context.Context, clone string, st state, full bool, progress func(done, of int)) (report CheckReport, err error) {
	s := newStore(clone, withDefaults(Options{}))
	s.compactors = 0 // of a merged table Badger cuts the file, which the store shares
	opt := s.badgerOptions().WithSyncWrites(false).WithLogger(badgerLog{slog.New(slog.DiscardHandler), s.merging})
	if err := verifyTables(opt); err != nil {
		return report, openError(clone, err)
	}
	if s.db, err = openBadger(opt); err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, s.db.Close()) }()
	if have, err := s.schemaRow(); err != nil || have > schemaVersion {
		return report, cmp.Or[error](err, &NewerError{Dir: filepath.Dir(clone), Have: have, Known: schemaVersion})
	}
	if full {
		if err := s.migrate(); err != nil { // an older store as it will be
			return report, err
		}
	}
	if _, err := s.load(); err != nil {
		return report, err
	}
	if full {
		if report, err = s.Check(ctx, progress); err != nil {
			return report, err
		}
	}
	return report, s.db.View(func(txn *badger.Txn) error {
		seq, err := readSeq(txn)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		if st.known && seq < st.witness.seq {
			report.note(fmt.Sprintf("the newest writes are missing: %d of %d are there", seq, st.witness.seq))
		}
		if full {
			return nil // Check has done it
		}
		return auditLedger(ctx, txn, func(format string, args ...any) { report.note(fmt.Sprintf(format, args...)) })
	})
}

// note takes one more fault into the report.
func (r *CheckReport) note(bad string) {
	r.BadCount++
	if len(r.Bad) < maxCheckBad {
		r.Bad = append(r.Bad, bad)
	}
}

// probe is what Open does before it lets Badger at a store that was not closed.
func (s *Store) probe() error {
	look := s.opt.Probe
	if look == nil {
		look = func(ctx context.Context, dir string) (CheckReport, error) {
			return probe(ctx, dir, false, nil, disk{s.opt.FreeSpace, os.Link})
		}
	}
	report, err := look(context.Background(), s.dir)
	if err != nil {
		return fmt.Errorf("look at store %s after it was not closed: %w", s.dir, err)
	}
	if report.BadCount > 0 {
		return fmt.Errorf("%w: %s: %s", ErrDamaged, s.dir, strings.Join(report.Bad[:min(3, len(report.Bad))], "; "))
	}
	return nil
}
