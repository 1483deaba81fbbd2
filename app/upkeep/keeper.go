// Package upkeep looks after the stores of an installation: it backs up and restores the
// user's own data, removes old notes, checks and repairs stores, repairs damaged notes,
// and removes all data. What is done to closed stores is a function of their places; a
// Keeper looks after open ones:
//
//	k, err := upkeep.New(ctx, upkeep.Options{Notes: notes, Own: own, State: state, Places: places, …})
//	go k.Run(ctx) // the daily backup, pruning, and chats deleted long ago
//	report, err := k.Prune(ctx, config.Storage{Days: 90}, true, nil)
package upkeep

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/app/state"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// Options are what a Keeper works with. All are required.
type Options struct {
	Notes, Own *ndb.Store
	State      *state.Store
	Places     config.Places
	Settings   func() config.Settings // the current ones
	Now        func() time.Time       // in the user's zone
	Logger     *slog.Logger
	Sample     bool // the stores are those of the sample
	ReadOnly   bool // nothing beside the stores may be written

	Me      func() nostr.PubKey                                      // the current account
	Before  func(ctx context.Context) ([]nostr.PubKey, error)        // earlier accounts
	Records func(ctx context.Context) iter.Seq2[[]byte, error]       // all of the saved chats
	Limit   func(budget config.Storage) int64                        // a storage limit in bytes
	Purge   func(ctx context.Context, before time.Time) (int, error) // chats deleted before a time

	Asked     func() int  // how many questions were asked in this run
	Answering func() bool // one of them is being answered
	Fetching  func() bool // notes are being fetched
}

// Keeper looks after open stores. Its methods may be called from any goroutine.
type Keeper struct {
	opt      Options
	recovery atomic.Pointer[Recovery]
	pruning  *semaphore.Weighted // held while the notes are pruned or compacted, which may take minutes
}

// New returns the Keeper of open stores. It reads what became of damaged notes.
func New(ctx context.Context, o Options) (*Keeper, error) {
	k := &Keeper{opt: o, pruning: semaphore.NewWeighted(1)}
	var m Recovery
	err := o.State.Load(ctx, keyRecovery, &m)
	k.recovery.Store(&m)
	return k, err
}

// The stores are looked after in the background while the program runs: backed up once a
// day, and pruned once a day if a limit is set; deleted chats are kept for a while.
const (
	keepDeleted = 30               // days
	keepAfter   = 10 * time.Second // after the start, so that it does not slow it down
	keepEvery   = 10 * time.Minute
)

// Run does what is due, now and then, until ctx ends.
func (k *Keeper) Run(ctx context.Context) {
	timer := time.NewTimer(keepAfter)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		if _, err := k.BackUpToday(ctx); err != nil && ctx.Err() == nil {
			k.opt.Logger.Warn("the daily backup", "error", err)
		}
		if err := k.PruneIfDue(ctx); err != nil && ctx.Err() == nil {
			k.opt.Logger.Warn("pruning the notes", "error", err)
		}
		if err := k.PurgeChats(ctx); err != nil && ctx.Err() == nil {
			k.opt.Logger.Warn("removing deleted chats", "error", err)
		}
		timer.Reset(keepEvery)
	}
}

// PurgeChats removes the chats that were deleted so long ago that nobody restores them.
func (k *Keeper) PurgeChats(ctx context.Context) error {
	if k.opt.ReadOnly {
		return nil
	}
	_, err := k.opt.Purge(ctx, k.opt.Now().AddDate(0, 0, -keepDeleted))
	return err
}

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
	paths := []string{places.Pictures, places.Backups, places.Sample, places.Tools, places.Settings}
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
