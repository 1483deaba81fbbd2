//go:build !windows

package instance

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
)

func TestWhatACrashLeftIsReplacedAndNothingIsLeftAtTheEnd(t *testing.T) {
	data := t.TempDir()
	path, err := address(data)
	if err != nil {
		t.Fatal(err)
	}
	crashed, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	crashed.SetUnlinkOnClose(false)
	if err := crashed.Close(); err != nil {
		t.Fatal(err)
	}
	if found, err := Hand(t.Context(), data, ""); found || err != nil {
		t.Fatalf("after the crash: %v, %v", found, err)
	}
	stop, err := Wait(data, Window{Show: func(*nostr.Code) {}})
	if err != nil {
		t.Fatal(err)
	}
	if found, err := Hand(t.Context(), data, ""); !found || err != nil {
		t.Errorf("of the next: %v, %v", found, err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may connect: %v, %v", info, err)
	}
	stop()
	if left, err := os.ReadDir(data); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestAFolderOfSomebodyElsesIsNotUsed(t *testing.T) {
	base := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", base)
	data := filepath.Join(t.TempDir(), strings.Repeat("deep/", 40))
	path, err := address(data)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.Remove(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	if path, err := address(data); err == nil {
		t.Errorf("a link leads to %s", path)
	}
	if _, err := Wait(data, Window{Show: func(*nostr.Code) {}}); err == nil {
		t.Error("it waits there")
	}
}
