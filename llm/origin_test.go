package llm_test

import (
	"encoding/json"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// abroad is a chat whose answers are by one model, with all that any provider might
// want back, each with a mark of its own.
func abroad(by string) *llm.Request {
	return &llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: "contract"},
			{Role: llm.User, Text: "What is new?"},
			{
				Role: llm.Assistant, By: by, Text: "I look.", Reasoning: "mark-thinking",
				Calls: []llm.Call{
					{ID: "functions.query:0", Name: "query", Arguments: json.RawMessage(`{"limit": 5}`), Extra: json.RawMessage(`{"google":{"thought_signature":"mark-extra"}}`)},
					{ID: "call/2", Name: "default_api:count", Arguments: json.RawMessage(`{}`)},
				},
				Echo: map[string]json.RawMessage{
					"reasoning_content": json.RawMessage(`"mark-content"`),
					"reasoning_details": json.RawMessage(`[{"type":"reasoning.encrypted","data":"mark-details"}]`),
					"anthropic_content": json.RawMessage(`[{"keep":{"type":"thinking","thinking":"","signature":"mark-block"}},{"text":7},{"call":"functions.query:0"},{"call":"call/2"}]`),
				},
			},
			{Role: llm.ToolRole, CallID: "functions.query:0", CallName: "query", Text: "five notes"},
			{Role: llm.ToolRole, CallID: "call/2", CallName: "default_api:count", Text: "5"},
			{Role: llm.Assistant, By: by, Text: "Five.", Echo: map[string]json.RawMessage{"reasoning_content": json.RawMessage(`"mark-last"`)}},
			{Role: llm.User, Text: "And since?"},
		},
		Tools: []llm.Tool{{Name: "query"}},
	}
}

// wire asks once and returns what the server got, whatever family it speaks.
func wire(t *testing.T, req *llm.Request, change ...func(*llm.Options)) string {
	t.Helper()
	s := testkit.NewModelServer(t, ok())
	ask(t, newClient(t, s, change...), req)
	if len(s.Received()) != 1 {
		t.Fatalf("%d requests", len(s.Received()))
	}
	return string(s.Received()[0].Body)
}

// Issue 5, "history replayed … with the echo data of its own provider, and translated
// when the user switches provider in the middle of a chat": all pairs of providers,
// of every family.
func TestWhatAProviderWantsBackIsGivenToNoOther(t *testing.T) {
	echoed := map[string][]string{
		"anthropic":  {"mark-block"},
		"openrouter": {"mark-details", "mark-content", "mark-extra", "mark-last"},
		"gemini":     {"mark-extra"},
		"deepseek":   {"mark-content", "mark-last"},
		"llamacpp":   {"mark-content", "mark-last"},
		"vllm":       {"mark-content", "mark-last"},
		"custom":     {"mark-details", "mark-content", "mark-extra", "mark-last"},
		"ollama":     {"mark-thinking"},
	}
	for _, from := range llm.Providers() {
		for _, to := range llm.Providers() {
			t.Run(from.Name+" to "+to.Name, func(t *testing.T) {
				body := wire(t, abroad(from.Name+":m"), row(t, to.Name))
				var want []string
				if from.Name == to.Name {
					want = echoed[to.Name]
				}
				for _, mark := range []string{"mark-thinking", "mark-content", "mark-details", "mark-extra", "mark-block", "mark-last"} {
					wanted := false
					for _, w := range want {
						wanted = wanted || w == mark
					}
					if strings.Contains(body, mark) != wanted {
						t.Errorf("%s: sent is %v, want %v", mark, !wanted, wanted)
					}
				}
				for _, said := range []string{"contract", "What is new?", "I look.", "five notes", "Five.", "And since?"} {
					if strings.Count(body, said) != 1 {
						t.Errorf("%q is sent %d times", said, strings.Count(body, said))
					}
				}
				if strings.Contains(body, `"tool_calls"`) {
					wantWholeCalls(t, body)
				}
			})
		}
	}
}

// wantWholeCalls fails when a call and its result have different ids, or a name is
// one that providers refuse.
func wantWholeCalls(t *testing.T, body string) {
	t.Helper()
	var sent struct {
		Messages []struct {
			Calls []struct {
				ID       string
				Function struct {
					Name      string
					Arguments json.RawMessage // an object with Ollama, its text with all others
				}
			} `json:"tool_calls"`
			CallID string `json:"tool_call_id"`
		}
	}
	if err := json.Unmarshal([]byte(body), &sent); err != nil {
		t.Fatal(err)
	}
	calls := sent.Messages[2].Calls
	if len(calls) != 2 || calls[0].ID != sent.Messages[3].CallID || calls[1].ID != sent.Messages[4].CallID || calls[0].ID == calls[1].ID {
		t.Fatalf("calls and results do not fit: %s", body)
	}
	args := string(calls[0].Function.Arguments)
	if args != `"{\"limit\": 5}"` && args != `{"limit":5}` || !strings.HasPrefix(calls[1].Function.Name, "default_api_count") {
		t.Errorf("calls are sent as %s %+v", args, calls)
	}
}

// The same, where the provider stays: a server behind a free address is another one
// when its model is.
func TestAnotherModelOfTheSameProviderGetsItsData(t *testing.T) {
	if body := wire(t, abroad("deepseek:other"), row(t, "deepseek")); !strings.Contains(body, "mark-content") {
		t.Error("deepseek did not get its own data")
	}
	if body := wire(t, abroad("custom:other"), row(t, "custom")); strings.Contains(body, "mark-") {
		t.Error("another server was given the data of one")
	}
	if body := wire(t, abroad(""), row(t, "custom")); !strings.Contains(body, "mark-content") {
		t.Error("a message that does not say whose it is lost its data")
	}
}

// Issue 5, the same sentence: what a provider refuses to go without has its
// documented stand-in where a message is another's.
func TestWhatAProviderDemandsHasAStandIn(t *testing.T) {
	const skip = "skip_thought_signature_validator"
	model := func(name string) func(*llm.Options) { return func(o *llm.Options) { o.Model = name } }
	for _, test := range []struct {
		name, by, to, model string
		extra, empty        int // stand-ins in the request
	}{
		{"Gemini 3 after OpenAI", "openai:gpt", "gemini", "gemini-3-pro", 1, 0},
		{"Gemini 3 by its long name", "openai:gpt", "gemini", "models/gemini-3.1-flash", 1, 0},
		{"Gemini 3 after itself", "gemini:gemini-3-pro", "gemini", "gemini-3-pro", 0, 0},
		{"Gemini 2.5 asks for nothing", "openai:gpt", "gemini", "gemini-2.5-flash", 0, 0},
		{"DeepSeek after OpenAI, in both answers", "openai:gpt", "deepseek", "deepseek-v4-pro", 0, 2},
		{"DeepSeek after itself", "deepseek:deepseek-v4-pro", "deepseek", "deepseek-v4-pro", 0, 0},
		{"OpenAI after DeepSeek", "deepseek:deepseek-v4-pro", "openai", "gpt", 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := wire(t, abroad(test.by), row(t, test.to), model(test.model))
			if n := strings.Count(body, skip); n != test.extra {
				t.Errorf("%d stand-ins of signatures, want %d", n, test.extra)
			}
			if n := strings.Count(body, `"reasoning_content":""`); n != test.empty {
				t.Errorf("%d empty reasoning_content, want %d", n, test.empty)
			}
		})
	}
}

// A server that is not known says itself that it wants the thinking back: then what
// there is is sent, and not left out, and the rest is empty.
func TestAServerThatMissesTheThinkingIsGivenIt(t *testing.T) {
	for _, said := range []string{
		"Missing `reasoning_content` field in the assistant message at message index 2",
		"The `reasoning_content` in the thinking mode must be passed back to the API.",
		"thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
	} {
		refusal, err := json.Marshal(map[string]any{"error": map[string]string{"message": said}})
		if err != nil {
			t.Fatal(err)
		}
		s := testkit.NewModelServer(t, testkit.Reply{Status: 400, Body: string(refusal)}, ok())
		req := abroad("custom:m")
		req.Messages[2].By = "openai:gpt"
		if got := ask(t, newClient(t, s), req); got.Text != "ok" {
			t.Fatalf("%s: got %+v", said, got.Error)
		}
		body := string(s.Received()[1].Body)
		if !strings.Contains(body, `"reasoning_content":""`) || !strings.Contains(body, "mark-last") {
			t.Errorf("%s: the second request is %s", said, body)
		}
		// Where that does not help, it is the user's to know.
		s = testkit.NewModelServer(t, testkit.Reply{Status: 400, Body: string(refusal)}, testkit.Reply{Status: 400, Body: string(refusal)})
		if got := ask(t, newClient(t, s), req); got.Error == nil || len(s.Received()) != 2 {
			t.Errorf("%s: %d requests", said, len(s.Received()))
		}
	}
}
