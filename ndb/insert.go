package ndb

import (
	"encoding/binary"
	"fmt"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// Outcome is what became of an event that was put.
type Outcome uint8

// The outcomes; every event has exactly one.
const (
	Stored    Outcome = iota
	Duplicate         // already stored
	Replaced          // an equal or newer version is there
	Deleted           // its author asked for its deletion before
	Expired           // NIP-40
	Ephemeral         // kinds 20000 to 29999 are never kept
	Invalid
)

// Result is the outcome for one event.
type Result struct {
	Outcome Outcome
	Hidden  bool                // stored, but dated more than 15 minutes ahead: shown when its time comes
	Err     *nostr.InvalidError // for Invalid
}

// put stores an event, or returns why not. The caller has made sure that its rows fit.
func (t *tx) put(p *prepared) Result {
	e := p.event
	n, stored, ok := t.find(&e.ID)
	switch {
	case ok && stored != e.ID:
		return Result{Outcome: Invalid, Err: nostr.Invalidf(nostr.ReasonID, "shares its first %d bytes with the stored event %s", idPrefixLen, stored)}
	case ok:
		t.seen(&e.ID, n, p.relay)
		return Result{Outcome: Duplicate}
	case p.known: // removed since it was found
		return Result{Outcome: Duplicate}
	case nostr.IsEphemeral(e.Kind):
		return Result{Outcome: Ephemeral}
	case p.expiry != noExpiry && p.expiry <= t.now:
		return Result{Outcome: Expired}
	}
	a := t.author(e.PubKey)
	if t.isDeleted(a, e) {
		t.outlive(a, e)
		return Result{Outcome: Deleted}
	}
	hidden := e.CreatedAt > t.now+futureGrace
	if !hidden && nostr.IsReplaceable(e.Kind) && !t.wins(a, e) {
		t.keepVersion(a, e, p.packed)
		return Result{Outcome: Replaced}
	}
	n = t.insert(a, p)
	if hidden {
		t.postpone(n, e)
	} else {
		t.activate(a, n, e, p.effects)
	}
	return Result{Outcome: Stored, Hidden: hidden}
}

// insert writes the rows of an event and returns its number.
func (t *tx) insert(a uint32, p *prepared) uint32 {
	e, n := p.event, t.marks.note
	t.marks.note++
	if t.marks.note == 0 {
		t.fail(fmt.Errorf("%w: all note numbers are used up", ErrReadOnly))
		return n
	}
	t.w.fillSegment(n)
	t.set(noteKey(n), p.packed)
	t.set(idKey(&e.ID), binary.BigEndian.AppendUint32(nil, n))
	t.booked(ledgerOfNote(n)).add(idDigest(&e.ID))
	t.seen(&e.ID, n, p.relay)
	for _, letter := range p.overflow {
		t.w.store.overflow.add(letter, e.Kind) // before a reader can see it
	}
	for _, row := range indexRows(a, n, p) {
		t.set(row.key, row.value)
	}
	for _, term := range p.terms {
		row := wordRow{term, segmentOf(n)}
		postings := t.word(row)
		t.touch(row, postings)
		postings.add(uint16(n % segmentNotes))
	}
	if search.HasText(e.Kind) {
		t.marks.texts++
		t.marks.words += uint64(p.words)
	}
	if p.expiry != noExpiry {
		t.expect(p.expiry)
	}
	t.fresh = append(t.fresh, storedNote{n, a, e})
	return n
}

// activate gives a visible note its effects: it supersedes older versions, counts for
// other notes, and deletes.
func (t *tx) activate(a, n uint32, e *nostr.Event, effects []effect) {
	t.count(a, effects, +1)
	switch {
	case e.Kind == nostr.KindDeletion:
		t.applyDeletion(a, e)
	case e.Kind == nostr.KindVanish:
		t.applyVanish(a, e)
	case nostr.IsReplaceable(e.Kind):
		t.win(a, n, e)
	}
	t.shown = append(t.shown, n)
}

// seen records that a relay sent an event; "" records nothing.
func (t *tx) seen(id *nostr.ID, n uint32, relay string) {
	if relay == "" {
		return
	}
	key := idKey(id)
	row, ok := t.get(key)
	if !ok {
		return
	}
	if r := t.relay(relay); !isSeenOn(row, r) && len(seenOn(row)) < maxSeenOn {
		t.set(key, binary.AppendUvarint(row, uint64(r)))
	}
}

// seenOn returns the numbers of the relays in a row of i.
func seenOn(row []byte) (relays []uint32) {
	if len(row) < 4 {
		return nil
	}
	for row = row[4:]; len(row) > 0; {
		r, n := binary.Uvarint(row)
		if n <= 0 {
			break
		}
		relays, row = append(relays, uint32(r)), row[n:]
	}
	return relays
}

func isSeenOn(row []byte, relay uint32) bool {
	for _, r := range seenOn(row) {
		if r == relay {
			return true
		}
	}
	return false
}

// needs estimates, rounding up, what storing an event adds to a transaction.
func (t *tx) needs(p *prepared) (keys, bytes int) {
	const seenRow = 1 + idPrefixLen + 4 + maxSeenOn*binary.MaxVarintLen32 + rowOverhead
	if p.known {
		return 2, 2*seenRow + len(p.relay)
	}
	t.w.fillSegment(t.marks.note)
	return t.needsIn(p, segmentOf(t.marks.note))
}
