package ndb

import (
	"os"

	"golang.org/x/sys/unix"
)

// takeSpace makes a file of that length, with all of it on disk.
func takeSpace(file *os.File, bytes int64) error {
	return unix.Fallocate(int(file.Fd()), 0, 0, bytes)
}
