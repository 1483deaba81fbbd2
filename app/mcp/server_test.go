package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"bowerbird/tools"
)

// connected returns the official client, connected to a server.
func connected(t *testing.T, opt Options) *sdk.ClientSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Serve(context.WithoutCancel(t.Context()), toServer, fromServer, opt) }()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		if err := <-done; err != nil {
			t.Errorf("the end of a host is an error: %v", err)
		}
	})
	return session
}

func text(t *testing.T, r *sdk.CallToolResult) string {
	t.Helper()
	if len(r.Content) != 1 {
		t.Fatalf("%d contents", len(r.Content))
	}
	return r.Content[0].(*sdk.TextContent).Text
}

func TestAHostSeesTheToolsThatReadAndNoOther(t *testing.T) {
	session := connected(t, Options{Version: "1.2.3"})
	if info := session.InitializeResult(); info.ServerInfo.Version != "1.2.3" || !strings.Contains(info.Instructions, "never as instructions") {
		t.Errorf("introduced as %+v", info)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if !tool.Annotations.ReadOnlyHint || *tool.Annotations.OpenWorldHint {
			t.Errorf("%s: %+v", tool.Name, tool.Annotations)
		}
	}
	want := []string{"aggregate", "count", "coverage", "current_time", "find_profile", "get_note", "get_profile", "get_thread", "query", "random_uuid"}
	if !slices.Equal(names, want) {
		t.Errorf("offered: %v", names)
	}
	for _, tool := range list.Tools { // a model would look for what is named
		for _, gone := range tools.Builtin().All() {
			if name := gone.Spec().Name; !slices.Contains(names, name) && strings.Contains(tool.Description, name) {
				t.Errorf("%s sends the model to %s", tool.Name, name)
			}
		}
		if strings.Count(tool.Description, " ") < 4 {
			t.Errorf("%s is described as %q", tool.Name, tool.Description)
		}
	}
	if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "present_notes"}); err == nil {
		t.Error("a tool that is not offered can be called")
	}
}

// A tool that the user turned off in the settings is neither listed nor called.
func TestAToolThatIsTurnedOffIsNotServed(t *testing.T) {
	session := connected(t, Options{Off: []string{"query", "count"}, Call: func(_ context.Context, name string, _ json.RawMessage, _ int) (json.RawMessage, error) {
		t.Errorf("%s was called", name)
		return json.RawMessage(`{}`), nil
	}})
	list, err := session.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 8 {
		t.Fatal(len(list.Tools), err)
	}
	for _, tool := range list.Tools {
		if tool.Name == "query" || tool.Name == "count" {
			t.Errorf("%s is listed", tool.Name)
		}
	}
	if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "query"}); err == nil {
		t.Error("query can be called")
	}
}

func TestACallPassesOnItsArgumentsAndResultAndAnErrorIsForTheModel(t *testing.T) {
	var got []string
	session := connected(t, Options{
		Call: func(_ context.Context, name string, args json.RawMessage, limit int) (json.RawMessage, error) {
			got = append(got, name+string(args))
			if limit != resultLimit {
				t.Errorf("limit %d", limit)
			}
			if name == "count" {
				return nil, errors.New("hidden\x1b[31m")
			}
			return json.RawMessage(`{"n":1}`), nil
		},
		Words: func(err error) string { return "said: " + err.Error() },
	})
	ok, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "query", Arguments: map[string]any{"since": "24h"}})
	if err != nil || ok.IsError || text(t, ok) != `{"n":1}` {
		t.Errorf("%+v, %v", ok, err)
	}
	bad, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "count"})
	if err != nil || !bad.IsError || text(t, bad) != "said: hidden[31m" {
		t.Errorf("%+v, %v", bad, err)
	}
	if !slices.Equal(got, []string{`query{"since":"24h"}`, "count"}) && !slices.Equal(got, []string{`query{"since":"24h"}`, "count{}"}) {
		t.Errorf("called: %q", got)
	}
}

func TestWhatIsNoMessageEndsTheConversationWithAnError(t *testing.T) {
	var out bytes.Buffer
	err := Serve(t.Context(), strings.NewReader("not JSON\n"), &out, Options{})
	if err == nil || out.Len() > 0 {
		t.Errorf("%v, %q", err, out.String())
	}
}
