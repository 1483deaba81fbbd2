package llm_test

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

func TestARequestByTheSecondWayIsWhole(t *testing.T) {
	body := sentTo(t, "responses", conversation(), func(o *llm.Options) { o.Model, o.Effort = "gpt-test", "low" })
	golden(t, filepath.Join("testdata", "responses.golden.json"), indented(t, body))
}

// input returns what a request by the second way holds behind the question.
func input(t *testing.T, body []byte) []map[string]any {
	t.Helper()
	var sent struct{ Input []map[string]any }
	if err := json.Unmarshal(body, &sent); err != nil || len(sent.Input) == 0 {
		t.Fatalf("no input in %s (%v)", body, err)
	}
	return sent.Input[1:]
}

func TestEncryptedReasoningGoesBackUnchangedAndInItsOrder(t *testing.T) {
	reasoning := func(id, encrypted string, summary ...string) map[string]any {
		list := []any{}
		for _, s := range summary {
			list = append(list, map[string]any{"type": "summary_text", "text": s})
		}
		return map[string]any{"type": "reasoning", "id": id, "encrypted_content": encrypted, "summary": list}
	}
	said := func(s string) map[string]any { return map[string]any{"role": "assistant", "content": s} }
	call := func(id, name, args string) map[string]any {
		return map[string]any{"type": "function_call", "call_id": id, "name": name, "arguments": args}
	}
	for name, want := range map[string][]map[string]any{
		"reasoning_summary_then_text": {reasoning("rs_0", "Z3BnLWVuY3J5cHRlZA", "Who is Ada?", "A friend, it seems."), said("A friend.")},
		"reasoning_then_tool":         {reasoning("rs_0", "Z3BnLWVuY3J5cHRlZA", "Who is Ada?"), call("call_01", "query", `{"author":"ada"}`)},
		"reasoning_without_a_summary": {reasoning("rs_0", "b3BhcXVl"), said("Yes.")},
		"reasoning_that_is_not_kept":  {said("Yes.")},
		"reasoning_between_items": {
			reasoning("rs_0", "Zmlyc3Q", "One?"), said("First."), call("call_01", "query", `{"search":"a"}`),
			reasoning("rs_3", "c2Vjb25k", "Two?"), call("call_02", "count", `{}`),
		},
	} {
		m := answered(t, "responses", oneFixture(t, "responses", name))
		got := input(t, sentTo(t, "responses", after(m)))
		if !reflect.DeepEqual(got[:len(want)], want) {
			t.Errorf("%s: sent back %v, want %v", name, got, want)
		}
		if rest := got[len(want):]; len(rest) != max(1, len(m.Calls)) {
			t.Errorf("%s: behind it stands %v", name, rest)
		}
		if body := sentTo(t, "openai", after(m)); strings.Contains(string(body), "encrypted") || strings.Contains(string(body), "openai_output") {
			t.Errorf("%s: chat completions got %s", name, body)
		}
	}
}

// refusal is OpenAI's answer to a request that it does not take.
func refusal(status int, message, param, code string) testkit.Reply {
	body, err := json.Marshal(map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error", "param": param, "code": code}})
	if err != nil {
		panic(err) // a map of texts can be written
	}
	return testkit.Reply{Status: status, Body: string(body), Header: http.Header{"Content-Type": {"application/json"}}}
}

// toolsRefused is what newer models say on chat completions.
func toolsRefused() testkit.Reply {
	return refusal(400, "Function tools with reasoning_effort are not supported for gpt-test in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.", "reasoning_effort", "")
}

func TestAModelThatRefusesToolsWhileItReasonsIsAskedTheOtherWay(t *testing.T) {
	next, chat := nextOf("responses"), nextOf("openai")
	for _, test := range []struct {
		name    string
		replies []testkit.Reply
		asked   string // the ends of the paths, of two questions
		last    string // in the last body
	}{
		{"and stays there", []testkit.Reply{toolsRefused(), next, next}, "completions responses responses", `"summary":"auto"`},
		{"a model that is only there", []testkit.Reply{refusal(404, "This model is only supported in v1/responses and not in v1/chat/completions.", "model", ""), next, next}, "completions responses responses", `"input"`},
		{"a server without it", []testkit.Reply{toolsRefused(), {Status: 404, Body: "404 page not found"}, chat, chat}, "completions responses completions completions", `"reasoning_effort":"none"`},
		{"a gateway that has it in name only", []testkit.Reply{toolsRefused(), toolsRefused(), chat, chat}, "completions responses completions completions", `"reasoning_effort":"none"`},
		{"a server that helps itself", []testkit.Reply{chat, chat}, "completions completions", `"tools"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := testkit.NewModelServer(t, test.replies...)
			learned := &llm.Learned{}
			for range 2 {
				c := newClient(t, s, row(t, "openai"), func(o *llm.Options) { o.Learned, o.Effort = learned, "low" })
				if got := ask(t, c, conversation()); got.Text != "next" || got.Error != nil {
					t.Fatalf("got %+v, %+v", got, got.Error)
				}
			}
			var asked []string
			for _, r := range s.Received() {
				asked = append(asked, r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:])
			}
			if got := strings.Join(asked, " "); got != test.asked {
				t.Errorf("asked %s, want %s", got, test.asked)
			}
			if last := s.Received()[len(asked)-1].Body; !strings.Contains(string(last), test.last) {
				t.Errorf("sent %s, without %s", last, test.last)
			}
		})
	}
}

func TestAModelThatRefusesEveryWayIsGivenUp(t *testing.T) {
	s := testkit.NewModelServer(t, toolsRefused(), toolsRefused(), toolsRefused(), toolsRefused())
	if got := ask(t, newClient(t, s, row(t, "openai")), conversation()); got.Error == nil || got.Error.Kind != llm.KindBadRequest {
		t.Errorf("got %+v", got)
	}
}

func TestAServerOfOneWayIsAskedWithoutReasoning(t *testing.T) {
	s := testkit.NewModelServer(t, toolsRefused(), ok())
	if got := ask(t, newClient(t, s, row(t, "custom")), conversation()); got.Text != "ok" {
		t.Errorf("got %+v", got)
	}
	if body := s.Received()[1].Body; !strings.Contains(string(body), `"reasoning_effort":"none"`) {
		t.Errorf("sent %s", body)
	}
}

func TestWhatTheSecondWayRefusesIsNotSentAgain(t *testing.T) {
	thought := answered(t, "responses", oneFixture(t, "responses", "reasoning_then_tool"))
	for _, test := range []struct {
		name, message, param, code string
		before, after              string // in the body
	}{
		{"encrypted reasoning", "Encrypted content is not supported with this model.", "include", "", `"include"`, `"summary":"auto"`},
		{"a summary", "Your organization must be verified to generate reasoning summaries.", "reasoning.summary", "unsupported_value", `"summary":"auto"`, `"effort":"low"`},
		{"an effort", "Unsupported value: 'low' is not supported with this model.", "reasoning.effort", "unsupported_value", `"effort":"low"`, `"summary":"auto"`},
		{"a temperature", "Unsupported parameter: 'temperature' is not supported with this model.", "", "", `"temperature"`, `"effort":"low"`},
		{"foreign reasoning", "The encrypted content could not be verified.", "", "invalid_encrypted_content", "Z3BnLWVuY3J5cHRlZA", `"function_call"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := testkit.NewModelServer(t, refusal(400, test.message, test.param, test.code), nextOf("responses"))
			req, zero := after(thought), 0.0
			req.Temperature = &zero
			c := newClient(t, s, row(t, "responses"), func(o *llm.Options) { o.Effort = "low" })
			if got := ask(t, c, req); got.Text != "next" {
				t.Fatalf("got %+v, %+v", got, got.Error)
			}
			first, then := string(s.Received()[0].Body), string(s.Received()[1].Body)
			if !strings.Contains(first, test.before) || strings.Contains(then, test.before) || !strings.Contains(then, test.after) {
				t.Errorf("sent\n%s\nand then\n%s", first, then)
			}
		})
	}
}
