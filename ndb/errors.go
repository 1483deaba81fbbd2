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
	// ErrUnreadable comes with the file that the program may not read.
	ErrUnreadable = errors.New("a file of the store may not be read")
	ErrDamaged    = errors.New("store is damaged")
	// ErrCrash comes with ErrDamaged if the only evidence is that the check crashed.
	ErrCrash = errors.New("looking at it crashed")
)

// InUseError is returned when another process has the store open.
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

// NewerError is returned when a newer version of the program wrote the store.
type NewerError struct {
	Dir         string
	Have, Known int // schema versions
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("store %s has schema version %d, this program knows %d: use the newer program", e.Dir, e.Have, e.Known)
}

// notWritable marks an error of the file system as ErrReadOnly if writing is not
// permitted, or not possible because a file is in the place of a folder.
func notWritable(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOTDIR) {
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	return err
}

// notReadable marks a read error of the file system as ErrUnreadable if reading is not
// permitted.
func notReadable(err error) error {
	if file, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: %s; give it the owner and the permissions of the files beside it, and try again", ErrUnreadable, file.Path)
	}
	return err
}

// openError classifies a failure to open: permissions, the computer's resources, or else
// the files.
func openError(dir string, err error) error {
	if err := notWritable(err); errors.Is(err, ErrReadOnly) || errors.Is(err, ErrUnreadable) || errors.Is(err, ErrDamaged) {
		return fmt.Errorf("open store %s: %w", dir, err)
	}
	if ofTheSystem(err) {
		return fmt.Errorf("open store %s: %w", dir, err)
	}
	first, _, _ := strings.Cut(err.Error(), "\n") // Badger appends a stack trace
	return fmt.Errorf("%w: open %s: %s", ErrDamaged, dir, first)
}

// ofTheSystem reports whether the system refuses to do something, for lack of resources
// or permission or for reasons of its own: the store is not damaged then. Files that are
// missing and a disk that cannot be read do count as damage.
func ofTheSystem(err error) bool {
	_, ofFile := errors.AsType[*fs.PathError](err)
	_, ofSystem := errors.AsType[syscall.Errno](err)
	return (ofFile || ofSystem) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.EIO)
}

// errLocked is returned by lockFile when another process holds the lock.
var errLocked = errors.New("locked")
