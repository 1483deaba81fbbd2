package agent_test

import (
	"bytes"
	"context"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/tools"
)

// overHTTP returns a model behind a scripted server on loopback.
func overHTTP(t testing.TB, s *testkit.ModelServer) *llm.Client {
	t.Helper()
	row, ok := llm.FindProvider("custom")
	if !ok {
		t.Fatal("no custom provider")
	}
	c, err := llm.New(llm.Options{Provider: row, Model: "m", BaseURL: s.URL, HTTP: s.Client(), Tries: -1})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestATurnCanBeCancelledAtEveryEventOfEveryFixture runs each fixture as a model's
// first answer and cancels at each event that comes of it, in the stream, between
// the results of tools and in the next answer.
func TestATurnCanBeCancelledAtEveryEventOfEveryFixture(t *testing.T) {
	fine := testkit.SSE(`{"choices":[{"index":0,"delta":{"content":"fine"}}]}`, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)
	for name, first := range testkit.RecordedReplies(t, filepath.Join("..", "..", "llm", "testdata", "streams")) {
		first.Chunks = []int{40}
		t.Run(name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			total := len(cancelled(t, first, fine, -1))
			every := 1
			if testing.Short() {
				every = total/3 + 1
			}
			for at := 0; at < total; at += every {
				cancelled(t, first, fine, at)
			}
			noGoroutineLeft(t, before)
		})
	}
}

// cancelled plays one turn over HTTP, cancels it at an event (-1: not at all), and
// then asks again in the same conversation.
func cancelled(t *testing.T, first, rest testkit.Reply, at int) []agent.Event {
	t.Helper()
	s := testkit.NewModelServer(t, first, rest, rest, rest, rest)
	a := newAgent(t, agent.Options{
		Model: overHTTP(t, s),
		Tools: []tools.Tool{echo("get_weather"), echo("query"), echo("read"), echo("write_file")},
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var c agent.Conversation
	var events []agent.Event
	said := ""
	for e := range a.Run(ctx, &c, agent.Turn{ID: "t", Question: "q", Env: testEnv()}) {
		if e.Type == agent.EventText && at >= 0 && len(events) <= at {
			said += e.Delta
		}
		if e.Type == agent.EventRetrying {
			said = ""
		}
		if len(events) == at {
			cancel()
		}
		events = append(events, e)
	}
	last := events[len(events)-1]
	if last.Type != agent.EventFinish {
		t.Fatalf("cancelled at %d: the last event is %s", at, last.Type)
	}
	if at >= 0 && last.Finish != agent.FinishCancelled && !decided(events, at) {
		t.Errorf("cancelled at event %d (%s): finish is %q", at, events[at].Type, last.Finish)
	}
	wantSettled(t, &c)
	kept := ""
	for _, m := range c.Messages {
		if m.Role == llm.Assistant {
			kept += m.Text
		}
	}
	if !strings.Contains(kept, said) {
		t.Errorf("cancelled at event %d: said was %q, kept is %q", at, said, kept)
	}
	s.Queue(rest)
	next := outline(ask(t, a, &c, "again"))
	if !strings.HasSuffix(next, "text fine\n1 finish stop") && at >= 0 && events[at].Step == 1 {
		t.Errorf("cancelled at event %d: the next turn is\n%s", at, next)
	}
	s.CloseClientConnections()
	s.Close()
	return events
}

// decided reports whether the end of a turn was decided by the event at which it
// was cancelled: the model's answer had failed, or was complete.
func decided(events []agent.Event, at int) bool {
	for _, e := range events[at:] {
		switch e.Type {
		case agent.EventFinish, agent.EventError:
			return true
		case agent.EventToolResult, agent.EventUsage, agent.EventChecked: // those of a failed answer's calls, and of a complete one
		default:
			return false
		}
	}
	return false
}

func TestNoByteOfASecretReachesTheServer(t *testing.T) {
	call := `{"choices":[{"index":0,"delta":{"content":"` + testNsec + `","tool_calls":[{"index":0,"id":"a","function":{"name":"notes","arguments":"{\"search\":\"` + testNsec + `\"}"}}]}}]}`
	done := `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	s := testkit.NewModelServer(t, testkit.SSE(call, done),
		testkit.SSE(`{"choices":[{"index":0,"delta":{"content":"ok"}}]}`, done),
		testkit.SSE(`{"choices":[{"index":0,"delta":{"content":"ok"}}]}`, done))
	a := newAgent(t, agent.Options{
		Model: overHTTP(t, s), Tools: []tools.Tool{answering("notes", "a note that holds "+testNsec+" and bunker://abc?secret=hush")},
	})
	c := agent.Conversation{Session: "account " + testNsec}
	ask(t, a, &c, "post "+testNsec+" for me")
	ask(t, a, &c, "once more")
	if n := len(s.Received()); n != 3 {
		t.Fatalf("%d requests", n)
	}
	for i, r := range s.Received() {
		for _, secret := range []string{testNsec[5:], "hush"} {
			if bytes.Contains(r.Body, []byte(secret)) {
				t.Errorf("request %d holds %q: %s", i+1, secret, r.Body)
			}
		}
		if !bytes.Contains(r.Body, []byte("secret key removed")) {
			t.Errorf("request %d does not say that something was removed", i+1)
		}
	}
}
