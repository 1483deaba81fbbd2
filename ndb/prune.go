package ndb

import (
	"context"
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

// PruneOptions say what a store need not keep. Me is required, and Before or
// MaxBytes.
type PruneOptions struct {
	Me []nostr.PubKey // who reads here: their notes stay, and what these refer to
	// Before lets go of notes of people whom none of Me follows that are older, in unix
	// seconds; 0 for no such limit.
	Before int64
	// MaxBytes lets go of the oldest notes of anybody else until about so much is left
	// on disk after Compact; 0 for no such limit.
	MaxBytes int64
	// Newest are not let go of for MaxBytes, from this time on, in unix seconds; 0 for
	// no such bound.
	Newest int64
	Keep   func(nostr.ID) bool // further notes that stay; nil for none
	DryRun bool                // only say what would go
	// Begin is told what goes, when that is known and before anything does; its error
	// ends the pruning. It is told again when the plan is made anew. nil for nobody.
	Begin    func(PruneReport) error
	Progress func(done, of int)
}

// PruneReport is what a pruning did, or would do.
type PruneReport struct {
	Notes  int   `json:"notes"`  // removed
	People int   `json:"people"` // whose profile and lists went too, since nothing by or about them is left
	Bytes  int64 `json:"bytes"`  // that they take on disk, about; given back by Compact
	Spared int   `json:"spared"` // strangers' notes from before PruneOptions.Before that stay for what refers to them
	// Before says that nothing dated at or after it was touched, in unix seconds; 0
	// when nothing was. BySize says the same of what went for MaxBytes alone.
	Before int64 `json:"before"`
	BySize int64 `json:"by_size"`
	// Over is by how much MaxBytes is passed, about, with nothing left that may go.
	Over    int64 `json:"over"`
	Stopped bool  `json:"stopped"` // broken off: not all that was to go has gone
}

var (
	// ErrNotFollowing says that whom the reader follows is not known, so that nobody can
	// be told from a stranger.
	ErrNotFollowing = errors.New("whom you follow is not known")
	// errPruning says that another pruning is under way.
	errPruning = errors.New("old notes are being removed already")
)

// Prune removes old notes. What never goes, whatever the options say:
//
//   - all events of Me, and every note that one of them refers to: what they
//     bookmarked, answered, reacted to, quoted or passed on;
//   - what Keep names;
//   - profiles, lists and articles (replaceable and addressable kinds) of the people
//     that Me follow;
//   - what a note answers, quotes or passes on, and what that answers in turn, for as
//     long as a note stays that refers to it and is of somebody followed, or speaks to
//     Me: conversations stay whole, and a sync that completes them finds nothing to
//     fetch again;
//   - deletions and requests to vanish, with all that they have effect on;
//   - what is dated in the future;
//   - a stranger's profile and lists, while a note by or about them is there, or one
//     that stays and would be shown links to them.
//
// Among the rest, what Before does not keep goes first, and of what is left the
// oldest for MaxBytes, where a note is as old as the newest note that keeps it.
//
// Counters count what is stored, so what pruned notes added to others is taken back.
// The coverage ledger claims nothing any more of the time up to the newest note of a
// person that went; that is on disk before the first note goes, and what was asked
// for before the pruning ended cannot claim it again (Batch.Epoch). PruneReport.Before
// and BySize bound what a sync may still ask for, lest it fetch the same again.
//
// The work is done in small transactions beside reads and writes. What is written
// meanwhile is regarded: a note that is bookmarked now stays, and when Me follow
// others the plan is made anew. Only what comes dated in the future keeps nothing
// before it is due. A pruning that is broken off by ctx, or by Close, leaves the store
// whole and the report true; the next one goes on. There is one at a time:
// errPruning.
func (s *Store) Prune(ctx context.Context, opt PruneOptions) (report PruneReport, err error) {
	if err = s.prune(ctx, opt, &report); err != nil {
		report.Stopped = report.Before > 0
		return report, fmt.Errorf("prune: %w", err)
	}
	return report, nil
}

func (s *Store) prune(ctx context.Context, opt PruneOptions, report *PruneReport) error {
	if len(opt.Me) == 0 || opt.Before <= 0 && opt.MaxBytes <= 0 {
		return errors.New("neither a reader nor a limit is given")
	}
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	ctx, cancel := s.untilClosing(ctx)
	defer cancel()
	if !s.pruning.TryLock() {
		return errPruning
	}
	defer s.pruning.Unlock()
	for {
		err := s.pruneOnce(ctx, opt, report)
		if !errors.Is(err, errFollowsChanged) {
			return err
		}
	}
}

// pruneOnce makes a plan and carries it out, and adds to the report what it did.
func (s *Store) pruneOnce(ctx context.Context, opt PruneOptions, report *PruneReport) error {
	k := s.newKeeper(opt)
	var p plan
	if err := s.view(ctx, func(txn *badger.Txn) (err error) {
		if err = k.findOut(ctx, txn); err == nil {
			p, err = k.choose(ctx, txn)
		}
		return err
	}); err != nil {
		return err
	}
	report.Spared, report.Over = p.spared, p.over
	if opt.DryRun {
		*report = p.report()
		return nil
	}
	if len(p.going) == 0 {
		return nil
	}
	if opt.Begin != nil {
		if err := opt.Begin(p.report()); err != nil {
			return err
		}
	}
	report.Before, report.BySize = max(report.Before, p.before), max(report.BySize, p.bySize)
	return k.carryOut(ctx, p, report)
}

// report says what the plan would do.
func (p *plan) report() PruneReport {
	return PruneReport{Notes: len(p.going), Bytes: p.bytes, Spared: p.spared, Before: p.before, BySize: p.bySize, Over: p.over}
}
