package ndb

import (
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

// openBehind opens a store as if it were large: its tables are checked while it is read.
func openBehind(t *testing.T, dir string, opt Options) (*Store, error) {
	t.Helper()
	opt.FreeSpace = plenty
	s := newStore(dir, withDefaults(opt))
	s.small = 0
	if st, err := look(dir); err != nil || !st.stamped {
		t.Fatalf("it would be checked first: %+v, %v", st, err)
	}
	return s, s.open()
}

// leave closes a store that was opened, or failed to be.
func leave(t *testing.T, s *Store, err error) {
	t.Helper()
	if err == nil {
		err = s.Close()
	} else {
		err = s.lock.release()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// closedWorld is a faultWorld that was opened and closed where it lies.
func closedWorld(t *testing.T) *faultWorld {
	t.Helper()
	w := makeFaultWorld(t, rand.New(rand.NewPCG(4, 7)), false)
	if err := openDir(t, w.dir, Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	return w
}

// flip changes a byte of a file and nothing that shows without reading it.
func flip(t *testing.T, path string, at int) (undo func()) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	change := func() {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data[at] ^= 4
		if err = os.WriteFile(path, data, 0o600); err == nil {
			err = os.Chtimes(path, info.ModTime(), info.ModTime())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	change()
	return change
}

func tablesIn(t *testing.T, dir string) map[string]int {
	t.Helper()
	names, _, err := databaseFiles(dir)
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	sizes := make(map[string]int)
	for _, name := range names {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		sizes[filepath.Join(dir, name)] = int(info.Size())
	}
	return sizes
}

func TestALargeStoreIsReadAndWrittenWhileItIsChecked(t *testing.T) {
	w := closedWorld(t)
	for range 3 {
		s, err := openBehind(t, w.dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		w.mustHold(t, s, SalvageReport{}, new(damageTally))
		e := newPerson(9).signs(t, 1, testNow, "a note more")
		w.events[e.ID] = e
		put(t, s, e)
		if _, err := s.Compact(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		mustBeSound(t, s)
		leave(t, s, nil)
	}
}

// Whatever byte of a table has changed, with its size and time as they were: it is told,
// and until then nothing is written.
func TestDamageThatShowsOnlyWhenReadIsFoundWhileTheStoreIsRead(t *testing.T) {
	w := closedWorld(t)
	rng := rand.New(rand.NewPCG(4, 8))
	atOnce, behind := 0, 0
	for path, size := range tablesIn(t, w.dir) {
		for range faultCount(t, 6, 60) {
			undo := flip(t, path, rng.IntN(size))
			before := sumsOf(t, w.dir)
			for _, readOnly := range []bool{true, false} {
				s, err := openBehind(t, w.dir, Options{ReadOnly: readOnly})
				switch {
				case err == nil:
					behind++
					mustFindDamage(t, s, readOnly)
				case errors.Is(err, ErrDamaged):
					atOnce++
				default:
					t.Fatal(err)
				}
				leave(t, s, err)
				now := sumsOf(t, w.dir)
				for name, sum := range before {
					if filepath.Ext(name) == ".sst" && now[name] != sum {
						t.Fatalf("%s was changed", name)
					}
				}
				if readOnly && !maps.Equal(before, now) {
					t.Fatal("reading has changed the store")
				}
			}
			if _, err := Open(w.dir, Options{FreeSpace: plenty}); !errors.Is(err, ErrDamaged) {
				t.Fatalf("the next Open: %v", err)
			}
			undo()
			if err := openDir(t, w.dir, Options{}).Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d refused, %d found while they were read", atOnce, behind)
	if behind == 0 {
		t.Error("nothing was found while it was read")
	}
}

func mustFindDamage(t *testing.T, s *Store, readOnly bool) {
	t.Helper()
	if readOnly {
		for s.behind.found() == nil {
			time.Sleep(time.Millisecond)
		}
	} else if _, err := s.Put(t.Context(), Batch{Events: []*nostr.Event{newPerson(9).signs(t, 1, testNow, "refused")}}); !errors.Is(err, ErrDamaged) {
		t.Fatalf("a write: %v", err)
	}
	var last error
	for _, err := range s.Query(t.Context(), QueryOptions{}, nostr.Filter{}) {
		last = err
	}
	if !errors.Is(last, ErrDamaged) {
		t.Fatalf("a query ends with %v", last)
	}
	if _, err := s.Event(t.Context(), nostr.ID{1}); !errors.Is(err, ErrDamaged) {
		t.Fatalf("a note that is not there: %v", err)
	}
}

func TestAStoreThatIsClosedBeforeItIsCheckedIsAsItWas(t *testing.T) {
	w := closedWorld(t)
	s := newStore(w.dir, withDefaults(Options{FreeSpace: plenty}))
	s.small = 0
	s.behind.cancel()
	leave(t, s, s.open())
	if st, err := look(w.dir); err != nil || !st.stamped {
		t.Fatalf("%+v, %v", st, err)
	}
	s = openDir(t, w.dir, Options{})
	w.mustHold(t, s, SalvageReport{}, new(damageTally))
}

// A table that is compacted before it could be checked may have lost notes.
func TestTheLedgerTellsWhatACompactionBeforeTheCheckHasLost(t *testing.T) {
	w := closedWorld(t)
	s, err := openBehind(t, w.dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	st := state{tables: map[uint64]badger.TableManifest{999_999: {}}}
	if err := s.verifyBehind(st); err != nil {
		t.Fatal(err)
	}
	e := newPerson(9).signs(t, 1, testNow, "a note that is lost")
	put(t, s, e)
	if err := s.db.Update(func(txn *badger.Txn) error { return txn.Delete(idKey(&e.ID)) }); err != nil {
		t.Fatal(err)
	}
	s.reads.renew(s.db)
	if err := s.verifyBehind(st); !errors.Is(err, ErrDamaged) {
		t.Errorf("a note is missing: %v", err)
	}
	leave(t, s, nil)
}
