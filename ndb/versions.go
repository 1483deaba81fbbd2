package ndb

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

// KeepVersionsOf says whose kinds 0, 3, 10000 and 10002 keep their last 20 versions
// from now on, in place of Options.Own. What is kept already stays.
func (s *Store) KeepVersionsOf(people ...nostr.PubKey) {
	own := make(map[nostr.PubKey]bool, len(people))
	for _, pk := range people {
		own[pk] = true
	}
	s.own.Store(&own)
}

func (s *Store) isOwn(pk nostr.PubKey) bool { return (*s.own.Load())[pk] }

// Versions returns the kept versions of an own list, newest first (see
// Options.Own): the one that counts, then up to 19 older ones.
func (s *Store) Versions(ctx context.Context, kind uint16, author nostr.PubKey) ([]*nostr.Event, error) {
	if !keepsVersions(kind) {
		return nil, fmt.Errorf("versions: none are kept of kind %d", kind)
	}
	var versions []*nostr.Event
	latest, err := s.Latest(ctx, kind, author, "")
	if err == nil {
		versions = append(versions, latest)
	} else if !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	a, ok := s.people.get(author)
	if !ok {
		return nil, nil
	}
	err = s.view(ctx, func(txn *badger.Txn) error {
		it := txn.NewIterator(keysOnly(versionPrefix(a, kind)))
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			var e *nostr.Event
			err := it.Item().Value(func(packed []byte) (err error) {
				e, err = unpack(packed)
				return err
			})
			if err != nil || e.ComputeID() != e.ID {
				return fmt.Errorf("%w: older version of kind %d of %s", ErrDamaged, kind, author)
			}
			versions = append(versions, e)
		}
		return nil
	})
	slices.SortFunc(versions, nostr.Compare)
	return versions, err
}

// keepsVersions reports whether older versions of the kind are kept for own keys.
func keepsVersions(kind uint16) bool {
	return kind == nostr.KindProfile || kind == nostr.KindContacts || kind == nostr.KindMutes || kind == nostr.KindRelays
}
