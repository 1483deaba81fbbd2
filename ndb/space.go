package ndb

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// How much of the disk must be free, in bytes: to store events; to open a store for
// writing; and, once the reserves of two stores are subtracted, to keep small values,
// remove what is old, and compact.
const (
	spaceToStore = 256 << 20
	spaceToOpen  = 128 << 20
	spaceToTidy  = spaceToOpen - 2*reserveBytes
)

// The reserve is a file that takes up disk space while the store is open for writing, so
// that there is some for closing it: Badger then writes its newest table to a mapped
// file, and if the disk has no space for that, the system ends the process. No write
// begins on a disk that is nearly full (needSpace), but other programs may fill it
// meanwhile.
const (
	reserveName  = "reserve"
	reserveBytes = 32 << 20 // more than the newest table takes
)

// makeReserve takes the space. If that fails, the store works all the same.
func makeReserve(dir string) error {
	file, err := os.OpenFile(filepath.Join(dir, reserveName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(takeSpace(file, reserveBytes), file.Close())
}

// freeReserve gives the space back.
func freeReserve(dir string) error {
	err := os.Remove(filepath.Join(dir, reserveName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
