package app

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"bowerbird/app/config"
	"bowerbird/ndb"
)

// Budget is how much of the notes is kept.
type Budget = config.Storage

// ErrNoBudget is the error of pruning where everything is to be kept.
var ErrNoBudget = errors.New("everything is to be kept: no budget is set")

// ErrAnswering is the error of pruning while a question is being answered: what the
// answer will cite is not known yet.
var ErrAnswering = errors.New("an answer is being written, and what it cites must stay: remove old notes when it has ended")

// Pruning is what the last pruning did; the zero value is none.
type Pruning struct {
	At    int64 `json:"at"` // unix seconds
	Notes int   `json:"notes"`
	Freed int64 `json:"freed"` // bytes on disk; negative when more came meanwhile
	// Feed is the time before which a limit of size let go of notes, in unix seconds: as
	// long as that limit stands, nothing older is fetched, which would come to be pruned
	// again. MaxGB is the limit.
	Feed  int64 `json:"feed,omitempty"`
	MaxGB int   `json:"max_gb,omitempty"`
}

// feedFrom is Feed where it still holds: not under a larger limit, nor when a clock
// that was ahead set it.
func (p Pruning) feedFrom(budget Budget, now time.Time) int64 {
	if budget.MaxGB == 0 || budget.MaxGB > p.MaxGB || p.Feed > now.Unix() {
		return 0
	}
	return p.Feed
}

const keyPruning = "pruning"

// LastPruning returns what the last one did.
func (a *App) LastPruning(ctx context.Context) (p Pruning, err error) {
	err = a.loadState(ctx, keyPruning, &p)
	return p, err
}

// Prune lets go of what the budget does not keep (see ndb.Store.Prune) and then
// compacts the store. Where it takes more than the budget it is compacted before as
// well: what is only not given back yet must not cost further notes. With dry nothing
// is changed, and such space counts. progress may be nil.
func (a *App) Prune(ctx context.Context, budget Budget, dry bool, progress func(done, of int)) (report ndb.PruneReport, err error) {
	if budget == (Budget{}) {
		return report, ErrNoBudget
	}
	if a.opt.Sample {
		return report, ErrSample
	}
	if a.turns.any() && !dry {
		return report, ErrAnswering
	}
	if err := a.pruning.take(ctx); err != nil {
		return report, err
	}
	defer a.pruning.give()
	before, over, err := a.measure(ctx, budget)
	if err != nil {
		return report, err
	}
	if over && !dry {
		if _, err := a.notes.Compact(ctx, nil); err != nil {
			return report, err
		}
		if _, over, err = a.measure(ctx, budget); err != nil {
			return report, err
		}
	}
	opt, err := a.pruneOptions(ctx, budget, over)
	if err != nil {
		return report, err
	}
	opt.DryRun, opt.Progress = dry, progress
	if dry {
		return a.notes.Prune(ctx, opt)
	}
	last, err := a.LastPruning(ctx)
	if err != nil {
		return report, err
	}
	opt.Begin = func(oldest int64) error {
		if !over {
			return nil
		}
		// Kept before the first note goes: a sync must not begin to fetch it again.
		last.Feed, last.MaxGB = max(last.feedFrom(budget, a.opt.Now()), oldest), budget.MaxGB
		return a.saveState(ctx, keyPruning, last)
	}
	report, err = a.notes.Prune(ctx, opt)
	if err == nil && report.Notes > 0 {
		_, err = a.notes.Compact(ctx, nil)
	}
	last.At, last.Notes = a.opt.Now().Unix(), report.Notes
	ctx = context.WithoutCancel(ctx) // one that was broken off is told as well
	if _, after, sizeErr := a.notes.Size(ctx); sizeErr == nil {
		last.Freed = before - after
	}
	return report, errors.Join(err, a.saveState(ctx, keyPruning, last))
}

// Compact gives back the space of what was removed.
func (a *App) Compact(ctx context.Context, progress func(done, of int)) (ndb.CompactReport, error) {
	if err := a.pruning.take(ctx); err != nil {
		return ndb.CompactReport{}, err
	}
	defer a.pruning.give()
	return a.notes.Compact(ctx, progress)
}

// pruneBelow is how much of the budget is left after a pruning, so that the next note
// does not call for another.
const pruneBelow = 0.9

// measure returns what the notes take on disk, and whether that is more than the
// budget has it.
func (a *App) measure(ctx context.Context, budget Budget) (bytes int64, over bool, err error) {
	_, bytes, err = a.notes.Size(ctx)
	return bytes, budget.MaxGB > 0 && bytes > a.limit(budget), err
}

// limit is the size of a budget in bytes.
func (a *App) limit(budget Budget) int64 {
	if a.opt.gigabyte > 0 {
		return int64(budget.MaxGB) * a.opt.gigabyte
	}
	return budget.Bytes()
}

func (a *App) pruneOptions(ctx context.Context, budget Budget, over bool) (opt ndb.PruneOptions, err error) {
	if opt.Me, err = a.readers(ctx); err != nil {
		return opt, err
	}
	cited, err := a.cited(ctx)
	if err != nil {
		return opt, fmt.Errorf("looking for what your chats cite: %w", err)
	}
	opt.Keep = cited.has
	if budget.Days > 0 {
		today, err := a.provenDay(ctx, opt.Me)
		if err != nil {
			return opt, err
		}
		opt.Before = today.AddDate(0, 0, -budget.Days).Unix()
	}
	switch {
	case over:
		opt.MaxBytes = int64(float64(a.limit(budget)) * pruneBelow)
	case budget.MaxGB > 0:
		opt.MaxBytes = math.MaxInt64 // which takes nothing
	}
	return opt, nil
}

// provenDay returns now, or a day after the newest that the readers or the people they
// follow wrote where that is earlier: a clock that is ahead makes every note old.
func (a *App) provenDay(ctx context.Context, readers []ndb.PubKey) (time.Time, error) {
	now := a.opt.Now()
	people := slices.Clone(readers)
	for _, pk := range readers {
		follows, err := a.notes.Contacts(ctx, pk)
		if err != nil && !errors.Is(err, ndb.ErrNotFound) {
			return now, fmt.Errorf("reading whom you follow: %w", err)
		}
		people = append(people, follows...)
	}
	until, one := now.Unix(), 1
	for e, err := range a.notes.Query(ctx, ndb.QueryOptions{}, ndb.Filter{Authors: people, Until: &until, Limit: &one}) {
		if err != nil {
			return now, fmt.Errorf("looking for the newest note: %w", err)
		}
		if day := time.Unix(e.CreatedAt, 0).AddDate(0, 0, 1); day.Before(now) {
			return day, nil
		}
	}
	return now, nil
}

// readers are the person who reads and those who did before: all that is theirs
// stays. Those before count only where it is known whom they follow.
func (a *App) readers(ctx context.Context) ([]ndb.PubKey, error) {
	me := a.Me()
	if me == (ndb.PubKey{}) {
		return nil, ErrNobodyChosen
	}
	people := []ndb.PubKey{me}
	var before []string
	if err := a.loadState(ctx, keySynced, &before); err != nil {
		return nil, err
	}
	for _, hex := range before {
		pk, err := ndb.ParsePubKey(hex)
		if err != nil || slices.Contains(people, pk) {
			continue
		}
		if _, err := a.notes.Contacts(ctx, pk); err == nil {
			people = append(people, pk)
		}
	}
	return people, nil
}

// pruneEvery is how often a pruning begins by itself.
const pruneEvery = 24 * time.Hour

// pruneIfDue prunes where the budget is passed, at most once a day, and only while
// nothing is fetched and nobody waits for an answer.
func (a *App) pruneIfDue(ctx context.Context) error {
	budget := a.Settings().Storage
	if budget == (Budget{}) || a.opt.Sample || a.syncing.Load() || a.turns.any() {
		return nil
	}
	last, err := a.LastPruning(ctx)
	if err != nil {
		return err
	}
	// One that lies ahead is of a clock that did.
	if since := a.opt.Now().Sub(time.Unix(last.At, 0)); since >= 0 && since < pruneEvery {
		return nil
	}
	if budget.Days == 0 {
		if _, over, err := a.measure(ctx, budget); err != nil || !over {
			return err
		}
	}
	_, err = a.Prune(ctx, budget, false, nil)
	if errors.Is(err, ErrNobodyChosen) || errors.Is(err, ndb.ErrNotFollowing) {
		return nil // nobody can be told from a stranger yet
	}
	return err
}

// keptFrom returns the times before which nothing is to be fetched any more; 0 for
// no such limit.
func (a *App) keptFrom(ctx context.Context) (feed, inbox int64) {
	budget := a.Settings().Storage
	now := a.opt.Now()
	if budget.MaxGB > 0 {
		if p, err := a.LastPruning(ctx); err == nil {
			feed = p.feedFrom(budget, now)
		}
	}
	if budget.Days > 0 {
		inbox = now.AddDate(0, 0, -budget.Days).Unix()
	}
	return feed, max(feed, inbox)
}
