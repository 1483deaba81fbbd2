package app

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"bowerbird/app/config"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// contents are all files below a folder. Who has opened a store stands in its lock.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == "store.lock" {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, path))
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A look at notes that a kill has left may crash for want of memory, or by a fault of
// ours. That is no proof that anything is wrong with them.
func TestACrashOfTheLookAloneMovesNothing(t *testing.T) {
	who := newCircle("ada")
	live := t.TempDir()
	a := who.reading(t, config.Locate(live, ""), "ws://127.0.0.1:9")
	defer closeApp(t, a)
	batch := ndb.Batch{}
	for _, raw := range who.notes(t, 50) {
		e, err := nostr.ParseEvent(raw)
		if err != nil {
			t.Fatal(err)
		}
		batch.Events = append(batch.Events, e)
	}
	if _, err := a.notes.Put(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	for _, crash := range []bool{true, false} {
		killed := filepath.Join(t.TempDir(), "killed")
		if err := os.CopyFS(killed, os.DirFS(live)); err != nil {
			t.Fatal(err)
		}
		before, places, looked := contents(t, killed), config.Locate(killed, ""), 0
		for _, access := range []Access{Write, WriteOrRead, Read} {
			b, err := Open(t.Context(), Options{Places: places, Access: access, Examine: func(ctx context.Context, dir string, full bool, progress func(int, int)) (ndb.CheckReport, error) {
				if dir != places.Notes {
					return ndb.Probe(ctx, dir, full, progress)
				}
				looked++
				return ndb.CheckReport{Bad: []string{"out of memory"}, BadCount: 1, Crash: crash}, nil
			}})
			if err == nil {
				closeApp(t, b)
			}
			switch {
			case !crash:
			case !errors.Is(err, ndb.ErrCrash):
				t.Errorf("opened with access %d: %v", access, err)
			case !maps.Equal(before, contents(t, killed)):
				t.Errorf("opening with access %d has changed something", access)
			}
		}
		if looked == 0 {
			t.Error("nobody looked: nothing is shown")
		}
		aside, err := filepath.Glob(places.Notes + "-damaged-*")
		if err != nil || (len(aside) == 0) != crash { // what a look finds is mended, and set aside
			t.Errorf("crash %v: set aside is %q, %v", crash, aside, err)
		}
	}
}
