package ndb

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

const coverageRowLen = 1 + 1 + 32 + 1 + maxRelayURL + coverage.MaxIntervals*25

func checkCoverage(c *coverage.Row) error {
	switch {
	case c.Interval.From > c.Interval.To || c.Interval.From < 0:
		return fmt.Errorf("coverage of %s by %.60q: interval %d to %d", c.Author, c.Relay, c.Interval.From, c.Interval.To)
	case c.Relay == "" || len(c.Relay) > maxRelayURL:
		return fmt.Errorf("coverage of %s: relay url of %d bytes, want 1 to %d", c.Author, len(c.Relay), maxRelayURL)
	case c.Purpose == 0:
		return fmt.Errorf("coverage of %s by %.60q: no purpose", c.Author, c.Relay)
	}
	return nil
}

func coveragePrefix(author nostr.PubKey, p coverage.Purpose) []byte {
	return append(metaKey(metaCoverage, author[:]...), byte(p))
}

// cover adds an interval to the ledger.
func (t *tx) cover(c coverage.Row) {
	key := append(coveragePrefix(c.Author, c.Purpose), c.Relay...)
	var intervals []coverage.Interval
	if row, ok := t.get(key); ok {
		var err error
		if intervals, err = decodeIntervals(row); err != nil {
			t.fail(fmt.Errorf("coverage of %s by %s: %w", c.Author, c.Relay, err))
			return
		}
	}
	t.set(key, encodeIntervals(coverage.Add(intervals, c.Interval)))
}

func encodeIntervals(list []coverage.Interval) []byte {
	var row []byte
	for _, i := range list {
		row = binary.AppendUvarint(row, uint64(i.From))
		row = binary.AppendUvarint(row, uint64(i.To-i.From))
		row = binary.AppendUvarint(row, uint64(max(i.VerifiedAt, 0)))
		row = append(row, byte(i.Proof))
	}
	return row
}

func decodeIntervals(row []byte) (list []coverage.Interval, err error) {
	for len(row) > 0 {
		var v [3]uint64
		for k := range v {
			n := 0
			if v[k], n = binary.Uvarint(row); n <= 0 || v[k] > 1<<62 {
				return nil, fmt.Errorf("%w: row of intervals", ErrDamaged)
			}
			row = row[n:]
		}
		if len(row) == 0 {
			return nil, fmt.Errorf("%w: row of intervals", ErrDamaged)
		}
		list = append(list, coverage.Interval{From: int64(v[0]), To: int64(v[0] + v[1]), VerifiedAt: int64(v[2]), Proof: coverage.Proof(row[0])})
		row = row[1:]
	}
	return list, nil
}

// Coverage returns the rows of an author and purpose, by relay, adjacent and
// overlapping intervals merged (the merged row keeps the oldest VerifiedAt and the
// Proof of its earliest part).
func (s *Store) Coverage(ctx context.Context, author nostr.PubKey, p coverage.Purpose) ([]coverage.Row, error) {
	return s.coverage(ctx, author, p, func(list []coverage.Interval) []coverage.Interval {
		return coverage.Join(list, func(coverage.Interval, coverage.Interval) bool { return true })
	})
}

// Confirmed is Coverage with nothing merged, so that each part has its own VerifiedAt,
// which is at most an hour too old.
func (s *Store) Confirmed(ctx context.Context, author nostr.PubKey, p coverage.Purpose) ([]coverage.Row, error) {
	return s.coverage(ctx, author, p, func(list []coverage.Interval) []coverage.Interval { return list })
}

func (s *Store) coverage(ctx context.Context, author nostr.PubKey, p coverage.Purpose, shape func([]coverage.Interval) []coverage.Interval) (rows []coverage.Row, err error) {
	err = s.view(ctx, func(txn *badger.Txn) error {
		prefix := coveragePrefix(author, p)
		it := txn.NewIterator(keysOnly(prefix))
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			relay := string(it.Item().Key()[len(prefix):])
			err := it.Item().Value(func(row []byte) error {
				list, err := decodeIntervals(row)
				for _, i := range shape(list) {
					rows = append(rows, coverage.Row{Author: author, Relay: relay, Purpose: p, Interval: i})
				}
				return err
			})
			if err != nil {
				return fmt.Errorf("coverage of %s by %s: %w", author, relay, err)
			}
		}
		return nil
	})
	return rows, err
}
