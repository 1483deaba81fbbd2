// Package testkit holds what tests of several packages need: the place of shared
// test data, a scripted model server, and relays on loopback.
package testkit

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// Shared returns the path of a file or folder of the shared test data, which
// is beside the project where it exists at all. The test is skipped without it.
func Shared(t testing.TB, elem ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{filepath.Dir(Root(t)), "shared"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("shared test data %q is not here", filepath.Join(elem...))
	}
	return path
}

// Root returns the project's folder: the nearest one above that has the go.mod.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = parent
	}
}

// RealNotes returns the lines of the shared file of real events, each the JSON of one.
func RealNotes(t testing.TB) [][]byte {
	t.Helper()
	data, err := os.ReadFile(Shared(t, "data", "real-notes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	if len(lines) < 2000 {
		t.Fatalf("%d real notes, want at least 2000", len(lines))
	}
	return lines
}
