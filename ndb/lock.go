package ndb

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// dirLock keeps other processes out of a store's folder. The lock is the operating
// system's, so it ends with the process, however that ends; the process id in the file is
// for messages.
type dirLock struct{ file *os.File }

const lockName = "store.lock"

// InUse returns who has the store in a folder open, as an *InUseError, or nil if nobody
// has.
func InUse(dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	lock, err := acquireLock(dir, false)
	if err != nil {
		return err
	}
	return lock.release()
}

// HoldForReading keeps others from writing to the store in a folder until release is
// called. The error is *InUseError if somebody has it open for writing.
func HoldForReading(dir string) (release func() error, err error) {
	lock, err := acquireLock(dir, true)
	return lock.release, err
}

// acquireLock locks the folder, shared if it is for reading only. If there is no lock
// file, nobody has ever written, and a reader makes none.
func acquireLock(dir string, readOnly bool) (*dirLock, error) {
	path := filepath.Join(dir, lockName)
	flags := os.O_RDWR | os.O_CREATE
	if readOnly {
		flags = os.O_RDONLY
	}
	file, err := os.OpenFile(path, flags, 0o600)
	if readOnly && errors.Is(err, os.ErrNotExist) {
		return &dirLock{}, nil
	}
	if err != nil {
		return nil, notWritable(fmt.Errorf("open lock file: %w", err))
	}
	if err := lockFile(file, readOnly); err != nil {
		pid := readPID(file)
		if !readOnly && lockFile(file, true) == nil {
			pid = 0 // readers hold it, who leave no process id
		}
		file.Close()
		if errors.Is(err, errLocked) {
			return nil, &InUseError{Dir: dir, PID: pid}
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if !isAt(file, path) { // a repair has exchanged the folder since the file was opened
		pid := readPID(file)
		file.Close()
		return nil, &InUseError{Dir: dir, PID: pid}
	}
	if !readOnly {
		if err := writePID(file, strconv.Itoa(os.Getpid())+"\n"); err != nil {
			file.Close()
			return nil, notWritable(fmt.Errorf("write lock file: %w", err))
		}
	}
	return &dirLock{file}, nil
}

// release unlocks the folder. The file stays: removing it would race with a process that
// has just opened it.
func (l *dirLock) release() error {
	if l == nil || l.file == nil {
		return nil
	}
	return l.file.Close()
}

// untilMoved prepares for renaming the folder: the lock stays with it, except on Windows,
// where a folder with an open file cannot be renamed; there, whoever locks it first keeps
// it from being renamed.
func (l *dirLock) untilMoved() (*dirLock, error) {
	if runtime.GOOS != "windows" {
		return l, nil
	}
	return nil, l.release()
}

// isAt reports whether an open file is still the one at the path.
func isAt(file *os.File, path string) bool {
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(opened, named)
}

func readPID(file *os.File) int {
	text := make([]byte, 20)
	n, err := file.ReadAt(text, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text[:n])))
	if err != nil || pid < 0 {
		return 0
	}
	return pid
}

func writePID(file *os.File, text string) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.WriteAt([]byte(text), 0)
	return err
}
