package ndb

import (
	"os"

	"golang.org/x/sys/unix"
)

// takeSpace makes a file as long as that, with all of it on the disk.
func takeSpace(file *os.File, bytes int64) error {
	return unix.Fallocate(int(file.Fd()), 0, 0, bytes)
}
