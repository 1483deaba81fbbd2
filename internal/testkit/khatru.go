package testkit

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Khatru is a second real relay (fiatjaf's khatru over eventstore's Badger) on
// loopback. What the npm relay cannot be made to do its flags switch on: limits reported
// and not reported, refusals, rates, NIP-77. See internal/testkit/khatru.
type Khatru struct {
	URL string // ws://127.0.0.1:PORT

	dir    string // of its events
	port   int
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr bytes.Buffer
}

// StartKhatru starts a relay with the flags of internal/testkit/khatru, for example
// "-limit=50", "-tell". It ends with the test. The first one of a process is built
// anew if need be, which takes its time unless `make relay-deps` has done so.
func StartKhatru(t testing.TB, flags ...string) *Khatru {
	t.Helper()
	khatruBuild.Do(func() { khatruFile, khatruErr = buildKhatru(Root(t)) })
	if khatruErr != nil {
		t.Fatal(khatruErr)
	}
	r := &Khatru{dir: t.TempDir()}
	r.Start(t, flags...)
	t.Cleanup(r.Kill)
	return r
}

var (
	khatruBuild sync.Once
	khatruFile  string
	khatruErr   error
)

func buildKhatru(root string) (file string, err error) {
	dir := filepath.Join(root, "internal", "testkit", "khatru")
	build := exec.Command("go", "build", "-o", "bin/khatru", ".") // nothing is done where it is up to date
	build.Dir, build.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the test relay khatru: %w\n%s", err, out)
	}
	return filepath.Join(dir, "bin", "khatru"), nil
}

// Start starts the relay again after Stop or Kill, at the same address and with
// the same events, and with these flags alone.
func (r *Khatru) Start(t testing.TB, flags ...string) {
	t.Helper()
	r.cmd = exec.Command(khatruFile, slices.Concat(flags, []string{"-dir=" + r.dir, "-port=" + strconv.Itoa(r.port)})...)
	r.stderr.Reset()
	r.cmd.Stderr = &r.stderr
	stdin, err := r.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	r.stdin, r.stdout = stdin, bufio.NewReader(stdout)
	if err := r.cmd.Start(); err != nil {
		t.Fatalf("start khatru: %v", err)
	}
	if r.port, err = strconv.Atoi(r.line(t)); err != nil {
		t.Fatalf("khatru's port: %v", err)
	}
	r.URL = fmt.Sprintf("ws://127.0.0.1:%d", r.port)
}

// Stop ends the relay in good order. Doing so twice does no harm.
func (r *Khatru) Stop() {
	if r.cmd != nil {
		_ = r.stdin.Close() // it ends by itself
		_ = r.cmd.Wait()
		r.cmd = nil
	}
}

// Kill ends the relay in the middle of what it does. Doing so twice does no harm.
func (r *Khatru) Kill() {
	if r.cmd != nil {
		_ = r.cmd.Process.Kill()
		_ = r.cmd.Wait()
		r.cmd = nil
	}
}

// Publish gives the relay events, each as JSON, past its limits on publishing,
// and returns when those who listen have been notified. All must be taken. A deletion
// is stored, and what it names stays.
func (r *Khatru) Publish(t testing.TB, events ...[]byte) {
	t.Helper()
	for _, event := range events {
		if _, err := fmt.Fprintf(r.stdin, "%s\n", event); err != nil {
			t.Fatalf("publish: %v\n%s", err, r.stderr.String())
		}
		if answer := r.line(t); answer != "ok" {
			t.Fatalf("khatru refused %s: %s", event, answer)
		}
	}
}

// line is what the relay prints next.
func (r *Khatru) line(t testing.TB) string {
	t.Helper()
	giveUp := time.AfterFunc(startWait, func() { _ = r.cmd.Process.Kill() })
	defer giveUp.Stop()
	line, err := r.stdout.ReadString('\n')
	if err != nil {
		r.Kill()
		t.Fatalf("khatru has ended: %v\n%s", err, r.stderr.String())
	}
	return strings.TrimSpace(line)
}
