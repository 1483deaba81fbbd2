package shell

import (
	"slices"
	"testing"

	"bowerbird/app"
	"bowerbird/app/agent"
	"bowerbird/llm"
)

func TestADigestCountsAsMadeOnlyWhenItIsWhole(t *testing.T) {
	broken := &llm.Error{}
	for _, tc := range []struct {
		name   string
		events []agent.Event
		whole  bool
	}{
		{"whole", []agent.Event{{Type: agent.EventFinish, Finish: agent.FinishStop}}, true},
		{"the steps were used up", []agent.Event{{Type: agent.EventFinish, Finish: agent.FinishSteps}}, true},
		{"cut off by quitting", []agent.Event{{Type: agent.EventFinish, Finish: agent.FinishCancelled}}, false},
		{"failed", []agent.Event{{Type: agent.EventError, Err: broken}, {Type: agent.EventFinish, Finish: agent.FinishError}}, false},
		{"nothing came", nil, false},
	} {
		err := wholeAnswer(&app.Answer{Events: slices.Values(tc.events)})
		if (err == nil) != tc.whole {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}
