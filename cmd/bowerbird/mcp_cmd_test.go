package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/zalando/go-keyring"

	"bowerbird/app"
	"bowerbird/app/config"
)

// host is the official client at the other end of "bowerbird mcp".
func host(t *testing.T, args ...string) *sdk.ClientSession {
	t.Helper()
	keyring.MockInit()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	var logged bytes.Buffer
	done := make(chan int, 1)
	go func() {
		done <- run(context.WithoutCancel(t.Context()), append(args, "mcp"), streams{in: toServer, out: fromServer, err: &logged})
	}()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &sdk.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		if code := <-done; code != exitDone || logged.Len() > 0 {
			t.Errorf("exit %d, %s", code, logged.String())
		}
	})
	return session
}

func called(t *testing.T, s *sdk.ClientSession, name string, args map[string]any) (text string, failed bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError
}

// TestAHostReadsTheNotesBesideTheOpenWindowToo asks the same with the stores closed, held by
// a program that answers nobody, and open in a window.
func TestAHostReadsTheNotesBesideTheOpenWindowToo(t *testing.T) {
	w, file := world(t)
	data, me := t.TempDir(), w.Me.Npub()
	if r := bowerbird(t, "", "--data", data, "import", file); r.code != exitDone {
		t.Fatal(r.err)
	}
	settings := config.Settings{Person: config.Person{Key: me}}
	if err := config.Save(config.Locate(data, "").Settings, settings); err != nil {
		t.Fatal(err)
	}
	session := host(t, "--data", data)
	args := map[string]any{"context": "home", "limit": 3}
	before, failed := called(t, session, "query", args)
	terminal := bowerbird(t, "", "--data", data, "query", `{"context":"home","limit":3}`)
	if failed || !strings.Contains(before, `"note_id"`) || terminal.code != exitDone || !json.Valid([]byte(terminal.out)) {
		t.Fatalf("with nothing open: %s; exit %d: %s", before, terminal.code, terminal.err)
	}

	a, err := app.Open(t.Context(), app.Options{Places: config.Locate(data, ""), Settings: settings, Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}()
	if text, failed := called(t, session, "query", args); !failed || !strings.Contains(text, "has these notes open") {
		t.Errorf("beside what answers nobody: %s", text)
	}
	if r := bowerbird(t, "", "--data", data, "query", `{}`); r.code != exitUnusable {
		t.Errorf("beside what answers nobody: exit %d", r.code)
	}

	stop, err := waitForStarts(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	if text, failed := called(t, session, "query", args); failed || text != before {
		t.Errorf("beside the window: %s, before %s", text, before)
	}
	if text, failed := called(t, session, "query", map[string]any{"limt": 3}); !failed || !strings.Contains(text, `did you mean "limit"?`) {
		t.Errorf("wrong arguments beside the window: %s", text)
	}
	if r := bowerbird(t, "", "--data", data, "query", `{"context":"home","limit":3}`); r.code != exitDone || r.out != terminal.out {
		t.Errorf("the terminal beside the window: exit %d, %s%s", r.code, r.out, r.err)
	}
	if r := bowerbird(t, "", "--data", data, "query", `{"limt":3}`); r.code != exitUsage {
		t.Errorf("wrong arguments in the terminal beside the window: exit %d, %s", r.code, r.err)
	}
	if r := bowerbird(t, "", "--data", data, "query", `{}`, "--as", me); r.code != exitDone {
		t.Errorf("as the same person beside the window: exit %d, %s", r.code, r.err)
	}
}

func TestTheTokenForHTTPIsMadeOnceAndOnlyLoopbackIsListenedOn(t *testing.T) {
	keyring.MockInit()
	data := t.TempDir()
	first := withItsKeyring(t, "", "--data", data, "mcp", "token")
	again := withItsKeyring(t, "", "--data", data, "mcp", "token")
	if first.code != exitDone || len(strings.TrimSpace(first.out)) < 26 || first.out != again.out {
		t.Errorf("%+v, then %+v", first, again)
	}
	if other := bowerbird(t, "", "--data", data, "mcp", "token"); other.out == first.out { // with a new keyring
		t.Error("the token is the same for everybody")
	}
	if r := bowerbird(t, "", "--data", data, "mcp", "--http", "0.0.0.0:0"); r.code != exitUsage || !strings.Contains(r.err, "only this computer") {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
}
