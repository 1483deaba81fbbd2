package ndb

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// Snapshot is a store as it was at one moment: all that is read through it agrees,
// whatever is written meanwhile. Time stands still too, so that nothing expires or
// comes due. It may be used by several goroutines.
type Snapshot struct{ frozen *Store }

// Snapshot calls read with the store as it is now. The snapshot is good until read
// returns, and cannot be forgotten; from then on, and once Close has begun, its
// methods fail with ErrClosed. While it lasts, what writes replace is kept on disk,
// and Close waits for read to return. To take one costs 12 bytes of memory a note.
func (s *Store) Snapshot(ctx context.Context, read func(*Snapshot) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	frozen, err := s.freeze(ctx)
	if err != nil {
		return fmt.Errorf("take a snapshot: %w", err)
	}
	defer frozen.thaw()
	return read(&Snapshot{frozen})
}

// freeze returns a Store that reads as s does now. It shares what only grows (the
// numbers of people and relays) and the cache, since a note never changes; what
// changes is copied.
func (s *Store) freeze(ctx context.Context) (*Store, error) {
	if err := s.times.with(ctx, s.db, func() {}); err != nil { // once loaded, they are kept up
		return nil, err
	}
	s.turn.RLock()
	defer s.turn.RUnlock()
	opt, now := s.opt, s.opt.Now()
	opt.Now, opt.ReadOnly = func() time.Time { return now }, true
	f := &Store{
		dir: s.dir, opt: opt, db: s.db, cache: s.cache, people: s.people, relays: s.relays,
		future: s.future.clone(), times: s.times.clone(), langs: s.langs, closing: s.closing,
		moment: s.db.NewTransaction(false),
	}
	f.idle = sync.NewCond(&f.mu)
	return f, nil
}

// thaw ends a frozen store, once nobody reads it any more.
func (s *Store) thaw() {
	s.mu.Lock()
	s.closed = true
	for s.active > 0 {
		s.idle.Wait()
	}
	s.mu.Unlock()
	s.moment.Discard()
}

// viewMoment is view of a frozen store.
func (s *Store) viewMoment(fn func(*badger.Txn) error) error {
	if s.isClosing() {
		return ErrClosed
	}
	return fn(s.moment)
}

// clone copies the versions that are dated in the future.
func (f *futureVersions) clone() *futureVersions {
	f.mu.RLock()
	defer f.mu.RUnlock()
	c := newFutureVersions()
	for key, versions := range f.versions {
		c.versions[key] = slices.Clone(versions)
	}
	return c
}

// clone copies the columns, 12 bytes a note.
func (c *columns) clone() *columns {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return &columns{loaded: c.loaded, rows: slices.Clone(c.rows), newest: slices.Clone(c.newest), notes: c.notes}
}

// Query is Store.Query of the moment.
func (s *Snapshot) Query(ctx context.Context, opt QueryOptions, filters ...nostr.Filter) iter.Seq2[*nostr.Event, error] {
	return s.frozen.Query(ctx, opt, filters...)
}

// Count is Store.Count of the moment.
func (s *Snapshot) Count(ctx context.Context, opt QueryOptions, filters ...nostr.Filter) (int, error) {
	return s.frozen.Count(ctx, opt, filters...)
}

// Event is Store.Event of the moment.
func (s *Snapshot) Event(ctx context.Context, id nostr.ID) (*nostr.Event, error) {
	return s.frozen.Event(ctx, id)
}

// Latest is Store.Latest of the moment.
func (s *Snapshot) Latest(ctx context.Context, kind uint16, author nostr.PubKey, d string) (*nostr.Event, error) {
	return s.frozen.Latest(ctx, kind, author, d)
}

// Counters is Store.Counters of the moment: those of the notes that Query shows.
func (s *Snapshot) Counters(ctx context.Context, id nostr.ID) (Counters, error) {
	return s.frozen.Counters(ctx, id)
}

// Contacts is Store.Contacts of the moment.
func (s *Snapshot) Contacts(ctx context.Context, pk nostr.PubKey) ([]nostr.PubKey, error) {
	return s.frozen.Contacts(ctx, pk)
}

// Coverage is Store.Coverage of the moment.
func (s *Snapshot) Coverage(ctx context.Context, author nostr.PubKey, p coverage.Purpose) ([]coverage.Row, error) {
	return s.frozen.Coverage(ctx, author, p)
}
