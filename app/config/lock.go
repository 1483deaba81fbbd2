package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// lockName is the file in a folder that is locked while another one in it is changed.
// It is empty, and stays: whoever removed it would let two in at a time.
const lockName = ".bowerbird.lock"

// LockFile returns the file that Exclusively locks for a file.
func LockFile(file string) string { return filepath.Join(filepath.Dir(file), lockName) }

// ErrBusy says that another Bowerbird has been changing the same files for longer than
// anybody does.
var ErrBusy = errors.New("another Bowerbird is changing it; try again")

// How long to wait for another process, which needs a second at most, for a new
// password; and how often to look.
const (
	lockWait = 10 * time.Second
	lockLook = 5 * time.Millisecond
)

// errHeld is tryLock's answer while somebody else has the lock.
var errHeld = errors.New("locked")

// Exclusively runs do while no other process, and nobody else in this one, changes the
// files in the folder of file: what do reads there stays until it has written. It
// must not be called by do. A lock ends with its process.
//
// Where a folder takes no lock, on some network drives, do runs without one; where it
// takes no file at all, do will find that out too, and say it better.
func Exclusively(file string, do func() error) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return do()
	}
	lock, err := os.OpenFile(LockFile(file), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return do()
	}
	defer func() { _ = lock.Close() }() // gives the lock back
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
