package ndb

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"testing"
)

// TestAStoreWhoseFolderIsGoneIsClosedAllTheSame: Badger would try for ever to write
// down what it holds in memory.
func TestAStoreWhoseFolderIsGoneIsClosedAllTheSame(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no folder can be deleted there whose files are open")
	}
	s, _ := openTest(t)
	put(t, s, newPerson(1).signs(t, 1, testNow, "hello"))
	if err := os.RemoveAll(s.dir); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
