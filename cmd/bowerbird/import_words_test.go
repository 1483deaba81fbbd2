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
		"no line of it is an event":                   {"import", empty},
		"daily backups lie in":                        {"restore", filepath.Join(folder, "gone.backup")},
		"model read " + folder + ": this is a folder": {"model", "read", folder},
		"chat not found; \"bowerbird chats\" lists":   {"chats", "delete", "gone"},
		"there is no such file; check its path":       {"import", filepath.Join(folder, "gone.jsonl")},
		"this is a folder; name a file in it":         {"import", folder},
		"its folder does not exist; make it first":    {"backup", filepath.Join(folder, "gone", "mine.backup")},
	} {
		var stdout, stderr strings.Builder
		code := run(t.Context(), append([]string{"--data", t.TempDir()}, args...), streams{in: strings.NewReader(""), out: &stdout, err: &stderr})
		if code != 1 || !strings.Contains(stderr.String(), want) || !strings.Contains(stderr.String(), args[len(args)-1]) {
			t.Errorf("%v: exit code %d, %q, want %q", args, code, stderr.String(), want)
		}
	}
}
