package upkeep

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"bowerbird/app/account"
	"bowerbird/app/config"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// ErrNoBudget is returned by pruning if everything is to be kept.
var ErrNoBudget = errors.New("everything is to be kept: no budget is set")

// errSample is returned by what would remove something of the sample.
var errSample = errors.New("the sample is replaced automatically, so nothing is removed from it")

// ErrAnswering is returned by pruning while a question is being answered: what the answer
// will cite is not known yet.
var ErrAnswering = errors.New("an answer is being written, and what it cites must stay: remove old notes when it has ended")

// Pruning is what the last pruning did; the zero value is none.
type Pruning struct {
	At    int64 `json:"at"` // unix seconds
	Notes int   `json:"notes"`
	Freed int64 `json:"freed"` // bytes on disk; negative if more was added meanwhile
	// Over is by how many bytes the limit OverGB is exceeded by what must stay; 0 if it
	// is not.
	Over   int64 `json:"over,omitempty"`
	OverGB int   `json:"over_gb,omitempty"`
	// Stopped means that it was interrupted, with more to remove.
	Stopped bool `json:"stopped,omitempty"`
	// Feeds are the times before which limits of size removed notes, in unix seconds, by
	// gigabytes, over all prunings: as long as such a limit is in force, or a lower one,
	// nothing older is fetched, only to be pruned again.
	Feeds map[int]int64 `json:"feeds,omitempty"`
}

// feedFrom is the time before which nothing is fetched under a limit. A time set while
// the clock was ahead does not count.
func (p Pruning) feedFrom(budget config.Storage, now time.Time) (feed int64) {
	for gb, at := range p.Feeds {
		if budget.MaxGB > 0 && gb >= budget.MaxGB && at <= now.Unix() {
			feed = max(feed, at)
		}
	}
	return feed
}

// isDue reports whether a pruning is to begin by itself: once a day, or once a week if
// the last one found nothing more to remove although the limit was exceeded. An
// interrupted one continues.
func (p Pruning) isDue(budget config.Storage, now time.Time) bool {
	every := pruneEvery
	if p.Notes == 0 && p.Over > 0 && p.OverGB == budget.MaxGB {
		every = pruneAgain
	}
	// A time in the future comes from a clock that was ahead.
	since := now.Sub(time.Unix(p.At, 0))
	return p.Stopped || since < 0 || since >= every
}

const keyPruning = "pruning"

// LastPruning returns what the last one did.
func (k *Keeper) LastPruning(ctx context.Context) (p Pruning, err error) {
	err = k.opt.State.Load(ctx, keyPruning, &p)
	return p, err
}

// Prune removes what the limits do not keep (see ndb.Store.Prune) and then compacts the
// store. If it takes up more than the limit it is also compacted first: space that has
// merely not been given back yet must not cost further notes. With dry nothing is
// changed, and such space counts. A question that is asked meanwhile ends it with
// ErrAnswering. What is removed beyond the limits in the settings is fetched again by the
// next sync. progress may be nil.
func (k *Keeper) Prune(ctx context.Context, budget config.Storage, dry bool, progress func(done, of int)) (report ndb.PruneReport, err error) {
	if budget == (config.Storage{}) {
		return report, ErrNoBudget
	}
	if k.opt.Sample {
		return report, errSample
	}
	asked := k.opt.Asked()
	if k.opt.Answering() && !dry {
		return report, ErrAnswering
	}
	if err := k.pruning.Acquire(ctx, 1); err != nil {
		return report, err
	}
	defer k.pruning.Release(1)
	before, over, err := k.measure(ctx, budget)
	if err != nil {
		return report, err
	}
	if over && !dry {
		if _, err := k.opt.Notes.Compact(ctx, nil); err != nil {
			return report, err
		}
		if _, over, err = k.measure(ctx, budget); err != nil {
			return report, err
		}
	}
	opt, err := k.pruneOptions(ctx, budget, over)
	if err != nil {
		return report, err
	}
	opt.DryRun, opt.Progress = dry, progress
	if dry {
		return k.opt.Notes.Prune(ctx, opt)
	}
	last, err := k.LastPruning(ctx)
	if err != nil {
		return report, err
	}
	opt.Begin = func(plan ndb.PruneReport) error {
		if plan.BySize == 0 {
			return nil
		}
		// Saved before the first note is removed: a sync must not begin to fetch it
		// again.
		if last.Feeds[budget.MaxGB] > k.opt.Now().Unix() {
			delete(last.Feeds, budget.MaxGB) // set while the clock was ahead
		}
		if last.Feeds == nil {
			last.Feeds = map[int]int64{}
		}
		last.Feeds[budget.MaxGB] = max(last.Feeds[budget.MaxGB], plan.BySize)
		return k.opt.State.Save(ctx, keyPruning, last)
	}
	report, err = k.pruneUnasked(ctx, opt, asked)
	last.At, last.Notes, last.Over, last.OverGB = k.opt.Now().Unix(), report.Notes, 0, 0
	last.Stopped = errors.Is(err, context.Canceled) || errors.Is(err, ErrAnswering) || errors.Is(err, errOtherAccount)
	if err == nil && report.Notes > 0 {
		_, err = k.opt.Notes.Compact(ctx, nil)
	}
	ctx = context.WithoutCancel(ctx) // an interrupted one is saved too
	if _, after, sizeErr := k.opt.Notes.Size(ctx); sizeErr == nil {
		last.Freed = before - after
		if report.Over > 0 && after > k.opt.Limit(budget) {
			last.Over, last.OverGB = after-k.opt.Limit(budget), budget.MaxGB
		}
	}
	return report, errors.Join(err, k.opt.State.Save(ctx, keyPruning, last))
}

// errOtherAccount ends a pruning whose plan was made for another account.
var errOtherAccount = errors.New("another account was chosen meanwhile; pruning is tried again later")

// pruneUnasked prunes until it is done, or until a question beyond the first asked is
// asked, as nobody knows what its answer will cite, or until the account changes.
func (k *Keeper) pruneUnasked(ctx context.Context, opt ndb.PruneOptions, asked int) (ndb.PruneReport, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	cited, me := opt.Keep, k.opt.Me()
	opt.Keep = func(id nostr.ID) bool {
		switch {
		case k.opt.Asked() != asked:
			stop(ErrAnswering)
		case k.opt.Me() != me:
			stop(errOtherAccount)
		default:
			return cited(id)
		}
		return true
	}
	report, err := k.opt.Notes.Prune(ctx, opt)
	for _, why := range []error{ErrAnswering, errOtherAccount} {
		if err != nil && errors.Is(context.Cause(ctx), why) {
			err = why
		}
	}
	return report, err
}

// Compact gives back the space of what was removed.
func (k *Keeper) Compact(ctx context.Context, progress func(done, of int)) (ndb.CompactReport, error) {
	if err := k.pruning.Acquire(ctx, 1); err != nil {
		return ndb.CompactReport{}, err
	}
	defer k.pruning.Release(1)
	return k.opt.Notes.Compact(ctx, progress)
}

// pruneBelow is the part of the limit to which a pruning goes down, so that the next note
// does not require another.
const pruneBelow = 0.9

// measure returns what the notes take up on disk, and whether that exceeds the limit.
func (k *Keeper) measure(ctx context.Context, budget config.Storage) (bytes int64, over bool, err error) {
	_, bytes, err = k.opt.Notes.Size(ctx)
	return bytes, budget.MaxGB > 0 && bytes > k.opt.Limit(budget), err
}

func (k *Keeper) pruneOptions(ctx context.Context, budget config.Storage, over bool) (opt ndb.PruneOptions, err error) {
	if opt.Me, err = k.readers(ctx); err != nil {
		return opt, err
	}
	cited, err := k.cited(ctx)
	if err != nil {
		return opt, fmt.Errorf("looking for what your chats cite: %w", err)
	}
	opt.Keep = cited.has
	today, err := k.provenDay(ctx, opt.Me)
	if err != nil {
		return opt, err
	}
	if budget.Days > 0 {
		opt.Before = today.AddDate(0, 0, -budget.Days).Unix()
	}
	switch {
	case over:
		opt.MaxBytes = int64(float64(k.opt.Limit(budget)) * pruneBelow)
	case budget.MaxGB > 0:
		opt.MaxBytes = math.MaxInt64 // which removes nothing
	}
	opt.Newest = today.AddDate(0, 0, -KeptDays).Unix()
	return opt, nil
}

// provenDay returns now, or a day after the newest note by the accounts or the people
// they follow if that is earlier: a clock that is ahead makes every note old.
func (k *Keeper) provenDay(ctx context.Context, readers []nostr.PubKey) (time.Time, error) {
	now := k.opt.Now()
	people := slices.Clone(readers)
	for _, pk := range readers {
		follows, err := k.opt.Notes.Contacts(ctx, pk)
		if err != nil && !errors.Is(err, ndb.ErrNotFound) {
			return now, fmt.Errorf("reading whom you follow: %w", err)
		}
		people = append(people, follows...)
	}
	for e, err := range k.opt.Notes.Query(ctx, ndb.QueryOptions{}, nostr.Filter{Authors: people, Until: new(now.Unix()), Limit: new(1)}) {
		if err != nil {
			return now, fmt.Errorf("looking for the newest note: %w", err)
		}
		if day := time.Unix(e.CreatedAt, 0).AddDate(0, 0, 1); day.Before(now) {
			return day, nil
		}
	}
	return now, nil
}

// readers are the current account and earlier ones: everything of theirs stays. Earlier
// ones count only if it is known whom they follow.
func (k *Keeper) readers(ctx context.Context) ([]nostr.PubKey, error) {
	me := k.opt.Me()
	if me == (nostr.PubKey{}) {
		return nil, account.ErrNobodyChosen
	}
	people := []nostr.PubKey{me}
	before, err := k.opt.Before(ctx)
	if err != nil {
		return nil, err
	}
	for _, pk := range before {
		if slices.Contains(people, pk) {
			continue
		}
		if _, err := k.opt.Notes.Contacts(ctx, pk); err == nil {
			people = append(people, pk)
		}
	}
	return people, nil
}

// KeptDays is for how many days notes stay under any limit of size: a feed of less would
// be none.
const KeptDays = config.DefaultDays

// pruneEvery is how often a pruning begins by itself; pruneAgain applies if the last one
// found nothing that it may remove.
const (
	pruneEvery = 24 * time.Hour
	pruneAgain = 7 * pruneEvery
)

// PruneIfDue prunes if the limit is exceeded, at most once a day, and only while nothing
// is being fetched and nobody waits for an answer.
func (k *Keeper) PruneIfDue(ctx context.Context) error {
	budget := k.opt.Settings().Storage
	if budget == (config.Storage{}) || k.opt.Sample || k.opt.Fetching() || k.opt.Answering() {
		return nil
	}
	last, err := k.LastPruning(ctx)
	if err != nil {
		return err
	}
	if !last.isDue(budget, k.opt.Now()) {
		return nil
	}
	if budget.Days == 0 {
		if _, over, err := k.measure(ctx, budget); err != nil || !over {
			return err
		}
	}
	_, err = k.Prune(ctx, budget, false, nil)
	if errors.Is(err, account.ErrNobodyChosen) || errors.Is(err, ndb.ErrNotFollowing) {
		return nil // nobody can be told from a stranger yet
	}
	return err
}

// KeptFrom returns the times before which nothing is fetched any more; 0 for no such
// limit.
func (k *Keeper) KeptFrom(ctx context.Context) (feed, inbox int64) {
	budget := k.opt.Settings().Storage
	now := k.opt.Now()
	if budget.MaxGB > 0 {
		if p, err := k.LastPruning(ctx); err == nil {
			feed = p.feedFrom(budget, now)
		}
	}
	if budget.Days > 0 {
		inbox = now.AddDate(0, 0, -budget.Days).Unix()
	}
	return feed, max(feed, inbox)
}

// idSet is a set of note ids, by their first half.
type idSet map[[16]byte]bool

func (s idSet) has(id nostr.ID) bool { return s[[16]byte(id[:16])] }

// cited returns the notes that the saved chats and the own store refer to. It looks for
// anything that looks like an id, so that no form is missed. A chat that cannot be read
// is an error: nobody knows what it cites.
func (k *Keeper) cited(ctx context.Context) (idSet, error) {
	ids := idSet{}
	for record, err := range k.opt.Records(ctx) {
		if err != nil {
			return nil, err
		}
		ids.find(record)
	}
	var line []byte
	for e, err := range k.opt.Own.Query(ctx, ndb.QueryOptions{Hidden: true}, nostr.Filter{}) {
		if err != nil {
			return nil, err
		}
		line = e.AppendJSON(line[:0])
		ids.find(line)
	}
	return ids, nil
}

// find adds the ids in a text: 64 hex digits, or a nostr: link.
func (s idSet) find(text []byte) {
	const digits = 2 * len(nostr.ID{})
	run := 0
	for i, c := range text {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			run = 0
			continue
		}
		if run++; run < digits {
			continue
		}
		// Each part of a longer run may be one.
		var id nostr.ID
		if _, err := hex.Decode(id[:], text[i+1-digits:i+1]); err == nil {
			s[[16]byte(id[:16])] = true
		}
	}
	for link := range nostr.Links(string(text)) {
		if link.Event != (nostr.ID{}) {
			s[[16]byte(link.Event[:16])] = true
		}
	}
}
