package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/llm"
	"bowerbird/tools"
)

// scripted is a model that answers from a script: the n-th request with the n-th
// answer, the last one for ever. It records what it was asked.
type scripted struct {
	info   llm.Info
	script []reply

	mu       sync.Mutex
	requests []llm.Request
}

// reply makes the events of one answer; a nil event list with an error fails.
type reply func(req *llm.Request) ([]llm.Event, error)

func (m *scripted) Info() llm.Info { return m.info }

func (m *scripted) Stream(ctx context.Context, req *llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		m.mu.Lock()
		n := len(m.requests)
		m.requests = append(m.requests, *req)
		m.mu.Unlock()
		events, err := m.script[min(n, len(m.script)-1)](req)
		for _, e := range events {
			if ctx.Err() != nil {
				yield(llm.Event{}, &llm.Error{Kind: llm.KindCancelled, Message: "cancelled", Err: ctx.Err()})
				return
			}
			if !yield(e, nil) {
				return
			}
		}
		if err != nil {
			yield(llm.Event{}, err)
		}
	}
}

func says(text string) reply {
	return func(*llm.Request) ([]llm.Event, error) {
		var out []llm.Event
		for word := range strings.SplitAfterSeq(text, " ") {
			out = append(out, llm.Event{Type: llm.EventText, Delta: word})
		}
		return append(out, llm.Event{Type: llm.EventFinish, Finish: "stop"}), nil
	}
}

func calls(list ...llm.Call) reply {
	return func(*llm.Request) ([]llm.Event, error) {
		var out []llm.Event
		for _, c := range list {
			out = append(out, llm.Event{Type: llm.EventToolCall, Call: &c})
		}
		return append(out, llm.Event{Type: llm.EventFinish, Finish: "tool_calls"}), nil
	}
}

func fails(kind llm.ErrorKind, events ...llm.Event) reply {
	return func(*llm.Request) ([]llm.Event, error) {
		return events, &llm.Error{Kind: kind, Message: "scripted"}
	}
}

func callOf(id, name, args string) llm.Call {
	return llm.Call{ID: id, Name: name, Arguments: json.RawMessage(args)}
}

// testTool is a tool of the tests' own.
type testTool struct {
	name     string
	effect   tools.Effect
	tainting bool
	run      func(ctx context.Context, env *tools.Env, args json.RawMessage) (tools.Result, error)
}

func (t testTool) Spec() tools.Spec {
	return tools.Spec{
		Name: t.name, Description: "test", Schema: json.RawMessage(`{"type":"object"}`),
		Effect: t.effect, Tainting: t.tainting,
	}
}

func (t testTool) Call(ctx context.Context, env *tools.Env, args json.RawMessage) (tools.Result, error) {
	return t.run(ctx, env, args)
}

// answerText is a result that is a text.
type answerText string

func (a answerText) ForModel(limit int) string { return string(a[:min(len(a), limit)]) }

func answering(name, text string) testTool {
	return testTool{name: name, run: func(context.Context, *tools.Env, json.RawMessage) (tools.Result, error) {
		return answerText(text), nil
	}}
}

// echo answers with its arguments.
func echo(name string) testTool {
	return testTool{name: name, run: func(_ context.Context, _ *tools.Env, args json.RawMessage) (tools.Result, error) {
		return answerText(args), nil
	}}
}

var berlin = time.FixedZone("CET", 3600)

func testEnv() *tools.Env {
	now := time.Date(2026, 3, 30, 9, 15, 0, 0, berlin)
	return &tools.Env{Now: func() time.Time { return now }, Zone: berlin}
}

func newAgent(t testing.TB, opt agent.Options) *agent.Agent {
	t.Helper()
	a, err := agent.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func ask(t testing.TB, a *agent.Agent, c *agent.Conversation, question string) []agent.Event {
	t.Helper()
	return slices.Collect(a.Run(t.Context(), c, agent.Turn{ID: "t1", Question: question, Env: testEnv()}))
}

// outline is the events of a turn, a line each, texts joined; what was checked has
// tests of its own.
func outline(events []agent.Event) string {
	var out []string
	for _, e := range events {
		if e.Type == agent.EventChecked {
			continue
		}
		line := fmt.Sprintf("%d %s", e.Step, e.Type)
		switch e.Type {
		case agent.EventText:
			if n := len(out); n > 0 && strings.HasPrefix(out[n-1], line) {
				out[n-1] += e.Delta
				continue
			}
			line += " " + e.Delta
		case agent.EventToolCall:
			line += " " + e.ID + " " + e.Name
		case agent.EventToolResult:
			line += " " + e.ID + " " + e.Name
			if e.Failure != "" {
				line += " failed"
			}
		case agent.EventRetrying:
			line += " " + e.Retry.Reason
		case agent.EventError:
			line += " " + string(e.Err.Kind)
		case agent.EventFinish:
			line += " " + e.Finish
			if e.Trimmed {
				line += " truncated"
			}
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// wantSettled fails when a call of the conversation has not exactly one result.
func wantSettled(t testing.TB, c *agent.Conversation) {
	t.Helper()
	var open []string
	for i, m := range c.Messages {
		if m.Role == llm.ToolRole {
			if len(open) == 0 || open[0] != m.CallID {
				t.Fatalf("message %d answers %q, open are %q", i, m.CallID, open)
			}
			open = open[1:]
			continue
		}
		if len(open) > 0 {
			t.Fatalf("message %d comes before the results of %q", i, open)
		}
		for _, call := range m.Calls {
			open = append(open, call.ID)
		}
	}
	if len(open) > 0 {
		t.Fatalf("no results of %q", open)
	}
}

// toolTexts are the results as the model reads them in the last request.
func (m *scripted) toolTexts() []string {
	var out []string
	for _, msg := range m.requests[len(m.requests)-1].Messages {
		if msg.Role == llm.ToolRole {
			out = append(out, msg.Text)
		}
	}
	return out
}
