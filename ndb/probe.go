package ndb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/dgraph-io/badger/v4"
)

// Probe looks whether a store can be opened and holds all that it held: it compares
// every checksum and counts what is there. With full it reads everything, as
// Store.Check does; of a store of an older version, whose rows the next Open makes
// anew, it does not. It reads the store by a still (openStill), so that nothing is
// changed; nobody may write the store meanwhile. Badger may crash on damaged files in
// ways that nothing in this process can hold up; whoever must not crash calls Probe in
// a process of its own.
//
// The error says that it could not be found out; that the store is damaged is in
// the report.
func Probe(ctx context.Context, dir string, full bool, progress func(done, of int)) (report CheckReport, err error) {
	s := newStore(dir, withDefaults(Options{ReadOnly: true}))
	report, err = s.lookInto(ctx, full, progress)
	if errors.Is(err, ErrDamaged) {
		_, says, _ := strings.Cut(err.Error(), ErrDamaged.Error()+": ")
		report.note(says)
		err = nil
	}
	return report, err
}

func (s *Store) lookInto(ctx context.Context, full bool, progress func(done, of int)) (report CheckReport, err error) {
	if err := s.checkSchema(); err != nil {
		return report, err
	}
	st, err := look(s.dir)
	if err != nil || st.fresh {
		return report, err
	}
	if err := verifyTables(s.badgerOptions()); err != nil {
		return report, openError(s.dir, err)
	}
	if err := s.openStill(); err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, s.closeStill()) }()
	have, err := s.schemaRow()
	if err != nil || have > schemaVersion {
		return report, cmp.Or[error](err, &NewerError{Dir: s.dir, Have: have, Known: schemaVersion})
	}
	if _, err := s.load(); err != nil {
		return report, err
	}
	if full = full && have == schemaVersion; full {
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
			return Probe(ctx, dir, false, nil)
		}
	}
	report, err := look(context.Background(), s.dir)
	if err != nil {
		return fmt.Errorf("look at store %s after it was not closed: %w", s.dir, err)
	}
	if report.Crash {
		return fmt.Errorf("%w: %w: %s: %s", ErrDamaged, ErrCrash, s.dir, strings.Join(report.Bad, "; "))
	}
	if report.BadCount > 0 {
		return fmt.Errorf("%w: %s: %s", ErrDamaged, s.dir, strings.Join(report.Bad[:min(3, len(report.Bad))], "; "))
	}
	return nil
}
