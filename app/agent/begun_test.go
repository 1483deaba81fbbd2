package agent_test

import (
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/tools"
)

// Row 001-14: whoever shows the turn knows what a call will do while its arguments
// still come. The server sends its next piece only when that has been told.
func TestACallIsToldWhileItsArgumentsStillCome(t *testing.T) {
	piece := func(delta string) string { return `data: {"choices":[{"index":0,"delta":` + delta + `}]}` + "\n\n" }
	head := piece(`{"content":"Let me look."}`) +
		piece(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"functions.Query","arguments":"{\"se"}}]}`)
	rest := piece(`{"tool_calls":[{"index":0,"function":{"arguments":"arch\":\"x\"}"}}]}`) +
		`data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"
	gate := make(chan struct{}, 2)
	gate <- struct{}{}
	s := testkit.NewModelServer(t,
		testkit.Reply{Body: head + rest, Chunks: []int{len(head), len(rest)}, Gate: gate},
		testkit.SSE(`{"choices":[{"index":0,"delta":{"content":"done"}}]}`, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`))
	a := newAgent(t, agent.Options{Model: overHTTP(t, s), Tools: []tools.Tool{echo("query")}})
	var c agent.Conversation
	var events []agent.Event
	for e := range a.Run(t.Context(), &c, agent.Turn{ID: "t", Question: "q", Env: testEnv()}) {
		if e.Type == agent.EventToolCallBegun {
			if e.ID != "a" || e.Name != "query" {
				t.Errorf("begun: %+v", e)
			}
			gate <- struct{}{}
		}
		events = append(events, e)
	}
	want := strings.TrimPrefix(`
1 text Let me look.
1 tool_call_begun
1 tool_call a query
1 tool_result a query
2 text done
2 finish stop`, "\n")
	if got := outline(events); got != want {
		t.Errorf("events:\n%s\nwant:\n%s", got, want)
	}
}

// Row 001-14: what began is taken back with all else that a broken answer said, and a
// call that is unpacked into others does not begin as one.
func TestWhatBeganIsTakenBackWithItsAnswer(t *testing.T) {
	begun := func(name string) llm.Event {
		return llm.Event{Type: llm.EventToolBegun, Call: &llm.Call{Name: name}}
	}
	m := &scripted{script: []reply{
		fails(llm.KindNamelessCall, begun("query")),
		func(*llm.Request) ([]llm.Event, error) {
			pack := callOf("p", "multi_tool_use.parallel", `{"tool_uses":[{"recipient_name":"functions.query","parameters":{}}]}`)
			return []llm.Event{begun("multi_tool_use.parallel"), {Type: llm.EventToolCall, Call: &pack}}, nil
		},
		says("done"),
	}}
	var c agent.Conversation
	got := outline(ask(t, newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{echo("query")}}), &c, "q"))
	want := strings.TrimPrefix(`
1 tool_call_begun
1 retrying nameless_call
1 tool_call p_1 query
1 tool_result p_1 query
2 text done
2 finish stop`, "\n")
	if got != want {
		t.Errorf("events:\n%s\nwant:\n%s", got, want)
	}
}
