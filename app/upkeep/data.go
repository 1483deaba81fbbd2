package upkeep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// ownBatch is how many of the account's own events are copied at a time.
const ownBatch = 500

// KeepOwn copies the account's own events to the own store; those already there cost one
// look-up each.
func (k *Keeper) KeepOwn(ctx context.Context) error {
	if k.opt.Me() == (nostr.PubKey{}) || k.opt.Sample {
		return nil
	}
	batch := make([]*nostr.Event, 0, ownBatch)
	flush := func() error {
		_, err := k.opt.Own.Put(ctx, ndb.Batch{Events: batch})
		batch = batch[:0]
		return err
	}
	mine := nostr.Filter{Authors: []nostr.PubKey{k.opt.Me()}}
	for e, err := range k.opt.Notes.Query(ctx, ndb.QueryOptions{Hidden: true}, mine) {
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
	inner.Settings, inner.Keys = filepath.Join(inner.Data, "settings.toml"), filepath.Join(inner.Data, "keys.json") // the user's stay
	return RemoveData(inner)
}

// RemoveData deletes everything that Bowerbird keeps in a place: the stores, what repairs
// and restores have set aside, finished and unfinished backups, pictures, the sample,
// what was learned about models, the settings and the key file. Keys in the system's
// keyring stay. It refuses while a store is open, so that a running Bowerbird does not
// lose its files.
func RemoveData(places config.Places) error {
	inner := places.ForSample()
	for _, dir := range []string{places.Notes, places.Own, inner.Notes, inner.Own} {
		if inUse := (*ndb.InUseError)(nil); errors.As(ndb.InUse(dir), &inUse) {
			return inUse // otherwise it is removed, whatever state it is in
		}
	}
	paths := []string{places.Pictures, places.Backups, places.Sample, places.Settings}
	keys, err := config.KeyFiles(places.Keys)
	if err != nil {
		return fmt.Errorf("removing the data: %w", err)
	}
	paths = append(paths, keys...)
	for _, dir := range []string{places.Notes, places.Own} {
		left, err := ndb.Leftovers(dir)
		if err != nil {
			return fmt.Errorf("removing the data: %w", err)
		}
		paths = append(append(paths, left...), dir)
	}
	known := filepath.Join(places.Data, models.File)
	paths = append(paths, known, config.LockFile(known), config.LockFile(places.Settings))
	if err := errors.Join(dropUnfinished(places), config.DropUnfinished(places.Settings), config.DropUnfinished(known)); err != nil {
		return fmt.Errorf("removing the data: %w", err)
	}
	for _, path := range paths {
		if err := os.RemoveAll(path); err != nil {
			return fmt.Errorf("removing the data: %w", err)
		}
	}
	// The folder itself is removed only if it holds nothing else.
	if err := os.Remove(places.Data); err != nil && !errors.Is(err, os.ErrNotExist) {
		entries, readErr := os.ReadDir(places.Data)
		if readErr != nil || len(entries) == 0 {
			return fmt.Errorf("removing the data: %w", err)
		}
	}
	return nil
}
