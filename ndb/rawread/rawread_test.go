package rawread

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

// files are a log and a table as Badger writes them, with the same rows.
func files(t testing.TB, rows int) (log, table []byte) {
	t.Helper()
	dir := t.TempDir()
	db, err := badger.Open(badger.DefaultOptions(dir).WithLogger(nil).WithMetricsEnabled(false).WithCompression(options.None))
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if err := db.Update(func(txn *badger.Txn) error {
			return txn.Set(fmt.Appendf(nil, "row %d", i), fmt.Appendf(nil, "value %d", i))
		}); err != nil {
			t.Fatal(err)
		}
	}
	log = one(t, dir, "*.mem")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return log, one(t, dir, "*.sst")
}

func one(t testing.TB, dir, pattern string) []byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(names) != 1 {
		t.Fatalf("%s: %v, %v", pattern, names, err)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestWhatBadgerWritesIsRead fails when Badger changes its files.
func TestWhatBadgerWritesIsRead(t *testing.T) {
	const rows = 300
	log, table := files(t, rows)
	for name, read := range map[string]func(func(Row)) int{
		"a table":                  func(yield func(Row)) int { return readTable(table, yield) },
		"a table without an index": func(yield func(Row)) int { return searchBlocks(table, yield) },
		"a log":                    func(yield func(Row)) int { return readLog(log, yield) },
	} {
		found := make(map[string]string)
		read(func(row Row) {
			if !row.Deleted {
				found[string(row.Key)] = string(row.Value)
			}
		})
		for i := range rows {
			if got, want := found[fmt.Sprintf("row %d", i)], fmt.Sprintf("value %d", i); got != want {
				t.Errorf("%s: row %d is %q, want %q", name, i, got, want)
				break
			}
		}
	}
	if whole := WholeLog(log); len(whole) <= LogHeader || len(readAll(whole)) < rows {
		t.Errorf("%d bytes of a whole log of %d rows, %d of them", len(whole), rows, len(readAll(whole)))
	}
	ends := len(WholeLog(log))
	if cut := WholeLog(log[:ends-1]); len(cut) == 0 || len(cut) >= ends || len(readAll(cut)) >= len(readAll(log)) {
		t.Errorf("of a log of %d bytes without its last one %d are whole", ends, len(cut))
	}
}

func readAll(log []byte) (rows []Row) {
	readLog(slices.Clone(log), func(row Row) { rows = append(rows, row.Clone()) })
	return rows
}

// FuzzFiles reads whatever may stand in a damaged table or log.
func FuzzFiles(f *testing.F) {
	log, table := files(f, 3)
	f.Add(table)
	f.Add(log[:4<<10])
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, read := range []func([]byte, func(Row)) int{readTable, searchBlocks, readLog} {
			if spoiled := read(slices.Clone(data), func(Row) {}); spoiled > len(data) {
				t.Errorf("%d bytes of %d are spoiled", spoiled, len(data))
			}
		}
	})
}
