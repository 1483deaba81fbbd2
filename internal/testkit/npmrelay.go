package testkit

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// startWait is how long a relay may take to say its port, publishWait how long to
// answer an event. They only end a test that hangs.
const (
	startWait   = Patience
	publishWait = 5 * time.Minute
)

// NPMRelay is a real relay (the npm package @nostr-relay, over SQLite) on loopback.
type NPMRelay struct {
	URL string // ws://127.0.0.1:PORT

	page, port int
	file       string
	cmd        *exec.Cmd
	stdin      io.Closer
	stderr     bytes.Buffer
}

// StartNPMRelay starts a relay that gives page events for a filter without a
// limit, and at most ten times as many for one with: the package's own rule.
// With 0 it is 100, the package's default. The relay ends with the test.
//
// The relay must have been installed, by `make relay-deps`. A test without it
// fails, and is skipped only where BOWERBIRD_NO_NODE is set.
func StartNPMRelay(t testing.TB, page int) *NPMRelay {
	t.Helper()
	if os.Getenv("BOWERBIRD_NO_NODE") != "" {
		t.Skip("BOWERBIRD_NO_NODE is set: no relay to test against")
	}
	if page == 0 {
		page = 100
	}
	r := &NPMRelay{page: page, file: filepath.Join(t.TempDir(), "relay.sqlite")}
	r.Start(t)
	t.Cleanup(r.Kill)
	return r
}

// Start starts the relay again after Stop or Kill, at the same address and with
// the same events.
func (r *NPMRelay) Start(t testing.TB) {
	t.Helper()
	dir := filepath.Join(Root(t), "internal", "testkit", "relay")
	if _, err := os.Stat(filepath.Join(dir, "node_modules", ".installed")); err != nil {
		t.Fatal("the test relay is not installed: run `make relay-deps`, or set BOWERBIRD_NO_NODE=1 to skip the tests that need it")
	}
	r.cmd = exec.Command("node", filepath.Join(dir, "relay.js"), r.file, strconv.Itoa(r.page), strconv.Itoa(r.port))
	r.stderr.Reset()
	r.cmd.Stderr = &r.stderr
	stdin, err := r.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	r.stdin = stdin
	stdout, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		t.Fatalf("start node: %v", err)
	}
	giveUp := time.AfterFunc(startWait, func() { _ = r.cmd.Process.Kill() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	giveUp.Stop()
	if err != nil {
		_ = r.cmd.Wait()
		t.Fatalf("the test relay did not start: %v\n%s", err, r.stderr.String())
	}
	if r.port, err = strconv.Atoi(strings.TrimSpace(line)); err != nil {
		t.Fatalf("the test relay said %q, want its port", line)
	}
	r.URL = fmt.Sprintf("ws://127.0.0.1:%d", r.port)
}

// Stop ends the relay in good order. Doing so twice does no harm.
func (r *NPMRelay) Stop() {
	if r.cmd != nil {
		_ = r.stdin.Close() // it ends by itself
		_ = r.cmd.Wait()
		r.cmd = nil
	}
}

// Kill ends the relay in the middle of what it does. Doing so twice does no harm.
func (r *NPMRelay) Kill() {
	if r.cmd != nil {
		_ = r.cmd.Process.Kill()
		_ = r.cmd.Wait()
		r.cmd = nil
	}
}

// Publish sends events, each as JSON, and returns how many the relay took. What
// it refuses (for its rules are stricter than NIP-01) is logged.
func (r *NPMRelay) Publish(t testing.TB, events ...[]byte) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), publishWait)
	defer cancel()
	ws := r.dial(ctx, t)
	defer ws.CloseNow()
	sent := make(chan error, 1)
	go func() {
		for _, event := range events {
			if err := ws.Write(ctx, websocket.MessageText, fmt.Appendf(nil, `["EVENT",%s]`, event)); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	taken := 0
	for range events {
		answer := read(ctx, t, ws)
		if string(answer[0]) == `"OK"` && string(answer[2]) == "true" {
			taken++
		} else {
			t.Logf("the relay refused an event: %s", bytes.Join(toBytes(answer), []byte(" ")))
		}
	}
	if err := <-sent; err != nil {
		t.Fatalf("publish: %v", err)
	}
	return taken
}

// Count returns how many of its events match a filter in JSON. It counts by
// fetching, so at most the relay's cap of ten pages: it is for small relays.
func (r *NPMRelay) Count(t testing.TB, filter string) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), publishWait)
	defer cancel()
	ws := r.dial(ctx, t)
	defer ws.CloseNow()
	if err := ws.Write(ctx, websocket.MessageText, fmt.Appendf(nil, `["REQ","count",%s]`, filter)); err != nil {
		t.Fatal(err)
	}
	for n := 0; ; n++ {
		if answer := read(ctx, t, ws); string(answer[0]) == `"EOSE"` {
			return n
		} else if string(answer[0]) != `"EVENT"` {
			t.Fatalf("count: the relay answered %s", bytes.Join(toBytes(answer), []byte(" ")))
		}
	}
}

func (r *NPMRelay) dial(ctx context.Context, t testing.TB) *websocket.Conn {
	t.Helper()
	ws, _, err := websocket.Dial(ctx, r.URL, nil)
	if err != nil {
		t.Fatalf("dial the test relay: %v", err)
	}
	ws.SetReadLimit(4 << 20)
	return ws
}

func read(ctx context.Context, t testing.TB, ws *websocket.Conn) []json.RawMessage {
	t.Helper()
	_, data, err := ws.Read(ctx)
	if err != nil {
		t.Fatalf("read from the test relay: %v", err)
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil || len(parts) < 2 {
		t.Fatalf("the test relay said %s", data)
	}
	return parts
}

func toBytes(parts []json.RawMessage) [][]byte {
	var all [][]byte
	for _, p := range parts {
		all = append(all, p)
	}
	return all
}
