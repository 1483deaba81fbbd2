package llm_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// nextOf is a provider's answer to whom only the request matters.
func nextOf(provider string) testkit.Reply { return testkit.Reply{Body: nextAnswer(provider)} }

// sentTo asks a provider once and returns the body that its server got.
func sentTo(t *testing.T, provider string, req *llm.Request, change ...func(*llm.Options)) []byte {
	t.Helper()
	s := testkit.NewModelServer(t, nextOf(provider))
	c := newClient(t, s, append([]func(*llm.Options){row(t, provider)}, change...)...)
	if got := ask(t, c, req); got.Text != "next" || got.Error != nil {
		t.Fatalf("got %+v, %+v", got, got.Error)
	}
	return s.Received()[0].Body
}

// answered reads a fixture into the message that the conversation keeps of it.
func answered(t *testing.T, provider string, f fixture) llm.Message {
	t.Helper()
	s := testkit.NewModelServer(t, f.reply())
	return heard(t, newClient(t, s, row(t, provider)).Stream(t.Context(), question()))
}

// heard is the message that a conversation keeps of an answer.
func heard(t *testing.T, events iter.Seq2[llm.Event, error]) llm.Message {
	t.Helper()
	m := llm.Message{Role: llm.Assistant}
	for e, err := range events {
		if err != nil {
			t.Fatal(err)
		}
		switch e.Type {
		case llm.EventText:
			m.Text += e.Delta
		case llm.EventReasoning:
			m.Reasoning += e.Delta
		case llm.EventToolCall:
			m.Calls = append(m.Calls, *e.Call)
		case llm.EventEcho:
			m.Echo = e.Echo
		}
	}
	return m
}

// oneFixture returns a fixture by its name.
func oneFixture(t *testing.T, set, name string) fixture {
	t.Helper()
	for _, f := range readFixtures(t, filepath.Join("testdata", set)) {
		if f.name == name {
			return f
		}
	}
	t.Fatalf("no fixture %s in %s", name, set)
	return fixture{}
}

func indented(t *testing.T, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", " "); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return append(b.Bytes(), '\n')
}

func TestARequestToAnthropicIsWhole(t *testing.T) {
	body := sentTo(t, "anthropic", conversation(), func(o *llm.Options) { o.Model, o.Effort = "claude-test", "low" })
	golden(t, filepath.Join("testdata", "anthropic.golden.json"), indented(t, body))
}

func TestAnthropicIsAskedWithItsOwnKeyHeaderAndVersion(t *testing.T) {
	s := testkit.NewModelServer(t, nextOf("anthropic"))
	s.About(testkit.Reply{
		Body:   `{"data":[{"type":"model","id":"claude-b","display_name":"B"},{"id":"claude-a","max_input_tokens":200000}],"has_more":false}`,
		Header: http.Header{"Content-Type": {"application/json"}},
	})
	c := newClient(t, s, row(t, "anthropic"), func(o *llm.Options) {
		o.Key = llm.NewKey("sk-ant-secret", strings.TrimPrefix(s.URL, "http://"))
	})
	ask(t, c, question())
	models, err := c.List(t.Context())
	if want := "[{claude-a 200000} {claude-b 0}]"; windows(models) != want || err != nil {
		t.Errorf("got %v, %v; want %s", models, err, want)
	}
	for i, want := range []string{"POST /v1/messages", "GET /v1/models?limit=1000"} {
		got := append(s.Received(), s.Asked()...)[i]
		if asked := got.Method + " " + got.URL.String(); asked != want {
			t.Errorf("asked %s, want %s", asked, want)
		}
		if got.Header.Get("X-Api-Key") != "sk-ant-secret" || got.Header.Get("Anthropic-Version") == "" || got.Header.Get("Authorization") != "" {
			t.Errorf("sent %v", got.Header)
		}
	}
}

func TestAConnectionToAnthropicIsTestedWithATool(t *testing.T) {
	s := testkit.NewModelServer(t, testkit.Reply{Body: `data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"ping","input":{"word":"pong"}}}` +
		"\n\n" + `data: {"type":"message_stop"}` + "\n\n"})
	r, err := newClient(t, s, row(t, "anthropic")).Test(t.Context())
	if err != nil || !r.Tools {
		t.Errorf("got %+v, %v", r, err)
	}
}

// content returns what the given message of a request to Anthropic holds.
func content(t *testing.T, body []byte, message int) []map[string]any {
	t.Helper()
	var sent struct {
		Messages []struct{ Content []map[string]any }
	}
	if err := json.Unmarshal(body, &sent); err != nil || len(sent.Messages) <= message {
		t.Fatalf("no message %d in %s (%v)", message, body, err)
	}
	return sent.Messages[message].Content
}

// after is a conversation that goes on behind an answer.
func after(m llm.Message) *llm.Request {
	req := question()
	req.Messages = append(req.Messages, m)
	for _, c := range m.Calls {
		req.Messages = append(req.Messages, llm.Message{Role: llm.ToolRole, CallID: c.ID, CallName: c.Name, Text: "{}"})
	}
	if len(m.Calls) == 0 {
		req.Messages = append(req.Messages, llm.Message{Role: llm.User, Text: "And?"})
	}
	return req
}

func TestThinkingGoesBackUnchangedAndInItsOrder(t *testing.T) {
	thought := map[string]any{"type": "thinking", "thinking": "Who is Ada?", "signature": "c2lnbmVk"}
	text := func(s string) map[string]any { return map[string]any{"type": "text", "text": s} }
	use := func(id, name string, input map[string]any) map[string]any {
		return map[string]any{"type": "tool_use", "id": id, "name": name, "input": input}
	}
	for name, want := range map[string][]map[string]any{
		"thinking_then_text":             {thought, text("A friend.")},
		"thinking_then_tool":             {thought, use("toolu_01", "query", map[string]any{"author": "ada"})},
		"thinking_omitted_but_signed":    {{"type": "thinking", "thinking": "", "signature": "c2lnbmVk"}, text("Yes.")},
		"thinking_redacted":              {{"type": "redacted_thinking", "data": "b3BhcXVl"}, text("Yes.")},
		"text_then_parallel_tools":       {text("Let me look."), use("toolu_01", "query", map[string]any{"search": "a"}), use("toolu_02", "query", map[string]any{"search": "b"}), use("toolu_03", "coverage", map[string]any{})},
		"server_tool_is_no_call_of_ours": {text("Done.")},
		"thinking_between_tools": {
			thought, text("First."), use("toolu_01", "query", map[string]any{"search": "a"}),
			{"type": "thinking", "thinking": " And then?", "signature": "enp6"},
			{"type": "redacted_thinking", "data": "eHh4"},
			use("toolu_02", "count", map[string]any{}),
		},
	} {
		m := answered(t, "anthropic", oneFixture(t, "anthropic", name))
		// A conversation is saved between two turns.
		raw, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		m = llm.Message{}
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatal(err)
		}
		body := sentTo(t, "anthropic", after(m))
		if got := content(t, body, 1); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: sent back %v, want %v", name, got, want)
		}
		if results := content(t, body, 2); len(results) != max(1, len(m.Calls)) {
			t.Errorf("%s: the results are %v", name, results)
		}
	}
}

func TestAMessageThatWasChangedLosesNothing(t *testing.T) {
	m := answered(t, "anthropic", oneFixture(t, "anthropic", "thinking_between_tools"))
	m.Text = "First, changed."
	m.Calls = append(m.Calls[1:], llm.Call{ID: "new", Name: "now", Arguments: json.RawMessage(`{}`)})
	var kinds []string
	for _, b := range content(t, sentTo(t, "anthropic", after(m)), 1) {
		kind := fmt.Sprint(b["type"])
		if b["text"] != nil {
			kind = fmt.Sprint(b["text"])
		}
		if b["id"] != nil {
			kind = fmt.Sprint(b["id"])
		}
		kinds = append(kinds, kind)
	}
	want := "[thinking First, changed. thinking redacted_thinking toolu_02 new]"
	if got := fmt.Sprint(kinds); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAnotherProvidersEchoIsNotSent(t *testing.T) {
	m := answered(t, "anthropic", oneFixture(t, "anthropic", "thinking_then_tool"))
	for _, provider := range []string{"openai", "openrouter", "deepseek", "custom"} {
		if body := sentTo(t, provider, after(m)); bytes.Contains(body, []byte("c2lnbmVk")) || bytes.Contains(body, []byte("Who is Ada")) {
			t.Errorf("%s got %s", provider, body)
		}
	}
	m.Echo = map[string]json.RawMessage{"reasoning_content": json.RawMessage(`"hm"`), "anthropic_content": json.RawMessage(`"no list"`)}
	if body := sentTo(t, "anthropic", after(m)); bytes.Contains(body, []byte("hm")) || bytes.Contains(body, []byte("no list")) {
		t.Errorf("anthropic got %s", body)
	}
}

func TestThePrefixOfARequestToAnthropicStaysTheSameBytes(t *testing.T) {
	first := conversation()
	next := conversation()
	next.Messages = append(next.Messages, llm.Message{Role: llm.User, Text: "And today?"})
	prefix := func(body []byte) string {
		var sent map[string]json.RawMessage
		if err := json.Unmarshal(body, &sent); err != nil {
			t.Fatal(err)
		}
		return string(sent["system"]) + string(sent["tools"])
	}
	a, b := prefix(sentTo(t, "anthropic", first)), prefix(sentTo(t, "anthropic", next))
	if a != b || strings.Count(a, `"cache_control":{"type":"ephemeral"}`) != 2 {
		t.Errorf("got\n%s\nand\n%s", a, b)
	}
}

func TestWhatAnthropicRefusesIsNotSentAgain(t *testing.T) {
	refused := func(message string) testkit.Reply {
		body, err := json.Marshal(map[string]any{"type": "error", "error": map[string]string{"type": "invalid_request_error", "message": message}})
		if err != nil {
			t.Fatal(err)
		}
		return testkit.Reply{Status: 400, Body: string(body), Header: http.Header{"Content-Type": {"application/json"}}}
	}
	thought := answered(t, "anthropic", oneFixture(t, "anthropic", "thinking_then_tool"))
	for _, test := range []struct {
		name, message, effort string
		before, after         string // in the body
	}{
		{"a long answer", "max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for m", "", `"max_tokens":8192`, `"max_tokens":4096`},
		{"adaptive thinking", "adaptive thinking is not supported on this model", "low", `"type":"adaptive"`, `"budget_tokens":2048`},
		{"an effort", "This model does not support the effort parameter.", "high", `"output_config"`, `"type":"adaptive"`},
		{"thinking at all", "thinking is not supported by this model", "high", `"type":"adaptive"`, `"stream":true`},
		{"a temperature", "`temperature` is deprecated for this model.", "", `"temperature":0`, `"stream":true`},
		{"caching", "messages.0: cache_control: Extra inputs are not permitted", "", `"cache_control"`, `"stream":true`},
		{"a signature", "messages.1.content.0: Invalid `signature` in `thinking` block", "", "c2lnbmVk", `"tool_use"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := testkit.NewModelServer(t, refused(test.message), nextOf("anthropic"), nextOf("anthropic"))
			c := newClient(t, s, row(t, "anthropic"), func(o *llm.Options) { o.Effort = test.effort })
			req, zero := after(thought), 0.0
			req.Temperature = &zero
			for range 2 {
				if got := ask(t, c, req); got.Text != "next" {
					t.Fatalf("got %+v, %+v", got, got.Error)
				}
			}
			sent := s.Received()
			if !strings.Contains(string(sent[0].Body), test.before) {
				t.Errorf("first sent %s", sent[0].Body)
			}
			for _, r := range sent[1:] {
				if strings.Contains(string(r.Body), test.before) || !strings.Contains(string(r.Body), test.after) {
					t.Errorf("then sent %s", r.Body)
				}
			}
		})
	}
}

func TestThinkingIsNotAskedForBehindCallsMadeWithoutIt(t *testing.T) {
	low := func(o *llm.Options) { o.Effort = "low" }
	plain := answered(t, "anthropic", oneFixture(t, "anthropic", "tool_in_pieces"))
	if body := sentTo(t, "anthropic", after(plain), low); bytes.Contains(body, []byte(`"adaptive"`)) {
		t.Errorf("sent %s", body)
	}
	thought := answered(t, "anthropic", oneFixture(t, "anthropic", "thinking_then_tool"))
	if body := sentTo(t, "anthropic", after(thought), low); !bytes.Contains(body, []byte(`"adaptive"`)) {
		t.Errorf("sent %s", body)
	}
}

func TestTokensOfAnthropicsCacheAreCounted(t *testing.T) {
	s := testkit.NewModelServer(t, oneFixture(t, "anthropic", "usage_of_the_cache").reply())
	var usage *llm.Usage
	for e, err := range newClient(t, s, row(t, "anthropic")).Stream(t.Context(), question()) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Usage != nil {
			usage = e.Usage
		}
	}
	if want := (llm.Usage{Input: 2104, Output: 12, Total: 2116, Cached: 2000, Written: 100}); usage == nil || *usage != want {
		t.Errorf("got %+v, want %+v", usage, want)
	}
}

func TestAnOverloadedAnthropicIsAskedAgain(t *testing.T) {
	s := testkit.NewModelServer(t, oneFixture(t, "anthropic", "overloaded_in_the_middle").reply(), oneFixture(t, "anthropic", "http_429").reply(), nextOf("anthropic"))
	clock := newFakeClock()
	clock.skip = time.Minute
	got := llm.Collect(newClient(t, s, row(t, "anthropic"), func(o *llm.Options) {
		o.Tries, o.Clock, o.Random = 3, clock, func() uint64 { return 0 }
	}).Stream(t.Context(), question()))
	if got.Text != "next" || got.Error != nil || len(got.Calls) != 0 {
		t.Errorf("got %+v, %+v", got, got.Error)
	}
	if waits := fmt.Sprint(clock.waited()); !strings.Contains(waits, "1s") || !strings.Contains(waits, "17s") {
		t.Errorf("waited %s", waits)
	}
}

// Row 000-52: the switch leaves the marks out of every request, also of those behind
// a refusal of something else.
func TestWithoutCachingNothingIsMarkedForTheCache(t *testing.T) {
	const refusal = `{"type":"error","error":{"type":"invalid_request_error","message":"` + "`temperature`" + ` is deprecated for this model."}}`
	s := testkit.NewModelServer(t, testkit.Reply{Status: 400, Body: refusal, Header: http.Header{"Content-Type": {"application/json"}}}, nextOf("anthropic"))
	zero := 0.0
	c := newClient(t, s, row(t, "anthropic"), func(o *llm.Options) { o.NoCaching, o.Temperature = true, &zero })
	if got := ask(t, c, question()); got.Text != "next" {
		t.Fatalf("got %+v", got)
	}
	for _, r := range s.Received() {
		if strings.Contains(string(r.Body), "cache_control") {
			t.Errorf("sent %s", r.Body)
		}
	}
}
