package instance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// first waits at a data folder and returns what it was asked to show.
func first(t *testing.T, data string) <-chan *nostr.Code {
	t.Helper()
	shown := make(chan *nostr.Code, 10)
	stop, err := Wait(data, Window{Show: func(link *nostr.Code) { shown <- link }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return shown
}

func link() string { return "nostr:" + nostr.PubKey{7}.Npub() }

func TestASecondStartRaisesTheFirstAndHandsItALink(t *testing.T) {
	for _, data := range []string{
		t.TempDir(),
		filepath.Join(t.TempDir(), "Ärger mit Leerzeichen"),
		filepath.Join(t.TempDir(), strings.Repeat("deep/", 40)), // longer than the path of a socket may be
	} {
		t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
		if err := os.MkdirAll(data, 0o700); err != nil {
			t.Fatal(err)
		}
		if found, err := Hand(t.Context(), data, link()); found || err != nil {
			t.Fatalf("before the first: %v, %v", found, err)
		}
		shown := first(t, data)
		for _, text := range []string{"", link(), "web+" + link()} {
			if found, err := Hand(t.Context(), data, text); !found || err != nil {
				t.Fatalf("%q: %v, %v", text, found, err)
			}
			if got := <-shown; (got == nil) != (text == "") || got != nil && got.PubKey != (nostr.PubKey{7}) {
				t.Errorf("%q was shown as %+v", text, got)
			}
		}
	}
}

func TestWhatIsNoLinkShowsNothing(t *testing.T) {
	data := t.TempDir()
	shown := first(t, data)
	secret := strings.Replace(link(), "npub1", "nsec1", 1)
	for _, said := range []string{
		"raise " + secret + "\n", "raise nostr:npub1\n", "raise https://example.com\n", "raise  " + link() + "\n",
		"RAISE\n", "\n", "raise", "raise " + strings.Repeat("nostr:", longestLine) + "\n", "raise\x00\n",
	} {
		c, err := dial(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			_, _ = io.WriteString(c, said) // the first may hang up in the middle
			if c, ok := c.(interface{ CloseWrite() error }); ok {
				_ = c.CloseWrite()
			} // a pipe has no such end: what is cut off there times out
		}()
		answer, _ := io.ReadAll(c) // an end by a reset is one too
		if len(answer) > 0 {
			t.Errorf("%.40q is answered with %q", said, answer)
		}
		_ = c.Close()
	}
	if found, err := Hand(t.Context(), data, ""); !found || err != nil || len(shown) != 1 {
		t.Errorf("after that: %v, %v, shown %d times", found, err, len(shown))
	}
}

func TestAWindowThatDoesNotReactIsReported(t *testing.T) {
	data := t.TempDir()
	stuck, err := listen(data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stuck.Close() })
	go func() {
		if c, err := stuck.Accept(); err == nil {
			_ = c.Close() // instead of the wait for the deadline
		}
	}()
	if found, err := Hand(t.Context(), data, ""); !found || !errors.Is(err, ErrNoAnswer) {
		t.Errorf("%v, %v", found, err)
	}
}

// TestTheWindowIsAwaited keeps a slow window from being called stuck: the answer comes
// when the window has reacted, not before.
func TestTheWindowIsAwaited(t *testing.T) {
	data := t.TempDir()
	reacts, asked := make(chan struct{}), make(chan struct{})
	stop, err := Wait(data, Window{Show: func(*nostr.Code) { close(asked); <-reacts }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	done := make(chan error, 1)
	go func() { _, err := Hand(t.Context(), data, ""); done <- err }()
	<-asked
	select {
	case err := <-done:
		t.Errorf("answered before the window reacted: %v", err)
	default:
	}
	close(reacts)
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(testkit.Patience):
		t.Error("never answered")
	}
}

func TestAnotherProgramReadsByTheOpenWindow(t *testing.T) {
	data := t.TempDir()
	if found, _, err := CallTool(t.Context(), data, ToolCall{Name: "count"}); found || err != nil {
		t.Fatalf("without a window: %v, %v", found, err)
	}
	began, reading, closing := make(chan struct{}), make(chan struct{}), make(chan struct{})
	stop, err := Wait(data, Window{Read: func(ctx context.Context, name string, args json.RawMessage, limit int) (json.RawMessage, error) {
		switch name {
		case "wrong":
			return nil, &tools.ArgumentError{Tool: name, Path: "since", Expected: "a time", Got: "a list"}
		case "broken":
			return nil, errors.New("it broke")
		case "short":
			close(reading)
			<-closing
			return json.RawMessage(`"whole"`), ctx.Err()
		case "slow":
			close(began)
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return json.Marshal([]any{name, args, limit, strings.Repeat("é\n", 50_000)})
	}})
	if err != nil {
		t.Fatal(err)
	}
	long := `{"search":"` + strings.Repeat("x", 1<<20) + `"}`
	_, result, err := CallTool(t.Context(), data, ToolCall{Name: "count", Arguments: json.RawMessage(long), Limit: 7})
	if want, _ := json.Marshal([]any{"count", json.RawMessage(long), 7, strings.Repeat("é\n", 50_000)}); err != nil || string(result) != string(want) {
		t.Errorf("%.80s, %v", result, err)
	}
	if _, _, err := CallTool(t.Context(), data, ToolCall{Name: "wrong"}); !strings.Contains(fmt.Sprint(err), "wrong: since: expected a time, got a list") {
		t.Errorf("wrong arguments: %v", err)
	} else if _, ok := errors.AsType[*tools.ArgumentError](err); !ok {
		t.Errorf("wrong arguments are a %T", err)
	}
	if _, _, err := CallTool(t.Context(), data, ToolCall{Name: "broken"}); fmt.Sprint(err) != "it broke" {
		t.Errorf("an error: %v", err)
	}
	ended := make(chan error, 1)
	go func() {
		_, _, err := CallTool(t.Context(), data, ToolCall{Name: "slow"})
		ended <- err
	}()
	<-began
	short := make(chan string, 1)
	go func() {
		_, result, err := CallTool(t.Context(), data, ToolCall{Name: "short"})
		short <- fmt.Sprintf("%s %v", result, err)
	}()
	<-reading
	go func() {
		for Waits(t.Context(), data) {
			time.Sleep(time.Millisecond)
		}
		close(closing)
	}()
	stop() // returns once nothing reads any more
	if got := <-short; got != `"whole" <nil>` {
		t.Errorf("a short read while the window closes: %s", got)
	}
	if err := <-ended; err == nil {
		t.Error("a call that was cut off has a result")
	}
	if found, _, err := CallTool(t.Context(), data, ToolCall{Name: "count"}); found || err != nil {
		t.Errorf("after the window: %v, %v", found, err)
	}
}
