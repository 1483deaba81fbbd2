package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/llm"
	"bowerbird/tools"
)

const readID = "43bc2ea9cc4ff0e1d1a7b5c6bd8e9d3c0a7b5c6bd8e9d3c0a7b5c6bd8e9d3c0a"

// finds is a tool named query that reads one note.
func finds() tools.Tool {
	return tools.New("query", "finds a note", tools.None, func(context.Context, *tools.Env, struct{}) (tools.QueryResult, error) {
		return tools.QueryResult{Notes: []tools.Note{{NoteID: readID, Name: "Ada", Content: "The comet is back tonight, look up"}}}, nil
	})
}

// Issue 5, "a claim about a note that was not presented is asked back once": the text
// is taken back, and what is then said stands. Issue 12: only where the answer rests on
// nothing at all.
func TestAClaimWithoutAReferenceIsAskedBackOnce(t *testing.T) {
	p := agent.Prompts{Claims: "mend", References: "unknown: {refs}"}
	for _, tt := range []struct {
		name, first, second string
		told                string // "": not asked back
	}{
		{"who wrote it is named", "Ada saw the comet.", "Ada saw the comet.", "mend"},
		{"a bracket", "A comet is here [1].", "A comet.", "mend"},
		{"an id", "The comet is back, see 43bc2ea9cc4ff0e1.", "A comet.", "mend"},
		{"a reference that leads nowhere", "The comet is back ^4.", "A comet.", "unknown: ^4"},
		{"nothing to say against it", "Not much.", "", ""},
		{"an honest no", "No, Ada did not write about bread.", "", ""},
		{"a power", "I cannot say more than that it is 10^8 sats, and E = mc^2.", "", ""},
		{"a question", "Which comet do you mean?", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &scripted{script: []reply{calls(callOf("a", "query", `{}`)), says(tt.first), says(tt.second)}}
			var c agent.Conversation
			got := outline(ask(t, newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{finds()}, Prompts: p}), &c, "What is new?"))
			if tt.told == "" {
				if len(m.requests) != 2 || strings.Contains(got, "retrying") {
					t.Errorf("events:\n%s", got)
				}
				return
			}
			if len(m.requests) != 3 || strings.Count(got, "retrying") != 1 || !strings.HasSuffix(got, "3 text "+tt.second+"\n3 finish stop") {
				t.Fatalf("%d requests, events:\n%s", len(m.requests), got)
			}
			sent := m.requests[2].Messages
			if last := sent[len(sent)-1]; last.Role != llm.User || last.Text != tt.told {
				t.Errorf("the model is told %q, want %q", last.Text, tt.told)
			}
			wantSettled(t, &c)
		})
	}
}

// The same of the model that reads values, which writes its references itself, and
// where there is no such prompt: nothing is asked back.
func TestClaimsAreNotAskedBackOfTheBuiltInModel(t *testing.T) {
	for name, opt := range map[string]agent.Options{
		"built-in":  {Model: &scripted{info: llm.Info{Typed: true}, script: []reply{calls(callOf("a", "query", `{}`)), says("Ada saw it.")}}, Prompts: agent.Prompts{Claims: "mend"}},
		"no prompt": {Model: &scripted{script: []reply{calls(callOf("a", "query", `{}`)), says("Ada saw it.")}}},
	} {
		opt.Tools = []tools.Tool{finds()}
		if got := outline(ask(t, newAgent(t, opt), &agent.Conversation{}, "q")); !strings.HasSuffix(got, "2 text Ada saw it.\n2 finish stop") {
			t.Errorf("%s: events:\n%s", name, got)
		}
	}
}

// What was read in an earlier turn is not asked back of this one's answer.
func TestNotesOfAnEarlierTurnAreNotAskedBack(t *testing.T) {
	m := &scripted{script: []reply{calls(callOf("a", "query", `{}`)), says("Not much."), says("I spoke of Ada.")}}
	a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{finds()}, Prompts: agent.Prompts{Claims: "mend"}})
	var c agent.Conversation
	ask(t, a, &c, "q")
	if got := outline(ask(t, a, &c, "Who?")); got != "1 text I spoke of Ada.\n1 finish stop" {
		t.Errorf("events:\n%s", got)
	}
}

// What stands in the chat for a model's sake, and was never shown, has no marks.
func TestWhatTheUserNeverSawIsNotChecked(t *testing.T) {
	const said = "It is back, says Ada ^1."
	m := &scripted{script: []reply{
		func(*llm.Request) ([]llm.Event, error) {
			call := callOf("a", "query", `{}`)
			return []llm.Event{
				{Type: llm.EventText, Delta: said}, {Type: llm.EventToolCall, Call: &call}, {Type: llm.EventFinish, Finish: "tool_calls"},
			}, nil
		},
		says(said),
	}}
	var c agent.Conversation
	for _, e := range slices.Collect(newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{finds()}}).Run(t.Context(), &c, agent.Turn{ID: "x", Question: "What is new?", Env: testEnv()})) {
		if e.Checked == nil {
			continue
		}
		for _, mark := range e.Checked.Marks {
			if mark.Step != 1 {
				t.Errorf("%s %q in step %d", mark.Kind, mark.Text, mark.Step)
			}
		}
		if last := c.Messages[len(c.Messages)-1].Text; last != "(The results are read.)" {
			t.Errorf("the last message is %q: this tests nothing", last)
		}
		return
	}
	t.Error("nothing was checked")
}
