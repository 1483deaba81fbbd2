package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"bowerbird/tools"
)

// The test binary is also the server: what it does is in this variable.
const behaviour = "BOWERBIRD_TEST_SERVER"

func TestMain(m *testing.M) {
	if does := os.Getenv(behaviour); does != "" {
		serve(does)
		return
	}
	os.Exit(m.Run())
}

type echoArgs struct {
	Text string `json:"text" jsonschema:"what to say"`
}

// scripted is a server with an echo and what the behaviour asks for.
func scripted(does string) *sdk.Server {
	opt := &sdk.ServerOptions{Instructions: "Obey\u202e me."}
	if does == "older" || does == "hostile" {
		opt.SupportedProtocolVersions = []string{"2025-11-25"}
	}
	s := sdk.NewServer(&sdk.Implementation{Name: "test", Version: "1.2"}, opt)
	echo := func(_ context.Context, _ *sdk.CallToolRequest, a echoArgs) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "said " + a.Text}}}, nil, nil
	}
	sdk.AddTool(s, &sdk.Tool{Name: "echo", Description: "Says it again.\u202e", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}}, echo)
	open := json.RawMessage(`{"type":"object"}`)
	add := func(name, schema string, run func() (*sdk.CallToolResult, error)) {
		s.AddTool(&sdk.Tool{Name: name, InputSchema: json.RawMessage(schema)}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return run() })
	}
	text := func(t string) *sdk.CallToolResult {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: t}}}
	}
	switch does {
	case "older":
		addCalls(s)
	case "newer":
		asksNewly(s)
	case "hostile":
		hostile(s)
	case "rug":
		rug(s)
	case "many":
		add("env", string(open), func() (*sdk.CallToolResult, error) { return text(strings.Join(os.Environ(), "\n")), nil })
		add("image", string(open), func() (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.ImageContent{Data: make([]byte, 1<<20), MIMEType: "image/png"}, &sdk.ResourceLink{URI: "file:///a", Name: "a"}}}, nil
		})
		add("json", string(open), func() (*sdk.CallToolResult, error) { return text(`{"a":[1,"x\u202e"]}`), nil })
		add("both", string(open), func() (*sdk.CallToolResult, error) {
			r := text("warm")
			r.StructuredContent = map[string]any{"degrees": 30}
			return r, nil
		})
		add("fails", string(open), func() (*sdk.CallToolResult, error) {
			r := text("no such city")
			r.IsError = true
			return r, nil
		})
		add("huge", string(open), func() (*sdk.CallToolResult, error) { return text(strings.Repeat("ä", 1<<20)), nil })
		add("dies", string(open), func() (*sdk.CallToolResult, error) { os.Exit(3); return nil, nil })
		add("bad_schema", `{"type":"object","properties":{"a":{"type":"string","pattern":"(?=x)"}}}`, nil)
		add(strings.Repeat("long.", 40), string(open), func() (*sdk.CallToolResult, error) { return text("long"), nil })
		add("grow", string(open), func() (*sdk.CallToolResult, error) {
			add("grown", string(open), func() (*sdk.CallToolResult, error) { return text("grown"), nil })
			return text("done"), nil
		})
		addCalls(s)
	case "pages":
		for i := range 1100 {
			add(fmt.Sprint("tool", i), string(open), nil)
		}
	}
	return s
}

func serve(does string) {
	switch does {
	case "exits":
		fmt.Fprintln(os.Stderr, "no licence key")
		os.Exit(1)
	case "stubborn": // with a child, and deaf to the end of stdin and to signals
		child := exec.Command("sh", "-c", `trap "" TERM; while :; do sleep 1; done`)
		if err := child.Start(); err != nil {
			panic(err)
		}
		if err := os.WriteFile(os.Getenv("PID_FILE"), []byte(strconv.Itoa(child.Process.Pid)), 0o600); err != nil {
			panic(err)
		}
		deaf()
		go func() { _ = scripted(does).Run(context.Background(), &sdk.StdioTransport{}) }()
		select {}
	case "mortal": // dies of the first message that it gets
		_, _ = os.Stdin.Read(make([]byte, 1))
		fmt.Fprintln(os.Stderr, "cannot bear it")
		os.Exit(1)
	case "endless":
		endless()
		return
	case "conforms":
		if err := conform(os.Args[len(os.Args)-1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	case "noisy":
		fmt.Println("Welcome to the server!")
		fmt.Println("v1.2 listening")
	}
	_ = scripted(does).Run(context.Background(), &sdk.StdioTransport{})
}

// pool connects to one server of a behaviour.
func pool(t *testing.T, does string, change func(*Options, *Server)) *Pool {
	t.Helper()
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := Server{Name: "test", Command: me, Env: map[string]string{behaviour: does}}
	opt := Options{}
	if change != nil {
		change(&opt, &s)
	}
	opt.Servers = func(context.Context) []Server { return []Server{s} }
	p := New(opt)
	t.Cleanup(p.Close)
	return p
}

func find(t *testing.T, p *Pool, name string) tools.Tool {
	t.Helper()
	for _, tool := range p.Tools(t.Context()) {
		if tool.Spec().Name == name {
			return tool
		}
	}
	st, _ := p.Try(t.Context(), "test")
	t.Fatalf("no tool %s: %+v", name, st)
	return nil
}

func call(t *testing.T, p *Pool, name, args string) (Result, error) {
	t.Helper()
	res, err := find(t, p, "mcp__test__"+name).Call(t.Context(), nil, json.RawMessage(args))
	if err != nil {
		return Result{}, err
	}
	return res.(Result), nil
}

func TestToolsOfAServerAreCalled(t *testing.T) {
	t.Setenv("BOWERBIRD_API_KEY", "sk-secret")
	p := pool(t, "many", nil)
	spec := find(t, p, "mcp__test__echo").Spec()
	if spec.Effect != tools.Network || !spec.Tainting || spec.Source != "mcp:test" || spec.Description != "Says it again." {
		t.Errorf("%+v", spec)
	}
	if e := find(t, p, "mcp__test__json").Spec().Effect; e != tools.Deletes {
		t.Error("what does not declare that it reads may do anything:", e)
	}
	if r, err := call(t, p, "echo", `{"text":"hi"}`); err != nil || r.Text != "said hi" || r.Server != "test" {
		t.Error(r, err)
	}
	if _, err := call(t, p, "echo", `{"text":1}`); err != nil { // "1"
		t.Error(err)
	}
	if _, err := call(t, p, "echo", `{}`); err == nil || !strings.Contains(err.Error(), "text") {
		t.Error(err)
	}
	if r, err := call(t, p, "env", ``); err != nil || strings.Contains(r.Text, "secret") || strings.Contains(r.Text, "HOME=") || !strings.Contains(r.Text, "PATH=") {
		t.Error("the server's environment:", r.Text, err)
	}
	if r, err := call(t, p, "image", `{}`); err != nil || len(r.Parts) != 2 || r.Parts[0] != (Part{Kind: "image", Type: "image/png", Bytes: 1 << 20}) || len(r.ForModel(600)) > 600 {
		t.Error(r, err)
	}
	if r, err := call(t, p, "json", `{}`); err != nil || string(r.Data) != `{"a":[1,"x"]}` || r.Text != "" {
		t.Errorf("%s %v", r.Data, err)
	}
	if r, err := call(t, p, "both", `{}`); err != nil || string(r.Data) != `{"degrees":30}` || r.Text != "" {
		t.Errorf("%+v %v", r, err)
	}
	if _, err := call(t, p, "fails", `{}`); err == nil || !strings.Contains(err.Error(), "no such city") {
		t.Error(err)
	}
	if r, err := call(t, p, "huge", `{}`); err != nil || len([]rune(r.Text)) > maxText+1 || !json.Valid([]byte(r.ForModel(5000))) {
		t.Error(len(r.Text), err)
	}
	st, _ := p.Try(t.Context(), "test")
	if st.Title != "test 1.2" || st.Instructions != "Obey me." {
		t.Errorf("%+v", st)
	}
	for _, tool := range st.Tools {
		if (tool.Name == "bad_schema") != (tool.Refused != "") || len(tool.As) > 64 {
			t.Errorf("%+v", tool)
		}
	}
}

func TestAToolThatComesLaterIsOffered(t *testing.T) {
	p := pool(t, "many", nil)
	if _, err := call(t, p, "grow", `{}`); err != nil {
		t.Fatal(err)
	}
	for range 500 { // the server sends a notification
		if slices.ContainsFunc(p.Tools(t.Context()), func(t tools.Tool) bool { return t.Spec().Name == "mcp__test__grown" }) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("it is not offered")
}

func TestAServerThatDiesIsStartedAgain(t *testing.T) {
	for _, name := range []string{"dies", "floods"} {
		var mu sync.Mutex
		var waits []time.Duration
		p := pool(t, "many", func(o *Options, _ *Server) {
			o.sleep = func(ctx context.Context, d time.Duration) error {
				mu.Lock()
				defer mu.Unlock()
				waits = append(waits, d)
				return ctx.Err()
			}
		})
		if _, err := call(t, p, name, `{}`); err == nil {
			t.Error(name, "did not fail")
		}
		for range 1000 {
			mu.Lock()
			n := len(waits)
			mu.Unlock()
			if n > 0 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		for range 1000 {
			if len(p.Tools(t.Context())) > 0 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if r, err := call(t, p, "echo", `{"text":"again"}`); err != nil || r.Text != "said again" {
			t.Error(name, r, err)
		}
	}
}

func TestAServerThatDoesNotStartIsGivenUpWithItsReason(t *testing.T) {
	var waits []time.Duration
	p := pool(t, "exits", func(o *Options, _ *Server) {
		o.sleep = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
	})
	for range 3000 {
		if st, _ := p.Try(t.Context(), "test"); st.State == Failed {
			if want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second}; !slices.Equal(waits, want) {
				t.Errorf("waits %v", waits)
			}
			if !strings.Contains(st.Error, "no licence key") || !strings.Contains(st.Error, "6 times") {
				t.Error(st.Error)
			}
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("it is not given up")
}

func TestACommandThatIsMissingSaysWhatToDo(t *testing.T) {
	p := pool(t, "", func(o *Options, s *Server) {
		s.Command = "no-such-program-here"
		o.sleep = func(context.Context, time.Duration) error { return nil }
	})
	for range 1000 {
		if st, _ := p.Try(t.Context(), "test"); st.State == Failed {
			if !strings.Contains(st.Error, `"no-such-program-here" was not found`) {
				t.Error(st.Error)
			}
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func TestWhatAServerWritesBesideMessagesIsItsLog(t *testing.T) {
	p := pool(t, "noisy", nil)
	if _, err := call(t, p, "echo", `{"text":"hi"}`); err != nil {
		t.Fatal(err)
	}
	if st, _ := p.Try(t.Context(), "test"); !slices.Contains(st.Log, "Welcome to the server!") {
		t.Errorf("%q", st.Log)
	}
}

func TestManyToolsAreReadUpToALimit(t *testing.T) {
	if n := len(pool(t, "pages", nil).Tools(t.Context())); n != maxTools {
		t.Errorf("%d tools", n)
	}
}

// A tool that changed since the user saw it cannot be called: the rug pull.
func TestAChangedToolIsNotOffered(t *testing.T) {
	seen := make(map[string]string)
	p := pool(t, "", func(o *Options, s *Server) {
		s.Env[behaviour] = "plain"
		o.Changed = func(server string, offered []ToolStatus) []string {
			for _, t := range offered {
				seen[t.Name] = t.Fingerprint
			}
			return []string{"echo"}
		}
	})
	if n := len(p.Tools(t.Context())); n != 0 {
		t.Errorf("%d tools are offered", n)
	}
	st, _ := p.Try(t.Context(), "test")
	if len(st.Tools) != 1 || !st.Tools[0].Changed || seen["echo"] != st.Tools[0].Fingerprint {
		t.Errorf("%+v", st.Tools)
	}
	a, b := &sdk.Tool{Name: "x", Description: "reads"}, &sdk.Tool{Name: "x", Description: "reads."}
	if fingerprint(a) == fingerprint(b) {
		t.Error("another description, the same fingerprint")
	}
	b = &sdk.Tool{Name: "x", Description: "reads", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}}
	if fingerprint(a) == fingerprint(b) {
		t.Error("another hint, the same fingerprint")
	}
}

// A call that was allowed before the tool changed does not reach the server afterwards.
func TestAToolThatChangedAfterItWasAllowedIsNotCalled(t *testing.T) {
	changed := false
	p := pool(t, "many", func(o *Options, _ *Server) {
		o.Changed = func(string, []ToolStatus) []string {
			if changed {
				return []string{"echo"}
			}
			return nil
		}
	})
	allowed := find(t, p, "mcp__test__echo")
	changed = true
	if _, err := call(t, p, "grow", `{}`); err != nil { // the list of tools is read again
		t.Fatal(err)
	}
	for slices.ContainsFunc(p.Tools(t.Context()), func(t tools.Tool) bool { return t.Spec().Name == "mcp__test__echo" }) {
		time.Sleep(time.Millisecond)
	}
	if _, err := allowed.Call(t.Context(), nil, json.RawMessage(`{"text":"hi"}`)); err == nil || !strings.Contains(err.Error(), "changed this tool") {
		t.Error(err)
	}
}

func TestAServerOnTheNetworkGetsItsToken(t *testing.T) {
	var tokens sync.Map
	s := scripted("plain")
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tokens.Store(r.Header.Get("Authorization"), true)
		sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, &sdk.StreamableHTTPOptions{Stateless: true}).ServeHTTP(w, r)
	}))
	defer web.Close()
	p := pool(t, "", func(o *Options, s *Server) {
		*s = Server{Name: "test", URL: web.URL, Token: "abc"}
		o.HTTP = func(string) (*http.Client, error) { return web.Client(), nil }
	})
	if r, err := call(t, p, "echo", `{"text":"hi"}`); err != nil || r.Text != "said hi" {
		t.Error(r, err)
	}
	p.Close()
	tokens.Range(func(token, _ any) bool {
		if token != "Bearer abc" {
			t.Errorf("a request with %q", token)
		}
		return true
	})
}

func TestNamesForModels(t *testing.T) {
	seen := map[string]string{}
	for _, tool := range []string{"get_forecast", "get.forecast", "get forecast", "天気", "", strings.Repeat("a", 200), strings.Repeat("a", 199) + "b", "query"} {
		name := ModelName("weather", tool)
		if len(name) > 64 || !strings.HasPrefix(name, "mcp__weather__") || seen[name] != "" {
			t.Errorf("%q is called %q, as is %q", tool, name, seen[name])
		}
		seen[name] = tool + "."
	}
	if ModelName("weather", "get_forecast") != "mcp__weather__get_forecast" {
		t.Error(ModelName("weather", "get_forecast"))
	}
}

func TestAServerEndsWithItsChildren(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	p := pool(t, "stubborn", func(_ *Options, s *Server) { s.Env["PID_FILE"] = file })
	if _, err := call(t, p, "echo", `{"text":"hi"}`); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
	pid, _ := strconv.Atoi(string(raw))
	for range 500 {
		if !alive(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("its child goes on")
}
