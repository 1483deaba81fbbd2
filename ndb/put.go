package ndb

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// Batch is what one Put writes.
type Batch struct {
	Events   []*nostr.Event // parsed, not verified: Put verifies
	Relay    string         // normalised relay url, recorded as seen-on; "" for none
	Coverage []coverage.Row // written in the transaction of the last event, never before
	// Epoch is the Store.Epoch from before the first note was requested that Coverage
	// claims: what a pruning removed since is left out of the claim.
	Epoch uint64
}

const (
	putChunk = 250 // events that are verified while the previous chunk is written
)

// Put verifies and stores events. What would not be stored anyway, a duplicate or a version
// older than the stored one, costs no signature check. It blocks while the
// writer is busy, returns when all of the batch is on disk, and returns one Result per
// event in their order. After an error some of the events may be stored, but none of the
// coverage.
func (s *Store) Put(ctx context.Context, b Batch) ([]Result, error) {
	if err := s.begin(); err != nil {
		return nil, err
	}
	defer s.end()
	if err := checkBatch(b); err != nil {
		return nil, err
	}
	results := make([]Result, len(b.Events))
	for start := 0; start < len(b.Events) || start == 0; start += putChunk {
		end := min(start+putChunk, len(b.Events))
		c := s.newChunk(b.Events[start:end], b.Relay)
		if end == len(b.Events) {
			c.coverage, c.epoch = b.Coverage, b.Epoch
		}
		c.prepare(ctx)
		if err := c.write(ctx); err != nil {
			return nil, fmt.Errorf("store %d events: %w", len(b.Events), err)
		}
		copy(results[start:], c.results)
	}
	return results, nil
}

func checkBatch(b Batch) error {
	if len(b.Relay) > maxRelayURL {
		return fmt.Errorf("relay url of %d bytes, at most %d", len(b.Relay), maxRelayURL)
	}
	for _, c := range b.Coverage {
		if err := checkCoverage(&c); err != nil {
			return err
		}
	}
	return nil
}

// chunk is some events on their way through verification and the writer.
type chunk struct {
	store    *Store
	events   []*nostr.Event
	relay    string
	coverage []coverage.Row
	epoch    uint64
	prepared []*prepared // nil where results says why
	results  []Result
	known    int  // events of the sender's that are stored already, in the chunk or left out of it
	looked   bool // none in the chunk is
	err      error
}

func (s *Store) newChunk(events []*nostr.Event, relay string) *chunk {
	return &chunk{
		store: s, events: events, relay: relay,
		prepared: make([]*prepared, len(events)), results: make([]Result, len(events)),
	}
}

// prepare looks the events up, and verifies those that are new, on all cores.
func (c *chunk) prepare(ctx context.Context) {
	c.err = c.store.reads.read(func(txn *badger.Txn) error {
		if !c.looked {
			if err := c.findKnown(txn); err != nil {
				return err
			}
		}
		return c.findUnwanted(txn)
	})
	if c.err != nil {
		return
	}
	var next atomic.Int64
	work := func() {
		for i := next.Add(1) - 1; int(i) < len(c.events) && ctx.Err() == nil; i = next.Add(1) - 1 {
			if c.prepared[i] == nil && c.results[i].Outcome == Stored {
				c.prepareOne(int(i))
				runtime.Gosched() // or a query beside an import waits until the scheduler preempts
			}
		}
	}
	var wg sync.WaitGroup
	for range min(cap(c.store.verifier), len(c.events)) - 1 {
		wg.Go(func() { c.store.inSlot(work) })
	}
	c.store.inSlot(work)
	wg.Wait()
	c.err = ctx.Err()
}

// inSlot runs work in one of the slots that limit how many events are verified at a time.
func (s *Store) inSlot(work func()) {
	s.verifier <- struct{}{}
	defer func() { <-s.verifier }()
	work()
}

func (c *chunk) prepareOne(i int) {
	e := c.events[i]
	invalid := func(err error) {
		c.results[i] = Result{Outcome: Invalid, Err: asInvalid(err)}
	}
	if e == nil {
		invalid(nostr.Invalidf(nostr.ReasonShape, "no event"))
		return
	}
	if err := e.Verify(); err != nil {
		invalid(err)
		return
	}
	p, err := prepare(e)
	if err != nil {
		invalid(err)
		return
	}
	p.relay = c.relay
	c.prepared[i] = p
}

func asInvalid(err error) *nostr.InvalidError {
	var invalid *nostr.InvalidError
	if errors.As(err, &invalid) {
		return invalid
	}
	return nostr.Invalidf(nostr.ReasonShape, "%v", err)
}

// findKnown marks the events that are stored already: they need no signature
// check, and no write unless a new relay sent them.
func (c *chunk) findKnown(txn *badger.Txn) error {
	relay, relayKnown := c.store.relays.get(c.relay)
	ids := make([]*nostr.ID, len(c.events))
	for i, e := range c.events {
		if e != nil {
			ids[i] = &e.ID
		}
	}
	return findStored(txn, ids, func(i int, row []byte) {
		known := &prepared{event: c.events[i], known: true}
		if c.relay != "" && (!relayKnown || !isSeenOn(row, relay)) {
			known.relay = c.relay
		}
		c.prepared[i] = known
		c.results[i].Outcome = Duplicate
		c.known++
	})
}

// findUnwanted marks the events that would not be stored whoever signed them, and leave
// no trace: their author has deleted them, or written a newer version. Where most of what
// was sent is stored, much of the rest is such.
func (c *chunk) findUnwanted(txn *badger.Txn) error {
	t := &tx{w: &writer{store: c.store}, txn: txn, now: c.store.now()} // reads only
	if at, _, ok := firstTimed(txn, famExpiry); ok && at <= t.now {
		return nil // what has expired supersedes nothing, and the writer removes it first
	}
	again := c.known > len(c.events)-c.known
	for i, e := range c.events {
		if e == nil || c.prepared[i] != nil || !again && !nostr.IsReplaceable(e.Kind) {
			continue
		}
		if a, ok := c.store.people.get(e.PubKey); ok {
			c.results[i].Outcome = t.unwanted(a, e)
		}
	}
	return t.err
}

// unwanted returns Deleted or Replaced for an event that put would return without doing
// anything else, and Stored for others.
func (t *tx) unwanted(a uint32, e *nostr.Event) Outcome {
	expiry := expiryOf(e)
	if !nostr.IsDeletable(e.Kind) || nostr.IsEphemeral(e.Kind) || expiry != noExpiry && expiry <= t.now {
		return Stored
	}
	if !nostr.IsReplaceable(e.Kind) {
		if t.isDeleted(a, e) {
			return Deleted
		}
		return Stored
	}
	last, buried := t.lastBuried(a, e.Kind, nostr.D(e))
	buried = buried && !nostr.Supersedes(e.CreatedAt, e.ID, last.created, last.id)
	switch {
	case !buried && (e.CreatedAt > t.now+futureGrace || keepsVersions(e.Kind) && t.w.store.isOwn(e.PubKey) || t.wins(a, e)):
		return Stored
	case buried:
		return Deleted
	case t.has(deletedIDKey(&e.ID, a)), t.hasVanished(a, e):
		return Stored // put has to remember that it outlives older versions
	}
	return Replaced
}

// findStored calls yield for each of the ids that is stored, with its row in the index of
// ids. A nil id is passed over.
func findStored(txn *badger.Txn, ids []*nostr.ID, yield func(i int, row []byte)) error {
	var found []storedRow
	for i, id := range ids {
		if id == nil {
			continue
		}
		f, ok, err := lookUpID(txn, i, id)
		if err != nil {
			return err
		}
		if ok {
			found = append(found, f)
		}
	}
	return storedIDs(txn, found, func(f storedRow, id nostr.ID) {
		if id == *ids[f.event] { // else only the beginning is the same
			yield(f.event, f.row)
		}
	})
}

// findAgain is findStored, without the rows, for ids that mostly come in the order in
// which they were stored: the note after the last one is compared before an id is looked
// up.
func findAgain(txn *badger.Txn, ids []*nostr.ID, yield func(i int)) error {
	it := txn.NewIterator(keysOnly([]byte{famNote}))
	defer it.Close()
	var found []storedRow
	last := uint32(0)
	for i, id := range ids {
		if id == nil {
			continue
		}
		if it.Valid() {
			next, err := itemID(it.Item())
			if err != nil {
				return err
			}
			if next == *id {
				yield(i)
				it.Next()
				continue
			}
		}
		f, ok, err := lookUpID(txn, i, id)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		found = append(found, f)
		if f.n-last <= nextNotes {
			it.Seek(noteKey(f.n + 1))
		}
		last = f.n
	}
	return storedIDs(txn, found, func(f storedRow, id nostr.ID) {
		if id == *ids[f.event] {
			yield(f.event)
		}
	})
}

// storedRow is what the index of ids holds of an event.
type storedRow struct {
	event int    // its place among those looked up
	n     uint32 // note number
	row   []byte
}

// lookUpID finds an id in the index.
func lookUpID(txn *badger.Txn, event int, id *nostr.ID) (f storedRow, ok bool, err error) {
	row, err := txnGet(txn, idKey(id))
	if errors.Is(err, ErrNotFound) {
		return f, false, nil
	}
	if err == nil && len(row) < 4 {
		err = fmt.Errorf("%w: row of id %s has %d bytes", ErrDamaged, id, len(row))
	}
	if err != nil {
		return f, false, err
	}
	return storedRow{event, binary.BigEndian.Uint32(row), row}, true, nil
}

// nextNotes is up to how many notes an iterator steps over rather than seeking.
const nextNotes = 8

// storedIDs calls yield with the whole id of the note behind each row. Notes that arrived
// together are mostly sent together again, and are neighbours: one iterator steps through
// them in order, at a fraction of the cost of looking up each.
func storedIDs(txn *badger.Txn, found []storedRow, yield func(storedRow, nostr.ID)) error {
	if len(found) == 0 {
		return nil
	}
	slices.SortFunc(found, func(a, b storedRow) int { return cmp.Compare(a.n, b.n) })
	it := txn.NewIterator(keysOnly([]byte{famNote}))
	defer it.Close()
	for at, f := range found {
		key := noteKey(f.n)
		if at == 0 || f.n-found[at-1].n > nextNotes {
			it.Seek(key)
		}
		for it.Valid() && bytes.Compare(it.Item().Key(), key) < 0 {
			it.Next()
		}
		if !it.Valid() || !bytes.Equal(it.Item().Key(), key) {
			return fmt.Errorf("%w: note %d has an id and is not there", ErrDamaged, f.n)
		}
		id, err := itemID(it.Item())
		if err != nil {
			return err
		}
		yield(f, id)
	}
	return nil
}

// itemID returns the id of the note that an iterator is at.
func itemID(item *badger.Item) (id nostr.ID, err error) {
	err = item.Value(func(packed []byte) (err error) {
		id, err = packedID(packed)
		return err
	})
	if err != nil {
		err = fmt.Errorf("%w: note %x: %w", ErrDamaged, item.Key()[1:], err)
	}
	return id, err
}

// write hands what is to be written to the writer and waits until it is on disk.
func (c *chunk) write(ctx context.Context) error {
	if c.err != nil {
		return c.err
	}
	j := &job{coverage: c.coverage, epoch: c.epoch}
	var places []int
	for i, p := range c.prepared {
		if p != nil && (!p.known || p.relay != "") {
			j.events = append(j.events, p)
			places = append(places, i)
		}
	}
	if len(j.events) == 0 && len(j.coverage) == 0 {
		return nil
	}
	j.results = make([]Result, len(j.events))
	if err := c.store.submit(ctx, j); err != nil {
		return err
	}
	for k, i := range places {
		c.results[i] = j.results[k]
	}
	return nil
}

// SeenOn returns the relays that sent an event, in the order they did, at most 50.
func (s *Store) SeenOn(ctx context.Context, id nostr.ID) (urls []string, err error) {
	err = s.view(ctx, func(txn *badger.Txn) error {
		row, err := txnGet(txn, idKey(&id))
		if err != nil {
			return fmt.Errorf("relays of event %s: %w", id, err)
		}
		for _, r := range seenOn(row) {
			if url, ok := s.relays.name(r); ok {
				urls = append(urls, url)
			}
		}
		return nil
	})
	return urls, err
}
