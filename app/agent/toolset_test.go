package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/llm"
	"bowerbird/tools"
)

// toolset supplies what step returns for the n-th request.
type toolset struct {
	step  func(n int) agent.Supply
	asked int
	said  string
}

func (s *toolset) Step(context.Context) agent.Supply { s.asked++; return s.step(s.asked) }

func (s *toolset) Introduce(string, []llm.Message) string { return s.said }

// wrapper is execute_tool.
type wrapper struct{ testTool }

func (wrapper) Unwrap(args json.RawMessage) (string, json.RawMessage, bool) {
	var call struct {
		Name   string
		Params json.RawMessage
	}
	err := json.Unmarshal(args, &call)
	return call.Name, call.Params, err == nil && call.Name != ""
}

func listed(req llm.Request) []string {
	var names []string
	for _, t := range req.Tools {
		names = append(names, t.Name)
	}
	return names
}

func events(t *testing.T, a *agent.Agent, c *agent.Conversation) []agent.Event {
	t.Helper()
	return slices.Collect(a.Run(t.Context(), c, agent.Turn{ID: "t", Question: "q", Env: testEnv()}))
}

// What servers offer may change at any time; requests list it behind the tools that never
// change, and take it over between steps.
func TestAToolsetIsTakenOverBetweenSteps(t *testing.T) {
	set := &toolset{said: "<tools>weather</tools>", step: func(n int) agent.Supply {
		s := agent.Supply{Listed: []tools.Tool{echo("search_tools")}, Hidden: []tools.Tool{echo("mcp__a__one")}}
		if n > 1 {
			s.Listed = append(s.Listed, echo("mcp__a__late"))
		}
		return s
	}}
	m := &scripted{script: []reply{
		calls(callOf("1", "mcp__a__late", `{}`), callOf("2", "mcp__a__one", `{"x":1}`)),
		calls(callOf("3", "mcp__a__late", `{}`)),
		says("done"),
	}}
	a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{echo("zebra"), echo("count")}, Toolset: set, MaxSteps: 4})
	var c agent.Conversation
	var results []string
	for _, e := range events(t, a, &c) {
		if e.Type == agent.EventToolResult {
			results = append(results, fmt.Sprint(e.ID, " ", e.Name, " ", e.Failure == ""))
		}
	}
	if want := []string{"1 mcp__a__late false", "2 mcp__a__one true", "3 mcp__a__late true"}; !slices.Equal(results, want) {
		t.Errorf("results %q, want %q", results, want)
	}
	for i, want := range [][]string{
		{"count", "zebra", "search_tools"},
		{"count", "zebra", "search_tools", "mcp__a__late"},
		{"count", "zebra", "search_tools", "mcp__a__late"},
	} {
		if got := listed(m.requests[i]); !slices.Equal(got, want) {
			t.Errorf("request %d lists %q, want %q", i+1, got, want)
		}
	}
	if q := m.requests[0].Messages[0].Text; !strings.HasSuffix(q, "</context>\n<tools>weather</tools>") {
		t.Errorf("the question ends with %q", q)
	}
	if m.requests[0].Hidden[0].Name != "mcp__a__one" {
		t.Errorf("hidden: %v", m.requests[0].Hidden)
	}
}

// A call through another tool is the same call: the same events, the same approval of the
// same bytes, the same refusal.
func TestAWrappedCallIsTheCallItself(t *testing.T) {
	var runs [2][]string
	for i, made := range []llm.Call{
		callOf("1", "mcp__a__send", `{"to":"x"}`),
		callOf("1", "execute_tool", `{"name":"mcp__a__send","params":{"to":"x"}}`),
	} {
		send := echo("mcp__a__send")
		send.effect, send.tainting = tools.Deletes, true
		set := &toolset{step: func(int) agent.Supply {
			return agent.Supply{Listed: []tools.Tool{wrapper{echo("execute_tool")}}, Hidden: []tools.Tool{send}}
		}}
		app := &approver{answer: grants}
		m := &scripted{script: []reply{calls(made), calls(callOf("2", "execute_tool", `{"name":"gone"}`), callOf("3", "execute_tool", `[]`)), says("done")}}
		a := newAgent(t, agent.Options{Model: m, Toolset: set, Approver: app, MaxSteps: 4})
		var c agent.Conversation
		for _, e := range events(t, a, &c) {
			e.Result, e.Millis = nil, 0
			raw, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			runs[i] = append(runs[i], string(raw))
		}
		if !c.Tainted() {
			t.Error("the chat is not tainted")
		}
	}
	if !slices.Equal(runs[0], runs[1]) {
		t.Errorf("called by name:\n%s\nthrough execute_tool:\n%s", strings.Join(runs[0], "\n"), strings.Join(runs[1], "\n"))
	}
	if all := strings.Join(runs[1], "\n"); !strings.Contains(all, `"type":"approval"`) || !strings.Contains(all, `there is no tool \"gone\"`) {
		t.Error(all)
	}
}

func TestAClosedToolSaysHowItIsOpened(t *testing.T) {
	set := &toolset{step: func(int) agent.Supply {
		return agent.Supply{Closed: map[string]string{"mcp__a__one": `call use_resource with {"name":"a"} first`}}
	}}
	m := &scripted{script: []reply{calls(callOf("1", "mcp__a__one", `{}`)), says("done")}}
	var c agent.Conversation
	for _, e := range events(t, newAgent(t, agent.Options{Model: m, Toolset: set}), &c) {
		if e.Type == agent.EventToolResult && !strings.Contains(e.Failure, "use_resource") {
			t.Error(e.Failure)
		}
	}
}

// "Free" covers reading over the network in a tainted chat, and nothing else whatever the
// settings say.
func TestFreeCoversOnlyTheToolsThatRead(t *testing.T) {
	for e := tools.Local; e <= tools.Deletes+1; e++ {
		ran := 0
		tool := testTool{name: "act", effect: e, run: func(context.Context, *tools.Env, json.RawMessage) (tools.Result, error) {
			ran++
			return answerText("done"), nil
		}}
		m := &scripted{script: []reply{calls(callOf("1", "act", `{"n":1}`), callOf("2", "act", `{"n":2}`)), says("done")}}
		a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{tool}, Permission: func(tools.Spec) agent.Permission { return agent.Free }})
		var c agent.Conversation
		c.Taint()
		events(t, a, &c)
		if want := map[bool]int{true: 2, false: 0}[e == tools.Network]; ran != want {
			t.Errorf("%v: ran %d times, want %d", e, ran, want)
		}
	}
}
