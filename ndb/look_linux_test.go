package ndb

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// forgetPages has the system let go of what it holds of a folder's files in memory.
func forgetPages(t *testing.T, dir string) {
	t.Helper()
	for path := range sumsOf(t, dir) {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(file.Sync(), unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED), file.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// readOnlyPlace shows a folder at a place where nobody can write: it is mounted there
// for reading only, or, for who may not mount, its files and folders lose their
// permissions.
func readOnlyPlace(t *testing.T, dir string) string {
	t.Helper()
	place := t.TempDir()
	if err := unix.Mount(dir, place, "", unix.MS_BIND, ""); err != nil {
		forbidWriting(t, dir)
		return dir
	}
	t.Cleanup(func() {
		if err := unix.Unmount(place, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	if err := unix.Mount("", place, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	return place
}

func forbidWriting(t *testing.T, dir string) {
	t.Helper()
	for path := range sumsOf(t, dir) {
		if err := os.Chmod(path, 0o400); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
}

// The proof that looking and reading need no right to write, cut or remove anything.
func TestAStoreIsLookedAtAndReadWhereNothingCanBeWritten(t *testing.T) {
	for _, open := range []bool{false, true} {
		t.Run(fmt.Sprintf("killed %v", open), func(t *testing.T) {
			w := makeFaultWorld(t, rand.New(rand.NewPCG(4, 3)), open)
			before := sumsOf(t, w.dir)
			place := readOnlyPlace(t, w.dir)
			if err := os.WriteFile(filepath.Join(place, "new"), nil, 0o600); err == nil {
				t.Fatal("it can be written, so that nothing is shown")
			}
			for _, full := range []bool{false, true} {
				if report, err := Probe(t.Context(), place, full, nil); err != nil || report.BadCount > 0 {
					t.Errorf("full %v: %v, %v", full, report, err)
				}
			}
			s := openDir(t, place, Options{ReadOnly: true})
			w.mustHold(t, s, SalvageReport{}, new(damageTally))
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if !maps.Equal(before, sumsOf(t, w.dir)) {
				t.Error("the store is changed")
			}
		})
	}
}
