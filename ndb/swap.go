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

// Salvage and RestoreOver make a new store beside the old one and exchange the two at
// the end. A kill may come between any two steps; the next Open finishes what is whole.

const (
	repairedSuffix = ".repaired" // of the folder in which the new store is made
	repairedName   = "repaired"  // file in it, once it is whole
)

// markWhole says that the new store is whole, which must be said while the old one is
// still locked: what is not whole, the next to lock that one removes.
func markWhole(build string) error {
	return notWritable(os.WriteFile(filepath.Join(build, repairedName), nil, 0o600))
}

// isWhole reports whether a new store is.
func isWhole(build string) bool {
	_, err := os.Stat(filepath.Join(build, repairedName))
	return err == nil
}

// dropBuild removes a new store that a kill has kept from becoming whole. Whoever calls
// it has locked the old one.
func dropBuild(dir string) error {
	build := dir + repairedSuffix
	if _, err := os.Stat(filepath.Join(build, repairedName)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(build)
}

// dropSpareBuild removes a new store that was whole when a kill kept it from its place,
// once the old one is open and sound: all that a repair read is there. An empty one
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

// swap puts the new store in the place of the old one, which is renamed.
func swap(dir, build, aside string) (string, error) {
	err := os.Rename(dir, aside)
	if errors.Is(err, fs.ErrNotExist) { // it was empty, and another process has made room
		return "", finishSwap(dir)
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("set aside what was there: %w", err), os.RemoveAll(build))
	}
	return aside, finishSwap(dir)
}

// finishSwap moves a repaired or restored store into its place, where a kill has kept it
// from getting there. Several processes may be at it: one of them does it.
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
			return nil // to its place, by another process
		}
		return notWritable(fmt.Errorf("put the new store in its place: %w", err))
	}
	if err := os.Remove(filepath.Join(dir, repairedName)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// makeRoom removes a folder that holds nothing but a lock that nobody has, where a new
// store waits for its place: a restoration onto nothing has made it, and was killed.
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

// Why a store was set aside, and when, is in its name.
const (
	asideDamaged = "-damaged-" // by Salvage
	asideBefore  = "-before-"  // by RestoreOver
	asideTime    = "20060102-150405"
)

// asideName is where what was there is kept: its own name, why, and the time.
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

// Leftovers returns the folders beside a store's that hold what was in it at some time:
// the stores that Salvage and RestoreOver have set aside, and a new one that did not
// come to its place.
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

// isAside reports whether asideName has made the end of a name.
func isAside(end string) bool {
	for _, why := range []string{asideDamaged, asideBefore} {
		if dated, ok := strings.CutPrefix(end, why); ok && len(dated) >= len(asideTime) {
			_, err := time.Parse(asideTime, dated[:len(asideTime)])
			return err == nil
		}
	}
	return false
}

// removeLocked removes a folder in which there is nothing but a lock.
func removeLocked(dir string) error {
	return errors.Join(os.Remove(filepath.Join(dir, lockName)), os.Remove(dir))
}
