package ndb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Open opens or makes the store in dir. Errors: *InUseError, *NewerError, ErrNoSpace,
// ErrReadOnly, ErrDamaged (all by errors.Is or errors.As). Not one byte of a store that
// is in use, newer or damaged is changed.
func Open(dir string, opt Options) (*Store, error) {
	s := newStore(dir, withDefaults(opt))
	if err := s.open(); err != nil {
		switch {
		case s.db == nil:
		case s.opt.ReadOnly:
			err = errors.Join(err, s.closeStill())
		default:
			_ = freeReserve(s.dir)
			err = errors.Join(err, s.db.Close())
		}
		return nil, errors.Join(err, s.witness.close(false), s.lock.release())
	}
	return s, nil
}

func (s *Store) open() error {
	if err := s.prepareDir(); err != nil {
		return err
	}
	if err := s.checkSchema(); err != nil {
		return err
	}
	if !s.opt.ReadOnly {
		if err := s.needSpace(spaceToOpen); err != nil {
			return err
		}
	}
	var err error
	if s.lock, err = acquireLock(s.dir, s.opt.ReadOnly); err != nil {
		return err
	}
	st, err := s.lookBeforeOpen()
	if err != nil {
		return err
	}
	if err := s.openDatabase(st); err != nil {
		return err
	}
	if err := s.migrate(); err != nil {
		return err
	}
	w, err := s.load()
	if err != nil {
		return err
	}
	if s.opt.ReadOnly {
		close(s.written)
		return nil
	}
	if err := s.dropSpareBuild(st); err != nil {
		return notWritable(err)
	}
	if err := w.beginLedger(context.Background()); err != nil {
		return err
	}
	if err := w.recover(); err != nil {
		return fmt.Errorf("finish what the last run began: %w", err)
	}
	go w.run()
	return nil
}

func (s *Store) openDatabase(st state) (err error) {
	if s.opt.ReadOnly {
		return s.openStill()
	}
	if s.witness, err = openWitness(s.dir, st.witness.seq); err != nil {
		return err
	}
	if s.db, err = openBadger(s.badgerOptions()); err != nil {
		return openError(s.dir, err)
	}
	if err := makeReserve(s.dir); err != nil {
		s.opt.Logger.Warn("setting space aside for the end", "err", err)
	}
	return nil
}

// lookBeforeOpen finds out whether the store is as it was left, before anything in it is
// changed. One that was not closed is checked thoroughly.
func (s *Store) lookBeforeOpen() (state, error) {
	st, err := look(s.dir)
	if err != nil {
		return st, err
	}
	switch {
	case st.fresh && s.opt.ReadOnly:
		return st, fmt.Errorf("open store %s for reading: nothing was ever stored in it: %w", s.dir, fs.ErrNotExist)
	case st.fresh:
	case st.closed:
		if err := verifyTables(s.badgerOptions()); err != nil {
			return st, openError(s.dir, err)
		}
	default:
		if err := s.probe(); err != nil {
			return st, err
		}
	}
	if s.opt.ReadOnly {
		return st, nil
	}
	if err := dropBuild(s.dir); err != nil {
		return st, notWritable(fmt.Errorf("tidy up after the last run: %w", err))
	}
	if err := writeSchemaFile(s.dir); err != nil {
		return st, err
	}
	if err := dropSpareFiles(s.dir); err != nil {
		return st, notWritable(fmt.Errorf("tidy up after the last run: %w", err))
	}
	return st, nil
}

// prepareDir makes the folder, or reports what is in its place. If there is none, a
// repair may be exchanging it: an empty one is made only after it is certain that nothing
// is about to take its place.
func (s *Store) prepareDir() error {
	if !s.opt.ReadOnly {
		if err := makeRoom(s.dir); err != nil {
			return err
		}
	}
	info, err := os.Stat(s.dir)
	if errors.Is(err, fs.ErrNotExist) && !s.opt.ReadOnly {
		if err := finishSwap(s.dir); err != nil {
			return err
		}
		info, err = os.Stat(s.dir)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && isWhole(s.dir+repairedSuffix):
		return fmt.Errorf("%w: the repair of %s was broken off at its end, and must first be finished by opening it for writing", ErrReadOnly, s.dir)
	case errors.Is(err, fs.ErrNotExist) && s.opt.ReadOnly:
		return fmt.Errorf("open store %s for reading: %w", s.dir, err)
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(s.dir, 0o700); err != nil {
			return notWritable(fmt.Errorf("make folder of the store: %w", err))
		}
		return nil
	case err != nil:
		return notWritable(fmt.Errorf("open store: %w", err))
	case !info.IsDir():
		return fmt.Errorf("open store %s: it is a file, not a folder", s.dir)
	}
	return nil
}
