package app

import (
	"context"
	"slices"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/agent/agenttest"
	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
	"bowerbird/tools"
)

// yes is a user who approves of everything.
type yes struct{ asked []agent.Preview }

func (y *yes) Approve(_ context.Context, p agent.Preview) (agent.Approval, error) {
	y.asked = append(y.asked, p)
	return agent.Approval{Granted: true, Hash: p.Hash()}, nil
}

// Row 002-49, and security.md, "Where nobody is there to ask the action waits as a
// pending approval": a turn that the clock asks for waits at its first question, and goes
// on when the user is back, after a restart too.
func TestATurnWithNobodyHereWaitsForItsApproval(t *testing.T) {
	chunk := func(delta, finish string) string {
		return `{"choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}`
	}
	done := testkit.SSE(chunk(`{"content":"done"}`, "null"), chunk(`{}`, `"stop"`))
	s := testkit.NewModelServer(t,
		testkit.SSE(chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"publish","arguments":"{\"content\":\"good morning\"}"}}]}`, "null"), chunk(`{}`, `"tool_calls"`)),
		done)
	var published []string
	publish := tools.New("publish", "Publishes.", tools.Publishes, func(_ context.Context, _ *tools.Env, a actArgs) (said, error) {
		published = append(published, a.Content)
		return said{"published"}, nil
	})
	opt := Options{
		Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Tools: []tools.Tool{publish}, Zone: time.UTC,
		Settings: config.Settings{Models: map[string]config.ModelOptions{"custom": {BaseURL: s.URL + "/v1", Context: 1 << 15}}},
	}
	a := open(t, opt)
	answer, err := a.Ask(t.Context(), Question{Text: "Say good morning", Model: models.Choice{ID: "custom:m"}, Unattended: true})
	if err != nil {
		t.Fatal(err)
	}
	events := slices.Collect(answer.Events)
	if last := events[len(events)-1]; last.Type != agent.EventFinish || len(published) > 0 {
		t.Fatalf("published %q, the last event is %+v", published, last)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}

	a = open(t, opt)
	store, err := a.Chats()
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := store.List(t.Context())
	if err != nil || len(list) != 1 || list[0].State != chats.Waiting || !a.CanResume(list[0]) {
		t.Fatalf("chats %+v (%v)", list, err)
	}
	user := &yes{}
	answer, err = a.Resume(t.Context(), list[0].ID, models.Choice{}, user)
	if err != nil {
		t.Fatal(err)
	}
	if before := answer.Before(); before[len(before)-1].Type != agent.EventApproval {
		t.Errorf("it waited at %+v", before[len(before)-1])
	}
	r := agenttest.Collect(answer.Events)
	if r.Text != "done" || r.Err != nil || !slices.Equal(published, []string{"good morning"}) || len(user.asked) != 1 {
		t.Errorf("it says %q (%v), published %q, asked %+v", r.Text, r.Err, published, user.asked)
	}
}
