package ndb

import (
	"context"
	"encoding/binary"
	"math"
	"sync"

	"github.com/dgraph-io/badger/v4"
)

// columns hold the contents of every note's index rows, by note number, and their order,
// so that the hits of a search are ordered, and the notes of common kinds or of many
// authors found, without reading them. They are read from disk when first needed and
// updated from then on: 16 bytes a note.
type columns struct {
	mu     sync.RWMutex
	loaded bool
	rows   []column
	newest []uint32 // by segment: no note in it has a smaller its
	notes  int      // that are loaded
	kinds  map[uint16]int
	line   timeline
}

type column struct {
	its, author uint32
	kind        uint16
	exists      bool
}

// follow adds and removes notes, with one commit, and calls show, which makes the commit
// the newest snapshot, while the columns are locked. So they are never behind a snapshot
// that a reader has: it would find neither a version that was replaced nor the one that
// took its place. Every question waits for the lock, so show must not wait for anything.
func (c *columns) follow(fresh []storedNote, removed []uint32, show func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	show()
	if !c.loaded {
		return
	}
	for _, note := range fresh {
		if c.set(note.n, column{invertTime(note.event.CreatedAt), note.a, note.event.Kind, true}) {
			c.insert(note.n)
		}
	}
	for _, n := range removed { // one may be both: stored and replaced in one batch
		if n < uint32(len(c.rows)) && c.rows[n].exists {
			c.rows[n].exists = false
			c.notes--
			c.kinds[c.rows[n].kind]--
		}
	}
}

// set reports whether the note is new.
func (c *columns) set(n uint32, row column) bool {
	for uint32(len(c.rows)) <= n {
		c.rows = append(c.rows, column{})
	}
	if c.rows[n].exists {
		return false
	}
	c.notes++
	c.kinds[row.kind]++
	c.rows[n] = row
	segment := segmentOf(n)
	for uint32(len(c.newest)) <= segment {
		c.newest = append(c.newest, math.MaxUint32)
	}
	c.newest[segment] = min(c.newest[segment], row.its)
	return true
}

// newestIn returns the inverted time of the newest note of a segment.
func (c *columns) newestIn(segment uint32) uint32 {
	if segment >= uint32(len(c.newest)) {
		return math.MaxUint32
	}
	return c.newest[segment]
}

// of returns the rows of a segment, the first one that of its first note.
func (c *columns) of(segment uint32) []column {
	rows := c.rows[min(uint64(segment)<<segmentBits, uint64(len(c.rows))):]
	return rows[:min(segmentNotes, len(rows))]
}

// ready reports whether the columns can be read without loading them first.
func (c *columns) ready() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.loaded
}

// with runs fn while the columns are locked, loading them first if needed, so that no
// commit falls between the rows that are read and the notes that are added. For a
// transaction that began earlier, the columns may be ahead by what was committed since:
// they may name a note that it does not see, or lack one that was replaced.
func (c *columns) with(ctx context.Context, reads *snapshots, fn func()) error {
	c.mu.RLock()
	if !c.loaded {
		c.mu.RUnlock()
		if err := c.load(ctx, reads); err != nil {
			return err
		}
		c.mu.RLock()
	}
	defer c.mu.RUnlock()
	fn()
	return nil
}

func (c *columns) load(ctx context.Context, reads *snapshots) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.loaded {
		return nil
	}
	c.rows, c.newest, c.notes, c.kinds = nil, nil, 0, make(map[uint16]int) // of an interrupted attempt
	var notes []uint64
	err := reads.read(func(txn *badger.Txn) error {
		it := txn.NewIterator(keysOnly([]byte{famKind}))
		defer it.Close()
		it.Rewind()
		for read := 1; it.Valid(); it.Next() {
			if read++; read%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			key := it.Item().Key()
			err := it.Item().Value(func(row []byte) error {
				if len(key) == 11 && len(row) == 4 {
					be := binary.BigEndian
					if c.set(be.Uint32(key[7:]), column{be.Uint32(key[3:]), be.Uint32(row), be.Uint16(key[1:]), true}) {
						notes = append(notes, be.Uint64(key[3:]))
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	c.line, c.loaded = newTimeline(notes), err == nil
	return err
}
