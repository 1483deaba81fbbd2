package agent_test

import (
	"encoding/json"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/llm"
	"bowerbird/tools"
)

// Issue 5, "translated when the user switches provider in the middle of a chat": each
// answer says whose it is, also one that was stopped, so that the next model's
// provider can tell.
func TestEachAnswerSaysWhichModelGaveIt(t *testing.T) {
	var c agent.Conversation
	echo := map[string]json.RawMessage{"reasoning_content": json.RawMessage(`"hm"`)}
	thinks := func(req *llm.Request) ([]llm.Event, error) {
		events, err := calls(callOf("a", "read", `{}`))(req)
		return append([]llm.Event{{Type: llm.EventEcho, Echo: echo}}, events...), err
	}
	for _, turn := range []struct {
		info   llm.Info
		script []reply
	}{
		{llm.Info{Provider: "deepseek", Name: "v4"}, []reply{thinks, says("one")}},
		{llm.Info{Provider: "ollama", Name: "qwen3:8b"}, []reply{says("two")}},
		{llm.Info{Provider: "openai", Name: "gpt"}, []reply{fails(llm.KindIncomplete, llm.Event{Type: llm.EventText, Delta: "thr"})}},
	} {
		m := &scripted{info: turn.info, script: turn.script}
		ask(t, newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{answering("read", "x")}}), &c, "q")
	}
	want := []string{"deepseek:v4", "deepseek:v4", "ollama:qwen3:8b", "openai:gpt"}
	var got []string
	for _, m := range c.Messages {
		if m.Role == llm.Assistant {
			got = append(got, m.By)
		} else if m.By != "" {
			t.Errorf("a message of the role %s is by %q", m.Role, m.By)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("answers by %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("answer %d is by %q, want %q", i+1, got[i], want[i])
		}
	}
}
