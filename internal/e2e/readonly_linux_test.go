package e2e

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"bowerbird/app/config"
	"bowerbird/ndb"
)

// mounted is where a file system is put for a test, which is skipped where that is
// not permitted.
func mounted(t *testing.T, source, place, kind string, flags uintptr, options string) {
	t.Helper()
	if err := unix.Mount(source, place, kind, flags, options); err != nil {
		t.Skipf("nothing can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(place, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}

// readOnly shows a folder where nothing can be written, cut or removed.
func readOnly(t *testing.T, dir string) string {
	t.Helper()
	place := t.TempDir()
	mounted(t, dir, place, "", unix.MS_BIND, "")
	if err := unix.Mount("", place, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	return place
}

// nearlyFull copies a folder to a file system that has so many bytes left then.
func nearlyFull(t *testing.T, dir string, left int64) string {
	t.Helper()
	place := t.TempDir()
	mounted(t, "tmpfs", place, "tmpfs", 0, "size=600m")
	if err := os.CopyFS(filepath.Join(place, "data"), os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	leave(t, place, left)
	return filepath.Join(place, "data")
}

// leave fills a file system until so many bytes are left.
func leave(t *testing.T, place string, left int64) {
	t.Helper()
	file, err := os.Create(filepath.Join(place, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	free, err := ndb.FreeSpace(place)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Fallocate(int(file.Fd()), 0, 0, free-left); err != nil {
		t.Fatal(err)
	}
}

// sums are the sums of all files below a folder.
func sums(t *testing.T, dir string) map[string][32]byte {
	t.Helper()
	all := make(map[string][32]byte)
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, path))
		all[path] = sha256.Sum256(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// inFiveRuns is an installation with a world that was stored in five runs, whose
// reader has asked something.
func inFiveRuns(t *testing.T) *program {
	t.Helper()
	p := installed(t)
	w := aWorld(t, 8, 3000)
	for part := range slices.Chunk(lines(w.Events, everything), len(w.Events)/5+1) {
		if r := p.run(t, string(bytes.Join(part, []byte("\n"))), "import", "-"); r.code != 0 {
			t.Fatal(r.err)
		}
	}
	if err := os.WriteFile(config.Locate(p.data, "").Settings, []byte("[person]\nkey = \""+w.Me.Npub()+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.must(t, "ask", "What did I miss since yesterday?")
	return p
}

// Every command that reads, and how it is called. What it prints is the same wherever
// it runs, unless the table says otherwise.
func reading(chat, folder string) map[string][]string {
	return map[string][]string{
		"stats":         {"stats", "--json"},
		"req":           {"req", `{"kinds":[1],"limit":20}`},
		"search":        {"search", "the", "--json"},
		"export":        {"export"},
		"query":         {"query", `{"limit":5}`},
		"tool":          {"tool", "query", `{"limit":5}`},
		"coverage":      {"coverage"},
		"check":         {"check"},
		"chats":         {"chats"},
		"chats export":  {"chats", "export", chat},
		"doctor":        {"doctor"},
		"prune dry-run": {"prune", "--dry-run", "--days", "1"},
		"backup":        {"backup", filepath.Join(folder, "copy")},
		"ask":           {"ask", "Top hashtags this week"},
	}
}

// sameOutput leaves out what differs between two runs: the place of the data and of
// files, and what a chat is called.
func sameOutput(name string, says result, p *program) string {
	switch name {
	case "doctor", "backup", "ask", "stats", "prune dry-run": // they count bytes, which lie otherwise on another disk
		return fmt.Sprint(says.code)
	}
	return strings.ReplaceAll(says.out, p.data, "DATA")
}

func TestWhatReadsNeedsNoRightToWrite(t *testing.T) {
	p := inFiveRuns(t)
	chats := strings.Fields(p.must(t, "chats").out)
	if len(chats) == 0 {
		t.Fatal("no chat was kept")
	}
	chat := chats[0]
	before := sums(t, p.data)
	want := make(map[string]string)
	for name, args := range reading(chat, t.TempDir()) {
		if name != "ask" { // which writes where it can
			want[name] = sameOutput(name, p.must(t, args...), p)
		}
	}
	if !maps.Equal(before, sums(t, p.data)) {
		t.Error("what only reads has changed the data where it could be written")
	}
	for where, data := range map[string]func() string{
		"read-only":   func() string { return readOnly(t, p.data) },
		"nearly full": func() string { return nearlyFull(t, p.data, 100<<20) },
	} {
		t.Run(where, func(t *testing.T) {
			there := *p
			there.data = data()
			for name, args := range reading(chat, t.TempDir()) {
				r := there.run(t, "", args...)
				if r.code != 0 {
					t.Errorf("%s: exit %d, %s", name, r.code, r.err)
				} else if got := sameOutput(name, r, &there); want[name] != "" && got != want[name] {
					t.Errorf("%s says\n%s\nwant\n%s", name, got, want[name])
				}
				if name == "ask" && !strings.Contains(r.err, "will not be saved") {
					t.Errorf("ask does not say that nothing is kept: %s", r.err)
				}
			}
			for _, args := range [][]string{{"import", "-"}, {"compact"}, {"prune", "--days", "1"}, {"chats", "delete", chat}} {
				if r := there.run(t, "{}", args...); r.code != 3 || !strings.Contains(r.err, "space") && !strings.Contains(r.err, "cannot be written") {
					t.Errorf("%v: exit %d, %s", args, r.code, r.err)
				}
			}
			for path, sum := range sums(t, there.data) {
				if before[path] != sum {
					t.Errorf("%s was changed", path)
				}
			}
		})
	}
}

func TestRoomCanBeMadeOnADiskThatIsNearlyFull(t *testing.T) {
	p := inFiveRuns(t)
	p.data = nearlyFull(t, p.data, 180<<20)
	if r := p.run(t, "{}", "import", "-"); r.code == 0 && strings.Contains(r.out, "1 stored") {
		t.Errorf("events are stored: %s", r.out)
	}
	notes := len(p.events(t, "{}"))
	p.must(t, "compact")
	p.must(t, "ask", "Who posted most last week?") // and the chat is kept
	p.must(t, "prune", "--days", "1")
	if left := len(p.events(t, "{}")); left >= notes || left == 0 {
		t.Errorf("%d notes of %d are left", left, notes)
	}
	p.must(t, "check")
	if n := strings.Count(p.must(t, "chats").out, "\n"); n < 2 {
		t.Errorf("%d chats", n)
	}
}
