package ndb

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

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
