package ndb

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/dgraph-io/badger/v4"
)

// TestACompactionDropsWhatStandsBehindDamage shows why Open compares the checksums of all
// tables before Badger may compact them: its compaction takes a block that it cannot read
// for the end of the table, reports nothing, and what it has written looks sound. If this
// fails because Badger has learned better, opening need not read everything any more.
func TestACompactionDropsWhatStandsBehindDamage(t *testing.T) {
	const rows = 20_000
	dir := t.TempDir()
	opt := newStore(dir, withDefaults(Options{})).badgerOptions()
	for half := range 2 { // two tables of the first level
		db, err := openBadger(opt)
		if err != nil {
			t.Fatal(err)
		}
		batch := db.NewWriteBatch()
		for i := half; i < rows; i += 2 {
			if err := batch.Set(fmt.Appendf(nil, "row %06d", i), make([]byte, 100)); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(batch.Flush(), db.Close(), verifyTables(opt)); err != nil {
			t.Fatal(err)
		}
	}
	tables, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	if err != nil || len(tables) != 2 {
		t.Fatal(tables, err)
	}
	flip(t, tables[0], 100<<10)
	if err := verifyTables(opt); !errors.Is(err, ErrDamaged) {
		t.Fatalf("the check before opening says %v", err)
	}
	db, err := openBadger(opt.WithNumLevelZeroTables(1)) // so that two are to be merged
	if err != nil {
		t.Fatal(err)
	}
	merged := db.Flatten(2)
	left := 0
	err = db.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.IteratorOptions{Prefix: []byte("row ")})
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			left++
		}
		return nil
	})
	if err := errors.Join(merged, err, db.Close(), verifyTables(opt)); err != nil || left == 0 || left >= rows {
		t.Errorf("a compaction over a damaged block says %v, and leaves %d of %d rows", err, left, rows)
	}
}

// flip changes one byte of a file.
func flip(t *testing.T, path string, at int) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	raw[at] ^= 0x40
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}
