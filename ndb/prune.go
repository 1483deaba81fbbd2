package ndb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dgraph-io/badger/v4"
)

// PruneOptions say what a store need not keep. Me is required, and Before or
// MaxBytes.
type PruneOptions struct {
	Me []PubKey // who reads here: their notes stay, and what these refer to
	// Before lets go of notes of people whom none of Me follows that are older, in unix
	// seconds; 0 for no such limit.
	Before int64
	// MaxBytes lets go of the oldest notes of anybody else until about so much is left
	// on disk after Compact; 0 for no such limit.
	MaxBytes int64
	Keep     func(ID) bool // further notes that stay; nil for none
	DryRun   bool          // only say what would go
	// Begin is told PruneReport.Before once, when it is known what goes and before
	// anything does; its error ends the pruning. nil for nobody.
	Begin    func(before int64) error
	Progress func(done, of int)
}

// PruneReport is what a pruning did, or would do.
type PruneReport struct {
	Notes  int   `json:"notes"`  // removed
	People int   `json:"people"` // whose profile and lists went too, since nothing by or about them is left
	Bytes  int64 `json:"bytes"`  // that they take on disk, about; given back by Compact
	Spared int   `json:"spared"` // notes old enough that stay for what refers to them
	// Before says that nothing dated at or after it was touched, in unix seconds; 0
	// when nothing was.
	Before int64 `json:"before"`
}

// ErrNotFollowing says that whom the reader follows is not known, so that nobody can
// be told from a stranger.
var ErrNotFollowing = errors.New("whom you follow is not known")

// Prune removes old notes. What never goes, whatever the options say:
//
//   - all events of Me, and every note that one of them refers to: what they
//     bookmarked, answered, reacted to, quoted or passed on;
//   - what Keep names;
//   - profiles, lists and articles (replaceable and addressable kinds) of the people
//     that Me follow;
//   - what a note answers, quotes or passes on, and what that answers in turn, for as
//     long as a note of somebody followed refers to it that stays: conversations stay
//     whole, and a sync that completes them finds nothing to fetch again;
//   - deletions and requests to vanish, with all that they have effect on;
//   - what is dated in the future;
//   - a stranger's profile and lists, while a note by or about them is there.
//
// Among the rest the oldest goes first, where a note is as old as the newest note of
// a followed person that keeps it.
//
// Counters count what is stored, so what pruned notes added to others is taken back.
// The coverage ledger claims nothing any more of the time up to the newest note of a
// person that went; that is on disk before the first note goes. PruneReport.Before
// bounds what a sync may still ask for, lest it fetch the same again.
//
// The work is done in small transactions beside reads and writes. What is written
// meanwhile is regarded: a note that is bookmarked now stays. A pruning that is
// broken off by ctx leaves the store whole and the report true; the next one goes on.
func (s *Store) Prune(ctx context.Context, opt PruneOptions) (PruneReport, error) {
	report, err := s.prune(ctx, opt)
	if err != nil {
		return report, fmt.Errorf("prune: %w", err)
	}
	return report, nil
}

func (s *Store) prune(ctx context.Context, opt PruneOptions) (report PruneReport, err error) {
	if len(opt.Me) == 0 || opt.Before <= 0 && opt.MaxBytes <= 0 {
		return report, errors.New("neither a reader nor a limit is given")
	}
	if err := s.begin(); err != nil {
		return report, err
	}
	defer s.end()
	k := s.newKeeper(opt)
	var going []leaf
	if err := s.view(ctx, func(txn *badger.Txn) (err error) {
		if err = k.findOut(ctx, txn); err == nil {
			going, err = k.choose(ctx, txn)
		}
		return err
	}); err != nil {
		return report, err
	}
	report.Spared = k.spared
	if opt.DryRun {
		report.Notes, report.Before = len(going), k.before
		for _, l := range going {
			report.Bytes += k.onDisk(l)
		}
		return report, nil
	}
	if len(going) > 0 {
		if opt.Begin != nil {
			if err := opt.Begin(k.before); err != nil {
				return report, err
			}
		}
		report.Before = k.before
		if err := k.forget(ctx, going); err != nil {
			return report, err
		}
	}
	for done := 0; done < len(going); done += pruneStep {
		step := going[done:min(done+pruneStep, len(going))]
		n, bytes, err := k.remove(ctx, step)
		report.Notes += n
		report.Bytes += bytes
		if err != nil {
			return report, err
		}
		if opt.Progress != nil {
			opt.Progress(done+len(step), len(going))
		}
	}
	report.People, err = k.prunePeople(ctx)
	return report, err
}

// pruneStep is how many notes go in one turn of the writer.
const pruneStep = 100

// leaf is a note that may go.
type leaf struct {
	age     int64 // created, or the newest note of the circle that keeps it
	created int64
	n, a    uint32
	size    uint32 // of its rows, before they are in tables
}

// choose returns the notes that go, in the order in which they do.
func (k *keeper) choose(ctx context.Context, txn *badger.Txn) ([]leaf, error) {
	leaves, err := k.leaves(ctx, txn)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(leaves, func(a, b leaf) int { return cmp.Or(cmp.Compare(a.age, b.age), cmp.Compare(a.n, b.n)) })
	disk, err := DiskBytes(k.store.dir)
	if err != nil {
		return nil, err
	}
	if k.total > 0 {
		k.factor = float64(disk) / float64(k.total)
	}
	going := 0
	if k.opt.MaxBytes > 0 {
		freed := int64(0)
		for going < len(leaves) && disk-freed > k.opt.MaxBytes {
			freed += k.onDisk(leaves[going])
			going++
		}
		for going > 0 && going < len(leaves) && leaves[going].age == leaves[going-1].age {
			going++ // all of one second, so that a time tells what went
		}
	}
	for _, l := range leaves[:going] {
		k.before = max(k.before, l.age+1)
	}
	chosen := leaves[:going:going]
	for _, l := range leaves[going:] {
		if k.opt.Before > 0 && l.age < k.opt.Before && !k.follows[l.a] {
			chosen = append(chosen, l)
			k.before = max(k.before, k.opt.Before)
		}
	}
	return chosen, nil
}

// onDisk estimates what a note takes there.
func (k *keeper) onDisk(l leaf) int64 { return int64(float64(l.size) * k.factor) }

// removal is a turn of the writer that removes notes, unless they have come to be
// kept since they were chosen.
type removal struct {
	keeper  *keeper
	leaves  []leaf
	removed int
	bytes   int64
}

func (k *keeper) remove(ctx context.Context, leaves []leaf) (n int, bytes int64, err error) {
	r := &removal{keeper: k, leaves: leaves}
	if err := k.store.submit(ctx, &job{removal: r}); err != nil {
		return 0, 0, err
	}
	return r.removed, r.bytes, nil
}

func (m *removal) do(r *round) {
	k := m.keeper
	for notes, _ := k.since.take(subscriptionPage); len(notes) > 0; notes, _ = k.since.take(subscriptionPage) {
		k.learn(r.tx, notes)
	}
	k.learn(r.tx, r.shown)
	for _, l := range m.leaves {
		k.learn(r.tx, r.tx.shown)
		e, ok := r.tx.event(l.n)
		if !ok {
			continue // gone already
		}
		if k.stays(e.ID) {
			continue
		}
		if r.removeNote(l.n); r.err != nil {
			return
		}
		m.removed++
		m.bytes += k.onDisk(l)
	}
}

// learn regards notes that came since the plan was made.
func (k *keeper) learn(t *tx, notes []uint32) {
	for _, n := range notes {
		e, ok := t.event(n)
		if !ok {
			continue
		}
		a, _ := t.knownAuthor(e.PubKey)
		if k.me[a] || k.follows[a] && refersOn(e.Kind) {
			for _, id := range k.references(t.txn, e) {
				k.marks[shorten(id)] = forever
			}
		}
	}
}

// stays reports whether a note that was chosen has come to be kept.
func (k *keeper) stays(id ID) bool {
	return k.marks[shorten(id)] == forever || k.opt.Keep != nil && k.opt.Keep(id)
}
