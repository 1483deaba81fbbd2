package llm_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/netsafe"
)

func TestModelsAreListedInEveryServersForm(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"OpenAI", `{"object":"list","data":[{"id":"b","object":"model"},{"id":"a"},{"id":"b"}]}`, "[{a 0} {b 0}]"},
		{"OpenRouter, with windows", `{"data":[{"id":"x/y:free","context_length":131072}]}`, "[{x/y:free 131072}]"},
		{"vLLM", `{"data":[{"id":"q","max_model_len":32768.0}]}`, "[{q 32768}]"},
		{"Together, a bare list", `[{"id":"m","context_length":8192},{"id":null},7]`, "[{m 8192}]"},
		{"Ollama's own", `{"models":[{"name":"qwen3:8b","model":"qwen3:8b"}]}`, "[{qwen3:8b 0}]"},
		{"none", `{"data":[]}`, "[]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := testkit.NewModelServer(t)
			s.About(testkit.Reply{Body: test.body, Header: http.Header{"Content-Type": {"application/json"}}})
			models, err := newClient(t, s).List(t.Context())
			if got := windows(models); got != test.want || err != nil {
				t.Errorf("got %s, %v; want %s", got, err, test.want)
			}
			if got := s.Asked()[0]; got.Method != "GET" || got.URL.Path != "/v1/models" {
				t.Errorf("asked %s %s", got.Method, got.URL)
			}
		})
	}
}

// windows are models with their windows, for short.
func windows(models []llm.ModelInfo) string {
	all := make([]string, len(models))
	for i, m := range models {
		all[i] = fmt.Sprintf("{%s %d}", m.ID, m.Context)
	}
	return fmt.Sprint(all)
}

func TestAListThatFailsSaysWhy(t *testing.T) {
	for _, test := range []struct {
		name  string
		reply testkit.Reply
		want  llm.ErrorKind
	}{
		{"a wrong key", testkit.Reply{Status: 401, Body: `{"error":{"message":"no"}}`}, llm.KindAuth},
		{"an error with a good status", testkit.Reply{Body: `{"error":"Unexpected endpoint"}`}, llm.KindAPI},
		{"a web page", testkit.Reply{Body: "<html>", Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}}, llm.KindNotSSE},
		{"something else", testkit.Reply{Body: "hello"}, llm.KindNotFound},
		{"a broken connection", testkit.Reply{Body: `{"data":[`, Abort: true}, llm.KindTransport},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := testkit.NewModelServer(t)
			s.About(test.reply)
			_, err := newClient(t, s).List(t.Context())
			var e *llm.Error
			if !errors.As(err, &e) || e.Kind != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

func TestAListThatNeverEndsIsGivenUp(t *testing.T) {
	s := testkit.NewModelServer(t)
	s.About(testkit.Reply{Body: `{"data":[`, Hang: true})
	clock := newFakeClock()
	clock.skip = time.Minute
	_, err := newClient(t, s, func(o *llm.Options) { o.Clock = clock }).List(t.Context())
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.KindTimeout {
		t.Errorf("got %v, want %s", err, llm.KindTimeout)
	}
}

func TestATestShowsWhetherTheModelCallsTools(t *testing.T) {
	call := testkit.SSE(
		`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"ping","arguments":"{\"word\":\"pong\"}"}}]},"finish_reason":"tool_calls"}]}`,
		`{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}}`)
	noTools := testkit.Reply{Status: 400, Body: `{"error":{"message":"m does not support tools"}}`}
	s := testkit.NewModelServer(t, call, ok(), noTools, ok(), testkit.Reply{Status: 401})
	c := newClient(t, s)
	for i, want := range []string{"true ", "false ok", "false ok"} {
		r, err := c.Test(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(r.Tools, " ", r.Text); got != want {
			t.Errorf("test %d: got %q, want %q", i, got, want)
		}
	}
	if _, err := c.Test(t.Context()); err == nil {
		t.Error("a wrong key passed the test")
	}
}

func TestAnAddressThatMayNotBeDialledIsRefusedInPlainWords(t *testing.T) {
	client, err := netsafe.ForServer("http://8.8.8.8")
	if err != nil {
		t.Fatal(err)
	}
	row, _ := llm.FindProvider("custom")
	c, err := llm.New(llm.Options{Provider: row, Model: "m", BaseURL: "http://8.8.8.8", HTTP: client, Clock: newFakeClock()})
	if err != nil {
		t.Fatal(err)
	}
	got := llm.Collect(c.Stream(t.Context(), question()))
	if got.Error == nil || got.Error.Kind != llm.KindTransport || !strings.Contains(got.Error.Message, "https") {
		t.Errorf("got %+v", got.Error)
	}
}
