//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// redirectStderr makes a file the standard error and returns the previous one.
func redirectStderr(to *os.File) (was *os.File, err error) {
	const stderr = 2
	fd, err := unix.FcntlInt(stderr, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	if err := unix.Dup2(int(to.Fd()), stderr); err != nil {
		_ = unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), os.Stderr.Name()), nil
}
