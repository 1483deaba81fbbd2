package answers_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/tools"
	"bowerbird/ui/answers"
)

func TestTheChipOfARunningCallSaysHowFarItIs(t *testing.T) {
	for _, tt := range []struct {
		progress tools.Progress
		want     string
	}{
		{tools.Progress{Done: 3, Total: 10, Words: "asking Bern"}, "[{{{.Percent}} % false map[Percent:30]} {“{{.Words}}” false map[Words:asking Bern]}]"},
		{tools.Progress{Done: 3}, "[]"},
		{tools.Progress{}, "[]"},
		{tools.Progress{Done: -1, Total: 1e-300}, "[]"},
		{tools.Progress{Done: 1e300, Total: 1}, "[]"},
	} {
		asm := answers.NewAssembler(answers.Turn{Question: "q"}, nil)
		add := func(e agent.Event) {
			e.Turn, e.Step, e.ID, e.Name = "t", 1, "a", "mcp__weather__forecast"
			asm.Add(t.Context(), e)
		}
		work := func() *answers.Work { return find[*answers.Work](asm.Turn()) }
		add(agent.Event{Type: agent.EventToolCall, Arguments: json.RawMessage(`{}`)})
		add(agent.Event{Type: agent.EventToolStarted})
		before := work()
		add(agent.Event{Type: agent.EventProgress, Progress: &tt.progress})
		if got := fmt.Sprint(work().Facts); got != tt.want || work() == before {
			t.Errorf("%+v: %s, want %s", tt.progress, got, tt.want)
		}
		add(agent.Event{Type: agent.EventToolResult, Failure: "no"})
		add(agent.Event{Type: agent.EventProgress, Progress: &tools.Progress{Done: 9, Total: 10}})
		if facts := work().Facts; len(facts) != 0 {
			t.Errorf("after the result: %v", facts)
		}
	}
}
