package agent_test

import (
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/agent/agenttest"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// Issue 5, "a turn that always ends well: nothing lost, nothing invented": a server
// that holds an answer back says so, and that is what is told, once, not that the
// model said nothing.
func TestAnAnswerThatWasHeldBackOrRanOutIsToldAsWhatItIsAndNotAskedAgain(t *testing.T) {
	thought := llm.Event{Type: llm.EventReasoning, Delta: "hm"}
	for _, tt := range []struct {
		finish, want string
		trimmed      bool
	}{
		{"content_filter", agent.FinishFiltered, false},
		{"content_filter: SAFETY", agent.FinishFiltered, false}, // Gemini
		{"PROHIBITED_CONTENT", agent.FinishFiltered, false},
		{"refusal", agent.FinishFiltered, false}, // Anthropic
		{"length", agent.FinishLength, true},
		{"max_tokens", agent.FinishLength, true},
		{"model_length", agent.FinishLength, true}, // Mistral
	} {
		for name, said := range map[string][]llm.Event{"nothing said": nil, "thinking alone": {thought}} {
			t.Run(tt.finish+", "+name, func(t *testing.T) {
				m := &scripted{script: []reply{func(*llm.Request) ([]llm.Event, error) {
					return append(said, llm.Event{Type: llm.EventFinish, Finish: tt.finish}), nil
				}, says("asked again")}}
				var c agent.Conversation
				events := ask(t, newAgent(t, agent.Options{Model: m}), &c, "q")
				last := events[len(events)-1]
				if last.Type != agent.EventFinish || last.Finish != tt.want || last.Trimmed != tt.trimmed || len(events) != len(said)+1 {
					t.Errorf("events:\n%s", outline(events))
				}
				if len(m.requests) != 1 {
					t.Errorf("%d requests", len(m.requests))
				}
				wantSettled(t, &c)
				if n := len(c.Messages); c.Messages[n-1].Role != llm.Assistant || c.Messages[n-1].Text == "" {
					t.Errorf("the question has no word in answer: %+v", c.Messages)
				}
			})
		}
	}
}

// The same through a server: neither the client nor the turn asks again.
func TestAFilterWithNothingSaidCostsOneRequest(t *testing.T) {
	for _, finish := range []string{"content_filter", "content_filter: RECITATION", "safety", "max_tokens"} {
		s := testkit.NewModelServer(t, testkit.SSE(`{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"`+finish+`"}]}`))
		row, _ := llm.FindProvider("gemini")
		client, err := llm.New(llm.Options{Provider: row, Model: "m", BaseURL: s.URL, HTTP: s.Client()})
		if err != nil {
			t.Fatal(err)
		}
		r := agenttest.Collect(newAgent(t, agent.Options{Model: client}).Run(t.Context(), &agent.Conversation{}, agent.Turn{ID: "t", Question: "q", Env: testEnv()}))
		if r.Err != nil || len(s.Received()) != 1 || r.Finish != agent.FinishFiltered && r.Finish != agent.FinishLength {
			t.Errorf("%s: finish %q, %v, %d requests", finish, r.Finish, r.Err, len(s.Received()))
		}
	}
}

// A text that a filter cut is not asked back for its references either.
func TestATextThatAFilterCutIsNotAskedBack(t *testing.T) {
	m := &scripted{script: []reply{func(*llm.Request) ([]llm.Event, error) {
		return []llm.Event{{Type: llm.EventText, Delta: "See ^9"}, {Type: llm.EventFinish, Finish: "content_filter"}}, nil
	}, says("asked again")}}
	a := newAgent(t, agent.Options{Model: m, Prompts: agent.Prompts{References: "{refs} of {count}"}})
	if got, want := outline(ask(t, a, &agent.Conversation{}, "q")), "1 text See ^9\n1 finish content_filter"; got != want {
		t.Errorf("events:\n%s\nwant:\n%s", got, want)
	}
}
