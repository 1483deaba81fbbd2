package ndb

import (
	"context"
	"encoding/binary"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

// Sweep removes what has expired (NIP-40) and gives notes whose time has come their
// effects: they count, delete, replace older versions, and reach subscriptions. Every
// write does the same first; Sweep is for quiet times. Queries hide what has expired, and
// prefer a version whose time has come, from that very second, swept or not.
func (s *Store) Sweep(ctx context.Context) error {
	return s.change(ctx, &change{apply: func(*tx) {}})
}

// change has the writer make a small change.
func (s *Store) change(ctx context.Context, c *change) error {
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	return s.submit(ctx, &job{change: c})
}

// settle removes what has expired and activates what has come due.
func (r *round) settle() {
	for _, n := range r.timedUntil(famExpiry, r.tx.now) {
		r.removeNote(n)
	}
	for _, n := range r.timedUntil(famFuture, r.tx.now) {
		r.comeDue(n)
	}
	if r.err == nil {
		r.flush()
		r.err = r.store.db.View(r.lookAhead)
	}
}

// lookAhead finds out when the next note expires or comes due.
func (w *writer) lookAhead(txn *badger.Txn) error {
	w.nextTimed = never
	for _, family := range []byte{famExpiry, famFuture} {
		if at, _, ok := firstTimed(txn, family); ok {
			w.nextTimed = min(w.nextTimed, at)
		}
	}
	return nil
}

// timedUntil returns the notes in a family of times up to a time.
func (r *round) timedUntil(family byte, until int64) (notes []uint32) {
	it := r.tx.txn.NewIterator(keysOnly([]byte{family}))
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		at, n, ok := splitTimedKey(it.Item().Key())
		if !ok || at > until {
			break
		}
		notes = append(notes, n)
	}
	return notes
}

// removeNote removes a note in the current transaction, or in the next one if this one is
// full.
func (r *round) removeNote(n uint32) {
	if r.err != nil {
		return
	}
	p, ok := r.tx.load(n)
	if !ok {
		return
	}
	a, ok := r.tx.knownAuthor(p.event.PubKey)
	if !ok {
		return
	}
	r.room(r.tx.needsIn(p, segmentOf(n)))
	r.tx.remove(a, n, p)
}

// comeDue gives a note that was dated in the future its effects, or removes it
// when it was deleted or replaced meanwhile.
func (r *round) comeDue(n uint32) {
	if r.err != nil {
		return
	}
	p, ok := r.tx.load(n)
	if !ok {
		return
	}
	e := p.event
	a, ok := r.tx.knownAuthor(e.PubKey)
	if !ok {
		return
	}
	r.room(r.tx.needsIn(p, segmentOf(n)))
	t := r.tx
	deleted := t.isDeleted(a, e)
	if deleted || nostr.IsReplaceable(e.Kind) && !t.wins(a, e) {
		if !deleted {
			t.keepVersion(a, e, p.packed)
		}
		t.remove(a, n, p)
		return
	}
	t.del(timedKey(famFuture, e.CreatedAt-futureGrace, n))
	t.forgetFuture(n, e)
	t.activate(a, n, e, p.effects)
}

// drain does the removals that were left for later: single notes, and everything by those
// who asked to vanish.
func (r *round) drain() error {
	for _, n := range r.queuedNotes() {
		r.removeNote(n)
		r.room(1, 5)
		r.tx.del(removalKey(n))
	}
	r.flush()
	for a, until := range r.vanishing() {
		for _, n := range r.notesOf(a) {
			if e, ok := r.tx.event(n); ok && e.CreatedAt <= until && e.Kind != nostr.KindVanish {
				r.removeNote(n)
			}
		}
		r.room(1, 6)
		r.tx.del(metaKey(metaVanish, binary.BigEndian.AppendUint32(nil, a)...))
	}
	r.flush()
	if r.err == nil {
		r.queued = false
	}
	return r.err
}

func (r *round) queuedNotes() (notes []uint32) {
	it := r.tx.txn.NewIterator(keysOnly([]byte{famRemoval}))
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		if key := it.Item().Key(); len(key) == 5 {
			notes = append(notes, binary.BigEndian.Uint32(key[1:]))
		}
	}
	return notes
}

func (r *round) vanishing() map[uint32]int64 {
	until := make(map[uint32]int64)
	prefix := metaKey(metaVanish)
	it := r.tx.txn.NewIterator(keysOnly(prefix))
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		rest := it.Item().Key()[len(prefix):]
		row, err := it.Item().ValueCopy(nil)
		if len(rest) == 4 && err == nil {
			until[binary.BigEndian.Uint32(rest)] = decodeTime(row)
		}
	}
	return until
}

func (r *round) notesOf(a uint32) (notes []uint32) {
	it := r.tx.txn.NewIterator(keysOnly(authorPrefix(a)))
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		if key := it.Item().Key(); len(key) == 15 {
			notes = append(notes, binary.BigEndian.Uint32(key[11:]))
		}
	}
	return notes
}

// loadFuture finds the versions dated in the future when the store is opened.
func (s *Store) loadFuture(txn *badger.Txn) error {
	it := txn.NewIterator(keysOnly([]byte{famFuture}))
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		_, n, ok := splitTimedKey(it.Item().Key())
		if !ok {
			continue
		}
		e, err := s.event(txn, n)
		if err != nil || !nostr.IsReplaceable(e.Kind) {
			continue
		}
		if a, ok := s.people.get(e.PubKey); ok {
			s.future.add(string(winnerKey(a, e.Kind, nostr.D(e))), winner{e.CreatedAt, n, e.ID})
		}
	}
	return nil
}
