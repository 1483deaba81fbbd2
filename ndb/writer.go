package ndb

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/coverage"
)

// writer is the one goroutine that writes. It takes the waiting jobs, puts as many of
// them as fit into one transaction, commits it, notifies subscriptions, and answers.
// While one commit waits for the disk the next jobs gather, so that many small writes
// share a transaction without waiting for each other.
type writer struct {
	store         *Store
	marks         marks
	seq           uint64 // transactions written
	begun         uint64 // transactions begun
	words         int    // rows of postings that the last transaction changed
	schemaWritten bool
	nextTimed     int64 // no expiry or due time is earlier
	queued        bool  // q or the list of vanished authors has rows

	taken  *taken // by the last pruning (prune_ledger.go); nil before any
	taking bool   // that pruning is still running

	segment  uint32 // whose postings are in open
	open     map[string]*postingRow
	complete bool // a term that is not in open has no row in the segment
}

// job is one caller's write: events, an immediate change, or work of another kind.
type job struct {
	events   []*prepared
	results  []Result
	coverage []coverage.Row
	epoch    uint64 // in which the evidence for the coverage was requested
	change   *change
	removal  turn // of a pruning
	done     chan error
}

// turn is work that has the writer to itself.
type turn interface{ do(r *round) }

// change is a small write that must be all in one transaction.
type change struct {
	keys, bytes int
	apply       func(*tx)
}

const (
	groupEvents = 500 // a group of jobs is closed at so many events
	never       = math.MaxInt64
)

func newWriter(s *Store) *writer { return &writer{store: s, nextTimed: never} }

func (w *writer) run() {
	defer close(w.store.written)
	for first := range w.store.jobs {
		group, events := []*job{first}, len(first.events)
		for more := true; more && events < groupEvents; {
			select {
			case j, ok := <-w.store.jobs:
				if more = ok; ok {
					group, events = append(group, j), events+len(j.events)
				}
			default:
				more = false
			}
		}
		w.write(group)
	}
}

// write does a group of jobs and answers each.
func (w *writer) write(group []*job) {
	r := &round{writer: w, err: w.store.needSpace(spaceToTidy)}
	full := w.store.needSpace(spaceToStore)
	r.next()
	if w.nextTimed <= r.tx.now {
		r.settle()
	}
	for _, j := range group {
		if full != nil && len(j.events) > 0 {
			j.done <- full
			continue
		}
		r.do(j)
	}
	r.finish()
}

// round is the writing of a group: one transaction after another, and the jobs that end
// in the current one.
type round struct {
	*writer
	tx     *tx
	ending []*job
	shown  []uint32
	err    error // the first failure; nothing is written after it
}

func (r *round) next() { r.tx = r.begin() }

// flush commits the current transaction and answers the jobs that ended in it, unless
// removals are still to be done on their behalf.
func (r *round) flush() {
	if r.err == nil {
		r.err = r.tx.commit()
	} else {
		r.tx.txn.Discard()
	}
	if r.err == nil {
		r.shown = append(r.shown, r.tx.shown...)
	}
	r.next()
}

func (r *round) do(j *job) {
	if r.err == nil && j.change != nil {
		r.room(j.change.keys, j.change.bytes)
		j.change.apply(r.tx)
	}
	if r.err == nil && j.removal != nil {
		j.removal.do(r)
	}
	for i, p := range j.events {
		if r.err != nil {
			break
		}
		r.room(r.tx.needs(p))
		if r.err == nil {
			j.results[i] = r.tx.put(p)
			runtime.Gosched() // as in chunk.prepare
		}
	}
	if r.err == nil && len(j.coverage) > 0 {
		for _, c := range j.coverage {
			if c, ok := r.provable(c, j.epoch); ok {
				r.room(1, coverageRowLen)
				r.tx.cover(c)
			}
		}
	}
	r.ending = append(r.ending, j)
}

// room commits first if so much more would not fit.
func (r *round) room(keys, bytes int) {
	if !r.tx.fits(keys, bytes) && !r.tx.empty() {
		r.flush()
	}
}

// finish commits what is left, does the removals that one transaction could not hold,
// notifies subscriptions, and answers the jobs: a caller that has its answer finds the
// result everywhere.
func (r *round) finish() {
	r.flush()
	if r.err == nil && r.queued {
		r.err = r.drain()
	}
	r.tx.txn.Discard()
	r.store.feed.add(r.shown)
	for _, j := range r.ending {
		j.done <- r.err
	}
}

// recover finishes what the last run had begun: removals, and what has come due.
func (w *writer) recover() error {
	r := &round{writer: w}
	r.next()
	defer func() { r.tx.txn.Discard() }()
	if w.nextTimed > r.tx.now && !w.queued {
		return nil
	}
	if err := w.store.needSpace(spaceToTidy); err != nil {
		return err
	}
	r.settle()
	r.flush()
	if r.err == nil && w.queued {
		r.err = r.drain()
	}
	return r.err
}

// expect records that something expires or comes due at a time; 0 for nothing.
func (w *writer) expect(at int64) {
	if at != 0 && at < w.nextTimed {
		w.nextTimed = at
	}
}

// loadTimed finds out when the next note expires or comes due, whether removals were left
// undone, and which versions are dated in the future.
func (w *writer) loadTimed(txn *badger.Txn) error {
	if err := w.lookAhead(txn); err != nil {
		return err
	}
	w.queued = hasAny(txn, []byte{famRemoval}) || hasAny(txn, metaKey(metaVanish))
	return w.store.loadFuture(txn)
}

// firstTimed returns the first row of the families x and f.
func firstTimed(txn *badger.Txn, family byte) (at int64, n uint32, ok bool) {
	it := txn.NewIterator(keysOnly([]byte{family}))
	defer it.Close()
	if it.Rewind(); !it.Valid() {
		return 0, 0, false
	}
	return splitTimedKey(it.Item().Key())
}

func hasAny(txn *badger.Txn, prefix []byte) bool {
	it := txn.NewIterator(keysOnly(prefix))
	defer it.Close()
	it.Rewind()
	return it.Valid()
}

// submit hands a job to the writer and waits for its answer. If ctx ends while the writer
// is doing it, the job may still be done; its results must not be read.
func (s *Store) submit(ctx context.Context, j *job) error {
	if s.opt.ReadOnly {
		return fmt.Errorf("%w: it was opened for reading", ErrReadOnly)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	j.done = make(chan error, 1)
	select {
	case s.jobs <- j:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-j.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// openSegment returns the postings of a term in the segment that is being filled, if they
// are known without reading.
func (w *writer) openSegment(row wordRow) (*postingRow, bool) {
	if row.segment != w.segment || w.open == nil {
		return nil, false
	}
	p, ok := w.open[row.term]
	if !ok && w.complete {
		p, ok = newPostingRow(nil), true
		w.open[row.term] = p
	}
	return p, ok
}

func (w *writer) keepSegment(row wordRow, p *postingRow) {
	if row.segment == w.segment && w.open != nil {
		w.open[row.term] = p
	}
}

// fillSegment makes a segment the one that is being filled. If its first note is being
// stored now, no term has a row in it yet.
func (w *writer) fillSegment(n uint32) {
	segment := segmentOf(n)
	if w.open != nil && segment == w.segment {
		return
	}
	w.segment, w.open = segment, make(map[string]*postingRow, len(w.open))
	w.complete = n%segmentNotes == 0
}

// forgetSegment drops what was changed in memory by a transaction that failed.
func (w *writer) forgetSegment() { w.open = nil }

// load reads what is kept in memory: the schema, the high-water marks, and the
// numbers of people and relays.
func (s *Store) load() (*writer, error) {
	w := newWriter(s)
	err := s.db.View(func(txn *badger.Txn) error {
		row, err := txnGet(txn, metaKey(metaMarks))
		if err == nil {
			w.marks, err = decodeMarks(row)
		}
		if err == nil {
			w.seq, err = readSeq(txn)
		}
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		if s.people, err = loadPeople(txn); err != nil {
			return err
		}
		if s.relays, err = loadRelays(txn); err != nil {
			return err
		}
		if err := s.overflow.load(txn); err != nil {
			return err
		}
		return w.loadTimed(txn)
	})
	s.reads.renew(s.db)
	return w, err
}
