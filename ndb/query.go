package ndb

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"strings"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

// Query yields the events that match any of the filters, each once, newest first (at
// equal times the lowest id first, as in NIP-01). Limits count per filter. An error ends
// the sequence; ErrDamaged comes after everything that could be read. With no filter
// nothing is yielded. The loop may be slow and may use the store: nothing is locked while
// it runs.
func (s *Store) Query(ctx context.Context, opt QueryOptions, filters ...nostr.Filter) iter.Seq2[*nostr.Event, error] {
	return func(yield func(*nostr.Event, error) bool) {
		var scans []*scan
		for i, f := range filters {
			sc, err := s.newScan(f, opt)
			if err != nil {
				yield(nil, fmt.Errorf("filter %d: %w", i+1, err))
				return
			}
			scans = append(scans, sc)
		}
		if err := mergeScans(ctx, scans, yield); err != nil {
			yield(nil, err)
		}
	}
}

// mergeScans yields the events of all scans in order, each once. The error is also nil if
// the consumer has left the loop.
func mergeScans(ctx context.Context, scans []*scan, yield func(*nostr.Event, error) bool) error {
	for {
		var first *nostr.Event
		for _, sc := range scans {
			e, err := sc.next(ctx)
			if err != nil {
				return err
			}
			if e != nil && (first == nil || nostr.Compare(e, first) < 0) {
				first = e
			}
		}
		if first == nil {
			break
		}
		for _, sc := range scans {
			if e, _ := sc.next(ctx); e != nil && e.ID == first.ID {
				sc.take()
			}
		}
		if !yield(first, nil) {
			return nil
		}
	}
	for _, sc := range scans {
		if sc.damage != nil {
			return sc.damage
		}
	}
	return nil
}

// Count returns how many events Query would yield.
func (s *Store) Count(ctx context.Context, opt QueryOptions, filters ...nostr.Filter) (int, error) {
	count := 0
	for _, err := range s.Query(ctx, opt, filters...) {
		if err != nil {
			return 0, err
		}
		count++
	}
	return count, nil
}

// Event returns the event of an id, or ErrNotFound. A note that is dated in the
// future is returned, an expired one is not.
func (s *Store) Event(ctx context.Context, id nostr.ID) (*nostr.Event, error) {
	var e *nostr.Event
	err := s.view(ctx, func(txn *badger.Txn) (err error) {
		e, err = s.eventByID(txn, id)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("event %s: %w", id, err)
	}
	return e, nil
}

func (s *Store) eventByID(txn *badger.Txn, id nostr.ID) (*nostr.Event, error) {
	row, err := txnGet(txn, idKey(&id))
	if err != nil {
		return nil, err
	}
	if len(row) < 4 {
		return nil, fmt.Errorf("%w: row of id %s has %d bytes", ErrDamaged, id, len(row))
	}
	e, err := s.event(txn, binary.BigEndian.Uint32(row))
	if err != nil {
		return nil, err
	}
	if e.ID != id || isExpired(e, s.now()) {
		return nil, ErrNotFound
	}
	return e, nil
}

// EventByPrefix returns the one event whose id starts with the hex prefix (8 to 64
// digits); ErrNotFound if there is none, another error if there are several.
func (s *Store) EventByPrefix(ctx context.Context, prefix string) (*nostr.Event, error) {
	if len(prefix) < 8 || len(prefix) > 64 || strings.Trim(prefix, "0123456789abcdef") != "" {
		return nil, fmt.Errorf("id prefix %.70q: want 8 to 64 lower-case hex digits", prefix)
	}
	var found []*nostr.Event
	err := s.view(ctx, func(txn *badger.Txn) error {
		known, err := hex.DecodeString(prefix[:min(len(prefix), 2*idPrefixLen)/2*2])
		if err != nil {
			return err
		}
		it := txn.NewIterator(keysOnly(append([]byte{famID}, known...)))
		defer it.Close()
		for it.Rewind(); it.Valid() && len(found) < 2; it.Next() {
			id := hex.EncodeToString(it.Item().Key()[1:])
			if !strings.HasPrefix(id, prefix) && !strings.HasPrefix(prefix, id) {
				continue
			}
			row, err := it.Item().ValueCopy(nil)
			if err != nil || len(row) < 4 {
				return fmt.Errorf("%w: row of id %s", ErrDamaged, id)
			}
			e, err := s.event(txn, binary.BigEndian.Uint32(row))
			if err != nil {
				return err
			}
			if strings.HasPrefix(e.ID.String(), prefix) && !isExpired(e, s.now()) {
				found = append(found, e)
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("event %s…: %w", prefix, err)
	case len(found) == 0:
		return nil, fmt.Errorf("event %s…: %w", prefix, ErrNotFound)
	case len(found) > 1:
		return nil, fmt.Errorf("several events have ids that start with %s", prefix)
	}
	return found[0], nil
}
