// Package upkeep looks after the stores of an installation: it backs up and restores the
// user's own data, removes old notes, checks and repairs stores, repairs damaged notes,
// and removes all data. What is done to closed stores is a function of their places; a
// Keeper looks after open ones:
//
//	k, err := upkeep.New(ctx, upkeep.Options{Notes: notes, Own: own, State: state, Places: places, …})
//	go k.Run(ctx) // the daily backup and pruning
//	report, err := k.Prune(ctx, config.Storage{Days: 90}, true, nil)
package upkeep

import (
	"context"
	"iter"
	"log/slog"
	"sync/atomic"
	"time"

	"bowerbird/app/config"
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

	Me      func() nostr.PubKey                                // the current account
	Before  func(ctx context.Context) ([]nostr.PubKey, error)  // earlier accounts
	Records func(ctx context.Context) iter.Seq2[[]byte, error] // all of the saved chats
	Limit   func(budget config.Storage) int64                  // a storage limit in bytes

	Asked     func() int  // how many questions were asked in this run
	Answering func() bool // one of them is being answered
	Fetching  func() bool // notes are being fetched
}

// Keeper looks after open stores. Its methods may be called from any goroutine.
type Keeper struct {
	opt      Options
	recovery atomic.Pointer[Recovery]
	pruning  lock // held while the notes are pruned or compacted
}

// New returns the Keeper of open stores. It reads what became of damaged notes.
func New(ctx context.Context, o Options) (*Keeper, error) {
	k := &Keeper{opt: o, pruning: make(lock, 1)}
	var m Recovery
	err := o.State.Load(ctx, keyRecovery, &m)
	k.recovery.Store(&m)
	return k, err
}

// The stores are looked after in the background while the program runs: backed up once a
// day, and pruned once a day if a limit is set.
const (
	keepAfter = 10 * time.Second // after the start, so that it does not slow it down
	keepEvery = 10 * time.Minute
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
		timer.Reset(keepEvery)
	}
}

// lock is a mutex that is waited for no longer than a context lasts: its holder may take
// minutes. It is made with a capacity of one.
type lock chan struct{}

func (l lock) take(ctx context.Context) error {
	select {
	case l <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l lock) give() { <-l }
