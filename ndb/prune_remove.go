package ndb

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

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
