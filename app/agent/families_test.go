package agent_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/check"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/tools"
)

// family is a provider whose answers are not chat completions.
type family struct {
	provider string
	thinks   testkit.Reply   // thinking and calls by turns
	fine     testkit.Reply   // "fine"
	first    []testkit.Reply // what comes before the first answer
	marks    []string        // what the second step has to send back, in this order
}

func families(t *testing.T) []family {
	t.Helper()
	recorded := func(path string) testkit.Reply {
		body, err := os.ReadFile(filepath.Join("..", "..", "llm", "testdata", path))
		if err != nil {
			t.Fatal(err)
		}
		return testkit.Reply{Body: string(body), Chunks: []int{40}}
	}
	refused := testkit.Reply{Status: 400, Body: `{"error":{"message":"Function tools with reasoning_effort are not supported for m in /v1/chat/completions. To use function tools, use /v1/responses.","param":"reasoning_effort"}}`}
	return []family{
		{
			"anthropic", recorded("anthropic/thinking_between_tools.sse"),
			testkit.Reply{Body: `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"fine"}}` + "\n\n" + `data: {"type":"message_stop"}` + "\n\n"},
			nil,
			[]string{"c2lnbmVk", "First.", "toolu_01", "enp6", "eHh4", "toolu_02", "tool_result", "tool_result"},
		},
		{
			"openai", recorded("responses/reasoning_between_items.sse"),
			testkit.Reply{Body: `data: {"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"fine"}` + "\n\n" + `data: {"type":"response.completed","response":{"output":[]}}` + "\n\n"},
			[]testkit.Reply{refused},
			[]string{"Zmlyc3Q", "First.", "call_01", "c2Vjb25k", "call_02", "function_call_output", "function_call_output"},
		},
		{
			"ollama", recorded("ollama/thinking_text_and_two_tools.sse"),
			testkit.Reply{Body: `{"message":{"role":"assistant","content":"fine"},"done":true,"done_reason":"stop"}` + "\n"},
			nil,
			[]string{"I need notes and numbers.", "First.", "call_o1", "call_o2", `"role":"tool"`, `"role":"tool"`},
		},
	}
}

func (f family) agent(t *testing.T, s *testkit.ModelServer, learned *llm.Learned) *agent.Agent {
	t.Helper()
	row, _ := llm.FindProvider(f.provider)
	c, err := llm.New(llm.Options{Provider: row, Model: "m", BaseURL: s.URL, HTTP: s.Client(), Tries: -1, Learned: learned})
	if err != nil {
		t.Fatal(err)
	}
	return newAgent(t, agent.Options{Model: c, Tools: []tools.Tool{echo("query"), echo("count")}})
}

func TestATurnIsTheSameWithEveryFamilyOfProviders(t *testing.T) {
	for _, f := range families(t) {
		t.Run(f.provider, func(t *testing.T) {
			s := testkit.NewModelServer(t, append(f.first, f.thinks, f.fine)...)
			var c agent.Conversation
			got := outline(ask(t, f.agent(t, s, &llm.Learned{}), &c, "q"))
			if strings.Count(got, "tool_result") != 2 || !strings.HasSuffix(got, "text fine\n2 finish stop") {
				t.Errorf("the turn is\n%s", got)
			}
			wantSettled(t, &c)
			all := s.Received()
			wantInOrder(t, string(all[len(all)-1].Body), f.marks)
		})
	}
}

func wantInOrder(t *testing.T, body string, marks []string) {
	t.Helper()
	rest := body
	for _, mark := range marks {
		_, after, found := strings.Cut(rest, mark)
		if !found {
			t.Errorf("%s is not sent back, or not at its place, in\n%s", mark, body)
			return
		}
		rest = after
	}
}

// TestAChatGoesOnWithAnotherFamilyInTheMiddle asks one family, then another, then
// the first again: what each wants back it gets, and nothing of the other's.
func TestAChatGoesOnWithAnotherFamilyInTheMiddle(t *testing.T) {
	for _, pair := range pairs(families(t)) {
		f, other := pair[0], pair[1]
		t.Run(f.provider+" and "+other.provider, func(t *testing.T) {
			mine := testkit.NewModelServer(t, append(f.first, f.thinks, f.fine, f.fine)...)
			theirs := testkit.NewModelServer(t, append(other.first, other.thinks, other.fine)...)
			a, b := f.agent(t, mine, &llm.Learned{}), other.agent(t, theirs, &llm.Learned{})
			var c agent.Conversation
			ask(t, a, &c, "q")
			ask(t, b, &c, "and?")
			if got := outline(ask(t, a, &c, "again")); !strings.HasSuffix(got, "text fine\n1 finish stop") {
				t.Errorf("the last turn is\n%s", got)
			}
			all := mine.Received()
			last := string(all[len(all)-1].Body)
			wantInOrder(t, last, append(f.marks, "and?", "First.", "fine", "again"))
			for _, r := range theirs.Received() {
				if strings.Contains(string(r.Body), f.marks[0]) {
					t.Errorf("%s got what is %s's own: %s", other.provider, f.provider, r.Body)
				}
			}
			if strings.Contains(last, other.marks[0]) {
				t.Errorf("%s got what is %s's own: %s", f.provider, other.provider, last)
			}
		})
	}
}

// pairs returns each family with each other one.
func pairs(all []family) (out [][2]family) {
	for i, a := range all {
		for j, b := range all {
			if i != j {
				out = append(out, [2]family{a, b})
			}
		}
	}
	return out
}

// What is checked is the answer's text, whatever family it came by.
func TestALieIsMarkedAlikeInEveryFamilyOfProviders(t *testing.T) {
	const lie = "Ada wrote “nine loaves burnt”, and 41 people answered."
	var first []check.Mark
	for _, f := range families(t) {
		lies := f.fine
		lies.Body = strings.Replace(lies.Body, `"fine"`, `"`+lie+`"`, 1)
		s := testkit.NewModelServer(t, append(f.first, f.thinks, lies)...)
		var marks []check.Mark
		for _, e := range ask(t, f.agent(t, s, &llm.Learned{}), &agent.Conversation{}, "q") {
			if e.Type == agent.EventChecked {
				marks = e.Checked.Marks
			}
		}
		if first == nil {
			first = marks
		}
		if len(marks) == 0 || !slices.Equal(marks, first) {
			t.Errorf("%s: %+v, want %+v", f.provider, marks, first)
		}
	}
}
