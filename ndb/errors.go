package ndb

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// Errors a caller can act on, by errors.Is.
var (
	ErrNotFound = errors.New("not found")
	ErrClosed   = errors.New("store is closed")
	ErrNoSpace  = errors.New("too little free space on the disk")
	ErrReadOnly = errors.New("store cannot be written")
	ErrDamaged  = errors.New("store is damaged")
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
