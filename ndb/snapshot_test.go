package ndb

import (
	"testing"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

// Readers share one read transaction until the next commit: none begins its own, which
// would wait for a commit under way. Who began to read earlier sees the store as it was,
// and what nobody reads any more is let go of, or Badger would keep what was replaced.
func TestReadersShareTheNewestSnapshot(t *testing.T) {
	s := someStore(t, 3)
	ada := newPerson(7)
	e := ada.signs(t, nostr.KindNote, testNow, "new")
	read := func(fn func(*badger.Txn) error) {
		t.Helper()
		if err := s.view(t.Context(), fn); err != nil {
			t.Fatal(err)
		}
	}
	first := s.reads.newest
	read(func(before *badger.Txn) error {
		read(func(beside *badger.Txn) error {
			if before != beside {
				t.Error("a second reader has a transaction of its own")
			}
			return nil
		})
		put(t, s, e)
		if _, err := txnGet(before, idKey(&e.ID)); err == nil {
			t.Error("a reader sees what was stored after it began")
		}
		read(func(after *badger.Txn) error {
			if _, err := txnGet(after, idKey(&e.ID)); err != nil {
				t.Errorf("a reader that begins after Put does not see what it stored: %v", err)
			}
			return nil
		})
		if first.users.Load() != 1 {
			t.Errorf("%d users of the first snapshot, want its one reader", first.users.Load())
		}
		return nil
	})
	if users := first.users.Load(); users != 0 {
		t.Errorf("%d users of a snapshot that nobody reads", users)
	}
	if users := s.reads.newest.users.Load(); users != 1 {
		t.Errorf("%d users of the newest snapshot, want the store alone", users)
	}
}
