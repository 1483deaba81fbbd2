package ndb

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAStoreIsLookedAtWhereNoLinksAreMadeIfThereIsRoomForACopy(t *testing.T) {
	dir := t.TempDir()
	openOnce(t, dir, Options{}, func(s *Store) { layered(t, s) })
	tables, _, err := databaseFiles(dir)
	if err != nil || len(tables) == 0 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	size := int64(0)
	for _, name := range tables {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	noLinks := func(string, string) error { return &os.LinkError{Op: "link", Err: syscall.EPERM} }
	for _, c := range []struct {
		name string
		free int64
		link func(from, to string) error
		want error
	}{
		{"with links a little is enough", minFreeSpace + 1<<20, os.Link, nil},
		{"without, the tables have to fit", minFreeSpace + size + 1<<20, noLinks, nil},
		{"or nothing is copied", minFreeSpace + size - 1<<20, noLinks, ErrNoSpace},
		{"a disk that is full anyway", minFreeSpace - 1, os.Link, ErrNoSpace},
	} {
		t.Run(c.name, func(t *testing.T) {
			on := disk{func(string) (int64, error) { return c.free, nil }, c.link}
			report, err := probe(t.Context(), dir, false, nil, on)
			if !errors.Is(err, c.want) || report.BadCount > 0 {
				t.Errorf("%v, %v", report, err)
			}
			if c.want != nil && !strings.Contains(fmt.Sprint(err), "MB are left") {
				t.Errorf("it does not say how much is left: %v", err)
			}
			left, err := filepath.Glob(filepath.Join(dir, clonePrefix+"*"))
			if err != nil || len(left) > 0 {
				t.Errorf("left behind: %q, %v", left, err)
			}
		})
	}
}

// A first try has linked the tables; a second one that cannot link copies.
func TestALookThatIsTriedAgainWritesToNoTableOfTheStore(t *testing.T) {
	s, _ := openTest(t)
	dir := s.dir
	me := newPerson(1)
	put(t, s, me.signs(t, 1, testNow-1000, "hello"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	tables, _, err := databaseFiles(dir)
	if err != nil || len(tables) == 0 {
		t.Fatal(tables, err)
	}
	before := readFile(t, filepath.Join(dir, tables[0]))
	clone, err := os.MkdirTemp(dir, clonePrefix)
	if err != nil {
		t.Fatal(err)
	}
	if err := fillClone(dir, clone, disk{FreeSpace, os.Link}); err != nil {
		t.Fatal(err)
	}
	err = fillClone(dir, clone, disk{FreeSpace, func(a, b string) error { return errors.New("transient") }})
	if after := readFile(t, filepath.Join(dir, tables[0])); err != nil || !bytes.Equal(before, after) {
		t.Errorf("%v; the store's own table had %d bytes and has %d", err, len(before), len(after))
	}
}
