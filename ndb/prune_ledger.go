package ndb

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// taken holds up to which time a pruning removes notes, by whom the rows of the ledger
// concern. Once handed over (change) it belongs to the writer.
type taken struct {
	people   *numbering[nostr.PubKey]
	feeds    map[uint32]int64 // by author number
	inboxes  map[string]int64 // by hex key, of those whose inbox may be claimed; -1 for none
	profiles map[uint32]int64
}

func newTaken(people *numbering[nostr.PubKey]) *taken {
	return &taken{people, map[uint32]int64{}, map[string]int64{}, map[uint32]int64{}}
}

// until returns the latest date, in unix seconds, of removed notes that a row of the
// ledger may claim; negative for none.
func (t *taken) until(author nostr.PubKey, p coverage.Purpose) int64 {
	if p == coverage.Inbox {
		if at, ok := t.inboxes[author.String()]; ok {
			return at
		}
		return math.MaxInt64 - 1 // not known to be an inbox when the notes were read
	}
	of := t.feeds
	if p == coverage.Profile {
		of = t.profiles
	}
	if a, ok := t.people.get(author); ok {
		if at, ok := of[a]; ok {
			return at
		}
	}
	return -1
}

// findInboxes finds whose inbox the ledger covers, or may come to cover.
func (t *taken) findInboxes(ctx context.Context, txn *badger.Txn, readers []nostr.PubKey) error {
	for _, pk := range readers {
		t.inboxes[pk.String()] = -1
	}
	return eachRow(ctx, txn, metaKey(metaCoverage), func(key, _ []byte) error {
		if author, purpose, ok := splitCoverageKey(key); ok && purpose == coverage.Inbox {
			t.inboxes[author.String()] = -1
		}
		return nil
	})
}

func splitCoverageKey(key []byte) (author nostr.PubKey, p coverage.Purpose, ok bool) {
	rest := bytes.TrimPrefix(key, metaKey(metaCoverage))
	if len(rest) < len(author)+2 {
		return author, 0, false
	}
	copy(author[:], rest)
	return author, coverage.Purpose(rest[len(author)]), true
}

// Epoch returns how many prunings have ended since the store was opened. Whoever claims
// by Batch.Coverage that all notes of a span are stored reads it before requesting the
// first of them.
func (s *Store) Epoch() uint64 { return s.epoch.Load() }

// provable returns the part of a row that may be written if its evidence was requested in
// the given epoch: a pruning may have removed notes of it since, or be about to. Only the
// last pruning is known; before it, anything may have been removed.
func (w *writer) provable(c coverage.Row, epoch uint64) (coverage.Row, bool) {
	now := w.store.epoch.Load()
	pruned := now - epoch
	if w.taking {
		pruned++
	}
	switch pruned {
	case 0:
	case 1:
		c.Interval.From = max(c.Interval.From, w.taken.until(c.Author, c.Purpose)+1)
	default:
		return c, false
	}
	return c, c.Interval.From <= c.Interval.To
}

// take records what is being removed, until release.
func (w *writer) take(t *taken) {
	w.release() // of a pruning that could not announce its end
	w.taken, w.taking = t, true
}

func (w *writer) release() {
	if w.taking {
		w.taking = false
		w.store.epoch.Add(1)
	}
}

// release announces that nothing more is removed.
func (k *keeper) release(ctx context.Context) error {
	return k.store.change(context.WithoutCancel(ctx), &change{apply: func(t *tx) { t.w.release() }})
}

// forget withdraws what the ledger claims of the time from which notes are removed: in
// their authors' feeds, and in the inboxes that they are in. It cannot be claimed again
// before release.
func (k *keeper) forget(ctx context.Context, going []leaf) error {
	if err := k.store.view(ctx, func(txn *badger.Txn) error {
		for i, l := range going {
			k.taken.feeds[l.a] = max(k.taken.feeds[l.a], l.created)
			if i%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			e, err := k.read(txn, l.n)
			if err != nil {
				continue // it was removed otherwise
			}
			for _, tag := range e.Tags {
				if len(tag) > 1 && tag[0] == "p" {
					if at, ok := k.taken.inboxes[tag[1]]; ok {
						k.taken.inboxes[tag[1]] = max(at, e.CreatedAt)
					}
				}
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return k.cut(ctx, func(w *writer) { w.take(k.taken) })
}

// cut hands over what is removed, and withdraws it row by row from the ledger.
func (k *keeper) cut(ctx context.Context, handOver func(*writer)) error {
	// Rows written before this are visible to the scan below, and later ones do not claim
	// it.
	if err := k.store.change(ctx, &change{apply: func(t *tx) { handOver(t.w) }}); err != nil {
		return err
	}
	var rows [][]byte
	if err := k.store.view(ctx, func(txn *badger.Txn) error {
		return eachRow(ctx, txn, metaKey(metaCoverage), func(key, _ []byte) error {
			if author, p, ok := splitCoverageKey(key); ok && k.taken.until(author, p) >= 0 {
				rows = append(rows, bytes.Clone(key))
			}
			return nil
		})
	}); err != nil {
		return err
	}
	const together = 50
	for some := range slices.Chunk(rows, together) {
		err := k.store.change(ctx, &change{len(some), len(some) * coverageRowLen, func(t *tx) {
			for _, key := range some {
				author, p, _ := splitCoverageKey(key)
				t.uncover(key, k.taken.until(author, p))
			}
		}})
		if err != nil {
			return err
		}
	}
	return nil
}

// Uncover withdraws everything that a relay confirmed: the relay is asked for it again.
func (s *Store) Uncover(ctx context.Context, relay string) error {
	var rows [][]byte
	if err := s.view(ctx, func(txn *badger.Txn) error {
		return eachRow(ctx, txn, metaKey(metaCoverage), func(key, _ []byte) error {
			if author, p, ok := splitCoverageKey(key); ok && string(key[len(coveragePrefix(author, p)):]) == relay {
				rows = append(rows, bytes.Clone(key))
			}
			return nil
		})
	}); err != nil {
		return err
	}
	const together = 50
	for some := range slices.Chunk(rows, together) {
		err := s.change(ctx, &change{len(some), len(some) * coverageRowLen, func(t *tx) {
			for _, key := range some {
				t.uncover(key, math.MaxInt64-1)
			}
		}})
		if err != nil {
			return err
		}
	}
	return nil
}

// uncover withdraws a row of the ledger up to and including a time.
func (t *tx) uncover(key []byte, until int64) {
	row, ok := t.get(key)
	if !ok {
		return
	}
	list, err := decodeIntervals(row)
	if err != nil {
		t.fail(fmt.Errorf("coverage row %x: %w", key, err))
		return
	}
	var left []coverage.Interval
	for _, i := range list {
		if i.From = max(i.From, until+1); i.From <= i.To {
			left = append(left, i)
		}
	}
	if len(left) == 0 {
		t.del(key)
		return
	}
	t.set(key, encodeIntervals(left))
}

// prunePeople removes the profiles and lists of people by and about whom nothing is left,
// if they are older than what was removed.
func (k *keeper) prunePeople(ctx context.Context, before int64, report *PruneReport) error {
	var going []leaf
	if err := k.store.view(ctx, func(txn *badger.Txn) error {
		return eachRow(ctx, txn, []byte{famWinner}, func(key, row []byte) error {
			w, err := decodeWinner(row)
			if err != nil || len(key) != 1+4+2+addressHashLen {
				return err
			}
			a, kind := binary.BigEndian.Uint32(key[1:]), binary.BigEndian.Uint16(key[5:])
			if isOfPerson(kind) && w.created < before && !k.isShown(txn, a, w.id) {
				going = append(going, leaf{n: w.n, a: a, created: w.created})
			}
			return nil
		})
	}); err != nil || len(going) == 0 {
		return err
	}
	profiles := make(map[uint32]int64)
	for _, l := range going {
		profiles[l.a] = max(profiles[l.a], l.created)
	}
	if err := k.cut(ctx, func(*writer) { k.taken.profiles = profiles }); err != nil {
		return err
	}
	gone := make(map[uint32]bool)
	for some := range slices.Chunk(going, pruneStep) {
		r, err := k.remove(ctx, some, func(txn *badger.Txn, l leaf, e *nostr.Event) bool { return k.isShown(txn, l.a, e.ID) })
		for _, l := range r.gone {
			if !gone[l.a] {
				gone[l.a] = true
				report.People++
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isShown reports whether what describes a person has to stay: it was asked for, or
// something by the author or naming them is left.
func (k *keeper) isShown(txn *badger.Txn, a uint32, id nostr.ID) bool {
	pk, ok := k.store.people.name(a)
	if !ok || slices.Contains(k.opt.Me, pk) || k.followed[pk] || !k.goes(k.named[pk].or(k.marks[shorten(id)])) || k.opt.Keep != nil && k.opt.Keep(id) {
		return true
	}
	for _, kind := range kindsUnder(txn, authorPrefix(a)) {
		if !isOfPerson(kind) {
			return true
		}
	}
	return hasAny(txn, tagPrefix('p', pk.String()))
}
