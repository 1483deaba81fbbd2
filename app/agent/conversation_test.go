package agent

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"bowerbird/llm"
)

// Row 001-2: every call has one result, beside it, by its id.
func TestASettledConversationIsOneThatServersTake(t *testing.T) {
	user := llm.Message{Role: llm.User, Text: "q"}
	says := llm.Message{Role: llm.Assistant, Text: "a"}
	thinks := llm.Message{Role: llm.Assistant, Reasoning: "hm"}
	calls := llm.Message{Role: llm.Assistant, Calls: []llm.Call{{ID: "1", Name: "x"}, {ID: "2", Name: "x"}}}
	one := llm.Message{Role: llm.ToolRole, CallID: "1", Text: "r"}
	two := llm.Message{Role: llm.ToolRole, CallID: "2", Text: "r"}
	for _, tt := range []struct {
		name string
		in   []llm.Message
		want string
	}{
		{"nothing", nil, ""},
		{"whole", []llm.Message{user, calls, one, two, says, user, says}, "user assistant:2 tool:1 tool:2 assistant user assistant"},
		{"an open call", []llm.Message{user, calls, one}, "user assistant:2 tool:1 tool:2 assistant"},
		{"open calls in the middle", []llm.Message{user, calls, user, says}, "user assistant:2 tool:1 tool:2 assistant user assistant"},
		{"results in another order", []llm.Message{user, calls, two, one, says}, "user assistant:2 tool:1 tool:2 assistant"},
		{"results without a call", []llm.Message{user, one, says, two}, "user assistant"},
		{"a result given twice", []llm.Message{user, calls, one, one, two, says}, "user assistant:2 tool:1 tool:2 assistant"},
		{"an unanswered question", []llm.Message{user, user, says}, "user assistant user assistant"},
		{"only thinking", []llm.Message{user, thinks}, "user assistant"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Conversation{Messages: slices.Clone(tt.in)}
			c.Settle()
			var got []string
			for _, m := range c.Messages {
				word := string(m.Role)
				if len(m.Calls) > 0 {
					word += ":2"
				}
				if m.Role == llm.ToolRole {
					word += ":" + m.CallID
				}
				got = append(got, word)
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, " "), tt.want)
			}
			first, err := json.Marshal(c.Messages)
			if err != nil {
				t.Fatal(err)
			}
			c.Settle()
			again, err := json.Marshal(c.Messages)
			if err != nil || string(first) != string(again) {
				t.Errorf("settling again changes it to %s", again)
			}
		})
	}
}
