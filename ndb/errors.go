package ndb

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// Errors a caller can act on, by errors.Is.
var (
	ErrNotFound = errors.New("not found")
	ErrClosed   = errors.New("store is closed")
	ErrNoSpace  = errors.New("too little free space on the disk")
	ErrReadOnly = errors.New("store cannot be written")
	// ErrUnreadable comes with the file that the system does not let the program read.
	ErrUnreadable = errors.New("a file of the store may not be read")
	ErrDamaged    = errors.New("store is damaged")
	// ErrCrash comes with ErrDamaged where all that shows it is that looking crashed.
	ErrCrash = errors.New("looking at it crashed")
)

// InUseError says that another process has the store open.
type InUseError struct {
	Dir string
	PID int // 0 when unknown
}

func (e *InUseError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("store %s is already open by another process", e.Dir)
	}
	return fmt.Sprintf("store %s is already open by process %d", e.Dir, e.PID)
}

// NewerError says that the store was written by a newer version of the program.
type NewerError struct {
	Dir         string
	Have, Known int // schema versions
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("store %s has schema version %d, this program knows %d: use the newer program", e.Dir, e.Have, e.Known)
}

// notWritable gives an error of the file system the kind ErrReadOnly where it
// says that writing is not permitted.
func notWritable(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	return err
}

// notReadable gives an error of the file system, met in reading, the kind ErrUnreadable
// where it says that reading is not permitted.
func notReadable(err error) error {
	if file, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: %s; give it the owner and the permissions of the files beside it, and try again", ErrUnreadable, file.Path)
	}
	return err
}

// openError says of what kind a failure to open is: of permissions, of the
// computer's means, and else of the files.
func openError(dir string, err error) error {
	if err := notWritable(err); errors.Is(err, ErrReadOnly) || errors.Is(err, ErrUnreadable) || errors.Is(err, ErrDamaged) {
		return fmt.Errorf("open store %s: %w", dir, err)
	}
	if ofTheSystem(err) {
		return fmt.Errorf("open store %s: %w", dir, err)
	}
	first, _, _ := strings.Cut(err.Error(), "\n") // Badger adds where it was
	return fmt.Errorf("%w: open %s: %s", ErrDamaged, dir, first)
}

// ofTheSystem reports whether the system refuses to do something, for want of means, of a
// permission, or for reasons of its own: that is no damage of the store. Files that are
// missing, and a disk that cannot be read, are.
func ofTheSystem(err error) bool {
	_, ofFile := errors.AsType[*fs.PathError](err)
	_, ofSystem := errors.AsType[syscall.Errno](err)
	return (ofFile || ofSystem) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.EIO)
}

// errLocked is lockFile's answer when another process holds the lock.
var errLocked = errors.New("locked")
