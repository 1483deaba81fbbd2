package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A first start where the data folder cannot be made says so and names the way out; once
// there is a store, another folder would hide it.
func TestADataFolderThatCannotBeMadeSaysWhatToDo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"stats"}, {"--sample", "stats"}, {"import", "-"}} {
		r := bowerbird(t, "", append([]string{"--data", filepath.Join(file, "below"), "--config", emptySettings(t)}, args...)...)
		if r.code != exitUnusable || !strings.Contains(r.err, "store cannot be written") || !strings.Contains(r.err, file) ||
			!strings.Contains(r.err, "--data FOLDER or $BOWERBIRD_DATA") {
			t.Errorf("%q ends with %d and %q", args, r.code, r.err)
		}
	}
}

func TestAFolderWithAnyNameIsUsed(t *testing.T) {
	data := filepath.Join(t.TempDir(), "Jürgen 🐦 O'Neil", "日本語 & more")
	for range 2 {
		if r := bowerbird(t, "", "--data", data, "--sample", "stats"); r.code != exitDone || !strings.Contains(r.out, "events by") {
			t.Fatalf("it ends with %d: %s%s", r.code, r.out, r.err)
		}
	}
}

func emptySettings(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "settings.toml")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
