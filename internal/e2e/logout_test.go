package e2e

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestALogOutClosesWhatIsOpen ends the window as a system that shuts down does: the
// stores are closed, and what was left unsaved is saved.
func TestALogOutClosesWhatIsOpen(t *testing.T) {
	p := installed(t)
	if err := os.WriteFile(filepath.Join(p.data, "settings.toml"), []byte("[window]\nsample = true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newDisplay(t, "1300x900").openWindow(p)
	w.wait("note:*")
	w.xdotool("search", "--name", "^Bowerbird$", "windowsize", "%1", "1000", "700")
	w.until("the window's new size", func() bool {
		foot, ok := w.find("status")
		return ok && foot.X+foot.Width <= 1000
	})
	if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-w.ended:
		w.ended <- err
		if err != nil {
			t.Fatalf("the program ended with %v", err)
		}
	case <-time.After(patience):
		t.Fatal("the program did not end")
	}
	err := filepath.WalkDir(p.data, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "LOCK" {
			err = errors.New(path + " is still there")
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	settings, err := os.ReadFile(filepath.Join(p.data, "settings.toml"))
	if err != nil || !strings.Contains(string(settings), "width = 1000") {
		t.Errorf("the window's size was not saved: %v\n%s", err, settings)
	}
}
