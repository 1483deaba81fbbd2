package ndb

import (
	"context"
	"encoding/binary"
	"math"
	"sync"

	"github.com/dgraph-io/badger/v4"
)

// columns hold the contents of every note's index rows, by note number, so that the hits
// of a search are ordered, and the notes of many authors found, without reading them.
// They are read from disk when first needed and updated from then on: 12 bytes a note.
type columns struct {
	mu     sync.RWMutex
	loaded bool
	rows   []column
	newest []uint32 // by segment: no note in it has a smaller its
	notes  int      // that are loaded
}

type column struct {
	its, author uint32
	kind        uint16
	exists      bool
}

// add adds notes that have just been stored.
func (c *columns) add(notes []storedNote) {
	if len(notes) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.loaded {
		return
	}
	for _, note := range notes {
		c.set(note.n, column{invertTime(note.event.CreatedAt), note.a, note.event.Kind, true})
	}
}

// remove removes notes that have just been removed.
func (c *columns) remove(numbers []uint32) {
	if len(numbers) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range numbers {
		if n < uint32(len(c.rows)) && c.rows[n].exists {
			c.rows[n] = column{}
			c.notes--
		}
	}
}

func (c *columns) set(n uint32, row column) {
	for uint32(len(c.rows)) <= n {
		c.rows = append(c.rows, column{})
	}
	if !c.rows[n].exists {
		c.notes++
	}
	c.rows[n] = row
	segment := segmentOf(n)
	for uint32(len(c.newest)) <= segment {
		c.newest = append(c.newest, math.MaxUint32)
	}
	c.newest[segment] = min(c.newest[segment], row.its)
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
	c.rows, c.newest, c.notes = nil, nil, 0 // of an interrupted attempt
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
					c.set(be.Uint32(key[7:]), column{be.Uint32(key[3:]), be.Uint32(row), be.Uint16(key[1:]), true})
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	c.loaded = err == nil
	return err
}
