package ndb

import (
	"encoding/binary"
	"math"
	"sync"

	"github.com/dgraph-io/badger/v4"
)

// columns hold what every note's index rows say, by note number, so that the hits
// of a search are put in order without reading them. They are read from disk at the
// first search and kept up from then on: 10 bytes a note.
type columns struct {
	mu     sync.RWMutex
	loaded bool
	rows   []column
	newest []uint32 // by segment: the smallest its of its notes
}

type column struct {
	its, author uint32
	kind        uint16
	exists      bool
}

// add takes in notes that have just been stored.
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

func (c *columns) set(n uint32, row column) {
	for uint32(len(c.rows)) <= n {
		c.rows = append(c.rows, column{})
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

// get returns what is known of a note.
func (c *columns) get(n uint32) (column, bool) {
	if n >= uint32(len(c.rows)) || !c.rows[n].exists {
		return column{}, false
	}
	return c.rows[n], true
}

// with runs fn while the columns are held, loading them first where needed. The
// lock is taken before the snapshot, so that no commit falls between the two.
func (c *columns) with(db *badger.DB, fn func()) error {
	c.mu.RLock()
	if !c.loaded {
		c.mu.RUnlock()
		if err := c.load(db); err != nil {
			return err
		}
		c.mu.RLock()
	}
	defer c.mu.RUnlock()
	fn()
	return nil
}

func (c *columns) load(db *badger.DB) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.loaded {
		return nil
	}
	err := db.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(keysOnly([]byte{famKind}))
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
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
