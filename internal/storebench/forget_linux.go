package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropCache has the system drop what it holds of a file.
func dropCache(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
}
