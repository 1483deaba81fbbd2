package ndb

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Salvage and RestoreOver make a new store beside the old one and exchange the two at the
// end. A kill may come between any two steps; the next Open puts a finished store in
// place.

const (
	repairedSuffix = ".repaired" // of the folder in which the new store is made
	repairedName   = "repaired"  // file in it, once it is whole
)

// markWhole records that the new store is whole. The old one must still be locked:
// whoever locks it next removes a new store that is not whole.
func markWhole(build string) error {
	return notWritable(os.WriteFile(filepath.Join(build, repairedName), nil, 0o600))
}

// isWhole reports whether a new store is whole.
func isWhole(build string) bool {
	_, err := os.Stat(filepath.Join(build, repairedName))
	return err == nil
}

// dropBuild removes a new store that a kill kept from becoming whole. The caller has
// locked the old one.
func dropBuild(dir string) error {
	build := dir + repairedSuffix
	if _, err := os.Stat(filepath.Join(build, repairedName)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(build)
}

// dropSpareBuild removes a whole new store that a kill kept from its place, once the old
// one is open and sound: everything that the repair read is there. An empty old store
// holds nothing of it.
func (s *Store) dropSpareBuild(st state) error {
	if st.fresh {
		return nil
	}
	if err := os.RemoveAll(s.dir + repairedSuffix); err != nil {
		return fmt.Errorf("remove what a repair has left: %w", err)
	}
	return nil
}

// swap puts the new store in place of the old one, which is renamed.
func swap(dir, build, aside string) (string, error) {
	err := os.Rename(dir, aside)
	if errors.Is(err, fs.ErrNotExist) { // it was empty, and another process has removed it
		return "", finishSwap(dir)
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("set aside what was there: %w", err), os.RemoveAll(build))
	}
	return aside, finishSwap(dir)
}

// finishSwap moves a repaired or restored store to its place if a kill prevented that. If
// several processes try, one of them does it.
func finishSwap(dir string) error {
	build := dir + repairedSuffix
	if !isWhole(build) {
		return nil
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := os.Rename(build, dir); err != nil {
		if _, gone := os.Stat(build); errors.Is(gone, fs.ErrNotExist) {
			return nil // moved by another process
		}
		return notWritable(fmt.Errorf("put the new store in its place: %w", err))
	}
	if err := os.Remove(filepath.Join(dir, repairedName)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// makeRoom removes a folder that holds nothing but an unused lock, where a new store is
// waiting for its place: a restore to an empty place made the folder, and was killed.
func makeRoom(dir string) error {
	if !isWhole(dir+repairedSuffix) || !holdsNothing(dir) {
		return nil
	}
	lock, err := acquireLock(dir, false)
	if err != nil {
		return err
	}
	if lock, err = lock.untilMoved(); err != nil {
		return err
	}
	return errors.Join(removeLocked(dir), lock.release())
}

func holdsNothing(dir string) bool {
	found, err := os.ReadDir(dir)
	return err == nil && !slices.ContainsFunc(found, func(f fs.DirEntry) bool { return f.Name() != lockName })
}

// The name of a store that was set aside says why and when.
const (
	asideDamaged = "-damaged-" // by Salvage
	asideBefore  = "-before-"  // by RestoreOver
	asideTime    = "20060102-150405"
)

// asideName returns where the old store is kept: its own name, why, and the time.
func asideName(dir, why string, now time.Time) string {
	dated := dir + why + now.UTC().Format(asideTime)
	name := dated
	for i := 2; ; i++ {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name
		}
		name = fmt.Sprintf("%s-%d", dated, i)
	}
}

// Leftovers returns the folders beside a store that hold earlier contents: the stores
// that Salvage and RestoreOver have set aside, and a new one that did not reach its
// place.
func Leftovers(dir string) ([]string, error) {
	files, err := os.ReadDir(filepath.Dir(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var left []string
	for _, file := range files {
		rest, ok := strings.CutPrefix(file.Name(), filepath.Base(dir))
		if ok && (rest == repairedSuffix || isAside(rest)) {
			left = append(left, filepath.Join(filepath.Dir(dir), file.Name()))
		}
	}
	return left, err
}

// isAside reports whether a name ends as asideName makes it.
func isAside(end string) bool {
	for _, why := range []string{asideDamaged, asideBefore} {
		if dated, ok := strings.CutPrefix(end, why); ok && len(dated) >= len(asideTime) {
			_, err := time.Parse(asideTime, dated[:len(asideTime)])
			return err == nil
		}
	}
	return false
}

// removeLocked removes a folder that holds nothing but a lock.
func removeLocked(dir string) error {
	return errors.Join(os.Remove(filepath.Join(dir, lockName)), os.Remove(dir))
}
