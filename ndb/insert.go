package ndb

import (
	"encoding/binary"
	"fmt"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// needs estimates, upwards, what storing an event adds to a transaction.
func (t *tx) needs(p *prepared) (keys, bytes int) {
	const seenRow = 1 + idPrefixLen + 4 + maxSeenOn*binary.MaxVarintLen32 + rowOverhead
	if p.known {
		return 2, 2*seenRow + len(p.relay)
	}
	t.w.fillSegment(t.marks.note)
	return t.needsIn(p, segmentOf(t.marks.note))
}

// needsIn is needs for a note whose number lies in the segment.
func (t *tx) needsIn(p *prepared, segment uint32) (keys, bytes int) {
	const fixed, key = 18, 60 // rows that every event may have, and a key's usual length
	keys = fixed + len(p.tags) + len(p.overflow) + len(p.names) + 2*len(p.effects)
	bytes = len(p.packed) + keys*(key+rowOverhead)
	for _, row := range p.tags {
		bytes += len(row.value)
	}
	for _, term := range p.terms {
		row := wordRow{term, segment}
		if _, changed := t.words[row]; !changed {
			keys++
			bytes += len(term) + 6 + len(t.word(row).row) + rowOverhead
		}
		bytes += 2
	}
	if p.event.Kind == nostr.KindDeletion {
		const tombstone = 2 + 32 + 4 + 10 + rowOverhead
		keys += len(p.event.Tags)
		bytes += len(p.event.Tags) * tombstone
	}
	return keys, bytes
}

// put stores an event or says why not. The caller has made room for its rows.
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

// find looks an id up and returns the note's number and its whole id.
func (t *tx) find(id *nostr.ID) (n uint32, stored nostr.ID, ok bool) {
	row, ok := t.get(idKey(id))
	if !ok {
		return 0, nostr.ID{}, false
	}
	if len(row) < 4 {
		t.fail(fmt.Errorf("%w: row of id %s has %d bytes", ErrDamaged, id, len(row)))
		return 0, nostr.ID{}, false
	}
	n = binary.BigEndian.Uint32(row)
	packed, ok := t.get(noteKey(n))
	if !ok {
		t.fail(fmt.Errorf("%w: id %s has no note %d", ErrDamaged, id, n))
		return 0, nostr.ID{}, false
	}
	stored, err := packedID(packed)
	if err != nil {
		t.fail(fmt.Errorf("%w: note %d: %w", ErrDamaged, n, err))
	}
	return n, stored, err == nil
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

type row struct{ key, value []byte }

// indexRows returns the rows of an event that depend on nothing but the event and
// its numbers, so that they can be written, removed and checked alike.
func indexRows(a, n uint32, p *prepared) []row {
	e, its := p.event, invertTime(p.event.CreatedAt)
	value := authorAndKind(a, e.Kind)
	rows := make([]row, 0, 4+len(p.tags)+len(p.overflow)+len(p.names))
	rows = append(rows,
		row{appendPlace(kindPrefix(e.Kind), its, n), value[:4]},
		row{appendPlace(byAuthorPrefix(a, e.Kind), its, n), nil})
	for _, tag := range p.tags {
		rows = append(rows, row{appendPlace(tagPrefix(tag.letter, tag.value), its, n), value})
	}
	for _, letter := range p.overflow {
		rows = append(rows, row{appendPlace(overflowPrefix(letter), its, n), value})
	}
	for _, word := range p.names {
		rows = append(rows, row{nameKey(word, n), nil})
	}
	if p.expiry != noExpiry {
		rows = append(rows, row{timedKey(famExpiry, p.expiry, n), nil})
	}
	return rows
}

// activate gives a note that is shown its effects: it wins over older versions,
// counts for other notes, and deletes.
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

// remove takes a stored event out, with all its rows and effects.
func (t *tx) remove(a, n uint32, p *prepared) {
	e := p.event
	for _, row := range indexRows(a, n, p) {
		t.del(row.key)
	}
	for _, term := range p.terms {
		row := wordRow{term, segmentOf(n)}
		postings := t.word(row)
		t.touch(row, postings)
		postings.remove(uint16(n % segmentNotes))
	}
	if search.HasText(e.Kind) && t.marks.texts > 0 {
		t.marks.texts--
		t.marks.words -= min(t.marks.words, uint64(p.words))
	}
	if due := timedKey(famFuture, e.CreatedAt-futureGrace, n); t.has(due) {
		t.del(due)
		t.forgetFuture(n, e)
	} else {
		t.count(a, p.effects, -1)
	}
	if nostr.IsReplaceable(e.Kind) {
		key := winnerKey(a, e.Kind, nostr.D(e))
		if winner, ok := t.winner(key); ok && winner.n == n {
			t.del(key)
		}
	}
	t.del(idKey(&e.ID))
	t.booked(ledgerOfNote(n)).sub(idDigest(&e.ID))
	t.del(noteKey(n))
	t.removed = append(t.removed, n)
}

// load reads a stored note for removal.
func (t *tx) load(n uint32) (*prepared, bool) {
	e, ok := t.event(n)
	if !ok {
		return nil, false
	}
	p, invalid := prepare(e)
	if invalid != nil {
		t.fail(fmt.Errorf("%w: note %d: %w", ErrDamaged, n, invalid))
		return nil, false
	}
	return p, true
}

func (t *tx) has(key []byte) bool {
	_, ok := t.get(key)
	return ok
}

// expect notes the time of something that comes, for the writer.
func (t *tx) expect(at int64) {
	if t.timed == 0 || at < t.timed {
		t.timed = max(at, 1)
	}
}

// discard removes a note now when there is room, else leaves it to be removed by
// the transactions that follow, before the caller gets an answer.
func (t *tx) discard(a, n uint32) {
	p, ok := t.load(n)
	if !ok {
		return
	}
	const rowsToCome, tombstoneLen = maxDeletionTags + 64, 110 // of the event that asks for the removal
	keys, bytes := t.needsIn(p, segmentOf(n))
	if t.fits(keys+rowsToCome, bytes+rowsToCome*tombstoneLen) {
		t.remove(a, n, p)
		return
	}
	t.set(removalKey(n), nil)
	t.queued = true
}

// event reads a stored note inside the transaction.
func (t *tx) event(n uint32) (*nostr.Event, bool) {
	packed, ok := t.get(noteKey(n))
	if !ok {
		return nil, false
	}
	e, err := unpack(packed)
	if err != nil {
		t.fail(fmt.Errorf("%w: note %d: %w", ErrDamaged, n, err))
	}
	return e, err == nil
}
