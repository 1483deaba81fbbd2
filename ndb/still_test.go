package ndb

import (
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bowerbird/ndb/rawread"

	"github.com/dgraph-io/badger/v4"
)

// versionsOf are all versions of all rows of a database.
func versionsOf(t *testing.T, db *badger.DB) map[string]string {
	t.Helper()
	rows := make(map[string]string)
	err := db.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.IteratorOptions{AllVersions: true})
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			item := it.Item()
			value, err := item.ValueCopy(nil)
			if err != nil {
				return err
			}
			rows[fmt.Sprintf("%s %d %v", hex.EncodeToString(item.Key()), item.Version(), item.IsDeletedOrExpired())] = string(value)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// logEnds are the ends of the whole transactions of a log, as it is read here.
func logEnds(log []byte) (ends []int) {
	for at := rawread.LogHeader; at < len(log); {
		e, ok := rawread.ReadEntry(log[at:])
		if !ok {
			break
		}
		if at += e.Length; !e.InTxn {
			ends = append(ends, at)
		}
	}
	return ends
}

// tear changes a log as a kill, a cut of power or a bad disk may.
func tear(r *rand.Rand, log []byte, end int) ([]byte, string) {
	log = append([]byte{}, log...)
	at := r.IntN(end + 30)
	switch r.IntN(7) {
	case 0:
		return log[:at], fmt.Sprintf("cut at %d", at)
	case 1:
		clear(log[at:])
		return log, fmt.Sprintf("zeros from %d", at)
	case 2:
		log[at] ^= byte(1 << r.IntN(8))
		return log, fmt.Sprintf("a bit at %d", at)
	case 3:
		n := r.IntN(min(4096, len(log)-at))
		clear(log[at : at+n])
		return log, fmt.Sprintf("%d zeros at %d", n, at)
	case 4:
		for i := range log[at:min(at+300, len(log))] {
			log[at+i] = byte(r.Uint32())
		}
		return log, fmt.Sprintf("noise at %d", at)
	case 5: // one entry is left out, of whatever transaction
		var entries [][2]int
		for at := rawread.LogHeader; at < end; {
			e, ok := rawread.ReadEntry(log[at:])
			if !ok {
				break
			}
			entries = append(entries, [2]int{at, at + e.Length})
			at += e.Length
		}
		e := entries[r.IntN(len(entries))]
		return append(log[:e[0]:e[0]], log[e[1]:]...), fmt.Sprintf("without the entry at %d", e[0])
	}
	return log, "whole"
}

// What is read of a store that was killed is what Badger makes of it when it opens it
// for writing: the same versions of the same rows.
func TestAStillShowsWhatBadgerReadsOfLogs(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 4))
	live := filepath.Join(faultDir(t), "live")
	var kept string
	me := newPerson(1)
	for run := range 3 {
		s := openDir(t, live, Options{FreeSpace: plenty}) // its tables are too few to be merged
		for i := range 25 {
			put(t, s, me.signs(t, 1, testNow+int64(run*100+i), fmt.Sprintf("note %d of run %d %s", i, run, strings.Repeat("word ", r.IntN(200)))), me.signs(t, 0, testNow+int64(run*100+i), fmt.Sprintf(`{"name":"n%d"}`, i)))
		}
		if run == 2 {
			kept = filepath.Join(faultDir(t), "kept")
			copyFolder(t, live, kept)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	logs, err := filepath.Glob(filepath.Join(kept, "*.mem"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	log, err := os.ReadFile(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	ends := logEnds(log)
	if len(ends) < 20 {
		t.Fatal(ends)
	}
	end := ends[len(ends)-1]
	log = log[:min(len(log), end+8<<10)]
	rounds := 300
	if testing.Short() {
		rounds = 30 // one after the other: nothing for a race detector
	}
	sizes := map[int]bool{}
	for round := range rounds {
		dir := filepath.Join(faultDir(t), "copy")
		copyFolder(t, kept, dir)
		if err := os.Remove(filepath.Join(dir, filepath.Base(logs[0]))); err != nil {
			t.Fatal(err)
		}
		var parts [][]byte
		rest, start := log, 0 // cut into the logs of one to three memtables
		for range r.IntN(3) {
			cut := ends[r.IntN(len(ends))]
			if cut <= start {
				continue
			}
			parts = append(parts, append(append([]byte{}, log[:rawread.LogHeader]...), log[max(start, rawread.LogHeader):cut]...))
			start = cut
		}
		rest = append(append([]byte{}, log[:rawread.LogHeader]...), log[max(start, rawread.LogHeader):]...)
		parts = append(parts, rest)
		did := ""
		for i, part := range parts {
			if r.IntN(2) == 0 || i == len(parts)-1 {
				es := logEnds(part)
				if len(es) > 0 {
					var what string
					part, what = tear(r, part, es[len(es)-1])
					did += fmt.Sprintf("; log %d of %d: %s", i+1, len(parts), what)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d.mem", i+9)), part, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		before := sumsOf(t, dir)
		s := newStore(dir, withDefaults(Options{FreeSpace: plenty, ReadOnly: true}))
		if err := s.openStill(); err != nil {
			t.Errorf("round %d%s: %v", round, did, err)
			continue
		}
		read := versionsOf(t, s.db)
		if err := s.closeStill(); err != nil {
			t.Error(err)
		}
		if !maps.Equal(before, sumsOf(t, dir)) {
			t.Errorf("round %d%s: changed", round, did)
		}
		w := newStore(dir, withDefaults(Options{FreeSpace: plenty}))
		if err := dropSpareFiles(dir); err != nil {
			t.Fatal(err)
		}
		db, err := openBadger(w.badgerOptions().WithNumCompactors(0))
		if err != nil {
			t.Errorf("round %d%s: for writing: %v", round, did, err)
			continue
		}
		written := versionsOf(t, db)
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		sizes[len(read)] = true
		if !maps.Equal(read, written) {
			t.Errorf("round %d%s: %d rows are read, %d when it is opened for writing", round, did, len(read), len(written))
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	t.Log(len(sizes), "different results")
}

// Hard links, as on Windows, are other names of the store's own files: neither reading by
// them nor removing them may change the store.
func TestReadingByHardLinksChangesNoByteOfTheStore(t *testing.T) {
	place := t.TempDir()
	t.Setenv("TMPDIR", place) // on the volume of the store
	for _, store := range level0Stores(t) {
		before := sumsOf(t, store.dir)
		s := newStore(store.dir, withDefaults(Options{ReadOnly: true}))
		linked := 0
		s.link = func(from, to string) error {
			linked++
			return linkOn("windows")(from, to)
		}
		if err := s.open(); err != nil {
			t.Fatalf("%v: %v", store, err)
		}
		stats, err := s.Stats(t.Context())
		if err != nil || stats.Events != store.tables*notesARun {
			t.Errorf("%v: %d events are read, %v", store, stats.Events, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%v: %v", store, err)
		}
		if linked == 0 {
			t.Errorf("%v: nothing is linked", store)
		}
		if left, err := filepath.Glob(filepath.Join(place, stillName)); err != nil || len(left) > 0 {
			t.Errorf("%v: %q are left, %v", store, left, err)
		}
		if !maps.Equal(before, sumsOf(t, store.dir)) {
			t.Errorf("%v is changed", store)
		}
	}
}
