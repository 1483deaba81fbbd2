package llm_test

import (
	"strings"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// Row 003-19, over HTTP: whatever family or text format carries it, a call comes back
// under the tool's own name, and goes out again under the one that was sent.
func TestACallComesBackUnderItsToolsOwnName(t *testing.T) {
	const own, sent = "nostr.list_notes", "nostr__list_notes"
	tests := []struct {
		name   string
		change []func(*llm.Options)
		answer string
	}{
		{"chat completions", nil, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"` + sent + `","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"},
		{"chat completions, in pieces", nil, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"nostr__","arguments":""}}]}}]}` + "\n\n" +
			`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"list_notes","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"},
		{"anthropic", []func(*llm.Options){row(t, "anthropic")}, body(anthropicManner(newSaying(1), []said{{kind: "call", text: "{}", id: "a", name: sent}}))},
		{"responses", []func(*llm.Options){row(t, "responses")}, body(responsesManner(newSaying(1), []said{{kind: "call", text: "{}", id: "a", name: sent}}))},
		{"ollama", []func(*llm.Options){row(t, "ollama")}, `{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"` + sent + `","arguments":{}}}]},"done":false}` + "\n" + `{"model":"m","message":{"role":"assistant","content":""},"done_reason":"stop","done":true}` + "\n"},
		{"under native calls", nil, sayings("stop", `<tool_call>{"name": "`+sent+`", "arguments": {}}</tool_call>`)},
		{"hermes", []func(*llm.Options){inFormat("hermes")}, sayings("stop", `<tool_call>{"name": "`+sent+`", "arguments": {}}</tool_call>`)},
		{"mistral", []func(*llm.Options){inFormat("mistral")}, sayings("stop", `[TOOL_CALLS][{"name": "`+sent+`", "arguments": {}}]`)},
		{"pythonic", []func(*llm.Options){inFormat("pythonic")}, sayings("stop", "["+sent+"()]")},
		{"json", []func(*llm.Options){inFormat("json")}, sayings("stop", `{"name": "`+sent+`", "arguments": {}}`)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := testkit.NewModelServer(t, testkit.Reply{Body: tt.answer}, nextFor(tt.name))
			c := newClient(t, s, tt.change...)
			req := question()
			req.Tools = []llm.Tool{{Name: own, Description: "Lists notes."}}
			m := heard(t, c.Stream(t.Context(), req))
			if len(m.Calls) != 1 || m.Calls[0].Name != own || m.Calls[0].Invalid != "" {
				t.Fatalf("called %+v, said %q", m.Calls, m.Text)
			}
			req.Messages = append(req.Messages, m, llm.Message{Role: llm.ToolRole, CallID: m.Calls[0].ID, CallName: own, Text: `{"total":0}`})
			ask(t, c, req)
			for i, got := range s.Received() {
				if strings.Contains(string(got.Body), own) {
					t.Errorf("request %d holds %q: %s", i+1, own, got.Body)
				}
				if !strings.Contains(string(got.Body), sent) {
					t.Errorf("request %d does not hold %q: %s", i+1, sent, got.Body)
				}
			}
		})
	}
}

func inFormat(name string) func(*llm.Options) { return func(o *llm.Options) { o.Format = name } }

// nextFor is an answer that says something, in the family that a test names.
func nextFor(name string) testkit.Reply {
	if name == "anthropic" || name == "responses" {
		return nextOf(name)
	}
	return ok()
}
