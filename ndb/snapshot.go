package ndb

import (
	"sync"
	"sync/atomic"

	"github.com/dgraph-io/badger/v4"
)

// snapshots hands out the newest snapshot of the database, one that all readers share. A
// read transaction of a reader's own would first wait for the commit that is under way to
// reach the disk; the shared one was begun when the commit before it had ended.
type snapshots struct {
	mu     sync.Mutex
	newest *snapshot
}

// snapshot is a read transaction, which ends when nobody uses it any more.
type snapshot struct {
	txn   *badger.Txn
	users atomic.Int32
}

// newSnapshot returns what has been committed so far.
func newSnapshot(db *badger.DB) *snapshot {
	s := &snapshot{txn: db.NewTransaction(false)}
	s.users.Store(1)
	return s
}

// renew makes what has been committed so far the newest snapshot.
func (s *snapshots) renew(db *badger.DB) { s.swap(newSnapshot(db)).release() }

// end lets go of the newest snapshot, so that the database can be closed.
func (s *snapshots) end() { s.swap(nil).release() }

// swap makes a snapshot the newest one, and returns the last, which the caller must
// release. Unlike beginning and releasing one, it waits for nothing in the database.
func (s *snapshots) swap(next *snapshot) (last *snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last, s.newest = s.newest, next
	return last
}

// acquire returns the newest snapshot; the caller must release it.
func (s *snapshots) acquire() *snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newest.users.Add(1)
	return s.newest
}

func (s *snapshot) release() {
	if s != nil && s.users.Add(-1) == 0 {
		s.txn.Discard()
	}
}

// read runs fn on the newest snapshot.
func (s *snapshots) read(fn func(*badger.Txn) error) error {
	shared := s.acquire()
	defer shared.release()
	return fn(shared.txn)
}
