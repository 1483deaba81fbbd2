package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/llm"
	"bowerbird/internal/testkit"
)

func ok() testkit.Reply {
	return testkit.SSE(`{"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}`)
}

// ask runs a request to its end and returns what came of it.
func ask(t *testing.T, c *llm.Client, req *llm.Request) *llm.Recorded {
	t.Helper()
	return llm.Collect(c.Stream(t.Context(), req))
}

// row returns a provider, and a way to set it.
func row(t *testing.T, name string) func(*llm.Options) {
	t.Helper()
	p, found := llm.FindProvider(name)
	if !found {
		t.Fatalf("no provider %q", name)
	}
	return func(o *llm.Options) { o.Provider = p }
}

// sent asks once and returns the body that the server got.
func sent(t *testing.T, req *llm.Request, change ...func(*llm.Options)) map[string]any {
	t.Helper()
	s := testkit.NewModelServer(t, ok())
	if got := ask(t, newClient(t, s, change...), req); got.Text != "ok" || got.Error != nil {
		t.Fatalf("got %+v, %+v", got, got.Error)
	}
	var body map[string]any
	if err := json.Unmarshal(s.Received()[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	return body
}

// conversation holds what go-openai would drop.
func conversation() *llm.Request {
	zero := 0.0
	return &llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: "s"},
			{Role: llm.User, Text: ""},
			{Role: llm.Assistant, Calls: []llm.Call{
				{ID: "functions.query:0", Name: "multi_tool.query", Arguments: json.RawMessage(`{}`), Extra: json.RawMessage(`{"google":{"thought_signature":"x"}}`)},
				{ID: "b", Name: "broken", Arguments: json.RawMessage(`"{\"a"`), Invalid: "cut"},
			}, Echo: map[string]json.RawMessage{
				"reasoning_content": json.RawMessage(`"hm"`), "reasoning_details": json.RawMessage(`[{"data":"enc"}]`), "other": json.RawMessage(`1`),
			}},
			{Role: llm.ToolRole, CallID: "functions.query:0", CallName: "query", Text: ""},
			{Role: llm.ToolRole, CallID: "b", CallName: "broken", Text: "no", Failed: true},
			{Role: llm.Assistant, Refusal: "I cannot."},
		},
		Tools:       []llm.Tool{{Name: "query", Description: "d", Schema: json.RawMessage(`{"type":"object"}`)}, {Name: "now"}},
		Temperature: &zero,
		MaxTokens:   50,
	}
}

func TestARequestCarriesAllThatGoOpenAIDrops(t *testing.T) {
	got, err := json.MarshalIndent(sent(t, conversation(), func(o *llm.Options) { o.Model, o.Effort = "gpt-5", "low" }), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join("testdata", "request.golden.json"), append(got, '\n'))
}

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs (-update writes it anew); got\n%s", path, got)
	}
}

func TestProvidersGetWhatTheyTakeAndNoMore(t *testing.T) {
	for _, test := range []struct {
		provider        string
		has, not        []string
		firstID, limits string
	}{
		{"openai", []string{"max_completion_tokens", "stream_options"}, []string{"extra_content", "reasoning_content", "reasoning_details", "parallel_tool_calls"}, "functions.query:0", "max_completion_tokens"},
		{"gemini", []string{"extra_content"}, []string{"reasoning_content", "reasoning_details"}, "functions.query:0", "max_tokens"},
		{"openrouter", []string{"extra_content", "reasoning_details"}, nil, "functions.query:0", "max_tokens"},
		{"deepseek", []string{"reasoning_content"}, []string{"reasoning_details", "extra_content"}, "functions.query:0", "max_tokens"},
		{"mistral", nil, []string{"stream_options", "reasoning_content"}, "", "max_tokens"},
		{"llamacpp", []string{"parallel_tool_calls"}, []string{"reasoning_details"}, "functions.query:0", "max_tokens"},
	} {
		t.Run(test.provider, func(t *testing.T) {
			body := sent(t, conversation(), row(t, test.provider))
			raw, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range append(test.has, test.limits) {
				if !strings.Contains(string(raw), `"`+name+`"`) {
					t.Errorf("%s is missing", name)
				}
			}
			for _, name := range append(test.not, "other") {
				if strings.Contains(string(raw), `"`+name+`"`) {
					t.Errorf("%s was sent", name)
				}
			}
			messages := body["messages"].([]any)
			call := messages[2].(map[string]any)["tool_calls"].([]any)[0].(map[string]any)["id"].(string)
			answer := messages[3].(map[string]any)["tool_call_id"].(string)
			if call != answer || test.firstID != "" && call != test.firstID || test.firstID == "" && len(call) != 9 {
				t.Errorf("the call's id is %q, its result's %q", call, answer)
			}
		})
	}
}

func TestToolsAreLeftOutWhereNoneIsNotHeeded(t *testing.T) {
	req := conversation()
	req.ToolChoice = llm.ToolNone
	if body := sent(t, req, row(t, "ollama")); body["tools"] != nil || body["tool_choice"] != nil {
		t.Errorf("sent %v, %v", body["tools"], body["tool_choice"])
	}
	if body := sent(t, req, row(t, "openrouter")); body["tools"] == nil || body["tool_choice"] != "none" {
		t.Errorf("sent %v, %v", body["tools"], body["tool_choice"])
	}
}

func TestAKeyGoesInItsHeaderToItsHostAndNowhereElse(t *testing.T) {
	const secret = "sk-very-secret-4711"
	echo := testkit.Reply{Status: 400, Body: `{"error":{"message":"bad key ` + secret + `","code":"` + secret + `"}}`}
	s := testkit.NewModelServer(t, echo, echo)
	host := strings.TrimPrefix(s.URL, "http://")
	for _, test := range []struct {
		entered string
		want    string
	}{{host, "Bearer " + secret}, {"api.openai.com", ""}} {
		key := llm.NewKey(secret, test.entered)
		var log strings.Builder
		c := newClient(t, s, func(o *llm.Options) {
			o.Key = key
			slog.New(slog.NewJSONHandler(&log, nil)).Info("options", "key", o.Key, "all", fmt.Sprintf("%v %+v %#v", o, o, o))
		})
		got := ask(t, c, question())
		all := fmt.Sprintf("%+v %+v %#v %v %s %q %x %d", got, got.Error, c, c, key, key, key, key) + log.String()
		raw, err := json.Marshal(map[string]any{"key": key})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(all+string(raw), secret) {
			t.Errorf("the key shows in %s %s", all, raw)
		}
		received := s.Received()
		if got := received[len(received)-1].Header.Get("Authorization"); got != test.want {
			t.Errorf("a key of %s was sent as %q", test.entered, got)
		}
	}
}

func TestAProvidersOwnHeaderTakesTheBareKey(t *testing.T) {
	s := testkit.NewModelServer(t, ok())
	c := newClient(t, s, func(o *llm.Options) {
		o.Provider.KeyHeader = "api-key"
		o.Key = llm.NewKey("k", strings.TrimPrefix(s.URL, "http://"))
	})
	ask(t, c, question())
	if h := s.Received()[0].Header; h.Get("api-key") != "k" || h.Get("Authorization") != "" {
		t.Errorf("got headers %v", h)
	}
}

func TestARedirectToAnotherHostIsRefused(t *testing.T) {
	other := testkit.NewModelServer(t)
	s := testkit.NewModelServer(t,
		testkit.Reply{Status: 307, Header: http.Header{"Location": {other.URL + "/v1/chat/completions"}}},
		testkit.Reply{Status: 302, Header: http.Header{"Location": {"/elsewhere"}}},
		testkit.Reply{Status: 307, Header: http.Header{"Location": {"/moved"}}}, ok(),
	)
	c := newClient(t, s, func(o *llm.Options) { o.Key = llm.NewKey("k", strings.TrimPrefix(s.URL, "http://")) })
	for _, what := range []string{"another host", "another method"} {
		if got := ask(t, c, question()); got.Error == nil || got.Error.Kind != llm.KindAPI {
			t.Errorf("a redirect to %s: got %+v", what, got.Error)
		}
	}
	if len(other.Received()) != 0 {
		t.Errorf("the other host got %+v", other.Received())
	}
	if got := ask(t, c, question()); got.Text != "ok" || s.Received()[3].URL.Path != "/moved" || len(s.Received()[3].Body) == 0 {
		t.Errorf("a redirect within the host: got %+v", got)
	}
}

func TestBaseURLsAreReadAsPeopleWriteThem(t *testing.T) {
	for address, want := range map[string]string{
		"http://h":                              "/v1/chat/completions",
		"http://h/":                             "/v1/chat/completions",
		"http://h/v1":                           "/v1/chat/completions",
		"http://h/v1//":                         "/v1/chat/completions",
		" http://h/v1/chat/completions ":        "/v1/chat/completions",
		"http://h/v1beta/openai/":               "/v1beta/openai/chat/completions",
		"http://h:1234/openai/v1":               "/openai/v1/chat/completions",
		"http://h/api/paas/v4/chat/completions": "/api/paas/v4/chat/completions",
	} {
		s := testkit.NewModelServer(t, ok())
		c := newClient(t, s, func(o *llm.Options) { o.BaseURL, o.HTTP = address, reach(s) })
		ask(t, c, question())
		if got := s.Received()[0].URL.Path; got != want {
			t.Errorf("%q: asked at %s, want %s", address, got, want)
		}
	}
	for _, address := range []string{"", "h", "ftp://h", "http://", "http://u:pass@h", "http://h/?key=pass", "::", "http://h/#pass"} {
		_, err := llm.New(llm.Options{Model: "m", BaseURL: address, HTTP: &http.Client{}})
		if err == nil || strings.Contains(err.Error(), "pass") {
			t.Errorf("%q: got error %v", address, err)
		}
	}
}

func TestOnlyLoopbackStaysOnThisComputer(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:11434": "", "http://localhost": "", "http://[::1]:1": "", "http://LocalHost.:1": "", "http://127.9.9.9": "",
		"http://192.168.1.5:11434": "192.168.1.5:11434", "https://api.example/v1": "api.example", "http://localhost.example": "localhost.example",
	} {
		c, err := llm.New(llm.Options{Model: "m", BaseURL: address, HTTP: &http.Client{}})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Info().Host; got != want {
			t.Errorf("%s: host %q, want %q", address, got, want)
		}
	}
}

func TestProvidersAreWholeRows(t *testing.T) {
	var names []string
	for _, p := range llm.Providers() {
		names = append(names, p.Name)
		if p.Title == "" || len(p.KeyEnv) == 0 || (p.BaseURL == "") != (p.Name == "custom") {
			t.Errorf("%+v lacks something", p)
		}
		if p.BaseURL != "" {
			c, err := llm.New(llm.Options{Provider: p, Model: "m", HTTP: &http.Client{}})
			if err != nil || (c.Info().Host == "") == p.NeedsKey {
				t.Errorf("%s: %v; a server elsewhere needs a key, one here none", p.Name, err)
			}
		}
	}
	want := "openai openrouter gemini groq mistral deepseek together ollama lmstudio llamacpp vllm custom"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAModelIDIsPartedAtItsFirstColon(t *testing.T) {
	for id, want := range map[string][2]string{
		"openrouter:openai/gpt-5:free": {"openrouter", "openai/gpt-5:free"},
		" ollama:qwen3:8b ":            {"ollama", "qwen3:8b"},
	} {
		provider, model, err := llm.ParseModelID(id)
		if got := [2]string{provider, model}; got != want || err != nil {
			t.Errorf("%q: got %q, %v", id, got, err)
		}
	}
	for _, id := range []string{"", "gpt-5", ":gpt-5", "openai:"} {
		if _, _, err := llm.ParseModelID(id); err == nil {
			t.Errorf("%q was read", id)
		}
	}
}

func TestARequestThatCannotSucceedIsNotSent(t *testing.T) {
	s := testkit.NewModelServer(t)
	for name, test := range map[string]struct {
		kind   llm.ErrorKind
		change func(*llm.Options)
	}{
		"no key":   {llm.KindAuth, func(o *llm.Options) { row(t, "openai")(o); o.BaseURL, o.HTTP = "https://api.openai.com", reach(s) }},
		"no model": {llm.KindNotFound, func(o *llm.Options) { o.Model = "" }},
	} {
		if got := ask(t, newClient(t, s, test.change), question()); got.Error == nil || got.Error.Kind != test.kind {
			t.Errorf("%s: got %+v", name, got.Error)
		}
	}
	if len(s.Received()) != 0 {
		t.Errorf("sent %+v", s.Received())
	}
}

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
		if !errors.As(err, &e) || e.Kind != llm.KindOffline || !strings.Contains(e.Message, address) || !strings.Contains(e.Message, "started") {
			t.Errorf("got %v", err)
		}
	}
}

func TestEchoIsGivenBackWhole(t *testing.T) {
	s := testkit.NewModelServer(t, testkit.SSE(
		`{"choices":[{"delta":{"reasoning":"a","reasoning_details":[{"type":"reasoning.text","text":"a","index":0,"signature":null}]}}]}`,
		`{"choices":[{"delta":{"reasoning":"b","reasoning_details":[{"type":"reasoning.text","text":"b","index":0,"signature":"s"}]}}]}`,
		`{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.encrypted","data":"x","index":0},{"type":"reasoning.encrypted","data":"y","index":0}]}}]}`,
		`{"choices":[{"delta":{"reasoning_content":"c"}}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"f"},"extra_content":{"google":{"thought_signature":"z"}}}]},"finish_reason":"tool_calls"}]}`,
	))
	var m llm.Message
	for e, err := range newClient(t, s).Stream(t.Context(), question()) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Call != nil {
			m.Calls = append(m.Calls, *e.Call)
		}
		if e.Echo != nil {
			m.Echo = e.Echo
		}
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"role":"","calls":[{"id":"a","name":"f","arguments":{},"extra_content":{"google":{"thought_signature":"z"}}}],` +
		`"echo":{"reasoning_content":"c","reasoning_details":[{"index":0,"signature":"s","text":"ab","type":"reasoning.text"},` +
		`{"data":"x","index":0,"type":"reasoning.encrypted"},{"data":"y","index":0,"type":"reasoning.encrypted"}]}}`
	if string(raw) != want {
		t.Errorf("got\n%s\nwant\n%s", raw, want)
	}
}
