package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"bowerbird/llm"
	"bowerbird/tools"
)

const anyKey = "7f0e64b52ef56bec2b588d460fc63125f567db2c014d1ecce806d8d5b4209e2e"

// step runs one request and returns its events by type.
func step(t *testing.T, m *Model, req *llm.Request) (calls []llm.Call, text string, echo map[string]json.RawMessage) {
	t.Helper()
	finished := false
	for ev, err := range m.Stream(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
		switch ev.Type {
		case llm.EventToolCall:
			calls = append(calls, *ev.Call)
		case llm.EventText:
			text += ev.Delta
		case llm.EventEcho:
			echo = ev.Echo
		case llm.EventFinish:
			finished = true
		}
	}
	if !finished {
		t.Error("the stream ended without a finish")
	}
	return calls, text, echo
}

func offered(names ...string) []llm.Tool {
	var list []llm.Tool
	for _, n := range names {
		list = append(list, llm.Tool{Name: n})
	}
	return list
}

func TestAllStepsOfATurnSpeakOfTheSameTime(t *testing.T) {
	now := time.Date(2026, 11, 19, 15, 10, 0, 0, time.UTC)
	m := New(Options{
		Now:  func() time.Time { now = now.Add(time.Minute); return now },
		Zone: func() *time.Location { return time.UTC },
		Me:   func() string { return anyKey },
	})
	req := &llm.Request{
		Messages: []llm.Message{{Role: llm.User, Text: "how many notes are there\n\n<context>\nnow: whatever\n</context>"}},
		Tools:    offered("count", "coverage", "get_profile"),
	}
	calls, _, echo := step(t, m, req)
	if len(calls) != 1 || calls[0].Name != "get_profile" {
		t.Fatalf("the first step calls %v", calls)
	}
	answered := llm.Message{Role: llm.ToolRole, CallID: calls[0].ID, Value: tools.ProfileResult{Follows: 3}}
	req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Calls: calls, Echo: echo}, answered)
	second, _, echo2 := step(t, m, req)
	again, _, _ := step(t, m, req)
	if len(second) != 2 || len(again) != 2 || string(second[0].Arguments) != string(again[0].Arguments) {
		t.Errorf("the same request gives %v, then %v", second, again)
	}
	if string(echo2[echoNow]) != string(echo[echoNow]) {
		t.Errorf("the turn's time went from %s to %s", echo[echoNow], echo2[echoNow])
	}
	req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Calls: second, Echo: echo2},
		llm.Message{Role: llm.ToolRole, CallID: second[0].ID, Value: &tools.CountResult{Count: 12, Authors: 5}},
		llm.Message{Role: llm.ToolRole, CallID: second[1].ID, Failed: true, Text: "no ledger"})
	calls, text, _ := step(t, m, req)
	if len(calls) != 0 || !strings.HasPrefix(text, "12 notes by 5 people you follow") {
		t.Errorf("the last step calls %v and says %q", calls, text)
	}
}

func TestTheQuestionIsTheUsersOwnNewestWords(t *testing.T) {
	user := func(s string) llm.Message { return llm.Message{Role: llm.User, Text: s} }
	for _, tt := range []struct {
		name string
		msgs []llm.Message
		want string
	}{
		{"with the agent's tail", []llm.Message{user("help\n\n<context>\nnow: 1\n</context>")}, "help"},
		{"the tail as a message of its own", []llm.Message{user("help"), user("<context>\nnow: 1\n</context>")}, "help"},
		{"without a tail", []llm.Message{user("top hashtags"), {Role: llm.Assistant, Text: "…"}, user("help")}, "help"},
		{"the agent's closing words are no question", []llm.Message{user("help\n<context>\n</context>"), user("Answer now, without tools.")}, "help"},
		{"the newest of several turns", []llm.Message{user("top hashtags\n<context>\n"), {Role: llm.Assistant, Text: "…"}, user("help\n<context>\n")}, "help"},
		{"nothing", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := New(Options{}).readTurn(t.Context(), &llm.Request{Messages: tt.msgs}).question; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWithoutToolsThereIsAnAnswerAndNoCall(t *testing.T) {
	m := New(Options{Me: func() string { return anyKey }})
	for _, q := range []string{"what did i miss", "search comet", "top hashtags", "who is Ada", "how many notes are there", "summarise this thread " + anyKey, "help", "who posted most", "what is ada saying", "xyzzy"} {
		for _, req := range []*llm.Request{
			{Messages: []llm.Message{{Role: llm.User, Text: q}}},
			{Messages: []llm.Message{{Role: llm.User, Text: q}}, Tools: offered("query", "count", "aggregate"), ToolChoice: llm.ToolNone},
		} {
			calls, text, _ := step(t, m, req)
			if len(calls) > 0 || strings.TrimSpace(text) == "" {
				t.Errorf("%s: %d calls, text %q", q, len(calls), text)
			}
		}
	}
}

func TestACancelledRequestEndsWithItsKind(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var last error
	for _, err := range New(Options{}).Stream(ctx, &llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "help"}}}) {
		last = err
	}
	var e *llm.Error
	if !errors.As(last, &e) || e.Kind != llm.KindCancelled || !errors.Is(last, context.Canceled) {
		t.Errorf("got %v", last)
	}
}

func TestWhatDoesNotFitIntoOneStepIsAskedForInTheNext(t *testing.T) {
	const pages = 300
	asked, results := 0, map[string]llm.Message{}
	for range 4 {
		turn := &turn{results: results, offered: map[string]bool{"query": true}}
		for i := range pages {
			ask[tools.QueryResult](turn, "query", tools.QueryArgs{Limit: i + 1})
		}
		if len(turn.pending) > stepCalls {
			t.Fatalf("%d calls in one step", len(turn.pending))
		}
		asked += len(turn.pending)
		for _, c := range turn.pending {
			results[callKey(c.Name, c.Arguments)] = llm.Message{Value: tools.QueryResult{}}
		}
	}
	if asked != pages || len(results) != pages {
		t.Errorf("%d calls for %d pages, %d answered", asked, pages, len(results))
	}
}

// What a tool could only count in part is not told as the whole.
func TestACountThatRanOutOfTimeIsNoCount(t *testing.T) {
	for _, partial := range []bool{false, true} {
		raw := json.RawMessage(`{}`)
		tn := &turn{results: map[string]llm.Message{callKey("count", raw): {Value: tools.CountResult{Count: 3, CountAtLeast: partial}}}}
		if got := ask[tools.CountResult](tn, "count", struct{}{}); (got.value == nil) != partial || (got.err == "") == partial {
			t.Errorf("partial %v: %+v", partial, got)
		}
	}
}
