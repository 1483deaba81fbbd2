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

// renew makes what has been committed so far the newest snapshot.
func (s *snapshots) renew(db *badger.DB) {
	next := &snapshot{txn: db.NewTransaction(false)}
	next.users.Store(1)
	s.replace(next)
}

// end lets go of the newest snapshot, so that the database can be closed.
func (s *snapshots) end() { s.replace(nil) }

func (s *snapshots) replace(next *snapshot) {
	s.mu.Lock()
	last := s.newest
	s.newest = next
	s.mu.Unlock()
	if last != nil {
		last.release()
	}
}

// acquire returns the newest snapshot; the caller must release it.
func (s *snapshots) acquire() *snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newest.users.Add(1)
	return s.newest
}

func (s *snapshot) release() {
	if s.users.Add(-1) == 0 {
		s.txn.Discard()
	}
}

// read runs fn on the newest snapshot.
func (s *snapshots) read(fn func(*badger.Txn) error) error {
	shared := s.acquire()
	defer shared.release()
	return fn(shared.txn)
}
