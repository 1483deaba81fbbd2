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

// PruneOptions says what a store need not keep. Me is required, and so is Before or
// MaxBytes.
type PruneOptions struct {
	Me []nostr.PubKey // the accounts: their notes stay, and what those refer to
	// Before removes older notes of people whom none of Me follows, in unix seconds; 0
	// for no such limit.
	Before int64
	// MaxBytes removes the oldest notes of anybody else until about so much is left on
	// disk after Compact; 0 for no such limit.
	MaxBytes int64
	// Newest protects notes dated at or after it, in unix seconds, from MaxBytes; 0 for
	// no such bound.
	Newest int64
	Keep   func(nostr.ID) bool // further notes that stay; nil for none
	DryRun bool                // only report what would be removed
	// Begin receives the plan before anything is removed, and again whenever the plan is
	// made anew; its error ends the pruning. May be nil.
	Begin    func(PruneReport) error
	Progress func(done, of int)
}

// PruneReport is what a pruning removed, or would remove.
type PruneReport struct {
	Notes  int   `json:"notes"`  // removed
	People int   `json:"people"` // whose profile and lists were removed too, since nothing by or about them is left
	Bytes  int64 `json:"bytes"`  // what they take up on disk, estimated; given back by Compact
	Spared int   `json:"spared"` // strangers' notes older than PruneOptions.Before that stay because something refers to them
	// Nothing dated at or after Before was touched, in unix seconds; 0 if nothing was
	// removed. BySize is the same for what was removed because of MaxBytes alone.
	Before int64 `json:"before"`
	BySize int64 `json:"by_size"`
	// Over is by how much MaxBytes is still exceeded, estimated, with nothing left to
	// remove.
	Over    int64 `json:"over"`
	Stopped bool  `json:"stopped"` // interrupted: not everything that was chosen has been removed
}

var (
	// ErrNotFollowing is returned when it is not known whom the account follows, so that
	// nobody can be distinguished from a stranger.
	ErrNotFollowing = errors.New("whom you follow is not known")
	// errPruning is returned while another pruning is running.
	errPruning = errors.New("old notes are being removed already")
)

// Prune removes old notes. What it never removes, whatever the options say:
//
//   - all events of Me, and every note that one of them refers to: what they
//     bookmarked, replied to, reacted to, quoted or reposted;
//   - what Keep names;
//   - profiles, lists and articles (replaceable and addressable kinds) of the people
//     whom Me follow;
//   - what a note replies to, quotes or reposts, and what that replies to in turn, as
//     long as a note stays that refers to it and is by somebody followed, or addresses
//     Me: threads stay whole, and a sync that completes them finds nothing to fetch
//     again;
//   - deletions and requests to vanish, with everything they affect;
//   - what is dated in the future;
//   - a stranger's profile and lists, while there is a note by or about them, or one
//     that stays and links to them.
//
// Of the rest, whatever Before does not keep is removed first, and then the oldest for
// MaxBytes, where a note counts as being as old as the newest note that keeps it.
//
// Counters count what is stored, so what removed notes added to others is subtracted. The
// coverage ledger no longer claims the time up to a person's newest removed note. That is
// on disk before the first note is removed, and whatever was requested before the pruning
// ended cannot claim it again (Batch.Epoch). PruneReport.Before and BySize limit what a
// sync may still ask for, so that it does not fetch the same notes again.
//
// The work is done in small transactions, beside reads and writes, and takes account of
// what is written meanwhile: a note that is bookmarked now stays, and when Me follow
// others the plan is made anew. Only an event dated in the future keeps nothing before it
// is due. A pruning that is interrupted by ctx, or by Close, leaves the store whole and
// the report true; the next one goes on from there. Only one runs at a time (errPruning).
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

// pruneOnce makes a plan, carries it out, and adds to the report what was removed.
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

// report returns what the plan would remove.
func (p *plan) report() PruneReport {
	return PruneReport{Notes: len(p.going), Bytes: p.bytes, Spared: p.spared, Before: p.before, BySize: p.bySize, Over: p.over}
}

// leaf is a note that may be removed.
type leaf struct {
	ages    ages
	created int64
	n, a    uint32
	size    uint32 // of its rows, before they are in tables
}

// plan is what a pruning will do.
type plan struct {
	going  []leaf
	spared int   // see PruneReport
	bySize int64 // likewise
	bytes  int64 // that going takes up on disk
	over   int64 // by which MaxBytes is still exceeded once all of going is removed
	before int64 // nothing dated at or after it is removed
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
	// Notes that arrived together are neighbours: their rows are then rewritten once for
	// many of them.
	slices.SortFunc(p.going, func(a, b leaf) int { return cmp.Compare(a.n, b.n) })
	return p, nil
}

// chooseBySize adds the oldest of the rest until no more is left than allowed.
func (k *keeper) chooseBySize(p *plan, rest []leaf, disk int64) {
	slices.SortFunc(rest, func(a, b leaf) int { return cmp.Or(cmp.Compare(a.ages.size, b.ages.size), cmp.Compare(a.n, b.n)) })
	for _, l := range rest {
		// Everything dated in the same second, so that one time describes what was
		// removed.
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

// goes reports whether the plan removes what is that old.
func (k *keeper) goes(age ages) bool {
	return age.days < k.opt.Before || age.size < k.bySize
}

// leaves returns the notes that may be removed, and sums up the size of all notes.
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

// leafSize estimates the size of a note's rows: its own, and the index rows that lead to
// it.
func leafSize(e *nostr.Event, packed int) int64 {
	const row = 40
	size := packed + row*(4+min(len(e.Tags), maxTagRows))
	if search.HasText(e.Kind) {
		size += len(e.Content) / 2
	}
	return int64(size)
}

// onDisk estimates what a note takes up on disk.
func (k *keeper) onDisk(l leaf) int64 { return int64(float64(l.size) * k.factor) }

// isOfPerson reports whether events of the kind describe a person: they are removed with
// the last note by or about that person.
func isOfPerson(kind uint16) bool { return nostr.OneEach(kind) }

// pruneStep is how many notes are removed in one turn of the writer.
const pruneStep = 100

// errFollowsChanged ends a plan that was made for other follows.
var errFollowsChanged = errors.New("whom you follow has changed")

// carryOut withdraws what the ledger claims of the chosen notes, removes them, and then
// the people of whom nothing is left. The report counts what was removed.
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

// removeAll removes the chosen notes, and counts them in the report.
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

// removal is a turn of the writer that removes notes, except those that something has
// come to keep since they were chosen.
type removal struct {
	ctx    context.Context
	keeper *keeper
	leaves []leaf
	stays  func(*badger.Txn, leaf, *nostr.Event) bool

	gone []leaf // whose removal is on disk once the turn is over
	err  error  // why not all of them could be removed
}

// remove has the writer remove notes. It waits for the turn even if ctx ends meanwhile,
// so that the outcome is known; a turn that has not begun by then does nothing.
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
			continue // not ok: already removed
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

// regard looks at the notes that arrived since the plan was made: they keep what they
// would have kept had they been there. Those of the current round have not reached the
// feed yet.
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

// hasToStay reports whether something has come to keep a note that was chosen.
func (k *keeper) hasToStay(_ *badger.Txn, l leaf, e *nostr.Event) bool {
	return !k.goes(l.ages.or(k.marks[shorten(e.ID)])) || k.opt.Keep != nil && k.opt.Keep(e.ID)
}
