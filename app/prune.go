package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"bowerbird/app/config"
	"bowerbird/ndb"
)

// Budget is how much of the notes is kept.
type Budget = config.Storage

// ErrNoBudget is the error of pruning where everything is to be kept.
var ErrNoBudget = errors.New("everything is to be kept: no budget is set")

// Pruning is what the last pruning did; the zero value is none.
type Pruning struct {
	At    int64 `json:"at"` // unix seconds
	Notes int   `json:"notes"`
	Freed int64 `json:"freed"` // bytes on disk; negative when more came meanwhile
	// Feed and Inbox are the times before which nothing is fetched any more as long
	// as a budget is set, of notes of the people followed and of what others wrote to
	// the reader: what was pruned would come again, to be pruned again.
	Feed  int64 `json:"feed,omitempty"`
	Inbox int64 `json:"inbox,omitempty"`
}

const keyPruning = "pruning"

// LastPruning returns what the last one did.
func (a *App) LastPruning(ctx context.Context) (p Pruning, err error) {
	err = a.loadState(ctx, keyPruning, &p)
	return p, err
}

// Prune lets go of what the budget does not keep (see ndb.Store.Prune) and then
// compacts the store. With dry nothing is changed. progress may be nil.
func (a *App) Prune(ctx context.Context, budget Budget, dry bool, progress func(done, of int)) (report ndb.PruneReport, err error) {
	if budget == (Budget{}) {
		return report, ErrNoBudget
	}
	if a.opt.Sample {
		return report, ErrSample
	}
	a.pruning.Lock()
	defer a.pruning.Unlock()
	opt, err := a.pruneOptions(ctx, budget)
	if err != nil {
		return report, err
	}
	opt.DryRun = true
	plan, err := a.notes.Prune(ctx, opt)
	if dry || err != nil {
		return plan, err
	}
	last, err := a.LastPruning(ctx)
	if err != nil {
		return report, err
	}
	_, before, err := a.notes.Size(ctx)
	if err != nil {
		return report, err
	}
	// Kept before the first note goes: a sync must not begin to fetch it again.
	last.Inbox = max(last.Inbox, plan.Before)
	if budget.MaxGB > 0 {
		last.Feed = max(last.Feed, plan.Before)
	}
	if err := a.saveState(ctx, keyPruning, last); err != nil {
		return report, err
	}
	opt.DryRun, opt.Progress = false, progress
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
	a.pruning.Lock()
	defer a.pruning.Unlock()
	return a.notes.Compact(ctx, progress)
}

// pruneBelow is how much of the budget is left after a pruning, so that the next note
// does not call for another.
const pruneBelow = 0.9

func (a *App) pruneOptions(ctx context.Context, budget Budget) (opt ndb.PruneOptions, err error) {
	if opt.Me, err = a.readers(ctx); err != nil {
		return opt, err
	}
	cited, err := a.cited(ctx)
	if err != nil {
		return opt, fmt.Errorf("looking for what your chats cite: %w", err)
	}
	opt.Keep = cited.has
	if budget.Days > 0 {
		opt.Before = a.opt.Now().AddDate(0, 0, -budget.Days).Unix()
	}
	if budget.MaxGB > 0 {
		_, bytes, err := a.notes.Size(ctx)
		if err != nil {
			return opt, err
		}
		if bytes > budget.Bytes() {
			opt.MaxBytes = int64(float64(budget.Bytes()) * pruneBelow)
		} else {
			opt.MaxBytes = budget.Bytes() // which takes nothing
		}
	}
	return opt, nil
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
	if err != nil || a.opt.Now().Sub(time.Unix(last.At, 0)) < pruneEvery {
		return err
	}
	if budget.MaxGB > 0 {
		if _, bytes, err := a.notes.Size(ctx); err != nil || bytes <= budget.Bytes() {
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
	p, err := a.LastPruning(ctx)
	if err != nil || budget == (Budget{}) {
		return 0, 0
	}
	if budget.MaxGB > 0 {
		feed = p.Feed
	}
	return feed, p.Inbox
}
