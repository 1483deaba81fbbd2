package ndb

import (
	"cmp"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"bowerbird/ndb/nostr"
)

// However notes arrive, the timeline has each once and in order.
func TestTheTimelineIsInOrderHoweverNotesArrive(t *testing.T) {
	const notes = 9 * chunkNotes
	rng := rand.New(rand.NewPCG(9, 9))
	for name, time := range map[string]func(i int) uint32{
		"oldest first":  func(i int) uint32 { return uint32(notes - i) },
		"newest first":  func(i int) uint32 { return uint32(i) },
		"at one time":   func(int) uint32 { return 7 },
		"in any order":  func(int) uint32 { return rng.Uint32N(notes / 2) },
		"in many pages": func(i int) uint32 { return uint32(i%500 + (50-i/500)*400) },
	} {
		c := &columns{loaded: true, kinds: make(map[uint16]int)}
		var all []uint64
		for i := range notes {
			c.set(uint32(i), column{time(i), 0, 1, true})
			c.insert(uint32(i))
			all = append(all, uint64(c.rows[i].its)<<32|uint64(i))
		}
		have := slices.Concat(c.line...)
		if len(have) != notes || !slices.IsSortedFunc(have, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(c.rows[a].its, c.rows[b].its), cmp.Compare(a, b))
		}) {
			t.Errorf("%s: %d notes, or not in order", name, len(have))
		}
		if !slices.Equal(have, slices.Concat(newTimeline(all)...)) {
			t.Errorf("%s: loaded it is another", name)
		}
		if name != "in any order" && name != "in many pages" && len(c.line) > notes/chunkNotes+2 {
			t.Errorf("%s: %d chunks for %d notes", name, len(c.line), notes)
		}
	}
}

// The timeline may be ahead of the transaction that a page is read in: what has been
// replaced since is in neither, so the version that took its place is read.
func TestAVersionThatIsReplacedWhileAPageIsReadIsNotMissed(t *testing.T) {
	s, _ := openTest(t)
	p := newPerson(1)
	put(t, s, p.signs(t, 0, testNow-2, `{"name":"old"}`))
	if _, _, err := s.Size(t.Context()); err != nil { // loads the columns
		t.Fatal(err)
	}
	sc, err := s.newScan(nostr.Filter{Kinds: []uint16{0}}, QueryOptions{})
	if err != nil {
		t.Fatal(err)
	}
	older := s.reads.acquire()
	defer older.release()
	put(t, s, p.signs(t, 0, testNow-1, `{"name":"new"}`))
	s.cache = newNoteCache(s.cache.limit)
	if err := sc.gather(t.Context(), older.txn); err != nil {
		t.Fatal(err)
	}
	if have := contents(sc.page); !slices.Equal(have, []string{`{"name":"new"}`}) || sc.damage != nil {
		t.Errorf("%q, %v", have, sc.damage)
	}
}

// Nor is the timeline ever behind a snapshot: the version that was replaced is not in that,
// and the new one not in the timeline.
func TestAVersionThatIsReplacedIsNotMissedWhileMemoryFollows(t *testing.T) {
	var s *Store
	var during [][]string
	asked := onWrite(func() { during = append(during, contents(query(t, s, nostr.Filter{Kinds: []uint16{0}}))) })
	c := &clock{testNow}
	s = openDir(t, t.TempDir(), Options{Now: c.now, Logger: slog.New(slog.NewTextHandler(asked, nil))})
	if _, _, err := s.Size(t.Context()); err != nil { // loads the columns
		t.Fatal(err)
	}
	p := newPerson(1)
	put(t, s, p.signs(t, 0, testNow-2, "old"))

	closed, err := os.Create(t.TempDir() + "/closed")
	if err != nil || closed.Close() != nil {
		t.Fatal(err)
	}
	witness := s.witness.file
	s.witness.file = closed // that it cannot be written is logged before a commit is applied wholly
	put(t, s, p.signs(t, 0, testNow-1, "new"))
	s.witness.file = witness
	if len(during) != 1 || !slices.Equal(during[0], []string{"new"}) {
		t.Errorf("after the commit %q was read", during)
	}
}

type onWrite func()

func (f onWrite) Write(b []byte) (int, error) {
	f()
	return len(b), nil
}
