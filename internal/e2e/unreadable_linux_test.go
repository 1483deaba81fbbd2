package e2e

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// withoutRootsRight runs a command as somebody who may not read what is not permitted,
// as root may.
func (p *program) withoutRootsRight(t *testing.T, args ...string) result {
	t.Helper()
	cmd, out, errOut := p.start(t.Context(), "", args...)
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with its rights
		for _, right := range []uintptr{unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH} {
			if err := unix.Prctl(unix.PR_CAPBSET_DROP, right, 0, 0, 0); err != nil && os.Getuid() == 0 {
				t.Error(err)
			}
		}
		done <- cmd.Run()
	}()
	if err := <-done; cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errOut.String()}
}

// A file that may not be read is no reason to say that something cannot be written, nor
// that it is damaged.
func TestAFileThatMayNotBeReadIsNamed(t *testing.T) {
	p := inFiveRuns(t)
	tables, err := filepath.Glob(filepath.Join(p.data, "notes", "*.sst"))
	if err != nil || len(tables) == 0 {
		t.Fatalf("%q, %v", tables, err)
	}
	before := sums(t, p.data)
	for _, path := range []string{tables[0], filepath.Join(p.data, "notes", "MANIFEST"), filepath.Join(p.data, "own", "witness"), filepath.Join(p.data, "own", "schema")} {
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"stats"}, {"chats"}, {"import", "-"}, {"check"}} {
			r := p.withoutRootsRight(t, args...)
			if r.code != 3 || !strings.Contains(r.err, "may not be read: "+path+"; ") || strings.Contains(r.err, "written") || strings.Contains(r.err, "damaged") {
				t.Errorf("%s, %v: exit %d, %s", filepath.Base(path), args, r.code, r.err)
			}
		}
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, sum := range sums(t, p.data) {
		if before[path] != sum && filepath.Ext(path) == ".sst" {
			t.Errorf("%s was changed", path)
		}
	}
}
