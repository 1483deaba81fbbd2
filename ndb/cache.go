package ndb

import (
	"sync"

	"bowerbird/ndb/nostr"
)

// noteCache keeps the most recently read notes, up to a number of bytes. Note numbers are
// never reused, so an entry cannot become wrong; that of a removed note is never looked
// up.
type noteCache struct {
	mu     sync.Mutex
	notes  map[uint32]*cacheEntry
	newest cacheEntry // ring: newest.next is the least recently used
	size   int
	limit  int
}

type cacheEntry struct {
	n          uint32
	event      *nostr.Event
	size       int
	prev, next *cacheEntry
}

func newNoteCache(limit int) *noteCache {
	c := &noteCache{notes: make(map[uint32]*cacheEntry), limit: limit}
	c.newest.prev, c.newest.next = &c.newest, &c.newest
	return c
}

func (c *noteCache) get(n uint32) (*nostr.Event, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry, ok := c.notes[n]
	if !ok {
		return nil, false
	}
	entry.unlink()
	entry.linkAfter(&c.newest)
	return entry.event, true
}

func (c *noteCache) add(n uint32, e *nostr.Event) {
	size := memorySize(e)
	if size > c.limit/8 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.notes[n]; ok {
		return
	}
	entry := &cacheEntry{n: n, event: e, size: size}
	c.notes[n] = entry
	entry.linkAfter(&c.newest)
	for c.size += size; c.size > c.limit; {
		c.drop(c.newest.prev)
	}
}

func (c *noteCache) remove(n uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if entry, ok := c.notes[n]; ok {
		c.drop(entry)
	}
}

func (c *noteCache) drop(entry *cacheEntry) {
	entry.unlink()
	delete(c.notes, entry.n)
	c.size -= entry.size
}

func (e *cacheEntry) unlink() {
	e.prev.next, e.next.prev = e.next, e.prev
}

func (e *cacheEntry) linkAfter(at *cacheEntry) {
	e.prev, e.next = at, at.next
	at.next.prev = e
	at.next = e
}

// memorySize estimates what an event takes up in memory.
func memorySize(e *nostr.Event) int {
	const event, slice, text, entry = 200, 24, 16, 120
	size := event + entry + len(e.Content)
	for _, tag := range e.Tags {
		size += slice
		for _, item := range tag {
			size += text + len(item)
		}
	}
	return size
}
