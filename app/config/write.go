package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const unfinished = ".settings-" // begins the name of a file that is being written

// WriteFile writes a file completely or not at all, readable by the user alone.
func WriteFile(file string, raw []byte) error {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, unfinished+"*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }() // no longer there if all went well
	_, err = tmp.Write(raw)
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}

// DropUnfinished removes what a kill left of writing a file beside the settings.
func DropUnfinished(file string) error {
	if _, err := os.Stat(filepath.Dir(file)); errors.Is(err, fs.ErrNotExist) {
		return nil // without making a folder just to look
	}
	return Exclusively(file, func() error {
		entries, err := os.ReadDir(filepath.Dir(file))
		for _, entry := range entries {
			if strings.HasPrefix(entry.Name(), unfinished) {
				err = errors.Join(err, os.Remove(filepath.Join(filepath.Dir(file), entry.Name())))
			}
		}
		return err
	})
}

// lockName is the file in a folder that is locked while another file in it is changed. It
// is empty and stays: removing it would let two processes in at once.
const lockName = ".bowerbird.lock"

// LockFile returns the path of the file that Exclusively locks for a file.
func LockFile(file string) string { return filepath.Join(filepath.Dir(file), lockName) }

// ErrBusy is returned if another Bowerbird has been changing the same files for longer
// than that ever takes.
var ErrBusy = errors.New("another Bowerbird is changing it; try again")

// How long to wait for another process, which needs a second at most, for a new password;
// and how often to try.
const (
	lockWait = 10 * time.Second
	lockLook = 5 * time.Millisecond
)

// errHeld is returned by tryLock while somebody else has the lock.
var errHeld = errors.New("locked")

// Exclusively runs do while no other process, and nobody else in this one, changes the
// files in the folder of file: what do reads there does not change until it has written.
// do must not call it. A lock ends with its process.
//
// If a folder supports no locks, as some network drives, do runs without one; if it
// accepts no files at all, do will run into that too, with a better error.
func Exclusively(file string, do func() error) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return do()
	}
	lock, err := os.OpenFile(LockFile(file), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return do()
	}
	defer func() { _ = lock.Close() }() // releases the lock
	for waited := time.Duration(0); ; waited += lockLook {
		err := tryLock(lock)
		if !errors.Is(err, errHeld) {
			return do()
		}
		if waited >= lockWait {
			return fmt.Errorf("changing %s: %w", file, ErrBusy)
		}
		time.Sleep(lockLook)
	}
}
