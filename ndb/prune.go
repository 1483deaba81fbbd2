package ndb

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
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

// leaf is a note that may go.
type leaf struct {
	ages    ages
	created int64
	n, a    uint32
	size    uint32 // of its rows, before they are in tables
}

// plan is what a pruning is to do.
type plan struct {
	going  []leaf
	spared int   // see PruneReport
	bySize int64 // likewise
	bytes  int64 // that going take on disk
	over   int64 // that is more than MaxBytes when all of it has gone
	before int64 // nothing of this time or later goes
}

// choose makes the plan.
func (k *keeper) choose(ctx context.Context, txn *badger.Txn) (p plan, err error) {
	leaves, err := k.leaves(ctx, txn)
	if err != nil {
		return p, err
	}
	disk, err := DiskBytes(k.store.dir)
	if err != nil {
		return p, err
	}
	if k.total > 0 {
		k.factor = float64(disk) / float64(k.total)
	}
	rest := leaves[:0:0]
	for _, l := range leaves {
		if l.ages.days < k.opt.Before {
			p.going = append(p.going, l)
			p.bytes += k.onDisk(l)
			p.before = k.opt.Before
		} else {
			rest = append(rest, l)
		}
	}
	if k.opt.MaxBytes > 0 {
		k.chooseBySize(&p, rest, disk)
	}
	for _, l := range leaves {
		if l.created < k.opt.Before && !k.follows[l.a] && !k.goes(l.ages) {
			p.spared++
		}
	}
	p.spared += k.spared
	p.bySize = k.bySize
	// Notes that came together lie together: their rows are then written once for many.
	slices.SortFunc(p.going, func(a, b leaf) int { return cmp.Compare(a.n, b.n) })
	return p, nil
}

// chooseBySize adds the oldest of the rest, until no more is left than there may be.
func (k *keeper) chooseBySize(p *plan, rest []leaf, disk int64) {
	slices.SortFunc(rest, func(a, b leaf) int { return cmp.Or(cmp.Compare(a.ages.size, b.ages.size), cmp.Compare(a.n, b.n)) })
	for _, l := range rest {
		// All of one second, so that a time tells what went.
		enough := disk-p.bytes <= k.opt.MaxBytes && l.ages.size >= k.bySize
		if enough || k.opt.Newest > 0 && l.ages.size >= k.opt.Newest {
			break
		}
		k.bySize = l.ages.size + 1
		p.going = append(p.going, l)
		p.bytes += k.onDisk(l)
	}
	p.before = max(p.before, k.bySize)
	p.over = max(0, disk-p.bytes-k.opt.MaxBytes)
}

// goes reports whether what is as old as that goes by the plan.
func (k *keeper) goes(age ages) bool {
	return age.days < k.opt.Before || age.size < k.bySize
}

// leaves returns the notes that may go, and sums up what all take.
func (k *keeper) leaves(ctx context.Context, txn *badger.Txn) (leaves []leaf, err error) {
	visible := k.store.visibleUntil()
	err = eachRow(ctx, txn, []byte{famNote}, func(key, packed []byte) error {
		e, err := unpack(packed)
		if err != nil {
			return fmt.Errorf("%w: note %x: %w", ErrDamaged, key, err)
		}
		a, ok := k.store.people.get(e.PubKey)
		if !ok || len(key) != 5 {
			return fmt.Errorf("%w: author of note %x", ErrDamaged, key)
		}
		size := leafSize(e, len(packed))
		k.total += size
		if k.me[a] || !nostr.IsDeletable(e.Kind) || e.CreatedAt > visible || k.follows[a] && nostr.IsReplaceable(e.Kind) || isOfPerson(e.Kind) {
			return nil
		}
		age := k.marks[shorten(e.ID)].or(k.ageOf(e.CreatedAt, k.follows[a]))
		if age == always || k.opt.Keep != nil && k.opt.Keep(e.ID) {
			if e.CreatedAt < k.opt.Before && !k.follows[a] {
				k.spared++
			}
			return nil
		}
		leaves = append(leaves, leaf{age, e.CreatedAt, binary.BigEndian.Uint32(key[1:]), a, uint32(size)})
		return nil
	})
	return leaves, err
}

// leafSize is about what the rows of a note take: its own, and those that lead to it.
func leafSize(e *nostr.Event, packed int) int64 {
	const row = 40
	size := packed + row*(4+min(len(e.Tags), maxTagRows))
	if search.HasText(e.Kind) {
		size += len(e.Content) / 2
	}
	return int64(size)
}

// onDisk estimates what a note takes there.
func (k *keeper) onDisk(l leaf) int64 { return int64(float64(l.size) * k.factor) }

// isOfPerson reports whether an event of the kind says who somebody is: it goes with
// the last note by or about them.
func isOfPerson(kind uint16) bool { return nostr.OneEach(kind) }

// pruneStep is how many notes go in one turn of the writer.
const pruneStep = 100

// errFollowsChanged ends the carrying out of a plan that was made for other people.
var errFollowsChanged = errors.New("whom you follow has changed")

// carryOut takes back what the ledger claims of what was chosen, removes it, and then
// the people of whom nothing is left; the report says what went.
func (k *keeper) carryOut(ctx context.Context, p plan, report *PruneReport) (err error) {
	defer func() { err = cmp.Or(err, k.release(ctx)) }()
	if err := k.forget(ctx, p.going); err != nil {
		return err
	}
	if err := k.removeAll(ctx, p.going, report); err != nil {
		return err
	}
	return k.prunePeople(ctx, p.before, report)
}

// removeAll removes what was chosen, and counts in the report what went.
func (k *keeper) removeAll(ctx context.Context, going []leaf, report *PruneReport) error {
	for done := 0; done < len(going); done += pruneStep {
		step := going[done:min(done+pruneStep, len(going))]
		r, err := k.remove(ctx, step, k.hasToStay)
		report.Notes += len(r.gone)
		for _, l := range r.gone {
			report.Bytes += k.onDisk(l)
		}
		if err != nil {
			return err
		}
		if k.opt.Progress != nil {
			k.opt.Progress(done+len(step), len(going))
		}
	}
	return nil
}

// removal is a turn of the writer that removes notes, unless they have come to be
// kept since they were chosen.
type removal struct {
	ctx    context.Context
	keeper *keeper
	leaves []leaf
	stays  func(*badger.Txn, leaf, *nostr.Event) bool

	gone []leaf // whose removal is on disk, once the turn is over
	err  error  // why not all have gone that were to go
}

// remove has the writer remove notes. It waits for the turn also when ctx ends
// meanwhile, so that what it did is known; one that has not begun then does nothing.
func (k *keeper) remove(ctx context.Context, leaves []leaf, stays func(*badger.Txn, leaf, *nostr.Event) bool) (*removal, error) {
	m := &removal{ctx: ctx, keeper: k, leaves: leaves, stays: stays}
	if err := k.store.submit(context.WithoutCancel(ctx), &job{removal: m}); err != nil {
		return m, err
	}
	return m, m.err
}

func (m *removal) do(r *round) {
	if m.err = m.regard(r); m.err != nil {
		return
	}
	var gone []leaf
	t := r.tx
	for _, l := range m.leaves {
		e, ok := r.tx.event(l.n)
		if !ok || m.stays(r.tx.txn, l, e) {
			continue // not ok: gone already
		}
		r.removeNote(l.n)
		if r.tx != t && r.err == nil { // what came before is on disk
			m.gone, t = gone, r.tx
		}
		if r.err != nil {
			return
		}
		gone = append(gone, l)
	}
	if r.flush(); r.err == nil {
		m.gone = gone
	}
}

// regard looks at the notes that came since the plan was made: they keep what they
// would have kept had they been there. Of those of the round at hand the feed knows
// nothing yet.
func (m *removal) regard(r *round) error {
	for {
		notes, _ := m.keeper.since.take(subscriptionPage)
		if len(notes) == 0 {
			break
		}
		if err := m.keeper.regard(m.ctx, r.tx, notes); err != nil {
			return err
		}
	}
	for _, notes := range [][]uint32{r.shown, r.tx.shown} {
		if err := m.keeper.regard(m.ctx, r.tx, notes); err != nil {
			return err
		}
	}
	return m.ctx.Err()
}

func (k *keeper) regard(ctx context.Context, t *tx, notes []uint32) error {
	for _, n := range notes {
		e, err := k.read(t.txn, n)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if e.Kind == nostr.KindContacts && slices.Contains(k.opt.Me, e.PubKey) {
			return errFollowsChanged
		}
		if err := k.markFrom(ctx, t.txn, e); err != nil {
			return err
		}
	}
	return nil
}

// hasToStay reports whether a note that was chosen has come to be kept.
func (k *keeper) hasToStay(_ *badger.Txn, l leaf, e *nostr.Event) bool {
	return !k.goes(l.ages.or(k.marks[shorten(e.ID)])) || k.opt.Keep != nil && k.opt.Keep(e.ID)
}
