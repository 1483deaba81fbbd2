package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMixedCallsOfAHostAndTheTerminalBesideTheWindow calls from an MCP host and from the
// terminal at once, while the window is opened, used and closed again. No call is lost, none
// has a wrong answer. With BOWERBIRD_FAULTS=full there are 10,000 of them at least.
func TestMixedCallsOfAHostAndTheTerminalBesideTheWindow(t *testing.T) {
	calls := 400
	if os.Getenv("BOWERBIRD_FAULTS") == "full" {
		calls = 10_000
	}
	p := installed(t)
	notes := p.toolAnswer(t, "query", `{"limit":40}`)
	if len(notes.Notes) < 20 {
		t.Fatalf("%d notes", len(notes.Notes))
	}
	d := newDisplay(t, "1300x900")

	command := exec.Command(p.bin, "--data", p.data, "--sample", "mcp")
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.data, "TZ=UTC"}
	stderr := new(strings.Builder)
	command.Stderr = stderr
	host, err := sdk.NewClient(&sdk.Implementation{Name: "host", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = host.Close() }()

	var mu sync.Mutex
	byWindow, done := 0, 0 // calls while a window was open, and all
	open := false
	finished := func() int {
		mu.Lock()
		defer mu.Unlock()
		done++
		if open {
			byWindow++
		}
		return done
	}
	one := func(n int) error {
		note := notes.Notes[n%len(notes.Notes)].NoteID
		tool, args, want := "get_note", map[string]any{"note_id": note}, note[:16]
		switch n % 7 {
		case 3:
			tool, args, want = "get_thread", map[string]any{"note_id": note}, note[:16]
		case 4:
			tool, args, want = "query", map[string]any{"limit": 1 + n%5}, `"notes"`
		case 5:
			tool, args, want = "count", map[string]any{"limt": n}, "limt" // which there is not
		case 6:
			tool, args, want = "random_uuid", nil, "-4"
		}
		r, err := host.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			return err
		}
		text := r.Content[0].(*sdk.TextContent).Text
		if r.IsError != (n%7 == 5) || !strings.Contains(text, want) || !r.IsError && !json.Valid([]byte(text)) {
			return fmt.Errorf("%s: %.300s", tool, text)
		}
		return nil
	}
	terminal := func(n int) error {
		note := notes.Notes[n%len(notes.Notes)].NoteID
		r := p.run(t, "", "--sample", "tool", "get_note", `{"note_id":"`+note+`"}`)
		if r.code != 0 || !strings.Contains(r.out, note[:16]) {
			return fmt.Errorf("in the terminal: exit %d, %.300s", r.code, r.err)
		}
		return nil
	}
	var work sync.WaitGroup
	next := make(chan int)
	for range 6 {
		work.Go(func() {
			for n := range next {
				does := one
				if n%50 == 49 {
					does = terminal
				}
				if err := does(n); err != nil {
					t.Errorf("call %d: %v", n, err)
				}
				finished()
			}
		})
	}
	began := time.Now()
	stop := make(chan struct{})
	ends := sync.OnceFunc(func() { close(stop); work.Wait() })
	defer ends()
	go func() { // all calls, and as many more as the windows take to open
		defer close(next)
		for n := 0; ; n++ {
			select {
			case <-stop:
				if n >= calls || t.Failed() {
					return
				}
			default:
			}
			next <- n
		}
	}()
	for n := 0; n < 3; n++ { // meanwhile
		w := d.openWindow(p, "--sample")
		w.wait("note:*")
		mu.Lock()
		open = true
		before := byWindow
		mu.Unlock()
		w.until("calls beside the window", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return byWindow >= before+calls/8
		})
		mu.Lock()
		open = false
		mu.Unlock()
		w.quit()
	}
	ends()
	t.Logf("%d calls in %v, %d of them beside a window", done, time.Since(began).Round(time.Second), byWindow)
	if done < calls || byWindow < 3*(calls/8) {
		t.Errorf("%d of %d calls ended, %d beside a window\n%s", done, calls, byWindow, stderr)
	}
}
