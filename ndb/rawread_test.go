package ndb

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bowerbird/ndb/nostr"
)

// FuzzRawFiles reads whatever may stand in a damaged table or log.
func FuzzRawFiles(f *testing.F) {
	dir := f.TempDir()
	s, err := Open(dir, Options{FreeSpace: plenty})
	if err != nil {
		f.Fatal(err)
	}
	ctx := context.Background()
	if _, err := s.Put(ctx, Batch{Events: []*nostr.Event{newPerson(1).signs(f, 1, testNow, "a note to be found again", nostr.Tag{"t", "x"})}}); err != nil {
		f.Fatal(err)
	}
	logs, err := filepath.Glob(filepath.Join(dir, "*.mem"))
	if err != nil || len(logs) == 0 {
		f.Fatalf("logs %v, %v", logs, err)
	}
	log, err := os.ReadFile(logs[0])
	if err != nil {
		f.Fatal(err)
	}
	if err := s.Close(); err != nil {
		f.Fatal(err)
	}
	tables, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	if err != nil || len(tables) == 0 {
		f.Fatalf("tables %v, %v", tables, err)
	}
	table, err := os.ReadFile(tables[0])
	if err != nil {
		f.Fatal(err)
	}
	if n := count(rawTable, table); n == 0 || n != count(searchBlocks, table) || count(rawLog, log[:8<<10]) < n/2 {
		f.Fatalf("%d rows are read by the index, %d without, %d of the log", n, count(searchBlocks, table), count(rawLog, log[:8<<10]))
	}
	f.Add(table)
	f.Add(log[:4<<10])
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, read := range []func([]byte, func(rawRow)) int{rawTable, searchBlocks, rawLog} {
			if spoiled := read(slices.Clone(data), func(rawRow) {}); spoiled > len(data) {
				t.Errorf("%d bytes of %d are spoiled", spoiled, len(data))
			}
		}
	})
}

func count(read func([]byte, func(rawRow)) int, data []byte) (rows int) {
	read(slices.Clone(data), func(rawRow) { rows++ })
	return rows
}

func FuzzWitness(f *testing.F) {
	w := witness{schema: 2, clean: true, seq: 7, manifest: fileSum{100, 12345}}
	f.Add(w.encode())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := decodeWitness(data)
		if err != nil {
			return
		}
		if again, err := decodeWitness(w.encode()); err != nil || again != w {
			t.Errorf("%+v comes back as %+v, %v", w, again, err)
		}
	})
}
