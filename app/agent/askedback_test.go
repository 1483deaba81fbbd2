package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/agent/agenttest"
	"bowerbird/llm"
	"bowerbird/tools"
)

// An answer that was asked back stands again where what is then said is nothing, or
// nothing beside an answer whose references have come true.
func TestAnAnswerThatWasAskedBackStandsAgain(t *testing.T) {
	env, id := notesEnv(t)
	look, show := callOf("a", "query", `{"context":"any"}`), callOf("p", "present_notes", `{"note_ids":["`+id+`"]}`)
	withText := func(text string, list ...llm.Call) reply {
		return func(req *llm.Request) ([]llm.Event, error) {
			events, err := calls(list...)(req)
			return append([]llm.Event{{Type: llm.EventText, Delta: text}}, events...), err
		}
	}
	const claim, cited = "Ada saw the comet and it was lovely.", "The comet is back ^1 over the town."
	for _, tt := range []struct {
		name   string
		script []reply
		want   string
	}{
		{"shown, then silence", []reply{says(claim), calls(show), says("")}, claim},
		{"shown, then a word", []reply{says(cited), calls(show), says("Done.")}, cited},
		{"shown, then a better answer", []reply{says(cited), calls(show), says("Ada says that the comet is back ^1.")}, "Ada says that the comet is back ^1."},
		{"shown, then a number", []reply{says(cited), calls(show), says("There is 1 note about a comet.")}, "There is 1 note about a comet."},
		{"not shown, and a word", []reply{says(cited), says("Sorry.")}, "Sorry."},
		{"taken back", []reply{says(claim), says("I found nothing about that.")}, "I found nothing about that."},
		{"better with the notes, then silence", []reply{says(claim), withText("Ada says that the comet is back ^1.", show), says("")}, "Ada says that the comet is back ^1."},
		{"better with the notes, then a word", []reply{says(cited), withText("Ada says that the comet is back ^1.", show), says("Done.")}, "Ada says that the comet is back ^1.\n\nDone."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &scripted{script: append([]reply{calls(look)}, tt.script...)}
			a := newAgent(t, agent.Options{Model: m, Tools: tools.BuiltinTools(), Prompts: agent.Prompts{Claims: "mend", References: "{refs}"}})
			var c agent.Conversation
			events := slices.Collect(a.Run(t.Context(), &c, agent.Turn{ID: "t", Question: "What is new?", Env: env}))
			if r := agenttest.Collect(slices.Values(events)); r.Text != tt.want || r.Finish != agent.FinishStop || !strings.Contains(outline(events), "retrying") {
				t.Errorf("%q stands, finish %s, want %q; events:\n%s", r.Text, r.Finish, tt.want, outline(events))
			}
			wantSettled(t, &c)
		})
	}
}

// stands collects a turn, and fails where a mark's words are not those that the step of
// its number shows.
func stands(t *testing.T, events []agent.Event) agenttest.Result {
	t.Helper()
	texts := map[int]string{}
	for _, e := range events {
		switch e.Type {
		case agent.EventText:
			texts[e.Step] += e.Delta
		case agent.EventRetrying:
			delete(texts, e.Step)
		case agent.EventChecked:
			for _, m := range e.Checked.Marks {
				if text := texts[m.Step]; m.End > len(text) || text[m.Start:m.End] != m.Text {
					t.Errorf("step %d says %q, the mark is for %q", m.Step, text, m.Text)
				}
			}
		}
	}
	return agenttest.Collect(slices.Values(events))
}

// Also where the second answer is stopped or breaks off, whatever had come of it; the
// marks are for the text that stands.
func TestAnAnswerThatWasAskedBackOutlivesHalfOfAnother(t *testing.T) {
	env, _ := notesEnv(t)
	const claim = "Ada saw the comet and it was lovely."
	word, call := llm.Event{Type: llm.EventText, Delta: "I will look"}, callOf("n", "count", `{"context":"any"}`)
	called := llm.Event{Type: llm.EventToolCall, Call: &call}
	for _, tt := range []struct {
		name   string
		second reply
		stop   agent.EventType // "": it breaks off by itself
	}{
		{"stopped while it thinks", fails(llm.KindTransport, llm.Event{Type: llm.EventReasoning, Delta: "Hm"}), agent.EventReasoning},
		{"stopped at a word", fails(llm.KindTransport, word), agent.EventText},
		{"stopped at a call that comes", fails(llm.KindTransport, word, called), agent.EventToolCall},
		{"stopped behind a call that was run", calls(call), agent.EventToolResult},
		{"broken off at a word", fails(llm.KindTransport, word), ""},
		{"broken off at a call", fails(llm.KindTransport, word, called), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &scripted{script: []reply{calls(callOf("a", "query", `{"context":"any"}`)), says(claim), tt.second}}
			a := newAgent(t, agent.Options{Model: m, Tools: tools.BuiltinTools(), Prompts: agent.Prompts{Claims: "mend"}})
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			var c agent.Conversation
			var events []agent.Event
			for e := range a.Run(ctx, &c, agent.Turn{ID: "t", Question: "What is new?", Env: env}) {
				if events = append(events, e); e.Step == 3 && e.Type == tt.stop {
					stop()
				}
			}
			want := agent.FinishStop
			if tt.stop != "" {
				want = agent.FinishCancelled
			}
			if r := stands(t, events); r.Text != claim || r.Finish != want {
				t.Errorf("%q stands, finish %s; events:\n%s", r.Text, r.Finish, outline(events))
			}
			if last := c.Messages[len(c.Messages)-1]; last.Text != claim {
				t.Errorf("kept is %+v", last)
			}
			wantSettled(t, &c)
		})
	}
}

// What was said with the notes that it shows has taken the first answer's place, though
// the closing words are stopped.
func TestAnAnswerThatWasAskedBackStaysAwayFromABetterOne(t *testing.T) {
	env, id := notesEnv(t)
	const better = "Ada says that the comet is back ^1."
	m := &scripted{script: []reply{
		calls(callOf("a", "query", `{"context":"any"}`)), says("Ada saw the comet and it was lovely."),
		func(req *llm.Request) ([]llm.Event, error) {
			events, err := calls(callOf("p", "present_notes", `{"note_ids":["`+id+`"]}`))(req)
			return append([]llm.Event{{Type: llm.EventText, Delta: better}}, events...), err
		},
		says("That is all."),
	}}
	a := newAgent(t, agent.Options{Model: m, Tools: tools.BuiltinTools(), Prompts: agent.Prompts{Claims: "mend"}})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var events []agent.Event
	for e := range a.Run(ctx, &agent.Conversation{}, agent.Turn{ID: "t", Question: "What is new?", Env: env}) {
		if events = append(events, e); e.Step == 4 && e.Type == agent.EventText {
			stop()
		}
	}
	if r := stands(t, events); !strings.HasPrefix(r.Text, better) || strings.Contains(r.Text, "lovely") || r.Finish != agent.FinishCancelled {
		t.Errorf("%q stands; events:\n%s", r.Text, outline(events))
	}
}
