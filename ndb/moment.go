package ndb

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// atMoment calls read with the store as it is now: everything read through it is
// consistent, whatever is written meanwhile. Its time stands still too, so that nothing
// expires or comes due. It is valid until read returns; after that, and once Close has
// begun, its methods fail with ErrClosed. While it is in use, what writes replace stays
// on disk, and Close waits for read to return. It costs 16 bytes of memory a note.
func (s *Store) atMoment(ctx context.Context, read func(frozen *Store) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	frozen, err := s.freeze(ctx)
	if err != nil {
		return fmt.Errorf("freeze the store: %w", err)
	}
	defer frozen.thaw()
	return read(frozen)
}

// freeze returns a Store that reads as s does now. It shares what only grows (the
// numbers of people and relays) and the cache, since a note never changes; what
// changes is copied.
func (s *Store) freeze(ctx context.Context) (*Store, error) {
	if err := s.times.with(ctx, &s.reads, func() {}); err != nil { // once loaded, they are kept current
		return nil, err
	}
	s.turn.RLock()
	defer s.turn.RUnlock()
	opt, now := s.opt, s.opt.Now()
	opt.Now, opt.ReadOnly = func() time.Time { return now }, true
	f := &Store{
		dir: s.dir, opt: opt, db: s.db, cache: s.cache, people: s.people, relays: s.relays,
		future: s.future.clone(), times: s.times.clone(), langs: s.langs, closing: s.closing,
		reads: snapshots{newest: s.reads.acquire()},
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
	s.reads.end()
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

// clone copies the columns, 16 bytes a note.
func (c *columns) clone() *columns {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return &columns{
		loaded: c.loaded, rows: slices.Clone(c.rows), newest: slices.Clone(c.newest), notes: c.notes,
		kinds: maps.Clone(c.kinds), line: c.line.clone(),
	}
}
