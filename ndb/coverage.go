package ndb

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

// Purpose is what a coverage row is about.
type Purpose uint8

// The purposes.
const (
	PurposeFeed    Purpose = iota + 1 // the kinds of a person's feed
	PurposeProfile                    // kinds 0, 3, 10002 and other lists
	PurposeInbox                      // what mentions a person
)

// Proof is how an interval was shown to be complete.
type Proof uint8

// The proofs.
const (
	ProofEmpty  Proof = iota + 1 // the relay answered with an empty page at the bottom
	ProofFinish                  // the relay said so (NIP-67)
	ProofLive                    // an open subscription covered it
	ProofSame                    // paged once, and the relay's set was later the same as ours (NIP-77)
)

// Interval is a span of event time, both ends included, that one relay confirmed.
type Interval struct {
	From, To   int64 // unix seconds
	VerifiedAt int64 // when it was confirmed
	Proof      Proof
}

// Coverage is one row of the ledger: a relay gave all that it has of an author
// in an interval.
type Coverage struct {
	Author   nostr.PubKey
	Relay    string // normalised url
	Purpose  Purpose
	Interval Interval
}

const (
	coverageFresh  = 3600 // seconds: neighbours confirmed within it become one
	coveragePieces = 200  // intervals kept for one author and relay
	coverageRowLen = 1 + 1 + 32 + 1 + maxRelayURL + coveragePieces*25
)

func (c *Coverage) check() error {
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

func coveragePrefix(author nostr.PubKey, p Purpose) []byte {
	return append(metaKey(metaCoverage, author[:]...), byte(p))
}

// cover adds an interval to the ledger.
func (t *tx) cover(c Coverage) {
	key := append(coveragePrefix(c.Author, c.Purpose), c.Relay...)
	var intervals []Interval
	if row, ok := t.get(key); ok {
		var err error
		if intervals, err = decodeIntervals(row); err != nil {
			t.fail(fmt.Errorf("coverage of %s by %s: %w", c.Author, c.Relay, err))
			return
		}
	}
	t.set(key, encodeIntervals(addInterval(intervals, c.Interval)))
}

// addInterval takes a newly confirmed interval into a sorted list without overlaps.
// Where it overlaps older ones it takes their place: it is the later confirmation.
// Neighbours that were confirmed at about the same time become one, with the older
// time, so that the list stays short.
func addInterval(list []Interval, add Interval) []Interval {
	var out []Interval
	for _, old := range list {
		if left := (Interval{old.From, min(old.To, add.From-1), old.VerifiedAt, old.Proof}); left.From <= left.To {
			out = append(out, left)
		}
		if right := (Interval{max(old.From, add.To+1), old.To, old.VerifiedAt, old.Proof}); right.From <= right.To && right.From > add.To {
			out = append(out, right)
		}
	}
	out = append(out, add)
	slices.SortFunc(out, func(a, b Interval) int { return cmp.Compare(a.From, b.From) })
	out = joinNeighbours(out, func(a, b Interval) bool { return abs(a.VerifiedAt-b.VerifiedAt) <= coverageFresh })
	if len(out) > coveragePieces {
		out = joinNeighbours(out, func(Interval, Interval) bool { return true })
	}
	if len(out) > coveragePieces { // islands: the oldest are given up, and asked for again
		out = out[len(out)-coveragePieces:]
	}
	return out
}

// joinNeighbours joins intervals of a sorted list that touch, where may agrees.
func joinNeighbours(list []Interval, may func(a, b Interval) bool) []Interval {
	var out []Interval
	for _, next := range list {
		if len(out) > 0 {
			if last := &out[len(out)-1]; next.From <= last.To+1 && may(*last, next) {
				*last = Interval{last.From, max(last.To, next.To), min(last.VerifiedAt, next.VerifiedAt), last.Proof}
				continue
			}
		}
		out = append(out, next)
	}
	return out
}

func abs(v int64) int64 { return max(v, -v) }

func encodeIntervals(list []Interval) []byte {
	var row []byte
	for _, i := range list {
		row = binary.AppendUvarint(row, uint64(i.From))
		row = binary.AppendUvarint(row, uint64(i.To-i.From))
		row = binary.AppendUvarint(row, uint64(max(i.VerifiedAt, 0)))
		row = append(row, byte(i.Proof))
	}
	return row
}

func decodeIntervals(row []byte) (list []Interval, err error) {
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
		list = append(list, Interval{int64(v[0]), int64(v[0] + v[1]), int64(v[2]), Proof(row[0])})
		row = row[1:]
	}
	return list, nil
}

// Coverage returns the rows of an author and purpose, by relay, adjacent and
// overlapping intervals merged (the merged row keeps the oldest VerifiedAt and the
// Proof of its earliest part).
func (s *Store) Coverage(ctx context.Context, author nostr.PubKey, p Purpose) ([]Coverage, error) {
	return s.coverage(ctx, author, p, func(list []Interval) []Interval {
		return joinNeighbours(list, func(Interval, Interval) bool { return true })
	})
}

// Confirmed is Coverage with nothing merged, so that each part has its VerifiedAt, at
// most an hour too old.
func (s *Store) Confirmed(ctx context.Context, author nostr.PubKey, p Purpose) ([]Coverage, error) {
	return s.coverage(ctx, author, p, func(list []Interval) []Interval { return list })
}

func (s *Store) coverage(ctx context.Context, author nostr.PubKey, p Purpose, shape func([]Interval) []Interval) (rows []Coverage, err error) {
	err = s.view(ctx, func(txn *badger.Txn) error {
		prefix := coveragePrefix(author, p)
		it := txn.NewIterator(keysOnly(prefix))
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			relay := string(it.Item().Key()[len(prefix):])
			err := it.Item().Value(func(row []byte) error {
				list, err := decodeIntervals(row)
				for _, i := range shape(list) {
					rows = append(rows, Coverage{author, relay, p, i})
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
