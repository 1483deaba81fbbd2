package ndb

import (
	"errors"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// forgetPages has the system let go of what it holds of a folder's files in memory.
func forgetPages(t *testing.T, dir string) {
	t.Helper()
	for path := range sumsOf(t, dir) {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(file.Sync(), unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED), file.Close()); err != nil {
			t.Fatal(err)
		}
	}
}
