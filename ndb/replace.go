package ndb

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

// wins reports whether the event supersedes the version that is stored.
func (t *tx) wins(a uint32, e *nostr.Event) bool {
	old, ok := t.winner(winnerKey(a, e.Kind, nostr.D(e)))
	return !ok || nostr.Supersedes(e.CreatedAt, e.ID, old.created, old.id)
}

// win makes note n the current version; the one before is removed, and kept as an older
// version if it is an own list.
func (t *tx) win(a, n uint32, e *nostr.Event) {
	key := winnerKey(a, e.Kind, nostr.D(e))
	if old, ok := t.winner(key); ok {
		if packed, ok := t.get(noteKey(old.n)); ok {
			if before, err := unpack(packed); err == nil {
				t.keepVersion(a, before, packed)
			}
		}
		t.discard(a, old.n, true)
	}
	t.set(key, encodeWinner(winner{e.CreatedAt, n, e.ID}))
}

const keptVersions = 20

// keepVersion keeps an older version of an own list, at most keptVersions of them besides
// the current one.
func (t *tx) keepVersion(a uint32, e *nostr.Event, packed []byte) {
	if !keepsVersions(e.Kind) || !t.w.store.isOwn(e.PubKey) {
		return
	}
	t.set(versionKey(a, e), packed)
	for i, key := range t.versionKeys(a, e.Kind) {
		if i >= keptVersions-1 {
			t.del(key)
		}
	}
}

// versionKeys returns the keys of the kept versions, newest first.
func (t *tx) versionKeys(a uint32, kind uint16) [][]byte {
	var keys [][]byte
	it := t.txn.NewIterator(keysOnly(versionPrefix(a, kind)))
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		keys = append(keys, it.Item().KeyCopy(nil))
	}
	return keys
}

// dropVersions removes the kept versions of an author for which drop is true.
func (t *tx) dropVersions(a uint32, pk nostr.PubKey, drop func(*nostr.Event) bool) {
	if !t.w.store.isOwn(pk) {
		return
	}
	for _, kind := range []uint16{nostr.KindProfile, nostr.KindContacts, nostr.KindMutes, nostr.KindRelays} {
		for _, key := range t.versionKeys(a, kind) {
			packed, ok := t.get(key)
			if !ok {
				continue
			}
			if e, err := unpack(packed); err != nil || drop(e) {
				t.del(key)
			}
		}
	}
}

// readWinner returns the current version of a replaceable as readers see it: one dated in
// the future takes over when its time comes, even before the writer has processed it.
func (s *Store) readWinner(txn *badger.Txn, a uint32, kind uint16, d string) (winner, error) {
	key := winnerKey(a, kind, d)
	row, err := txnGet(txn, key)
	var w winner
	if err == nil {
		w, err = decodeWinner(row)
	}
	if due, ok := s.future.best(string(key), s.visibleUntil()); ok {
		if err != nil || nostr.Supersedes(due.created, due.id, w.created, w.id) {
			return due, nil
		}
	}
	return w, err
}

// Versions returns the kept versions of an own list, newest first (see Options.Own): the
// current one, then up to 19 older ones.
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
				e, err = unpackChecked(packed)
				return err
			})
			if err != nil {
				return fmt.Errorf("%w: older version of kind %d of %s: %w", ErrDamaged, kind, author, err)
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

// Latest returns the winning version of a replaceable (d is "") or addressable
// event, or ErrNotFound. It costs O(1).
func (s *Store) Latest(ctx context.Context, kind uint16, author nostr.PubKey, d string) (*nostr.Event, error) {
	if !nostr.IsReplaceable(kind) {
		return nil, fmt.Errorf("latest version: kind %d is not replaceable", kind)
	}
	if !nostr.IsAddressable(kind) {
		d = ""
	}
	var e *nostr.Event
	err := s.view(ctx, func(txn *badger.Txn) error {
		a, ok := s.people.get(author)
		if !ok {
			return ErrNotFound
		}
		w, err := s.readWinner(txn, a, kind, d)
		if err != nil {
			return err
		}
		e, err = s.event(txn, w.n)
		if err == nil && (isExpired(e, s.now()) || e.PubKey != author || e.Kind != kind) {
			err = ErrNotFound
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("latest kind %d of %s: %w", kind, author, err)
	}
	return e, nil
}
