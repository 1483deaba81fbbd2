package ndb

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/rawread"
)

const (
	salvageBatch = 500
	salvageBytes = 1 << 20 // of values written together
)

// fill writes what was read into the new store: first the deletions, so that nothing
// deleted comes back, then the events, each verified, then the app's values.
func (r *salvage) fill(ctx context.Context, s *Store) error {
	if err := r.fillTombstones(ctx, s); err != nil {
		return err
	}
	if err := r.fillEvents(ctx, s); err != nil {
		return err
	}
	if err := r.fillVersions(ctx, s); err != nil {
		return err
	}
	if err := r.fillBuckets(ctx, s); err != nil {
		return err
	}
	r.countLost()
	return nil
}

func (r *salvage) fillTombstones(ctx context.Context, s *Store) error {
	for batch := range slices.Chunk(r.tombs, salvageBatch) {
		err := s.change(ctx, &change{len(batch) * 2, len(batch) * 150, func(t *tx) {
			for _, row := range batch {
				if author, at, ok := r.authorOf(row.Key); ok {
					key := bytes.Clone(row.Key)
					binary.BigEndian.PutUint32(key[at:], t.author(author))
					t.set(key, row.Value)
				}
			}
		}})
		if err != nil {
			return err
		}
		for _, row := range batch {
			if _, _, ok := r.authorOf(row.Key); ok {
				r.takeRow(row)
			}
		}
	}
	return nil
}

// authorOf returns the author of a tombstone, and the offset in its key of the author's
// number, which is a different one in the new store.
func (r *salvage) authorOf(key []byte) (author nostr.PubKey, at int, ok bool) {
	at = 2
	if len(key) > 1 && key[1] == tombstoneEvent {
		at = 2 + 32
	}
	if len(key) < at+4 {
		return author, at, false
	}
	author, ok = r.authors[binary.BigEndian.Uint32(key[at:])]
	return author, at, ok
}

func (r *salvage) fillEvents(ctx context.Context, s *Store) error {
	var events []*nostr.Event
	var numbers []uint32
	flush := func() error {
		if len(events) == 0 {
			return nil
		}
		results, err := s.Put(ctx, Batch{Events: events})
		if err != nil {
			return err
		}
		for i, result := range results {
			if result.Outcome != Invalid {
				delete(r.placed, numbers[i])
				r.take(ledgerOfNote(numbers[i]), idDigest(&events[i].ID))
			}
		}
		err = r.fillSeenOn(ctx, s, events, numbers)
		events, numbers = events[:0], numbers[:0]
		return err
	}
	err := r.each(ctx, func(key []byte) bool { return key[0] == famNote && len(key) == 5 }, func(row rawread.Row) error {
		e, err := unpack(row.Value)
		if err != nil {
			return nil
		}
		events, numbers = append(events, e), append(numbers, binary.BigEndian.Uint32(row.Key[1:]))
		if len(events) == salvageBatch {
			return flush()
		}
		return nil
	})
	if err == nil {
		err = flush()
	}
	return err
}

// take counts something that was read.
func (r *salvage) take(key string, digest [16]byte) {
	s, ok := r.found[key]
	if !ok {
		s = new(sum)
		r.found[key] = s
	}
	s.add(digest)
}

// takeRow counts a row of a family with its own ledger, in the form it had in the old
// store.
func (r *salvage) takeRow(row rawread.Row) {
	r.take(ledgerOfRow(row.Key), rowDigest(row.Key, row.Value))
}

// fillSeenOn records which relays had sent the events.
func (r *salvage) fillSeenOn(ctx context.Context, s *Store, events []*nostr.Event, numbers []uint32) error {
	return s.change(ctx, &change{2 * len(events), len(events) * 300, func(t *tx) {
		for i, e := range events {
			for _, relay := range r.seenOn[numbers[i]] {
				if url, ok := r.relays[relay]; ok {
					t.seen(&e.ID, 0, url)
				}
			}
		}
	}})
}

func (r *salvage) fillVersions(ctx context.Context, s *Store) error {
	for batch := range slices.Chunk(r.versions, 2) {
		size := 0
		var sound []*nostr.Event
		var rows []rawread.Row
		for _, row := range batch {
			if e, err := unpack(row.Value); err == nil && e.Verify() == nil {
				sound, rows, size = append(sound, e), append(rows, row), size+len(row.Value)+200
			}
		}
		err := s.change(ctx, &change{len(rows) * 3, size, func(t *tx) {
			for i, e := range sound {
				t.set(versionKey(t.author(e.PubKey), e), rows[i].Value)
			}
		}})
		if err != nil {
			return err
		}
		for _, row := range rows {
			r.takeRow(row)
		}
	}
	return nil
}

func (r *salvage) fillBuckets(ctx context.Context, s *Store) error {
	var batch []rawread.Row
	size := 0
	flush := func() error {
		rows := batch
		c := &change{2 * len(rows), size, func(t *tx) {
			for _, row := range rows {
				t.set(row.Key, row.Value)
			}
		}}
		batch, size = nil, 0
		return s.change(ctx, c)
	}
	err := r.each(ctx, func(key []byte) bool { return key[0] == famBucket }, func(row rawread.Row) error {
		r.report.Values++
		r.takeRow(row)
		batch, size = append(batch, row.Clone()), size+len(row.Key)+len(row.Value)+2*rowOverhead
		if size > salvageBytes || len(batch) == salvageBatch {
			return flush()
		}
		return nil
	})
	if err == nil && len(batch) > 0 {
		err = flush()
	}
	return err
}

// countLost compares what was read with the old ledger.
func (r *salvage) countLost() {
	report := &r.report
	for key, want := range r.counted {
		have := r.found[key]
		if have == nil {
			have = new(sum)
		}
		switch lost := int(want.count) - int(have.count); {
		case lost > 0 && key[2] == famNote:
			report.Lost += lost
		case lost > 0 && key[2] == famBucket:
			if report.LostValues == nil {
				report.LostValues = make(map[string]int)
			}
			report.LostValues[key[3:]] = lost
		case *have != want: // older rows than those that were stored, or more; or lost rows that are not counted
			report.Incomplete = true
		}
	}
	for key := range r.found {
		if _, ok := r.counted[key]; !ok {
			report.Incomplete = true // of what was counted there
		}
	}
	report.Lost = max(report.Lost, len(r.placed))
	for _, at := range r.placed {
		if report.LostTo == 0 || at < report.LostFrom {
			report.LostFrom = at
		}
		report.LostTo = max(report.LostTo, at)
	}
	if r.incomplete || r.witnessed && r.seq < r.witness.seq || !r.witnessed && r.spoiled > 0 {
		report.Incomplete = true
	}
}

// takeCoverage keeps the old store's coverage if all of that store could be read.
// Otherwise rows that were since shortened may have reappeared, and a wrong claim hides
// notes for good, whereas a missing one costs a fetch.
func (r *salvage) takeCoverage(ctx context.Context, s *Store) error {
	if !r.report.Whole() || r.spoiled > 0 {
		return nil
	}
	r.report.Covered = true
	for batch := range slices.Chunk(r.coverage, 64) {
		err := s.change(ctx, &change{keys: len(batch), bytes: len(batch) * coverageRowLen, apply: func(t *tx) {
			for _, row := range batch {
				t.set(row.Key, row.Value)
			}
		}})
		if err != nil {
			return err
		}
	}
	return nil
}
