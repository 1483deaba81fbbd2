package llm_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

func ok() testkit.Reply {
	return testkit.SSE(`{"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}`)
}

// ask runs a request to its end and returns what came of it.
func ask(t *testing.T, c *llm.Client, req *llm.Request) *llm.Recorded {
	t.Helper()
	return llm.Collect(c.Stream(t.Context(), req))
}

// row returns a way to set a provider; "responses" is OpenAI by its second way.
func row(t *testing.T, name string) func(*llm.Options) {
	t.Helper()
	if name == "responses" {
		p, _ := llm.FindProvider("openai")
		return func(o *llm.Options) { o.Provider = llm.SecondWay(p) }
	}
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
