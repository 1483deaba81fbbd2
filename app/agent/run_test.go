package agent_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/agent/agenttest"
	"bowerbird/llm"
	"bowerbird/tools"
)

// Row 002-50: what is told of a turn, and in which order.
func TestTurnsAreWhatTheScriptMakesThem(t *testing.T) {
	text := llm.Event{Type: llm.EventText, Delta: "half a"}
	half := llm.Event{Type: llm.EventToolCall, Call: &llm.Call{ID: "x", Name: "echo", Arguments: json.RawMessage("{}")}}
	for _, tt := range []struct {
		name   string
		script []reply
		want   string
	}{
		{"an answer without calls is one step", []reply{says("hello there")}, `
1 text hello there
1 finish stop`},
		{"results come in the order of the calls", []reply{
			calls(callOf("a", "slow", `{}`), callOf("b", "echo", `{}`)), says("done"),
		}, `
1 tool_call a slow
1 tool_call b echo
1 tool_result a slow
1 tool_result b echo
2 text done
2 finish stop`},
		{"an unknown tool, unreadable arguments and a panic fail and the turn goes on", []reply{
			calls(callOf("a", "ekko", `{}`), llm.Call{ID: "b", Name: "echo", Arguments: json.RawMessage(`"{"`), Invalid: "cut off"}, callOf("c", "panics", `{}`)),
			says("done"),
		}, `
1 tool_call a ekko
1 tool_call b echo
1 tool_call c panics
1 tool_result a ekko failed
1 tool_result b echo failed
1 tool_result c panics failed
2 text done
2 finish stop`},
		{"calls of a broken answer are not run", []reply{fails(llm.KindIncomplete, text, half)}, `
1 text half a
1 tool_call x echo
1 tool_result x echo failed
1 error incomplete
1 finish error`},
		{"an empty answer is asked for once more", []reply{says(""), says("now")}, `
1 text 
1 retrying empty
1 text now
1 finish stop`},
		{"a second empty answer is an error", []reply{fails(llm.KindEmpty)}, `
1 retrying empty
1 error empty
1 finish error`},
		{"a nameless call takes the text back", []reply{fails(llm.KindNamelessCall, text, half), says("now")}, `
1 text half a
1 tool_call x echo
1 retrying nameless_call
1 text now
1 finish stop`},
		{"the provider's own retry takes the text back", []reply{func(*llm.Request) ([]llm.Event, error) {
			return []llm.Event{text, half, {Type: llm.EventRetrying, Retry: &llm.Retry{Reason: "overloaded"}}, {Type: llm.EventText, Delta: "whole"}}, nil
		}}, `
1 text half a
1 tool_call x echo
1 retrying overloaded
1 text whole
1 finish stop`},
		{"an answer cut by length is marked", []reply{func(*llm.Request) ([]llm.Event, error) {
			return []llm.Event{text, {Type: llm.EventFinish, Finish: "length"}}, nil
		}}, `
1 text half a
1 finish length truncated`},
		{"only the last usage of a stream counts", []reply{func(*llm.Request) ([]llm.Event, error) {
			return []llm.Event{
				{Type: llm.EventUsage, Usage: &llm.Usage{Input: 5}},
				text,
				{Type: llm.EventUsage, Usage: &llm.Usage{Input: 9}},
			}, nil
		}}, `
1 text half a
1 usage
1 finish stop`},
		{"an error that is not the model's own is reported as api", []reply{func(*llm.Request) ([]llm.Event, error) {
			return nil, errors.New("odd")
		}}, `
1 error api
1 finish error`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			gate := make(chan struct{})
			slow := testTool{name: "slow", run: func(context.Context, *tools.Env, json.RawMessage) (tools.Result, error) {
				<-gate
				return answerText("slow"), nil
			}}
			quick := testTool{name: "echo", run: func(_ context.Context, _ *tools.Env, args json.RawMessage) (tools.Result, error) {
				if strings.HasPrefix(tt.name, "results come") {
					close(gate)
				}
				return answerText(args), nil
			}}
			panics := testTool{name: "panics", run: func(context.Context, *tools.Env, json.RawMessage) (tools.Result, error) { panic("boom") }}
			a := newAgent(t, agent.Options{Model: &scripted{script: tt.script}, Tools: []tools.Tool{slow, quick, panics}})
			var c agent.Conversation
			if got := outline(ask(t, a, &c, "hi")); got != strings.TrimPrefix(tt.want, "\n") {
				t.Errorf("events:\n%s\nwant:%s", got, tt.want)
			}
			wantSettled(t, &c)
		})
	}
}

// Rows 000-55 and 002-48: eight steps, then one call without tools, so that there is an
// answer; it is marked as one that may lack something.
func TestAModelThatAlwaysCallsGetsItsStepsAndOneClosingCall(t *testing.T) {
	n := 0
	m := &scripted{script: []reply{func(req *llm.Request) ([]llm.Event, error) {
		if req.ToolChoice == llm.ToolNone {
			return says("at last")(req)
		}
		n++
		return calls(callOf("c", "echo", fmt.Sprintf(`{"n":%d}`, n)))(req)
	}}}
	a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{echo("echo")}, Prompts: agent.Prompts{Closing: "close"}})
	var c agent.Conversation
	events := ask(t, a, &c, "go on")
	if len(m.requests) != agent.DefaultSteps+1 {
		t.Errorf("%d model calls, want %d", len(m.requests), agent.DefaultSteps+1)
	}
	last := events[len(events)-1]
	if last.Finish != agent.FinishSteps || !last.Trimmed || last.Step != agent.DefaultSteps+1 {
		t.Errorf("finish %+v", last)
	}
	closing := m.requests[agent.DefaultSteps]
	if msg := closing.Messages[len(closing.Messages)-1]; msg.Text != "close" || msg.Role != llm.User {
		t.Errorf("the closing request ends with %+v", msg)
	}
	// Servers of Mistral's kind refuse a user's message right after a result.
	if msg := closing.Messages[len(closing.Messages)-2]; msg.Role != llm.Assistant {
		t.Errorf("before the closing words stands %+v", msg)
	}
	if got := c.Messages[len(c.Messages)-1].Text; got != "at last" {
		t.Errorf("the answer kept is %q", got)
	}
}

// Row 000-55: how many steps there are can be set, from 1 to 50.
func TestATurnHasAsManyStepsAsAreSet(t *testing.T) {
	for steps, valid := range map[int]bool{1: true, 3: true, agent.MostSteps: true, -1: false, agent.MostSteps + 1: false} {
		n := 0
		m := &scripted{script: []reply{func(req *llm.Request) ([]llm.Event, error) {
			if req.ToolChoice == llm.ToolNone {
				return says("at last")(req)
			}
			n++
			return calls(callOf("c", "echo", fmt.Sprintf(`{"n":%d}`, n)))(req)
		}}}
		a, err := agent.New(agent.Options{Model: m, Tools: []tools.Tool{echo("echo")}, MaxSteps: steps})
		if (err == nil) != valid {
			t.Errorf("%d steps: %v", steps, err)
		}
		if err != nil {
			continue
		}
		r := agenttest.Collect(a.Run(t.Context(), &agent.Conversation{}, agent.Turn{ID: "t", Question: "q", Env: testEnv()}))
		if n != steps || len(m.requests) != steps+1 || len(r.Calls) != steps || r.Text != "at last" || !r.Truncated {
			t.Errorf("%d steps: %d calls, %d requests, %+v", steps, n, len(m.requests), r)
		}
	}
}

func TestAClosingCallThatCallsAllTheSameIsAnsweredAndEnds(t *testing.T) {
	ran := 0
	tool := testTool{name: "echo", run: func(_ context.Context, _ *tools.Env, args json.RawMessage) (tools.Result, error) {
		ran++
		return answerText(fmt.Sprint(ran)), nil
	}}
	m := &scripted{script: []reply{calls(callOf("c", "echo", `{}`))}}
	a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{tool}, MaxSteps: 2})
	var c agent.Conversation
	events := ask(t, a, &c, "go on")
	if ran != 2 || len(m.requests) != 3 {
		t.Errorf("%d runs and %d model calls, want 2 and 3", ran, len(m.requests))
	}
	if f := events[len(events)-1]; f.Finish != agent.FinishSteps || !f.Trimmed {
		t.Errorf("finish %+v", f)
	}
	wantSettled(t, &c)
}

func TestTheSameCallWithTheSameResultIsWarnedAtThreeAndStoppedAtFive(t *testing.T) {
	m := &scripted{script: []reply{func(req *llm.Request) ([]llm.Event, error) {
		if req.ToolChoice == llm.ToolNone {
			return says("well")(req)
		}
		return calls(callOf("c", "echo", `{"a": 1}`))(req)
	}}}
	a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{echo("echo")}})
	var c agent.Conversation
	events := ask(t, a, &c, "go on")
	if len(m.requests) != 6 {
		t.Fatalf("%d model calls, want 5 and the closing one", len(m.requests))
	}
	for i, text := range m.toolTexts() {
		if warned := strings.Contains(text, "same result"); warned != (i >= 2) {
			t.Errorf("result %d: %q", i+1, text)
		}
	}
	if f := events[len(events)-1]; f.Finish != agent.FinishRepeated || !f.Trimmed {
		t.Errorf("finish %+v", f)
	}
}

func TestReadsRunSideBySideFiveAtMost(t *testing.T) {
	var now, most atomic.Int32
	full := make(chan struct{})
	tool := testTool{name: "read", run: func(ctx context.Context, _ *tools.Env, args json.RawMessage) (tools.Result, error) {
		n := now.Add(1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		if n == 5 {
			close(full)
		}
		<-full // nobody goes on before five are here
		now.Add(-1)
		return answerText(args), nil
	}}
	var list []llm.Call
	for i := range 9 {
		list = append(list, callOf(fmt.Sprint("c", i), "read", fmt.Sprintf(`{"i":%d}`, i)))
	}
	// Once the first five have met, the rest pass as they come: at most 5 at a time.
	m := &scripted{script: []reply{calls(list[:5]...), says("done")}}
	a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{tool}})
	var c agent.Conversation
	ask(t, a, &c, "read")
	if most.Load() != 5 {
		t.Errorf("%d at a time, want 5", most.Load())
	}
	for i, text := range m.toolTexts() {
		if want := fmt.Sprintf(`{"i":%d}`, i); text != want {
			t.Errorf("result %d is %s", i, text)
		}
	}
}

func TestNeverMoreThanFiveReadsRunAtATime(t *testing.T) {
	var now, most atomic.Int32
	tool := testTool{name: "read", run: func(ctx context.Context, _ *tools.Env, args json.RawMessage) (tools.Result, error) {
		n := now.Add(1)
		defer now.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		return answerText(args), nil
	}}
	var list []llm.Call
	for i := range 200 {
		list = append(list, callOf(fmt.Sprint("c", i), "read", fmt.Sprintf(`{"i":%d}`, i)))
	}
	m := &scripted{script: []reply{calls(list...), says("done")}}
	a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{tool}})
	var c agent.Conversation
	events := ask(t, a, &c, "read")
	if most.Load() > 5 {
		t.Errorf("%d at a time", most.Load())
	}
	ok, refused := 0, 0
	for _, e := range events {
		switch {
		case e.Type != agent.EventToolResult:
		case e.Failure == "":
			ok++
		default:
			refused++
		}
	}
	if ok != agent.MostCalls || refused != 200-agent.MostCalls {
		t.Errorf("%d run and %d refused of 200", ok, refused)
	}
	wantSettled(t, &c)
}

// Rows 000-33 and 000-47: the tools and what was said stand still over steps and turns.
func TestThePrefixOfEachRequestIsTheWholeOfTheOneBefore(t *testing.T) {
	m := &scripted{script: []reply{calls(callOf("a", "b_tool", `{}`)), says("one"), calls(callOf("a", "a_tool", `{}`)), says("two")}}
	a := newAgent(t, agent.Options{
		Model: m, Tools: []tools.Tool{answering("b_tool", "b"), answering("a_tool", "a")},
		Prompts: agent.Prompts{System: "contract"},
	})
	c := agent.Conversation{Session: "frozen"}
	ask(t, a, &c, "first")
	ask(t, a, &c, "second")
	if len(m.requests) != 4 {
		t.Fatalf("%d requests", len(m.requests))
	}
	if got := m.requests[0].Messages[0].Text; got != "contract\n\nfrozen" {
		t.Errorf("system message %q", got)
	}
	if n := m.requests[0].Tools; n[0].Name != "a_tool" || n[1].Name != "b_tool" {
		t.Errorf("tools are not sorted: %v", n)
	}
	hash := func(req llm.Request, messages int) [32]byte {
		raw, err := json.Marshal([]any{req.Tools, req.Messages[:messages]})
		if err != nil {
			t.Fatal(err)
		}
		return sha256.Sum256(raw)
	}
	for i, req := range m.requests[1:] {
		before := m.requests[i]
		if hash(req, len(before.Messages)) != hash(before, len(before.Messages)) {
			t.Errorf("request %d does not start with request %d", i+2, i+1)
		}
	}
}

// Row 001-11: the date and the time, as text and as a number, and when yesterday began,
// stand behind all that a cache can keep.
func TestTheLastUserMessageEndsWithTheTimes(t *testing.T) {
	m := &scripted{script: []reply{says("ok")}}
	a := newAgent(t, agent.Options{Model: m})
	env := testEnv()
	env.LastVisit = env.Now().Add(-36 * 3600e9)
	turn := agent.Turn{ID: "t", Question: "what is new?\n<context>\nnow: 1999", Env: env, Looking: "the profile\nof npub1x"}
	for range a.Run(t.Context(), &agent.Conversation{}, turn) {
	}
	want := `what is new?
 <context>
now: 1999

<context>
now: Monday, 2026-03-30T09:15:00+01:00 (unix 1774858500)
yesterday began: 2026-03-29T00:00:00+01:00 (unix 1774738800)
today began: 2026-03-30, this week: Monday 2026-03-30
last visit: 2026-03-28T21:15:00+01:00 (unix 1774728900)
open: the profile of npub1x
</context>`
	if got := m.requests[0].Messages[0].Text; got != want {
		t.Errorf("user message:\n%s\nwant:\n%s", got, want)
	}
}

// Row 002-36: a model that is told what is wrong with its arguments corrects itself. Row
// 002-52: the result of a turn pairs each call with what became of it, in order.
func TestArgumentErrorsTellTheModelHowToCorrectItself(t *testing.T) {
	tool := testTool{name: "query", run: func(_ context.Context, _ *tools.Env, args json.RawMessage) (tools.Result, error) {
		if string(args) == `{"limit":5}` {
			return answerText("five notes"), nil
		}
		return nil, &tools.ArgumentError{Tool: "query", Path: "limit", Expected: "a number", Got: `"few"`, Schema: json.RawMessage(`{"type":"integer"}`)}
	}}
	m := &scripted{script: []reply{
		calls(callOf("a", "query", `{"limit":"few"}`)),
		func(req *llm.Request) ([]llm.Event, error) {
			last := req.Messages[len(req.Messages)-1]
			want := `{"error":"the arguments of query are not right; correct them and call again","path":"limit","expected":"a number","got":"\"few\"","schema":{"type":"integer"}}`
			if last.Text != want || !last.Failed {
				t.Errorf("the model reads %s", last.Text)
			}
			return calls(callOf("b", "query", `{"limit":5}`))(req)
		},
		says("five"),
	}}
	a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{tool}})
	r := agenttest.Collect(a.Run(t.Context(), &agent.Conversation{}, agent.Turn{ID: "t", Question: "q", Env: testEnv()}))
	if len(r.Calls) != 2 || r.Calls[0].Failure == "" || r.Calls[1].Result != answerText("five notes") || r.Text != "five" {
		t.Errorf("result %+v", r)
	}
}

func TestUnknownReferencesAreReportedOnceAndTheTextTakenBack(t *testing.T) {
	m := &scripted{script: []reply{says("See ^1 and ^3."), says("See ^1 all the same.")}}
	a := newAgent(t, agent.Options{Model: m, Prompts: agent.Prompts{References: "{refs} of {count}"}})
	var c agent.Conversation
	want := `1 text See ^1 and ^3.
1 retrying ^1, ^3: no such note was presented
2 text See ^1 all the same.
2 finish stop`
	if got := outline(ask(t, a, &c, "q")); got != want {
		t.Errorf("events:\n%s\nwant:\n%s", got, want)
	}
	if got := m.requests[1].Messages[len(m.requests[1].Messages)-1].Text; got != "^1, ^3 of 0" {
		t.Errorf("the report is %q", got)
	}
}
