package ndb

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"testing"
	"time"
)

// level0Store makes a store with so many tables on the first level, which no
// compaction has merged yet: what several short runs leave behind. Left open, it is as
// a kill would leave it.
func level0Store(t *testing.T, dir string, tables int, open bool) {
	t.Helper()
	live := filepath.Join(faultDir(t), "live")
	me := newPerson(1)
	for run := range tables {
		s := newStore(live, withDefaults(Options{FreeSpace: plenty}))
		s.compactors = 0
		if err := s.open(); err != nil {
			t.Fatal(err)
		}
		var events []*Event
		for i := range 20 {
			events = append(events, me.signs(t, 1, testNow+int64(run*100+i), fmt.Sprintf("note %d of run %d", i, run)))
		}
		put(t, s, events...)
		if open && run == tables-1 {
			copyFolder(t, live, dir)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if !open {
		copyFolder(t, live, dir)
	}
}

// sumsOf are the sums of all files in a folder and below, by name.
func sumsOf(t *testing.T, dir string) map[string][32]byte {
	t.Helper()
	sums := make(map[string][32]byte)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			sums[path] = sha256.Sum256(readFile(t, path))
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
	const rounds = 200
	dir := t.TempDir()
	var stores []string
	for tables := 1; tables <= 12; tables++ {
		for _, open := range []bool{false, true} {
			store := filepath.Join(dir, fmt.Sprintf("%d tables, open %v", tables, open))
			level0Store(t, store, tables, open)
			stores = append(stores, store)
		}
	}
	for i, store := range stores {
		t.Run(filepath.Base(store), func(t *testing.T) {
			t.Parallel()
			before := sumsOf(t, store)
			for round := 0; round*len(stores)+i < rounds; round++ {
				full := round%3 == 0
				if round%2 == 0 {
					forgetPages(t, store)
				}
				report, err := Probe(t.Context(), store, full, func(done, of int) {
					if round == 0 && done == of {
						time.Sleep(1500 * time.Millisecond)
					}
				})
				if err != nil || report.BadCount > 0 {
					t.Fatalf("round %d, full %v: %v, %v", round, full, report, err)
				}
				if !maps.Equal(before, sumsOf(t, store)) {
					t.Fatalf("the look of round %d, full %v, has changed the store", round, full)
				}
			}
		})
	}
}

// The same by Open, which looks before it lets Badger at what a kill has left: however
// that ends, no note may be gone.
func TestOpeningAfterAKillLosesNothing(t *testing.T) {
	for tables := 1; tables <= 12; tables++ {
		dir := filepath.Join(t.TempDir(), "store")
		level0Store(t, dir, tables, true)
		forgetPages(t, dir)
		s := openDir(t, dir, Options{})
		if n := len(query(t, s, Filter{})); n != 20*tables {
			t.Errorf("%d tables: %d of %d notes are there", tables, n, 20*tables)
		}
		mustBeSound(t, s)
	}
}
