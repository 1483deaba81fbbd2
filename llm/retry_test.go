package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// retrying returns a client that tries again, on a clock on which that takes no
// time.
func retrying(t *testing.T, s *testkit.ModelServer, change ...func(*llm.Options)) (*llm.Client, *fakeClock) {
	clock := newFakeClock()
	clock.skip = time.Minute
	return newClient(t, s, append([]func(*llm.Options){func(o *llm.Options) {
		o.Tries, o.Clock = 0, clock
		o.Random = func() uint64 { return 1 << 63 }
	}}, change...)...), clock
}

func TestWhatMayPassIsTriedAgainThreeTimes(t *testing.T) {
	status := func(n int) testkit.Reply { return testkit.Reply{Status: n, Body: `{"error":{"message":"m"}}`} }
	for _, test := range []struct {
		name    string
		failing testkit.Reply
		tried   bool
	}{
		{"too many requests", status(429), true},
		{"overloaded", status(503), true},
		{"a server's error", status(500), true},
		{"a broken connection", testkit.Reply{Body: "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n", Abort: true}, true},
		{"an answer that stops", testkit.Reply{Body: "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n"}, true},
		{"an empty answer", testkit.SSE(), true},
		{"a call without a name", testkit.SSE(`{"choices":[{"delta":{"tool_calls":[{"id":"a"}]},"finish_reason":"tool_calls"}]}`), true},
		{"too many requests, said inside the stream", testkit.SSE(`{"error":{"code":429,"message":"m"}}`), true},
		{"a server's error, said in words inside the stream", testkit.SSE(`{"error":{"type":"server_error","message":"m"}}`), true},
		{"a call that Groq could not read", testkit.Reply{Status: 400, Body: `{"error":{"code":"tool_use_failed","message":"m"}}`}, true},
		{"a refusal, said inside the stream", testkit.SSE(`{"error":{"code":400,"message":"m"}}`), false},
		{"a wrong key", status(401), false},
		{"no credit", status(402), false},
		{"no such model", status(404), false},
		{"a bad request", status(400), false},
		{"a web page", testkit.Reply{Body: "<html>"}, false},
		{"too long", testkit.Reply{Status: 400, Body: `{"error":{"code":"context_length_exceeded"}}`}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := test.failing
			s := testkit.NewModelServer(t, f, f, f)
			if !test.tried {
				c, _ := retrying(t, s)
				if got := ask(t, c, question()); got.Error == nil || len(s.Received()) != 1 {
					t.Errorf("asked %d times, got %+v", len(s.Received()), got.Error)
				}
				return
			}
			s.Queue(ok())
			c, clock := retrying(t, s)
			if got := ask(t, c, question()); got.Text != "ok" || got.Error != nil || len(got.Calls) != 0 {
				t.Errorf("got %q, %+v", got.Text, got.Error)
			}
			if want := []time.Duration{1125 * time.Millisecond, 2250 * time.Millisecond, 4500 * time.Millisecond}; !slices.Equal(clock.waited(), want) {
				t.Errorf("waited %v, want %v", clock.waited(), want)
			}
			s.Queue(f, f, f, f)
			if got := ask(t, c, question()); got.Error == nil {
				t.Errorf("the fourth failure is none")
			}
		})
	}
}

func TestTextIsTakenBackBeforeAnotherTry(t *testing.T) {
	s := testkit.NewModelServer(t,
		testkit.Reply{Body: "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n", Abort: true}, ok())
	c, _ := retrying(t, s)
	var events []string
	for e, err := range c.Stream(t.Context(), question()) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, strings.TrimSpace(string(e.Type)+" "+e.Delta))
	}
	if got := strings.Join(events, ", "); got != "text half, retrying, text ok, finish" {
		t.Errorf("got %s", got)
	}
}

func TestRetryAfterIsHeededUpToAMinute(t *testing.T) {
	limit := func(after string) testkit.Reply {
		return testkit.Reply{Status: 429, Header: http.Header{"Retry-After": {after}}, Body: "m"}
	}
	s := testkit.NewModelServer(t, limit("17"), limit("60"), ok())
	c, clock := retrying(t, s)
	if got := ask(t, c, question()); got.Text != "ok" || !slices.Equal(clock.waited(), []time.Duration{17 * time.Second, time.Minute}) {
		t.Errorf("got %+v after %v", got, clock.waited())
	}
	s.Queue(limit("61"))
	got := ask(t, c, question())
	if got.Error == nil || got.Error.Kind != llm.KindRateLimit || got.Error.RetryAfter != 61 {
		t.Errorf("got %+v", got.Error)
	}
}

func TestStoppingDuringTheWaitEndsTheRequest(t *testing.T) {
	s := testkit.NewModelServer(t, testkit.Reply{Status: 500}, testkit.Reply{Status: 500})
	c := newClient(t, s, func(o *llm.Options) { o.Tries, o.Clock = 1, newFakeClock() }) // on which no wait ends
	for range c.Stream(t.Context(), question()) {
		break // at the EventRetrying
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var end error
	for e, err := range c.Stream(ctx, question()) {
		if end = err; e.Type == llm.EventRetrying {
			time.AfterFunc(time.Millisecond, cancel) // so that the wait has most likely begun
		}
	}
	var e *llm.Error
	if !errors.As(end, &e) || e.Kind != llm.KindCancelled || len(s.Received()) != 2 {
		t.Errorf("asked %d times, got %v", len(s.Received()), end)
	}
}

func TestWhatAModelRefusesIsLearnedAndRemembered(t *testing.T) {
	refuse := func(status int, message string) testkit.Reply {
		raw, _ := json.Marshal(map[string]any{"error": map[string]string{"message": message}})
		return testkit.Reply{Status: status, Body: string(raw)}
	}
	for _, test := range []struct {
		name, gone, instead string
		reply               testkit.Reply
	}{
		{"stream_options", "stream_options", "", refuse(400, "Unknown parameter: 'stream_options'")},
		{"stream_options, as Python says it", "stream_options", "", testkit.Reply{Status: 422, Body: `{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`}},
		{"parallel calls", "parallel_tool_calls", "", refuse(400, "parallel_tool_calls is not supported with this model")},
		{"the effort", "reasoning_effort", "", refuse(400, "Unrecognized request argument: reasoning_effort")},
		{"the effort beside tools", "", `"reasoning_effort":"none"`, refuse(400, "Function tools with reasoning_effort are not supported")},
		{"the temperature", "temperature", "", refuse(400, "Unsupported value: 'temperature' does not support 0")},
		{"the old limit", "max_tokens", `"max_completion_tokens":50`, refuse(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")},
		{"an echo", "reasoning_content", "", refuse(400, "property 'reasoning_content' is unsupported")},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := testkit.NewModelServer(t, test.reply, ok(), ok())
			learned := &llm.Learned{}
			set := func(o *llm.Options) { o.Learned, o.Effort = learned, "low" }
			for range 2 { // the second client knows what the first learned
				if got := ask(t, newClient(t, s, set), conversation()); got.Text != "ok" {
					t.Fatalf("got %+v", got.Error)
				}
			}
			received := s.Received()
			if len(received) != 3 {
				t.Fatalf("asked %d times", len(received))
			}
			for _, r := range received[1:] {
				if test.gone != "" && strings.Contains(string(r.Body), `"`+test.gone+`"`) || !strings.Contains(string(r.Body), test.instead) {
					t.Errorf("sent %s", r.Body)
				}
			}
		})
	}
}

func TestARefusalThatTeachesNothingEndsTheRequest(t *testing.T) {
	refusal := testkit.Reply{Status: 400, Body: `{"error":{"message":"stream_options and max_completion_tokens are unknown"}}`}
	s := testkit.NewModelServer(t, refusal, refusal, refusal)
	if got := ask(t, newClient(t, s), conversation()); got.Error == nil || got.Error.Kind != llm.KindBadRequest || len(s.Received()) != 3 {
		t.Errorf("asked %d times, got %+v", len(s.Received()), got.Error)
	}
}

func TestAServerThatIsNotThereIsNamed(t *testing.T) {
	s := testkit.NewModelServer(t)
	c := newClient(t, s)
	address := strings.TrimPrefix(s.URL, "http://")
	s.Close()
	var e *llm.Error
	for _, err := range c.Stream(t.Context(), question()) {
		if !errors.As(err, &e) || e.Kind != llm.KindOffline || e.Cause != llm.CauseNobody || !strings.Contains(e.Message, address) {
			t.Errorf("got %v", err)
		}
	}
}
