package ndb

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// Export yields everything stored that matches a filter, newest first, including what is
// dated in the future and the kept older versions of own lists. What has come due takes
// effect first. It reads a snapshot; Close waits for the loop. Imported into an empty
// store that keeps the versions of the same people, it makes a store whose own export is
// the same, byte for byte.
func (s *Store) Export(ctx context.Context, f nostr.Filter) iter.Seq2[*nostr.Event, error] {
	return func(yield func(*nostr.Event, error) bool) {
		var err error
		if !s.opt.ReadOnly {
			err = s.Sweep(ctx)
		}
		if err == nil {
			err = s.atMoment(ctx, func(frozen *Store) error { return frozen.export(ctx, f, yield) })
		}
		if err != nil {
			yield(nil, fmt.Errorf("export: %w", err))
		}
	}
}

// export does it on a frozen store. The error is also nil if the consumer has left the
// loop.
func (s *Store) export(ctx context.Context, f nostr.Filter, yield func(*nostr.Event, error) bool) error {
	older, err := s.olderVersions(ctx, f)
	if err != nil {
		return err
	}
	left := -1
	if f.Limit != nil {
		left = max(*f.Limit, 0)
	}
	give := func(e *nostr.Event) bool {
		if left == 0 {
			return false
		}
		left--
		return yield(e, nil)
	}
	for e, err := range s.Query(ctx, QueryOptions{Hidden: true}, f) {
		if err != nil {
			return err
		}
		for len(older) > 0 && nostr.Compare(older[0], e) < 0 {
			if !give(older[0]) {
				return nil
			}
			older = older[1:]
		}
		if !give(e) {
			return nil
		}
	}
	for _, e := range older {
		if !give(e) {
			return nil
		}
	}
	return nil
}

// olderVersions returns the kept older versions of own lists that a filter matches,
// newest first.
func (s *Store) olderVersions(ctx context.Context, f nostr.Filter) (versions []*nostr.Event, err error) {
	err = s.view(ctx, func(txn *badger.Txn) error {
		return eachRow(ctx, txn, []byte{famVersion}, func(key, packed []byte) error {
			e, err := unpackChecked(packed)
			if err != nil {
				return fmt.Errorf("%w: older version %x: %w", ErrDamaged, key, err)
			}
			if search.Passes(f, e, s.now()) && !isExpired(e, s.now()) {
				versions = append(versions, e)
			}
			return nil
		})
	})
	slices.SortFunc(versions, nostr.Compare)
	return versions, err
}
