package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a file is called, and what stands in it, is text by others too: it does nothing in
// the terminal.
func TestTheNameAndTheLinesOfAnImportedFileDoNothingInATerminal(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	file := filepath.Join(t.TempDir(), "notes\x1b]0;owned\x07\x1b[2J\u202elnosj.jsonl")
	lines := "{\"id\":\"\x1b[31m\"}\n\x1b[2J no event\n{\"kind\":\"\\u001b[31m\"}\n" +
		`{"id":"00","pubkey":"\u001b[5m","created_at":1,"kind":1,"tags":[],"content":"\u202e","sig":"\u001b[6m"}` + "\n"
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Skip(err) // a system without such names
	}
	for _, name := range []string{file, file + "x"} {
		var stdout, stderr strings.Builder
		run(t.Context(), []string{"--data", t.TempDir(), "import", name}, streams{in: strings.NewReader(""), out: &stdout, err: &stderr})
		said := stdout.String() + stderr.String()
		if strings.ContainsAny(said, "\x1b\x07\u202e") || !strings.Contains(said, "notes") {
			t.Errorf("printed %q", said)
		}
	}
}

func TestAFileThatIsNotThereIsSaidWithWhatToDo(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	folder := t.TempDir()
	empty := filepath.Join(folder, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"no line is an event":                         {"import", empty},
		"daily backups are in":                        {"restore", filepath.Join(folder, "gone.backup")},
		"model read " + folder + ": this is a folder": {"model", "read", folder},
		"chat not found; \"bowerbird chats\" lists":   {"chats", "delete", "gone"},
		"no such file; check its path":                {"import", filepath.Join(folder, "gone.jsonl")},
		"this is a folder; name a file in it":         {"import", folder},
		"a file cannot be made in its folder":         {"backup", filepath.Join(empty, "mine.backup")},
		"its folder does not exist; make it first":    {"backup", filepath.Join(folder, "gone", "mine.backup")},
	} {
		var stdout, stderr strings.Builder
		code := run(t.Context(), append([]string{"--data", t.TempDir()}, args...), streams{in: strings.NewReader(""), out: &stdout, err: &stderr})
		if code != 1 || !strings.Contains(stderr.String(), want) || !strings.Contains(stderr.String(), args[len(args)-1]) {
			t.Errorf("%v: exit code %d, %q, want %q", args, code, stderr.String(), want)
		}
	}
}

// everyByte returns the names and bytes of all files in a folder.
func everyByte(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			all.WriteString(path + "\n")
			return err
		}
		raw, err := os.ReadFile(path)
		all.WriteString(path + "\x00" + string(raw) + "\x00")
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return all.String()
}

func TestNothingIsWrittenForWhatCannotBeDone(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	gone := filepath.Join(t.TempDir(), "gone.jsonl")
	_, file := world(t)
	there, fresh := t.TempDir(), filepath.Join(t.TempDir(), "data")
	if r := bowerbird(t, "", "--data", there, "import", file); r.code != exitDone {
		t.Fatalf("import: %+v", r)
	}
	for _, data := range []string{there, fresh} {
		before := everyByte(t, data)
		for _, tt := range []struct {
			code int
			want string
			args []string
		}{
			{exitFailed, "no such file", []string{"import", gone}},
			{exitFailed, "import " + filepath.Dir(gone) + ": this is a folder", []string{"import", gone, filepath.Dir(gone)}},
			{exitUsage, `no provider is called "foo"`, []string{"ask", "--model", "foo:bar", "hello"}},
			{exitUsage, "want PROVIDER:MODEL", []string{"ask", "--model", "bar", "hello"}},
			{exitUsage, "builtin:digest", []string{"ask", "--model", "builtin:other", "hello"}},
			{exitUsage, "not a key", []string{"ask", "--as", "nobody@@", "hello"}},
			{exitUsage, "http://x", []string{"sync", "--relay", "http://x"}},
			{exitUsage, "--base-url", []string{"ask", "--model", "custom:bar", "hello"}},
		} {
			r := bowerbird(t, "", append([]string{"--data", data}, tt.args...)...)
			if r.code != tt.code || !strings.Contains(r.err, tt.want) {
				t.Errorf("%v: exit code %d, %q, want %d, %q", tt.args, r.code, r.err, tt.code, tt.want)
			}
			if everyByte(t, data) != before {
				t.Fatalf("%v changed the folder", tt.args)
			}
		}
	}
	if r := bowerbird(t, "", "--data", fresh, "import", gone, file); r.code != exitFailed || !strings.Contains(r.out, "stored") {
		t.Errorf("one file of two is there: %+v", r)
	}
}
