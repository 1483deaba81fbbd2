package app

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/tools/offer"
)

// letterServer is an MCP server with n tools.
func letterServer(t *testing.T, n int) string {
	t.Helper()
	server := sdk.NewServer(&sdk.Implementation{Name: "post", Version: "1"}, nil)
	for i := range n {
		server.AddTool(&sdk.Tool{
			Name: fmt.Sprint("send_letter_", i), Description: fmt.Sprintf("Sends a letter to the house with the number %d.", i),
			InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`),
			Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true},
		}, func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "carried to " + r.Params.Name}}}, nil
		})
	}
	h := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil))
	t.Cleanup(h.Close)
	return h.URL
}

func calling(id, name, args string) testkit.Reply {
	quoted, _ := json.Marshal(args)
	return testkit.SSE(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"` + id + `","function":{"name":"` + name + `","arguments":` + string(quoted) + `}}]},"finish_reason":"tool_calls"}]}`)
}

var done = testkit.SSE(`{"choices":[{"delta":{"content":"It is done."},"finish_reason":"stop"}]}`)

// Each strategy, from the settings to what a model's server receives and what runs: the same
// tool is found, called and has the same result.
func TestAToolIsReachedByEachStrategy(t *testing.T) {
	const tool, said = "mcp__post__send_letter_7", "carried to send_letter_7"
	call := func(by, args string) testkit.Reply {
		return calling("z", by, `{"name":"`+tool+`","`+args+`":{"text":"hello"}}`)
	}
	for _, c := range []struct {
		strategy offer.Strategy
		tools    int
		script   []testkit.Reply
		listed   int
		question string // what is said with it
	}{
		{offer.Auto, 9, []testkit.Reply{calling("z", tool, `{"text":"hello"}`)}, 21, ""},
		{offer.Direct, 60, []testkit.Reply{calling("z", tool, `{"text":"hello"}`)}, 72, ""},
		{offer.Auto, 60, []testkit.Reply{call("execute_tool", "params")}, 14, tool},
		{offer.Deferred, 9, []testkit.Reply{calling("a", "search_tools", `{"query":"letter"}`), calling("z", tool, `{"text":"hello"}`)}, 14, tool},
		{offer.Discovery, 60, []testkit.Reply{
			calling("a", "list_categories", `{}`), calling("b", "browse_category", `{"category":"mcp:post"}`),
			calling("c", "get_tool", `{"name":"`+tool+`"}`), call("execute_tool", "params"),
		}, 8, "70 tools in 5 categories are not listed"},
		{offer.Routed, 60, []testkit.Reply{
			calling("a", "list_resources", `{}`), call("call_mcp_tool", "args"), calling("c", "use_resource", `{"name":"mcp:post"}`), call("call_mcp_tool", "args"),
		}, 6, "Open it with use_resource"},
	} {
		t.Run(fmt.Sprint(c.strategy, c.tools), func(t *testing.T) {
			server := testkit.NewModelServer(t, append(c.script, done, done)...)
			set := config.Settings{
				Tools: config.Tools{Strategy: string(c.strategy)}, MCP: map[string]config.MCPServer{"post": {URL: letterServer(t, c.tools)}},
				Models: map[string]config.ModelOptions{"custom:owl": {Context: 131072}},
			}
			a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: set})
			model := models.Choice{ID: "custom:owl", BaseURL: server.URL}
			question := Question{Text: "Send a letter to house number 7", Model: model, Approver: &yes{}}
			answer, err := a.Ask(t.Context(), question)
			if err != nil {
				t.Fatal(err)
			}
			var results, failures []string
			for e := range answer.Events {
				if e.Type == agent.EventToolResult && e.Name == tool {
					raw, _ := json.Marshal(e.Result)
					results, failures = append(results, string(raw)), append(failures, e.Failure)
				}
			}
			if n := len(results); n == 0 || !strings.Contains(results[n-1], said) {
				t.Fatalf("results %q, failures %q", results, failures)
			}
			if c.strategy == offer.Routed && !strings.Contains(failures[0], `call use_resource with {"name":"mcp:post"} first`) {
				t.Error(failures)
			}
			question.Chat = answer.Chat.Info().ID
			if answer, err = a.Ask(t.Context(), question); err != nil {
				t.Fatal(err)
			}
			for range answer.Events { //nolint:revive // only what was sent matters
			}
			var first string
			for i, r := range slices.DeleteFunc(server.Received(), func(r testkit.Received) bool { return r.Method != http.MethodPost }) {
				var body struct {
					Messages []struct{ Content string }
					Tools    []json.RawMessage
				}
				if err := json.Unmarshal(r.Body, &body); err != nil {
					t.Fatal(err)
				}
				begins := fmt.Sprintf("%s %s", body.Messages[0].Content, body.Tools)
				if i == 0 {
					first = begins
					if len(body.Tools) != c.listed || !strings.Contains(body.Messages[1].Content, c.question) {
						t.Errorf("%d tools, want %d; the question: %s", len(body.Tools), c.listed, body.Messages[1].Content)
					}
				} else if begins != first {
					t.Errorf("request %d begins otherwise", i)
				}
			}
		})
	}
}

func TestWhatTheUserTurnedOffReachesNoModel(t *testing.T) {
	requests, events := askWith(t, config.Settings{Tools: config.Tools{Off: []string{"count", "render_chart"}}}, calling("a", "count", `{}`), done)
	if slices.Contains(requests[0].Tools, "count") || !slices.Contains(requests[0].Tools, "query") {
		t.Errorf("listed: %v", requests[0].Tools)
	}
	for _, e := range events {
		if e.Type == agent.EventToolResult && !strings.Contains(e.Failure, `there is no tool "count"`) {
			t.Errorf("%+v", e)
		}
	}
}

// What the panel and the terminal say is what a request does.
func TestThePlanSaysWhyAToolIsNotOffered(t *testing.T) {
	set := config.Settings{
		Tools: config.Tools{Off: []string{"count"}}, Assistant: config.Assistant{PlainText: true},
		MCP: map[string]config.MCPServer{
			"post": {URL: letterServer(t, 60), Tools: map[string]config.MCPTool{"send_letter_3": {Seen: "another"}}},
			"away": {Command: "x", Off: true, Tools: map[string]config.MCPTool{"y": {}}},
		},
		Models: map[string]config.ModelOptions{"custom:owl": {Context: 131072}},
	}
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: set})
	strategy, decisions, err := a.ToolPlan(t.Context(), models.Choice{ID: "custom:owl", BaseURL: "http://127.0.0.1:1"})
	if err != nil || strategy != offer.Deferred {
		t.Fatal(strategy, err)
	}
	got := make(map[string]offer.Reason)
	for _, d := range decisions {
		got[d.Tool.Name] = d.Reason
	}
	for name, want := range map[string]offer.Reason{
		"query": offer.Listed, "count": offer.TurnedOff, "render_chart": offer.PlainText, "search_tools": offer.Finder, "use_resource": offer.Unneeded,
		"mcp__post__send_letter_1": offer.Hidden, "mcp__post__send_letter_3": offer.Changed, "mcp__away__y": offer.TurnedOff,
	} {
		if reason, ok := got[name]; !ok || reason != want {
			t.Errorf("%s: %s, want %s", name, reason, want)
		}
	}
}

func TestAToolThatTheProviderRefusesIsNamedAndLeftOut(t *testing.T) {
	const tool = "mcp__post__send_letter_7"
	const refusal = "Invalid schema for function '" + tool + "': array schema missing items."
	server := testkit.NewModelServer(t, testkit.Reply{Status: http.StatusBadRequest, Body: `{"error":{"message":"` + refusal + `"}}`}, done, done)
	set := config.Settings{MCP: map[string]config.MCPServer{"post": {URL: letterServer(t, 9)}}, Models: map[string]config.ModelOptions{"custom:owl": {Context: 131072}}}
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: set})
	model := models.Choice{ID: "custom:owl", BaseURL: server.URL}
	var reasons []string
	for range 2 {
		answer, err := a.Ask(t.Context(), Question{Text: "Send a letter", Model: model, Approver: &yes{}})
		if err != nil {
			t.Fatal(err)
		}
		for e := range answer.Events {
			if e.Type == agent.EventRetrying {
				reasons = append(reasons, e.Retry.Reason)
			}
			if e.Type == agent.EventError {
				t.Error(e.Err)
			}
		}
	}
	if len(reasons) != 1 || reasons[0] != llm.ToolRefused+tool {
		t.Errorf("asked again for %q", reasons)
	}
	sent := slices.DeleteFunc(server.Received(), func(r testkit.Received) bool { return r.Method != http.MethodPost })
	for i, r := range sent {
		if has := strings.Contains(string(r.Body), tool); has != (i == 0) || !strings.Contains(string(r.Body), "send_letter_6") {
			t.Errorf("request %d of %d has it: %t", i, len(sent), has)
		}
	}
	_, decisions, err := a.ToolPlan(t.Context(), model)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range decisions {
		if is := d.Tool.Name == tool; is != (d.Reason == offer.Refused) || is && d.Detail != refusal {
			t.Errorf("%s: %s (%s)", d.Tool.Name, d.Reason, d.Detail)
		}
	}
}
