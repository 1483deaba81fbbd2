package client

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"bowerbird/internal/testkit"
	"bowerbird/netsafe"
	"bowerbird/tools"
)

// addCalls adds tools that do more than answer.
func addCalls(s *sdk.Server) {
	add := func(name string, run func(context.Context, *sdk.CallToolRequest) (string, error)) {
		s.AddTool(&sdk.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			text, err := run(ctx, r)
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}, err
		})
	}
	s.AddTool(&sdk.Tool{Name: "picture", InputSchema: json.RawMessage(`{"type":"object","properties":{"mb":{"type":"integer"}}}`)},
		func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			var a struct{ MB int }
			_ = json.Unmarshal(r.Params.Arguments, &a)
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.ImageContent{Data: make([]byte, a.MB<<20), MIMEType: "image/png"}}}, nil
		})
	s.AddTool(&sdk.Tool{Name: "resources", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///a.txt", MIMEType: "text/plain", Text: "the words\u202e of a"}},
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///b.bin", Blob: []byte{1, 2, 3}}},
			&sdk.ResourceLink{URI: "https://example.com/c", Name: "c"},
		}}, nil
	})
	add("floods", func(context.Context, *sdk.CallToolRequest) (string, error) {
		for { // a line without an end
			if _, err := os.Stdout.Write(make([]byte, 1<<20)); err != nil {
				os.Exit(1)
			}
		}
	})
	add("asks", func(ctx context.Context, r *sdk.CallToolRequest) (string, error) {
		var a struct {
			Schema json.RawMessage
			Mode   string
			Times  int
		}
		_ = json.Unmarshal(r.Params.Arguments, &a)
		said := ""
		for range max(1, a.Times) {
			p := &sdk.ElicitParams{Mode: a.Mode, Message: "Which\u202e city?", RequestedSchema: a.Schema}
			if a.Mode == "url" {
				p.RequestedSchema, p.URL, p.ElicitationID = nil, "https://evil.example.com", "1"
			}
			res, err := r.Session.Elicit(ctx, p)
			if err != nil {
				return "error " + err.Error(), nil
			}
			raw, _ := json.Marshal(res.Content)
			said += fmt.Sprintf("%s %s;", res.Action, raw)
		}
		return said, nil
	})
	var last any // progress token
	add("works", func(ctx context.Context, r *sdk.CallToolRequest) (string, error) {
		say := func(token any, done float64, words string) {
			_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: 3, Message: words})
		}
		if last != nil {
			say(last, 99, "of a call that is over")
		}
		say("of nobody", 99, "")
		last = r.Params.GetProgressToken()
		say(last, 1, "half\u202e done")
		for range 1000 { // until it has been seen
			if _, err := os.Stat(os.Getenv("SEEN_FILE")); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		return "done", nil
	})
	add("slow", func(ctx context.Context, r *sdk.CallToolRequest) (string, error) {
		_ = os.WriteFile(os.Getenv("SLOW_FILE")+".begun", nil, 0o600)
		<-ctx.Done()
		_ = os.WriteFile(os.Getenv("SLOW_FILE"), []byte("cancelled"), 0o600)
		return "too late", nil // the sdk answers all the same
	})
	add("samples", func(ctx context.Context, r *sdk.CallToolRequest) (string, error) {
		//lint:ignore SA1019 servers of older versions of the protocol ask for it
		_, sampled := r.Session.CreateMessage(ctx, &sdk.CreateMessageParams{MaxTokens: 9, Messages: []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: "hi"}}}})
		//lint:ignore SA1019 servers of older versions of the protocol ask for it
		roots, listed := r.Session.ListRoots(ctx, nil)
		return fmt.Sprint(sampled != nil, listed != nil || len(roots.Roots) == 0), nil
	})
}

// endless answers each request for tools with a page and another cursor.
func endless() {
	lines := bufio.NewScanner(os.Stdin)
	for n := 0; lines.Scan(); n++ {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ ProtocolVersion string }
		}
		_ = json.Unmarshal(lines.Bytes(), &m)
		switch m.Method {
		case "initialize":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"endless","version":"1"}}}`+"\n", m.ID)
		case "tools/list":
			tool := `{"name":"one","inputSchema":{"type":"object"}}`
			if n > 3 {
				tool = ""
			}
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[%s],"nextCursor":"c%d"}}`+"\n", m.ID, tool, n)
		default:
			if m.ID != nil {
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`+"\n", m.ID)
			}
		}
	}
}

// asksNewly adds a tool of a server that asks by an answer that is none yet, as the protocol
// has it since 2026-07-28.
func asksNewly(s *sdk.Server) {
	s.AddTool(&sdk.Tool{Name: "asks", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if r.Params.InputResponses == nil {
			return &sdk.CallToolResult{InputRequests: map[string]sdk.InputRequest{"q": &sdk.ElicitParams{
				Mode: "form", Message: "Which city?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}}}`),
			}}}, nil
		}
		raw, _ := json.Marshal(r.Params.InputResponses)
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "got: " + string(raw)}}}, nil
	})
}

func TestANewerServerAsksWithItsResult(t *testing.T) {
	p := pool(t, "newer", nil)
	said, err := asked(t, p, "asks", `{}`, tools.Caller{Ask: func(context.Context, tools.Question) (tools.Reply, error) {
		return tools.Reply{Accepted: true, Values: map[string]any{"city": "Bern"}}, nil
	}})
	if err != nil || !strings.Contains(said, `"city":"Bern"`) {
		t.Errorf("%q, %v", said, err)
	}
	if said, err = asked(t, p, "asks", `{}`, tools.Caller{}); err != nil || !strings.Contains(said, "decline") {
		t.Errorf("%q, %v", said, err)
	}
}

// asked calls a tool as somebody who answers questions.
func asked(t *testing.T, p *Pool, name, args string, caller tools.Caller) (string, error) {
	t.Helper()
	res, err := find(t, p, "mcp__test__"+name).Call(tools.WithCaller(t.Context(), caller), nil, json.RawMessage(args))
	if err != nil {
		return "", err
	}
	return res.(Result).Text, nil
}

const oneCity = `{"schema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}`

func TestAServerAsksTheUser(t *testing.T) {
	p := pool(t, "older", nil) // newer servers ask with the result: see TestANewerServerAsksWithItsResult
	var got tools.Question
	answers := func(r tools.Reply) tools.Caller {
		return tools.Caller{Ask: func(_ context.Context, q tools.Question) (tools.Reply, error) { got = q; return r, nil }}
	}
	yes := tools.Reply{Accepted: true, Values: map[string]any{"city": "Bern"}}
	for name, tt := range map[string]struct {
		args   string
		caller tools.Caller
		want   string
	}{
		"accepted":             {oneCity, answers(yes), `accept {"city":"Bern"};`},
		"declined":             {oneCity, answers(tools.Reply{}), "decline null;"},
		"dismissed":            {oneCity, answers(tools.Reply{Dismissed: true}), "cancel null;"},
		"nobody is there":      {oneCity, tools.Caller{}, "decline null;"},
		"a page to be visited": {`{"mode":"url"}`, answers(yes), "error"}, // the sdk knows that we do not
		"a form too hard":      {`{"schema":{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}}`, answers(yes), "error"},
		"over and over":        {`{"times":7,` + oneCity[1:], answers(yes), strings.Repeat(`accept {"city":"Bern"};`, 5) + "decline null;decline null;"},
	} {
		said, err := asked(t, p, "asks", tt.args, tt.caller)
		if err != nil || !strings.HasPrefix(said, tt.want) {
			t.Errorf("%s: %q, %v; want %q", name, said, err, tt.want)
		}
	}
	if got.Server != "test" || got.Message != "Which city?" || len(got.Fields) != 1 || !got.Fields[0].Required {
		t.Errorf("%+v", got)
	}
}

func TestProgressOfACallThatIsOverGoesNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "seen")
	p := pool(t, "many", func(_ *Options, s *Server) { s.Env["SEEN_FILE"] = file })
	for n := range 3 {
		var first []tools.Progress
		seen := func() {
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Error(err)
			}
		}
		if _, err := asked(t, p, "works", `{}`, tools.Caller{Progress: func(p tools.Progress) { first = append(first, p); seen() }}); err != nil {
			t.Fatal(err)
		}
		if want := []tools.Progress{{Done: 1, Total: 3, Words: "half done"}}; !slices.Equal(first, want) {
			t.Errorf("call %d: %+v", n, first)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		// The next one reports of the call before it, too.
		if _, err := asked(t, p, "works", `{}`, tools.Caller{Progress: func(tools.Progress) { seen() }}); err != nil {
			t.Fatal(err)
		}
		if len(first) != 1 {
			t.Errorf("call %d: %+v after it was over", n, first)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}

func TestACallThatIsStoppedIsCancelledAndItsResultIgnored(t *testing.T) {
	file := filepath.Join(t.TempDir(), "slow")
	p := pool(t, "many", func(_ *Options, s *Server) { s.Env["SLOW_FILE"] = file })
	there := func(path string) bool { _, err := os.Stat(path); return err == nil }
	tool := find(t, p, "mcp__test__slow")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { _, err := tool.Call(ctx, nil, nil); done <- err }()
	eventually(t, "the call", func() bool { return there(file + ".begun") })
	cancel()
	if err := testkit.Receive(t, "the end of the call", done); err == nil {
		t.Error("it has a result")
	}
	eventually(t, "the server to be told", func() bool { return there(file) })
	if r, err := call(t, p, "echo", `{"text":"hi"}`); err != nil || r.Text != "said hi" {
		t.Error("after that:", r, err)
	}
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(testkit.Patience); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain for " + what)
		}
	}
}

func TestAnAnswerThatIsTooLongIsRefusedInWordsAndTheServerGoesOn(t *testing.T) {
	p := pool(t, "many", nil)
	if r, err := call(t, p, "picture", `{"mb":4}`); err != nil || r.Parts[0].Bytes != 4<<20 {
		t.Error(r, err)
	}
	for _, mb := range []string{"10", "20"} {
		if _, err := call(t, p, "picture", `{"mb":`+mb+`}`); err == nil || !strings.Contains(err.Error(), `"test" answered with more than 8 MB`) {
			t.Error(mb, err)
		}
	}
	if r, err := call(t, p, "echo", `{"text":"hi"}`); err != nil || r.Text != "said hi" {
		t.Error("after that:", r, err)
	}
}

func TestResourcesAreNamedAndTheirTextPassedOn(t *testing.T) {
	r, err := call(t, pool(t, "many", nil), "resources", `{}`)
	want := []Part{
		{Kind: "resource", Type: "text/plain", URI: "file:///a.txt", Text: "the words of a"},
		{Kind: "resource", URI: "file:///b.bin", Bytes: 3},
		{Kind: "link", Name: "c", URI: "https://example.com/c"},
	}
	if err != nil || !slices.Equal(r.Parts, want) {
		t.Errorf("%+v, %v", r, err)
	}
	if got := r.ForModel(60_000); !strings.Contains(got, `"uri":"file:///a.txt","text":"the words of a"`) {
		t.Error(got)
	}
}

func TestAServerGetsNeitherAModelNorFolders(t *testing.T) {
	if r, err := call(t, pool(t, "many", nil), "samples", `{}`); err != nil || r.Text != "true true" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestAServerThatDiesOfEachMessageIsGivenUp(t *testing.T) {
	p := pool(t, "mortal", func(o *Options, _ *Server) { o.sleep = func(context.Context, time.Duration) error { return nil } })
	eventually(t, "the end", func() bool { st, _ := p.Try(t.Context(), "test"); return st.State == Failed })
	if st, _ := p.Try(t.Context(), "test"); !strings.Contains(st.Error, "cannot bear it") || !strings.Contains(st.Error, "6 times") {
		t.Error(st.Error)
	}
}

func TestACursorThatNeverEndsIsLeft(t *testing.T) {
	p := pool(t, "endless", nil)
	if n := len(p.Tools(t.Context())); n != 1 {
		st, _ := p.Try(t.Context(), "test")
		t.Errorf("%d tools: %+v", n, st)
	}
}

func TestServersWithTheSameToolsKeepThemApart(t *testing.T) {
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := New(Options{Servers: func(context.Context) []Server {
		var all []Server
		for _, name := range []string{"one", "two"} {
			all = append(all, Server{Name: name, Command: me, Env: map[string]string{behaviour: "many"}})
		}
		return all
	}})
	t.Cleanup(p.Close)
	for _, server := range []string{"one", "two"} {
		res, err := find(t, p, "mcp__"+server+"__echo").Call(t.Context(), nil, json.RawMessage(`{"text":"hi"}`))
		if err != nil || res.(Result).Server != server {
			t.Errorf("%s: %+v, %v", server, res, err)
		}
	}
	if _, err := tools.NewRegistry(append(tools.BuiltinTools(), p.Tools(t.Context())...)...); err != nil {
		t.Error(err)
	}
}

// What a server on the network can do beside the protocol.
func TestAServerOnTheNetworkIsHeldToItsAddress(t *testing.T) {
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	defer private.Close()
	inner := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return scripted("many") }, &sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	for does, want := range map[string]string{"redirects": "Found", "floods": "more than 8 MB", "refuses": "Unauthorized", "works": ""} {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch does {
			case "redirects":
				http.Redirect(w, r, private.URL, http.StatusFound)
			case "floods":
				w.Header().Set("Content-Type", "application/json")
				for r.Context().Err() == nil {
					if _, err := w.Write(make([]byte, 1<<20)); err != nil {
						return
					}
				}
			case "refuses":
				http.Error(w, "no", http.StatusUnauthorized)
			default:
				inner.ServeHTTP(w, r)
			}
		}))
		p := pool(t, "", func(o *Options, s *Server) {
			*s = Server{Name: "test", URL: web.URL + "/mcp?key=topsecret"}
			o.HTTP, o.sleep = netsafe.ForServer, func(context.Context, time.Duration) error { return nil }
		})
		st, _ := p.Try(t.Context(), "test")
		if want != "" {
			eventually(t, "the end", func() bool { st, _ = p.Try(t.Context(), "test"); return st.State == Failed })
		}
		if (st.State == Ready) != (want == "") || !strings.Contains(st.Error, want) || strings.Contains(fmt.Sprint(st), "topsecret") {
			t.Errorf("%s: %+v", does, st)
		}
		if want == "" {
			if _, err := call(t, p, "picture", `{"mb":10}`); err == nil || !strings.Contains(err.Error(), "more than 8 MB") {
				t.Error("a large picture:", err)
			}
			echo := find(t, p, "mcp__test__echo")
			web.CloseClientConnections()
			web.Close()
			if _, err := echo.Call(t.Context(), nil, json.RawMessage(`{"text":"x"}`)); err == nil || strings.Contains(err.Error(), "topsecret") {
				t.Error("a server that is gone:", err)
			}
		}
		p.Close()
		web.CloseClientConnections()
		web.Close()
	}
}
