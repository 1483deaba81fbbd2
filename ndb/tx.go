package ndb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

// tx is one write transaction and what will happen in memory once it is on disk. Reads
// see its own writes. The first failure sticks: later calls do nothing, and commit
// returns it.
type tx struct {
	w      *writer
	number uint64 // among those of the writer
	txn    *badger.Txn
	err    error
	now    int64

	keys, bytes int // written so far, estimated upwards

	marks   marks
	people  map[nostr.PubKey]uint32
	relays  map[string]uint32
	counts  map[string]*Counters
	words   map[wordRow]*postingRow // changed rows of postings
	removed []uint32
	fresh   []storedNote // to be added to readers' memory
	shown   []uint32     // notes that subscriptions get to see
	timed   int64        // the earliest expiry or due time added; 0 for none
	future  []func(*futureVersions)
	queued  bool            // rows in q were added
	ledger  map[string]*sum // changed rows of the ledger
}

type wordRow struct {
	term    string
	segment uint32
}

func (w *writer) begin() *tx {
	w.begun++
	return &tx{
		w: w, number: w.begun, txn: w.store.db.NewTransaction(true), now: w.store.now(), marks: w.marks,
		people: make(map[nostr.PubKey]uint32), relays: make(map[string]uint32),
		counts: make(map[string]*Counters), words: make(map[wordRow]*postingRow, w.words),
		ledger: make(map[string]*sum),
	}
}

// rowOverhead is more than Badger counts for a row besides its key and value.
const rowOverhead = 24

func (t *tx) grow(key, value int) {
	t.keys++
	t.bytes += key + value + rowOverhead
}

// empty reports whether nothing has been written.
func (t *tx) empty() bool { return t.keys == 0 && len(t.words) == 0 }

// fits reports whether so many more rows and bytes go into the transaction.
func (t *tx) fits(keys, bytes int) bool {
	const spare = 64 // rows of marks and schema, and the end mark
	db := t.w.store.db
	return int64(t.keys+keys+spare) < db.MaxBatchCount() &&
		int64(t.bytes+bytes+spare*rowOverhead) < db.MaxBatchSize()
}

func (t *tx) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

func (t *tx) get(key []byte) ([]byte, bool) {
	if t.err != nil {
		return nil, false
	}
	row, err := txnGet(t.txn, key)
	if errors.Is(err, ErrNotFound) {
		return nil, false
	}
	if err != nil {
		t.fail(err)
		return nil, false
	}
	return row, true
}

func (t *tx) set(key, value []byte) {
	if t.err != nil {
		return
	}
	if value == nil {
		value = []byte{}
	}
	t.book(key, value)
	t.grow(len(key), len(value))
	if err := t.txn.Set(key, value); err != nil {
		t.fail(fmt.Errorf("write key %x: %w", key, err))
	}
}

// setExpired writes a row that is never read.
func (t *tx) setExpired(key, value []byte) {
	if t.err != nil {
		return
	}
	t.grow(len(key), len(value))
	if err := t.txn.SetEntry(&badger.Entry{Key: key, Value: value, ExpiresAt: 1}); err != nil {
		t.fail(fmt.Errorf("write key %x: %w", key, err))
	}
}

func (t *tx) del(key []byte) {
	if t.err != nil {
		return
	}
	t.book(key, nil)
	t.grow(len(key), 0)
	if err := t.txn.Delete(key); err != nil {
		t.fail(fmt.Errorf("delete key %x: %w", key, err))
	}
}

// author returns the number of an author, giving one to a new author.
func (t *tx) author(pk nostr.PubKey) uint32 {
	if a, ok := t.knownAuthor(pk); ok {
		return a
	}
	a := t.marks.author
	t.marks.author++
	t.people[pk] = a
	t.set(authorKey(&pk), binary.BigEndian.AppendUint32(nil, a))
	return a
}

func (t *tx) knownAuthor(pk nostr.PubKey) (uint32, bool) {
	if a, ok := t.people[pk]; ok {
		return a, true
	}
	return t.w.store.people.get(pk)
}

// relay returns the number of a relay, giving one to a new relay.
func (t *tx) relay(url string) uint32 {
	if r, ok := t.relays[url]; ok {
		return r
	}
	if r, ok := t.w.store.relays.get(url); ok {
		return r
	}
	r := t.marks.relay
	t.marks.relay++
	t.relays[url] = r
	t.set(append(metaKey(metaRelay), url...), binary.BigEndian.AppendUint32(nil, r))
	return r
}

// word returns the postings of a term in a segment.
func (t *tx) word(row wordRow) *postingRow {
	if p, ok := t.w.openSegment(row); ok {
		return p
	}
	if p, ok := t.words[row]; ok {
		return p
	}
	stored, _ := t.get(wordKey(row.term, row.segment))
	p := newPostingRow(stored)
	t.w.keepSegment(row, p)
	return p
}

// touch marks a row of postings as changed, to be written by commit.
func (t *tx) touch(row wordRow, p *postingRow) {
	if p.changed != t.number {
		p.changed = t.number
		t.words[row] = p
		t.grow(len(row.term)+6, len(p.row)+2)
	} else {
		t.bytes += 2
	}
}

// commit writes everything and waits until it is on disk; then it updates what readers
// see in memory.
func (t *tx) commit() error {
	defer t.txn.Discard()
	if t.empty() && t.err == nil {
		return nil
	}
	t.w.words = len(t.words)
	for row, p := range t.words {
		if key := wordKey(row.term, row.segment); len(p.row) == 0 {
			t.del(key)
		} else {
			t.set(key, p.row)
		}
	}
	t.flushCounters()
	t.writeLedger()
	t.set(metaKey(metaMarks), encodeMarks(t.marks))
	if !t.w.schemaWritten {
		t.set(metaKey(metaSchema), binary.AppendUvarint(nil, schemaVersion))
	}
	t.w.store.turn.Lock()
	defer t.w.store.turn.Unlock()
	if t.err == nil {
		if err := t.txn.Commit(); err != nil {
			t.fail(fmt.Errorf("commit: %w", err))
		}
	}
	if t.err != nil {
		t.w.forgetSegment()
		return t.err
	}
	t.apply()
	return nil
}

// apply updates what is kept in memory to what is on disk.
func (t *tx) apply() {
	w, s := t.w, t.w.store
	w.marks, w.schemaWritten = t.marks, true
	w.seq++
	next, last := newSnapshot(s.db), (*snapshot)(nil)
	s.times.follow(t.fresh, t.removed, func() { last = s.reads.swap(next) })
	last.release()
	if err := s.witness.saw(w.seq); err != nil { // it is now behind, which does no harm
		s.opt.Logger.Warn("writing the witness", "err", err)
	}
	if t.queued {
		w.queued = true
	}
	s.people.add(t.people)
	s.relays.add(maps.Clone(t.relays))
	for _, n := range t.removed {
		s.cache.remove(n)
	}
	s.future.apply(t.future)
	w.expect(t.timed)
}

// find looks an id up and returns the note's number and its whole id.
func (t *tx) find(id *nostr.ID) (n uint32, stored nostr.ID, ok bool) {
	row, ok := t.get(idKey(id))
	if !ok {
		return 0, nostr.ID{}, false
	}
	if len(row) < 4 {
		t.fail(fmt.Errorf("%w: row of id %s has %d bytes", ErrDamaged, id, len(row)))
		return 0, nostr.ID{}, false
	}
	n = binary.BigEndian.Uint32(row)
	packed, ok := t.get(noteKey(n))
	if !ok {
		t.fail(fmt.Errorf("%w: id %s has no note %d", ErrDamaged, id, n))
		return 0, nostr.ID{}, false
	}
	stored, err := packedID(packed)
	if err != nil {
		t.fail(fmt.Errorf("%w: note %d: %w", ErrDamaged, n, err))
	}
	return n, stored, err == nil
}

func (t *tx) has(key []byte) bool {
	_, ok := t.get(key)
	return ok
}

// event reads a stored note inside the transaction.
func (t *tx) event(n uint32) (*nostr.Event, bool) {
	packed, ok := t.get(noteKey(n))
	if !ok {
		return nil, false
	}
	e, err := unpack(packed)
	if err != nil {
		t.fail(fmt.Errorf("%w: note %d: %w", ErrDamaged, n, err))
	}
	return e, err == nil
}

// expect notes the time of something that comes, for the writer.
func (t *tx) expect(at int64) {
	if t.timed == 0 || at < t.timed {
		t.timed = max(at, 1)
	}
}

func (t *tx) winner(key []byte) (winner, bool) {
	row, ok := t.get(key)
	if !ok {
		return winner{}, false
	}
	w, err := decodeWinner(row)
	if err != nil {
		t.fail(err)
	}
	return w, err == nil
}
