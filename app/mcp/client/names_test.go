package client

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// everyFamily is what all providers accept as a tool's name; Gemini's begin with a letter or
// an underscore.
var everyFamily = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`)

// Row 003-19: whatever servers call their tools, models get a name for each that every
// provider accepts, and always the same.
func TestAnyNamesOfToolsAreAcceptedEverywhereAndDiffer(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 19))
	pieces := []string{"a", "query", "list", "Notes", "7", "_", "__", ".", "-", " ", "é", "東", "/", "\x00", "\xff", strings.Repeat("long", 40)}
	servers := []string{"a", "a-a", "7", strings.Repeat("s", 32), strings.Repeat("s", 31) + "t"}
	seen := map[string]string{}
	for range 3_000 {
		tool := ""
		for range r.IntN(7) {
			tool += pieces[r.IntN(len(pieces))]
		}
		for _, server := range servers {
			name, own := ModelName(server, tool), fmt.Sprintf("%q of %q", tool, server)
			if !everyFamily.MatchString(name) || !strings.HasPrefix(name, "mcp__"+server+"__") {
				t.Fatalf("%s is called %q", own, name)
			}
			if other := seen[name]; other != "" && other != own {
				t.Fatalf("%s is called %q, as is %s", own, name, other)
			}
			seen[name] = own
		}
	}
	if name := ModelName("weather", "get forecast"); name != "mcp__weather__get_forecast_3e8881f2" {
		t.Errorf("the name was another in earlier versions, and is %q", name)
	}
}

// Two servers have tools of the same names, odd ones and "query" among them: each call
// reaches the server and the tool that its name stands for.
func TestACallReachesTheToolThatItsNameStandsFor(t *testing.T) {
	names := []string{"query", "a.b", "a_b", "a__b", "A-b", strings.Repeat("x", 128), strings.Repeat("x", 127) + "y"}
	var confs []Server
	for _, server := range []string{"one", "two"} {
		s := sdk.NewServer(&sdk.Implementation{Name: server, Version: "1"}, nil)
		for _, name := range names {
			s.AddTool(&sdk.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: server + " " + name}}}, nil
			})
		}
		web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil))
		defer web.Close()
		confs = append(confs, Server{Name: server, URL: web.URL})
	}
	p := New(Options{
		Servers: func(context.Context) []Server { return confs },
		HTTP:    func(string) (*http.Client, error) { return &http.Client{Transport: http.DefaultTransport}, nil },
	})
	defer p.Close()
	reached := map[string]bool{}
	for _, tool := range p.Tools(t.Context()) {
		spec := tool.Spec()
		res, err := tool.Call(t.Context(), nil, json.RawMessage(`{}`))
		if err != nil {
			t.Error(spec.Name, err)
			continue
		}
		said := res.(Result).Text
		server, name, _ := strings.Cut(said, " ")
		if spec.Source != "mcp:"+server || spec.Name != ModelName(server, name) || !everyFamily.MatchString(spec.Name) || reached[said] {
			t.Errorf("%s of %s reached %s", spec.Name, spec.Source, said)
		}
		reached[said] = true
	}
	if len(reached) != 2*len(names) {
		t.Errorf("%d tools of %d", len(reached), 2*len(names))
	}
}
