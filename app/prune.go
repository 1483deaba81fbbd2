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
	// Over is by how many bytes the limit of OverGB is passed by what must stay; 0 where
	// it is not.
	Over   int64 `json:"over,omitempty"`
	OverGB int   `json:"over_gb,omitempty"`
	// Stopped says that it was broken off, with more to go.
	Stopped bool `json:"stopped,omitempty"`
	// Feeds are the times before which limits of size let go of notes, in unix seconds,
	// by gigabytes, of all prunings: as long as such a limit stands, or a smaller one,
	// nothing older is fetched, which would come to be pruned again.
	Feeds map[int]int64 `json:"feeds,omitempty"`
}

// feedFrom is the time before which a budget has nothing fetched. What a clock that
// was ahead has set does not count.
func (p Pruning) feedFrom(budget config.Storage, now time.Time) (feed int64) {
	for gb, at := range p.Feeds {
		if budget.MaxGB > 0 && gb >= budget.MaxGB && at <= now.Unix() {
			feed = max(feed, at)
		}
	}
	return feed
}

// isDue reports whether a pruning is to begin by itself: once a day, and once a week
// where the last one found nothing more to remove though the limit was passed. One
// that was broken off goes on.
func (p Pruning) isDue(budget config.Storage, now time.Time) bool {
	every := pruneEvery
	if p.Notes == 0 && p.Over > 0 && p.OverGB == budget.MaxGB {
		every = pruneAgain
	}
	// One that lies ahead is of a clock that did.
	since := now.Sub(time.Unix(p.At, 0))
	return p.Stopped || since < 0 || since >= every
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
// is changed, and such space counts. A question that is asked meanwhile ends it with
// ErrAnswering. What goes beyond the budget of the settings is fetched again by the
// next sync. progress may be nil.
func (a *App) Prune(ctx context.Context, budget config.Storage, dry bool, progress func(done, of int)) (report ndb.PruneReport, err error) {
	if budget == (config.Storage{}) {
		return report, ErrNoBudget
	}
	if a.opt.Sample {
		return report, ErrSample
	}
	asked := a.turns.begun()
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
	opt.Begin = func(plan ndb.PruneReport) error {
		if plan.BySize == 0 {
			return nil
		}
		// Kept before the first note goes: a sync must not begin to fetch it again.
		if last.Feeds[budget.MaxGB] > a.opt.Now().Unix() {
			delete(last.Feeds, budget.MaxGB) // of a clock that was ahead
		}
		if last.Feeds == nil {
			last.Feeds = map[int]int64{}
		}
		last.Feeds[budget.MaxGB] = max(last.Feeds[budget.MaxGB], plan.BySize)
		return a.saveState(ctx, keyPruning, last)
	}
	report, err = a.pruneUnasked(ctx, opt, asked)
	last.At, last.Notes, last.Over, last.OverGB = a.opt.Now().Unix(), report.Notes, 0, 0
	last.Stopped = errors.Is(err, context.Canceled) || errors.Is(err, ErrAnswering) || errors.Is(err, errOtherReader)
	if err == nil && report.Notes > 0 {
		_, err = a.notes.Compact(ctx, nil)
	}
	ctx = context.WithoutCancel(ctx) // one that was broken off is told as well
	if _, after, sizeErr := a.notes.Size(ctx); sizeErr == nil {
		last.Freed = before - after
		if report.Over > 0 && after > a.limit(budget) {
			last.Over, last.OverGB = after-a.limit(budget), budget.MaxGB
		}
	}
	return report, errors.Join(err, a.saveState(ctx, keyPruning, last))
}

// errOtherReader ends a pruning whose plan was made for somebody else's notes.
var errOtherReader = errors.New("another person reads now; it is tried again later")

// pruneUnasked prunes until it is done, or a question is asked, of more than were asked
// before: what the answer will cite is not known; or until somebody else reads.
func (a *App) pruneUnasked(ctx context.Context, opt ndb.PruneOptions, asked int) (ndb.PruneReport, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	cited, me := opt.Keep, a.Me()
	opt.Keep = func(id ndb.ID) bool {
		switch {
		case a.turns.begun() != asked:
			stop(ErrAnswering)
		case a.Me() != me:
			stop(errOtherReader)
		default:
			return cited(id)
		}
		return true
	}
	report, err := a.notes.Prune(ctx, opt)
	for _, why := range []error{ErrAnswering, errOtherReader} {
		if err != nil && errors.Is(context.Cause(ctx), why) {
			err = why
		}
	}
	return report, err
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
func (a *App) measure(ctx context.Context, budget config.Storage) (bytes int64, over bool, err error) {
	_, bytes, err = a.notes.Size(ctx)
	return bytes, budget.MaxGB > 0 && bytes > a.limit(budget), err
}

// limit is the size of a budget in bytes.
func (a *App) limit(budget config.Storage) int64 {
	if a.opt.gigabyte > 0 {
		return int64(budget.MaxGB) * a.opt.gigabyte
	}
	return budget.Bytes()
}

func (a *App) pruneOptions(ctx context.Context, budget config.Storage, over bool) (opt ndb.PruneOptions, err error) {
	if opt.Me, err = a.readers(ctx); err != nil {
		return opt, err
	}
	cited, err := a.cited(ctx)
	if err != nil {
		return opt, fmt.Errorf("looking for what your chats cite: %w", err)
	}
	opt.Keep = cited.has
	today, err := a.provenDay(ctx, opt.Me)
	if err != nil {
		return opt, err
	}
	if budget.Days > 0 {
		opt.Before = today.AddDate(0, 0, -budget.Days).Unix()
	}
	switch {
	case over:
		opt.MaxBytes = int64(float64(a.limit(budget)) * pruneBelow)
	case budget.MaxGB > 0:
		opt.MaxBytes = math.MaxInt64 // which takes nothing
	}
	opt.Newest = today.AddDate(0, 0, -KeptDays).Unix()
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

// KeptDays is for how many days notes stay under any limit of size: a feed of less is
// none.
const KeptDays = config.DefaultDays

// pruneEvery is how often a pruning begins by itself, pruneAgain where the last found
// nothing that it may remove.
const (
	pruneEvery = 24 * time.Hour
	pruneAgain = 7 * pruneEvery
)

// pruneIfDue prunes where the budget is passed, at most once a day, and only while
// nothing is fetched and nobody waits for an answer.
func (a *App) pruneIfDue(ctx context.Context) error {
	budget := a.Settings().Storage
	if budget == (config.Storage{}) || a.opt.Sample || a.syncing.Load() || a.turns.any() {
		return nil
	}
	last, err := a.LastPruning(ctx)
	if err != nil {
		return err
	}
	if !last.isDue(budget, a.opt.Now()) {
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
