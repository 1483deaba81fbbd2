package ndb

import (
	"fmt"
	"slices"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// needsIn is needs for a note whose number is in the segment.
func (t *tx) needsIn(p *prepared, segment uint32) (keys, bytes int) {
	const fixed, key = 18, 60 // rows that every event may have, and a key's usual length
	keys = fixed + len(p.tags) + len(p.overflow) + len(p.names) + 2*len(p.effects)
	bytes = len(p.packed) + keys*(key+rowOverhead)
	for _, row := range p.tags {
		bytes += len(row.value)
	}
	for _, term := range p.terms {
		if row := t.word(wordRow{term, segment}); row.changed != t.number {
			keys++
			bytes += len(term) + 6 + len(row.row) + rowOverhead
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

type row struct{ key, value []byte }

// indexRows returns the rows of an event that depend only on the event and its numbers,
// so that they are written, removed and checked by the same code.
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

// discard removes a note now if there is space in the transaction; otherwise the
// transactions that follow remove it, before the caller gets an answer. The postings of a
// replaced note's text may stay until Compact: nothing finds it by them, and rewriting
// their rows would be a large part of an import.
func (t *tx) discard(a, n uint32, replaced bool) {
	p, ok := t.load(n)
	if !ok {
		return
	}
	if replaced {
		p.terms = slices.DeleteFunc(p.terms, search.IsOfText)
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

// forgetFuture undoes postpone in memory.
func (t *tx) forgetFuture(n uint32, e *nostr.Event) {
	if nostr.IsReplaceable(e.Kind) {
		key := string(winnerKey(t.author(e.PubKey), e.Kind, nostr.D(e)))
		t.future = append(t.future, func(f *futureVersions) { f.remove(key, n) })
	}
}

// postpone keeps a note that is dated in the future from taking effect yet.
func (t *tx) postpone(n uint32, e *nostr.Event) {
	due := e.CreatedAt - futureGrace
	t.set(timedKey(famFuture, due, n), nil)
	t.expect(due)
	if nostr.IsReplaceable(e.Kind) {
		key := string(winnerKey(t.author(e.PubKey), e.Kind, nostr.D(e)))
		version := winner{e.CreatedAt, n, e.ID}
		t.future = append(t.future, func(f *futureVersions) { f.add(key, version) })
	}
}
