package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/agent/agenttest"
	"bowerbird/llm"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"
)

// Issue 12, follow-ups: each answer of a chat has its own numbers, and its events alone
// say which notes they are. A model that takes a number over from the answer before is
// told that it is none, and which to present; the answer before stays as it was.
func TestEachAnswerOfAChatHasNumbersOfItsOwn(t *testing.T) {
	w := tooltest.NewWorld(t)
	ada := w.Person("ada", "Ada")
	first, second := ada.Note("the comet is back", time.Hour).ID.String(), ada.Note("bread is ready", 2*time.Hour).ID.String()
	m := &scripted{script: []reply{
		calls(callOf("a", "present_notes", fmt.Sprintf(`{"note_ids":[%q,%q]}`, first[:16], second[:16]))),
		says("A comet ^1, and bread ^2."),
		says("The bread is ready ^2."), // the second of the answer before
		calls(callOf("a", "present_notes", fmt.Sprintf(`{"note_ids":%q}`, second[:16]))),
		says("The bread is ready ^1."),
	}}
	a := newAgent(t, agent.Options{Model: m, Tools: tools.BuiltinTools(), Prompts: agent.Prompts{References: "{refs} of {count}"}})
	var c agent.Conversation
	numbered := func(question string) (notes []tools.PresentedNote, text string) {
		events := slices.Collect(a.Run(t.Context(), &c, agent.Turn{ID: question, Question: question, Env: w.Env()}))
		for _, e := range events {
			if e.Type == agent.EventPresentNotes {
				notes = append(notes, e.Notes.Presented...)
			}
		}
		return notes, agenttest.Collect(slices.Values(events)).Text
	}
	notes, text := numbered("What is new?")
	if want := []tools.PresentedNote{{Index: 1, NoteID: first}, {Index: 2, NoteID: second}}; !slices.Equal(notes, want) || text != "A comet ^1, and bread ^2." {
		t.Errorf("first: %+v, %q", notes, text)
	}
	notes, text = numbered("More about the second")
	if want := []tools.PresentedNote{{Index: 1, NoteID: second}}; !slices.Equal(notes, want) || text != "The bread is ready ^1." {
		t.Errorf("second: %+v, %q", notes, text)
	}
	// What it was shown before is there for the model to find the note by.
	sent := m.requests[2].Messages
	if !slices.ContainsFunc(sent, func(m llm.Message) bool { return strings.Contains(m.Text, `{"index":2,"note_id":"`+second[:16]+`"}`) }) {
		t.Error("the numbers of the answer before are not sent with the second question")
	}
	if told := m.requests[3].Messages; told[len(told)-1].Text != "^2 of 0" {
		t.Errorf("the model is told %q", told[len(told)-1].Text)
	}
	wantSettled(t, &c)
}
