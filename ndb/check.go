package ndb

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

// CheckReport is what Check found.
type CheckReport struct {
	Events   int      `json:"events"`
	Bad      []string `json:"bad"` // at most 100: what is wrong, with which key or id
	BadCount int      `json:"bad_count"`
	Crash    bool     `json:"crash,omitempty"` // the only evidence is that the check crashed
}

const maxCheckBad = 100

// Check reads everything: each note's id is hashed and its signature verified again, each
// index row must have its note and each note its rows, and the counters must match the
// notes. It reads one snapshot, so it may run beside writes; while it runs, what they
// replace stays on disk.
func (s *Store) Check(ctx context.Context, progress func(done, of int)) (CheckReport, error) {
	c := &checker{store: s, progress: progress, counts: make(map[string]Counters), given: make(map[string]uint64), stored: make(map[uint32]*bitset)}
	err := s.view(ctx, func(txn *badger.Txn) error {
		c.txn = txn
		var err error
		if c.of, err = countKeys(ctx, txn, []byte{famNote}); err != nil {
			return err
		}
		if err := c.notes(ctx); err != nil {
			return err
		}
		c.checkCounters()
		if err := auditLedger(ctx, txn, c.bad); err != nil {
			return err
		}
		return c.indexes(ctx)
	})
	if err != nil {
		return c.report, fmt.Errorf("check the store: %w", err)
	}
	return c.report, nil
}

// checker walks the store. Notes come first, each with the rows that it must have. After
// that, counting is enough: a family with more rows than the notes require has a row
// without a note.
type checker struct {
	store    *Store
	txn      *badger.Txn
	progress func(done, of int)
	of       int
	report   CheckReport
	rows     [256]int            // rows that the notes require, by family
	counts   map[string]Counters // by the key of the target
	given    map[string]uint64   // by the key of target, kind of gift, and giver
	postings int
	stored   map[uint32]*bitset // notes, by segment
}

func (c *checker) bad(format string, args ...any) {
	c.report.note(fmt.Sprintf(format, args...))
}

func (c *checker) notes(ctx context.Context) error {
	it := c.txn.NewIterator(keysOnly([]byte{famNote}))
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.report.Events++
		key := it.Item().KeyCopy(nil)
		packed, err := it.Item().ValueCopy(nil)
		if err != nil || len(key) != 5 {
			c.bad("note %x cannot be read: %v", key, err)
			continue
		}
		c.note(binary.BigEndian.Uint32(key[1:]), packed)
		if c.progress != nil && c.report.Events%1000 == 0 {
			c.progress(c.report.Events, c.of)
		}
	}
	if c.progress != nil {
		c.progress(c.report.Events, c.of)
	}
	return nil
}

// note checks one note and records which rows it requires.
func (c *checker) note(n uint32, packed []byte) {
	if c.stored[segmentOf(n)] == nil {
		c.stored[segmentOf(n)] = new(bitset)
	}
	c.stored[segmentOf(n)].add(uint16(n % segmentNotes))
	e, err := unpack(packed)
	if err != nil {
		c.bad("note %d: %v", n, err)
		return
	}
	if err := e.Verify(); err != nil {
		c.bad("note %d, event %s: %v", n, e.ID, err)
		return
	}
	a, ok := c.store.people.get(e.PubKey)
	if !ok {
		c.bad("note %d, event %s: its author %s has no number", n, e.ID, e.PubKey)
		return
	}
	p, invalid := prepare(e)
	if invalid != nil {
		c.bad("note %d, event %s: %v", n, e.ID, invalid)
		return
	}
	if row, err := txnGet(c.txn, idKey(&e.ID)); err != nil || len(row) < 4 || binary.BigEndian.Uint32(row) != n {
		c.bad("event %s: its id leads to %x, not to note %d", e.ID, row, n)
	}
	c.rows[famID]++
	for _, row := range indexRows(a, n, p) {
		c.rows[row.key[0]]++
		if value, err := txnGet(c.txn, row.key); err != nil || !bytes.Equal(value, row.value) {
			c.bad("event %s: index row %x holds %x, want %x (%v)", e.ID, row.key, value, row.value, err)
		}
	}
	c.words(n, p)
	c.effects(a, n, p)
}

func (c *checker) words(n uint32, p *prepared) {
	for _, term := range p.terms {
		row, err := txnGet(c.txn, wordKey(term, segmentOf(n)))
		found := false
		for place := range postings(row) {
			found = found || uint32(place) == n%segmentNotes
		}
		if err != nil || !found {
			c.bad("event %s: word %q does not lead to it", p.event.ID, term)
			continue
		}
		c.postings++
	}
}

// effects adds what a visible note does to others, and checks that it is the current
// version.
func (c *checker) effects(a, n uint32, p *prepared) {
	e := p.event
	_, err := txnGet(c.txn, timedKey(famFuture, e.CreatedAt-futureGrace, n))
	if err == nil {
		c.rows[famFuture]++
		return
	}
	if !errors.Is(err, ErrNotFound) {
		c.bad("event %s: %v", e.ID, err)
	}
	if nostr.IsReplaceable(e.Kind) {
		c.rows[famWinner]++
		row, err := txnGet(c.txn, winnerKey(a, e.Kind, nostr.D(e)))
		if w, err2 := decodeWinner(row); err != nil || err2 != nil || w.n != n || w.id != e.ID || w.created != e.CreatedAt {
			c.bad("event %s: it is stored, but is not the version that counts", e.ID)
		}
	}
	for _, ef := range p.effects {
		key := string(counterKey(&ef.target))
		count := c.counts[key]
		first := true
		if ef.what == effectReaction || ef.what == effectRepost {
			given := string(givenKey(&ef.target, ef.what, a))
			c.given[given]++
			first = c.given[given] == 1
		}
		count.add(ef, first)
		c.counts[key] = count
	}
}

// add counts one effect; first is true for its author's first of the kind.
func (c *Counters) add(ef effect, first bool) {
	switch ef.what {
	case effectReply:
		c.Replies++
	case effectQuote:
		c.Quotes++
	case effectZap:
		c.ZapSats += ef.sats
	case effectReaction:
		if first {
			c.Reactions++
		}
	case effectRepost:
		if first {
			c.Reposts++
		}
	}
}

func (c *checker) checkCounters() {
	for key, want := range c.counts {
		if row, err := txnGet(c.txn, []byte(key)); err != nil || decodeCounters(row) != want {
			c.bad("counters of id %x…: %+v, want %+v (%v)", key[1:], decodeCounters(row), want, err)
		}
	}
	for key, want := range c.given {
		row, err := txnGet(c.txn, []byte(key))
		if have, _ := binary.Uvarint(row); err != nil || have != want {
			c.bad("row %x of who gave: %d, want %d (%v)", key, have, want, err)
		}
	}
	c.rows[famCounter] = len(c.counts) + len(c.given)
}

// indexes compares the number of rows with the number that the notes require.
func (c *checker) indexes(ctx context.Context) error {
	families := []byte{famID, famKind, famByAuthor, famTag, famOverflow, famName, famWinner, famExpiry, famFuture, famCounter}
	for _, family := range families {
		have, err := countKeys(ctx, c.txn, []byte{family})
		if err != nil {
			return err
		}
		if have != c.rows[family] {
			c.bad("family %c has %d rows, its notes ask for %d", family, have, c.rows[family])
		}
	}
	left, err := countKeys(ctx, c.txn, []byte{famRemoval})
	if err != nil {
		return err
	}
	if left != 0 {
		c.bad("%d notes were to be removed and are still there", left)
	}
	return c.allPostings(ctx)
}

// allPostings counts the postings, but for those of notes that are gone.
func (c *checker) allPostings(ctx context.Context) error {
	given, err := readMarks(c.txn)
	if err != nil {
		return err
	}
	have := 0
	it := c.txn.NewIterator(keysOnly([]byte{famWord}))
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		key := it.Item().Key()
		segment := ^binary.BigEndian.Uint32(key[max(0, len(key)-4):])
		err := it.Item().Value(func(row []byte) error {
			for place := range postings(row) {
				if n := uint64(segment)<<segmentBits | uint64(place); n >= uint64(given.note) || c.stored[segment].has(place) {
					have++
				}
			}
			return nil
		})
		if err != nil {
			c.bad("row %x of a word: %v", it.Item().Key(), err)
		}
	}
	if have != c.postings {
		c.bad("words lead to %d notes, the notes ask for %d", have, c.postings)
	}
	return nil
}

// String formats the findings in one line.
func (r CheckReport) String() string {
	if r.BadCount == 0 {
		return fmt.Sprintf("%d events, all sound", r.Events)
	}
	return fmt.Sprintf("%d events, %d faults: %s", r.Events, r.BadCount, strings.Join(r.Bad, "; "))
}

// Probe reports whether a store can be opened and holds everything that it held: it
// compares every checksum and counts what is there. With full it reads everything, as
// [Store.Check] does, except in a store of an older version, whose rows the next Open
// rebuilds. It reads the store through a still (openStill), so nothing is changed; nobody
// may write to the store meanwhile. Badger may crash on damaged files in ways that
// nothing in this process can prevent, so a caller that must not crash runs Probe in a
// separate process.
//
// The error means that nothing could be found out; damage is in the report.
func Probe(ctx context.Context, dir string, full bool, progress func(done, of int)) (report CheckReport, err error) {
	s := newStore(dir, withDefaults(Options{ReadOnly: true}))
	report, err = s.lookInto(ctx, full, progress)
	if errors.Is(err, ErrDamaged) {
		_, says, _ := strings.Cut(err.Error(), ErrDamaged.Error()+": ")
		report.note(says)
		err = nil
	}
	return report, err
}

func (s *Store) lookInto(ctx context.Context, full bool, progress func(done, of int)) (report CheckReport, err error) {
	if err := s.checkSchema(); err != nil {
		return report, err
	}
	st, err := look(s.dir)
	if err != nil || st.fresh {
		return report, err
	}
	if err := verifyTables(s.badgerOptions()); err != nil {
		return report, openError(s.dir, err)
	}
	if err := s.openStill(); err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, s.closeStill()) }()
	have, err := s.schemaRow()
	if err != nil || have > schemaVersion {
		return report, cmp.Or[error](err, &NewerError{Dir: s.dir, Have: have, Known: schemaVersion})
	}
	if _, err := s.load(); err != nil {
		return report, err
	}
	if full = full && have == schemaVersion; full {
		if report, err = s.Check(ctx, progress); err != nil {
			return report, err
		}
	}
	return report, s.db.View(func(txn *badger.Txn) error {
		seq, err := readSeq(txn)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		if st.known && seq < st.witness.seq {
			report.note(fmt.Sprintf("the newest writes are missing: %d of %d are there", seq, st.witness.seq))
		}
		if full {
			return nil // done by Check
		}
		return auditLedger(ctx, txn, func(format string, args ...any) { report.note(fmt.Sprintf(format, args...)) })
	})
}

// note adds one more fault to the report.
func (r *CheckReport) note(bad string) {
	r.BadCount++
	if len(r.Bad) < maxCheckBad {
		r.Bad = append(r.Bad, bad)
	}
}

// probe is what Open does before Badger may open a store that was not closed.
func (s *Store) probe() error {
	look := s.opt.Probe
	if look == nil {
		look = func(ctx context.Context, dir string) (CheckReport, error) {
			return Probe(ctx, dir, false, nil)
		}
	}
	report, err := look(context.Background(), s.dir)
	if err != nil {
		return fmt.Errorf("look at store %s after it was not closed: %w", s.dir, err)
	}
	if report.Crash {
		return fmt.Errorf("%w: %w: %s: %s", ErrDamaged, ErrCrash, s.dir, strings.Join(report.Bad, "; "))
	}
	if report.BadCount > 0 {
		return fmt.Errorf("%w: %s: %s", ErrDamaged, s.dir, strings.Join(report.Bad[:min(3, len(report.Bad))], "; "))
	}
	return nil
}
