package ndb

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bowerbird/ndb/nostr"
)

// pendingSwap is a place where a repair was killed before its last step: the new store
// lies beside, and there is none in its place.
func pendingSwap(t *testing.T, dir string) {
	t.Helper()
	openOnce(t, dir+repairedSuffix, Options{}, func(s *Store) { put(t, s, newPerson(1).signs(t, 1, testNow, "mended")) })
	if err := markWhole(dir + repairedSuffix); err != nil {
		t.Fatal(err)
	}
}

func TestOpeningForReadingFinishesNoRepair(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "own")
	pendingSwap(t, dir)
	s, err := Open(dir, Options{ReadOnly: true})
	if err == nil {
		s.Close()
	}
	if !errors.Is(err, ErrReadOnly) {
		t.Errorf("got %v", err)
	}
	if !isWhole(dir+repairedSuffix) || exists(dir) {
		t.Error("something was moved")
	}
	s = openDir(t, dir, Options{Now: (&clock{testNow}).now})
	if have := contents(query(t, s, nostr.Filter{})); !slices.Equal(have, []string{"mended"}) {
		t.Errorf("opened for writing it holds %q", have)
	}
}

func TestWhatARepairMadeAndDidNotNeedIsRemovedOnceTheStoreIsOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "own")
	openOnce(t, dir, Options{}, func(s *Store) { put(t, s, newPerson(1).signs(t, 1, testNow, "here all the time")) })
	pendingSwap(t, dir)
	openOnce(t, dir, Options{}, func(s *Store) {
		if have := contents(query(t, s, nostr.Filter{})); !slices.Equal(have, []string{"here all the time"}) {
			t.Errorf("it holds %q", have)
		}
	})
	if exists(dir + repairedSuffix) {
		t.Error("the copy is still there")
	}
}

func TestARestorationOverABrokenOffRepairKeepsWhatThatHasMade(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "own")
	pendingSwap(t, dir)
	file := backupOf(t, "of the backup")
	defer file.Close()
	aside, err := RestoreOver(t.Context(), dir, file, time.Unix(testNow, 0))
	if err != nil {
		t.Fatal(err)
	}
	openOnce(t, aside, Options{}, func(s *Store) {
		if have := contents(query(t, s, nostr.Filter{})); !slices.Equal(have, []string{"mended"}) {
			t.Errorf("set aside is %q", have)
		}
	})
}

// backupOf returns a backup of a store with one note.
func backupOf(t *testing.T, note string) *os.File {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "backup"))
	if err != nil {
		t.Fatal(err)
	}
	openOnce(t, t.TempDir(), Options{}, func(s *Store) {
		put(t, s, newPerson(1).signs(t, 1, testNow, note))
		if _, err := s.Backup(t.Context(), file); err != nil {
			t.Fatal(err)
		}
	})
	if _, err := file.Seek(0, 0); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestNobodyMakesAnEmptyStoreWhileAnotherTakesItsPlace(t *testing.T) {
	root := t.TempDir()
	for round := range 100 {
		dir := filepath.Join(root, string(rune('a'+round%26)), "own")
		build := dir + repairedSuffix
		for _, made := range []string{dir, build} {
			if err := os.MkdirAll(made, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(markWhole(build), os.WriteFile(filepath.Join(dir, "old"), nil, 0o600), os.WriteFile(filepath.Join(build, "new"), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		var done atomic.Bool
		s := newStore(dir, withDefaults(Options{}))
		start := make(chan struct{})
		for range 4 {
			group.Go(func() {
				<-start
				for !done.Load() {
					if err := s.prepareDir(); err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Go(func() {
			<-start
			if _, err := swap(dir, build, dir+"-aside"); err != nil {
				t.Error(err)
			}
			done.Store(true)
		})
		close(start)
		group.Wait()
		if !exists(filepath.Join(dir, "new")) || exists(build) {
			t.Fatalf("round %d: the new store is not in its place", round)
		}
		if err := os.RemoveAll(filepath.Dir(dir)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestALockOnAFolderThatWasExchangedIsNone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "own")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	lock, err := acquireLock(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, lockName)
	if !isAt(lock.file, path) {
		t.Error("the lock is not its own")
	}
	if err := os.Rename(dir, dir+"-aside"); err != nil {
		t.Skip("a folder with an open file cannot be renamed here:", err)
	}
	if isAt(lock.file, path) {
		t.Error("with the folder gone")
	}
	if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if isAt(lock.file, path) {
		t.Error("with another folder in its place")
	}
	if err := lock.release(); err != nil {
		t.Error(err)
	}
}

func TestLeftoversAreWhatRepairsAndRestorationsHaveMade(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "own [1]")
	at := time.Unix(testNow, 0)
	var want []string
	make := func(path string) string {
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	make(dir)
	for _, why := range []string{asideBefore, asideDamaged} {
		want = append(want, make(asideName(dir, why, at)))
		want = append(want, make(asideName(dir, why, at))) // another of that second
	}
	want = append(want, make(dir+repairedSuffix))
	for _, strange := range []string{dir + "-before-the-holidays", dir + "-damaged-", dir + "-letters", filepath.Join(parent, "other.repaired")} {
		make(strange)
	}
	have, err := Leftovers(dir)
	slices.Sort(have)
	slices.Sort(want)
	if err != nil || !slices.Equal(have, want) {
		t.Errorf("got %q, %v; want %q", have, err, want)
	}
	if have, err := Leftovers(filepath.Join(parent, "nowhere", "own")); len(have) > 0 || err != nil {
		t.Errorf("where there is nothing: %q, %v", have, err)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// A restoration onto nothing makes the folder first, to lock it.
func TestARestorationOntoNothingThatWasKilledAtItsEndIsFinished(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "notes")
	note := newPerson(1).signs(t, 1, testNow-1, "restored")
	openOnce(t, dir+repairedSuffix, Options{}, func(s *Store) { put(t, s, note) })
	if err := errors.Join(markWhole(dir+repairedSuffix), os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, lockName), []byte("1\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		openOnce(t, dir, Options{}, func(s *Store) {
			if !isThere(t, s, note) {
				t.Error("it is not in its place")
			}
		})
	}
	if _, err := os.Stat(dir + repairedSuffix); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still beside it: %v", err)
	}
}
