package ndb

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"bowerbird/ndb/nostr"
)

// level0Store is a store with some tables on the first level, which no compaction has
// merged yet: what several short runs leave behind.
type level0Store struct {
	dir    string
	tables int
	killed bool // it is as a kill would leave it
}

func (s level0Store) String() string { return fmt.Sprintf("%d tables, killed %v", s.tables, s.killed) }

// notesARun is how many notes a level0Store has for each of its tables.
const notesARun = 20

// level0Stores makes stores with 1 to 12 tables.
func level0Stores(t *testing.T) (stores []level0Store) {
	t.Helper()
	place, live := t.TempDir(), filepath.Join(faultDir(t), "live")
	me := newPerson(1)
	for tables := 1; tables <= 12; tables++ {
		s := newStore(live, withDefaults(Options{FreeSpace: plenty}))
		s.compactors = 0
		if err := s.open(); err != nil {
			t.Fatal(err)
		}
		var events []*nostr.Event
		for i := range notesARun {
			events = append(events, me.signs(t, 1, testNow+int64(tables*100+i), fmt.Sprintf("note %d of run %d", i, tables)))
		}
		put(t, s, events...)
		for _, killed := range []bool{true, false} {
			if !killed {
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			kept := level0Store{tables: tables, killed: killed}
			kept.dir = filepath.Join(place, kept.String())
			copyFolder(t, live, kept.dir)
			stores = append(stores, kept)
		}
	}
	return stores
}

// sumsOf are the sums of all files in a folder and below, by name.
func sumsOf(t *testing.T, dir string) map[string]fileSum {
	t.Helper()
	sums := make(map[string]fileSum)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			sums[path], err = sumFile(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// Once, a look emptied stores that were sound: it opened links to their tables, and
// Badger, which merges tables a second after it was opened, cut off those it had merged.
// So some of these looks last for longer than that.
func TestALookAtAStoreChangesNoByteOfIt(t *testing.T) {
	rounds := 8
	if testing.Short() {
		rounds = 3 // full or not, and read from the disk or from memory
	}
	for _, store := range level0Stores(t) {
		t.Run(store.String(), func(t *testing.T) {
			t.Parallel()
			before := sumsOf(t, store.dir)
			for round := range rounds {
				full := round%3 == 0
				if round%2 == 0 {
					forgetPages(t, store.dir)
				}
				report, err := Probe(t.Context(), store.dir, full, func(done, of int) {
					if round == 0 && done == of {
						time.Sleep(1500 * time.Millisecond)
					}
				})
				if err != nil || report.BadCount > 0 {
					t.Fatalf("round %d, full %v: %v, %v", round, full, report, err)
				}
				if !maps.Equal(before, sumsOf(t, store.dir)) {
					t.Fatalf("the look of round %d, full %v, has changed the store", round, full)
				}
			}
		})
	}
}

// The same by Open, which looks before it lets Badger at what a kill has left: however
// that ends, no note may be gone.
func TestOpeningAfterAKillLosesNothing(t *testing.T) {
	for _, store := range level0Stores(t) {
		if !store.killed {
			continue
		}
		forgetPages(t, store.dir)
		s := openDir(t, store.dir, Options{})
		if n, want := len(query(t, s, nostr.Filter{})), notesARun*store.tables; n != want {
			t.Errorf("%v: %d of %d notes are there", store, n, want)
		}
		mustBeSound(t, s)
	}
}

// What the system refuses says nothing about the store.
func TestOnlyWhatIsInTheFilesIsDamage(t *testing.T) {
	for _, c := range []struct {
		err  error
		want error
	}{
		{&fs.PathError{Op: "open", Path: "000001.sst", Err: syscall.EACCES}, ErrReadOnly},
		{&fs.PathError{Op: "open", Path: "000001.sst", Err: syscall.EMFILE}, syscall.EMFILE},
		{fmt.Errorf("copy: %w", &fs.PathError{Op: "write", Path: "00001.mem", Err: syscall.EFBIG}), syscall.EFBIG},
		{&fs.PathError{Op: "open", Path: "000001.sst", Err: syscall.ENOENT}, ErrDamaged},
		{&fs.PathError{Op: "read", Path: "000001.sst", Err: syscall.EIO}, ErrDamaged},
		{errors.New("checksum mismatch"), ErrDamaged},
	} {
		err := openError("notes", c.err)
		if !errors.Is(err, c.want) || errors.Is(err, ErrDamaged) != (c.want == ErrDamaged) {
			t.Errorf("%v: %v", c.err, err)
		}
	}
}

func TestStillsOfProgramsThatWereKilledAreRemoved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	if os.TempDir() != os.Getenv("TMPDIR") {
		t.Skip("temporary files lie elsewhere here")
	}
	used, err := makeStill()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = used.drop() }()
	killed, err := makeStill()
	if err == nil {
		err = killed.lock.Close()
	}
	young, err2 := os.MkdirTemp("", stillName)
	if err = errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-2 * stillYoung)
	for _, dir := range []string{used.dir, killed.dir} {
		if err := os.Chtimes(dir, long, long); err != nil {
			t.Fatal(err)
		}
	}
	dropStills(os.TempDir())
	if !exists(used.dir) || exists(killed.dir) || !exists(young) {
		t.Errorf("in use %v, left by a kill %v, just made %v", exists(used.dir), exists(killed.dir), exists(young))
	}
}
