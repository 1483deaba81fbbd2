package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"bowerbird/app/config"
	"bowerbird/ndb"
)

// ownBatch is how many of the reader's own events are copied at a time.
const ownBatch = 500

// Import stores the events of a JSON Lines stream. The reader's own events go to
// the own store as well, which keeps what relays may have lost.
func (a *App) Import(ctx context.Context, r io.Reader, opt ndb.ImportOptions) (ndb.ImportReport, error) {
	report, err := a.notes.Import(ctx, r, opt)
	return report, errors.Join(err, a.keepOwn(ctx))
}

// keepOwn copies the reader's own events to the own store; those there already
// cost a look-up each.
func (a *App) keepOwn(ctx context.Context) error {
	if a.Me() == (ndb.PubKey{}) || a.opt.Sample {
		return nil
	}
	batch := make([]*ndb.Event, 0, ownBatch)
	flush := func() error {
		_, err := a.own.Put(ctx, ndb.Batch{Events: batch})
		batch = batch[:0]
		return err
	}
	mine := ndb.Filter{Authors: []ndb.PubKey{a.Me()}}
	for e, err := range a.notes.Query(ctx, ndb.QueryOptions{Hidden: true}, mine) {
		if err == nil {
			if batch = append(batch, e); len(batch) == ownBatch {
				err = flush()
			}
		}
		if err != nil {
			return fmt.Errorf("keeping your own events: %w", err)
		}
	}
	if err := flush(); err != nil {
		return fmt.Errorf("keeping your own events: %w", err)
	}
	return nil
}

// RemoveSample deletes the sample of a place, and nothing else.
func RemoveSample(places config.Places) error {
	inner := places.ForSample()
	inner.Settings = filepath.Join(inner.Data, "settings.toml") // the user's stay
	return RemoveData(inner)
}

// RemoveData deletes the stores and the settings of a place. It refuses while a
// store is open, so that a running Bowerbird does not lose its files from below.
func RemoveData(places config.Places) error {
	inner := places.ForSample()
	for _, dir := range []string{places.Notes, places.Own, inner.Notes, inner.Own} {
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		s, err := ndb.Open(dir, ndb.Options{})
		if inUse := (*ndb.InUseError)(nil); errors.As(err, &inUse) {
			return err
		}
		if err == nil { // a damaged store is removed all the same
			if err := s.Close(); err != nil {
				return err
			}
		}
	}
	for _, path := range []string{places.Notes, places.Own, places.Sample, places.Pictures, places.Backups, places.Settings} {
		if err := os.RemoveAll(path); err != nil {
			return fmt.Errorf("removing the data: %w", err)
		}
	}
	// The folder itself goes only when nothing of anybody else's is in it.
	if err := os.Remove(places.Data); err != nil && !errors.Is(err, os.ErrNotExist) {
		entries, readErr := os.ReadDir(places.Data)
		if readErr != nil || len(entries) == 0 {
			return fmt.Errorf("removing the data: %w", err)
		}
	}
	return nil
}
