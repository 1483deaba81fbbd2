package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/tools"
)

// asker answers questions of servers as it is told.
type asker struct {
	approver
	reply func(tools.Question) (tools.Reply, error)
}

func (a *asker) Ask(_ context.Context, q tools.Question) (tools.Reply, error) { return a.reply(q) }

// curious is a tool whose server asks the user something.
func curious(name string, got *string) testTool {
	return testTool{name: name, effect: tools.Network, tainting: true, run: func(ctx context.Context, _ *tools.Env, _ json.RawMessage) (tools.Result, error) {
		caller := tools.CallerOf(ctx)
		reply, err := caller.Ask(ctx, tools.Question{Server: "weather", Message: name})
		*got = fmt.Sprint(reply.Accepted, " ", reply.Values["city"], " ", err)
		return answerText("done"), nil
	}}
}

func TestAServersQuestionReachesTheUserAndItsAnswerHoldsNoSecret(t *testing.T) {
	secret := "nsec1" + strings.Repeat("q", 58)
	for name, tt := range map[string]struct {
		approver agent.Approver
		want     string
	}{
		"answered": {&asker{approver{answer: grants}, func(q tools.Question) (tools.Reply, error) {
			return tools.Reply{Accepted: true, Values: map[string]any{"city": "Bern"}}, nil
		}}, "true Bern <nil>"},
		"declined":           {&asker{approver{answer: grants}, func(tools.Question) (tools.Reply, error) { return tools.Reply{}, nil }}, "false <nil> <nil>"},
		"nobody to be asked": {&approver{answer: grants}, "false <nil> <nil>"},
		"asking fails":       {&asker{approver{answer: grants}, func(tools.Question) (tools.Reply, error) { return tools.Reply{}, errors.New("closed") }}, "closed"},
		"what asks breaks":   {&asker{approver{answer: grants}, func(tools.Question) (tools.Reply, error) { panic("boom") }}, "panicked"},
		"a secret is cut out": {&asker{approver{answer: grants}, func(tools.Question) (tools.Reply, error) {
			return tools.Reply{Accepted: true, Values: map[string]any{"city": secret}}, nil
		}}, "true ["},
	} {
		m := &scripted{script: []reply{calls(callOf("a", "forecast", `{}`)), says("ok")}}
		var c agent.Conversation
		var got string // by the server
		ask(t, newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{curious("forecast", &got)}, Approver: tt.approver}), &c, "go")
		if !strings.Contains(got, tt.want) || strings.Contains(got, secret) || !c.Tainted() {
			t.Errorf("%s: %q; tainted %v", name, got, c.Tainted())
		}
	}
}

// Calls that run side by side ask one after the other: there is one user.
func TestOneQuestionIsAskedAtATime(t *testing.T) {
	inside := 0
	u := &asker{approver{answer: grants}, func(q tools.Question) (tools.Reply, error) {
		inside++
		defer func() { inside-- }()
		if inside > 1 {
			t.Error("two questions at once")
		}
		return tools.Reply{}, nil
	}}
	m := &scripted{script: []reply{calls(callOf("a", "one", `{}`), callOf("b", "two", `{}`), callOf("c", "three", `{}`)), says("ok")}}
	var c agent.Conversation
	ask(t, newAgent(t, agent.Options{
		Model: m, Tools: []tools.Tool{curious("one", new(string)), curious("two", new(string)), curious("three", new(string))}, Approver: u,
		Permission: func(tools.Spec) agent.Permission { return agent.Free },
	}), &c, "go")
	if len(m.toolTexts()) != 3 {
		t.Errorf("%q", m.toolTexts())
	}
}

// How far a call is arrives while it runs, and no longer once it is over.
func TestProgressIsOfACallThatRuns(t *testing.T) {
	var late func(tools.Progress)
	step := make(chan bool)
	works := func(name string) testTool {
		return testTool{name: name, effect: tools.Network, run: func(ctx context.Context, _ *tools.Env, _ json.RawMessage) (tools.Result, error) {
			if late != nil {
				late(tools.Progress{Done: 99})
			}
			late = tools.CallerOf(ctx).Progress
			late(tools.Progress{Done: 1, Total: 2, Words: name})
			<-step // what was reported has been seen
			return answerText("done"), nil
		}}
	}
	m := &scripted{script: []reply{calls(callOf("a", "first", `{}`), callOf("b", "second", `{}`)), says("ok")}}
	a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{works("first"), works("second")}, Approver: &approver{answer: grants}})
	var c agent.Conversation
	var seen []string
	for e := range a.Run(t.Context(), &c, agent.Turn{ID: "t1", Question: "go", Env: testEnv()}) {
		if e.Type == agent.EventProgress {
			seen = append(seen, fmt.Sprint(e.ID, e.Name, *e.Progress))
			step <- true
		}
	}
	if want := []string{"afirst{1 2 first}", "bsecond{1 2 second}"}; !slices.Equal(seen, want) {
		t.Errorf("%q, want %q", seen, want)
	}
}
