package ndb

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/dgraph-io/badger/v4"
)

// findInboxes finds out whose inbox the ledger knows.
func (k *keeper) findInboxes(ctx context.Context, txn *badger.Txn) error {
	return eachRow(ctx, txn, metaKey(metaCoverage), func(key, _ []byte) error {
		if author, purpose, ok := splitCoverageKey(key); ok && purpose == PurposeInbox {
			k.inbox[author.String()] = -1
		}
		return nil
	})
}

func splitCoverageKey(key []byte) (author PubKey, p Purpose, ok bool) {
	rest := bytes.TrimPrefix(key, metaKey(metaCoverage))
	if len(rest) < len(author)+2 {
		return author, 0, false
	}
	copy(author[:], rest)
	return author, Purpose(rest[len(author)]), true
}

// forget takes back what the ledger claims of the time that notes are going from:
// of their authors' feeds, and of the inboxes that they are in.
func (k *keeper) forget(ctx context.Context, going []leaf) error {
	newest := make(map[uint32]int64)
	if err := k.store.view(ctx, func(txn *badger.Txn) error {
		for i, l := range going {
			newest[l.a] = max(newest[l.a], l.created)
			if len(k.inbox) == 0 || i%1024 == 0 && ctx.Err() != nil {
				continue
			}
			e, err := k.store.event(txn, l.n)
			if err != nil {
				continue // it went by itself
			}
			for _, tag := range e.Tags {
				if len(tag) > 1 && tag[0] == "p" {
					if at, ok := k.inbox[tag[1]]; ok {
						k.inbox[tag[1]] = max(at, e.CreatedAt)
					}
				}
			}
		}
		return ctx.Err()
	}); err != nil {
		return err
	}
	return k.cut(ctx, func(author PubKey, p Purpose) int64 {
		switch a, ok := k.store.people.get(author); {
		case p == PurposeInbox:
			return k.inbox[author.String()]
		case p == PurposeFeed && ok:
			if at, ok := newest[a]; ok {
				return at
			}
		}
		return -1
	})
}

// cut takes back, row by row of the ledger, all up to a time; a negative one leaves
// the row as it is.
func (k *keeper) cut(ctx context.Context, until func(PubKey, Purpose) int64) error {
	var rows [][]byte
	if err := k.store.view(ctx, func(txn *badger.Txn) error {
		return eachRow(ctx, txn, metaKey(metaCoverage), func(key, _ []byte) error {
			if author, p, ok := splitCoverageKey(key); ok && until(author, p) >= 0 {
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
				t.uncover(key, until(author, p))
			}
		}})
		if err != nil {
			return err
		}
	}
	return nil
}

// uncover takes a row of the ledger back up to a time, both in it.
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
	var left []Interval
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

// prunePeople removes profiles and lists of those of whom and about whom nothing is
// left, where they are older than what went.
func (k *keeper) prunePeople(ctx context.Context) (people int, err error) {
	var gone []leaf
	if err := k.store.view(ctx, func(txn *badger.Txn) error {
		return eachRow(ctx, txn, []byte{famWinner}, func(key, row []byte) error {
			w, err := decodeWinner(row)
			if err != nil || len(key) != 1+4+2+addressHashLen {
				return err
			}
			a, kind := binary.BigEndian.Uint32(key[1:]), binary.BigEndian.Uint16(key[5:])
			if isOfPerson(kind) && w.created < k.before && !k.me[a] && !k.follows[a] && !k.stays(w.id) && k.isForgotten(txn, a) {
				gone = append(gone, leaf{n: w.n, a: a, created: w.created})
			}
			return nil
		})
	}); err != nil || len(gone) == 0 {
		return 0, err
	}
	authors := make(map[uint32]int64)
	for _, l := range gone {
		authors[l.a] = max(authors[l.a], l.created)
	}
	if err := k.cut(ctx, func(author PubKey, p Purpose) int64 {
		a, _ := k.store.people.get(author)
		if at, ok := authors[a]; ok && p == PurposeProfile {
			return at
		}
		return -1
	}); err != nil {
		return 0, err
	}
	for done := 0; done < len(gone); done += pruneStep {
		if _, _, err := k.remove(ctx, gone[done:min(done+pruneStep, len(gone))]); err != nil {
			return 0, err
		}
	}
	return len(authors), nil
}

// isForgotten reports whether nothing is left by an author but what says who they
// are, and nothing that names them.
func (k *keeper) isForgotten(txn *badger.Txn, a uint32) bool {
	for _, kind := range kindsUnder(txn, authorPrefix(a)) {
		if !isOfPerson(kind) {
			return false
		}
	}
	pk, ok := k.store.people.name(a)
	return ok && !hasAny(txn, tagPrefix('p', pk.String()))
}
