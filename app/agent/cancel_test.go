package agent_test

import (
	"context"
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/agent/agenttest"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/tools"
)

// noGoroutineLeft fails when more goroutines run than before, once those that
// are ending have had time to.
func noGoroutineLeft(t testing.TB, before int) {
	t.Helper()
	for end := time.Now().Add(testkit.Patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if runtime.NumGoroutine() <= before {
			return
		}
	}
	buf := make([]byte, 1<<16)
	t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
}

// waits is a tool that ends only with its context, and says when it has begun.
func waits(name string, effect tools.Effect, begun chan<- struct{}) testTool {
	return testTool{name: name, effect: effect, run: func(ctx context.Context, _ *tools.Env, _ json.RawMessage) (tools.Result, error) {
		begun <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}}
}

// waitingApprover never answers.
type waitingApprover chan struct{}

func (w waitingApprover) Approve(ctx context.Context, _ agent.Preview) (agent.Approval, error) {
	w <- struct{}{}
	<-ctx.Done()
	return agent.Approval{}, ctx.Err()
}

func TestCancellingATurnThatWaitsEndsItAtOnce(t *testing.T) {
	for _, tt := range []struct {
		name string
		list []llm.Call
	}{
		{"in a tool that reads", []llm.Call{callOf("a", "read", `{}`), callOf("b", "read", `{"n":2}`)}},
		{"in more reading tools than run at a time", []llm.Call{
			callOf("a", "read", `{}`), callOf("b", "read", `{}`), callOf("c", "read", `{}`), callOf("d", "read", `{}`),
			callOf("e", "read", `{}`), callOf("f", "read", `{}`), callOf("g", "read", `{}`),
		}},
		{"in a tool that writes", []llm.Call{callOf("a", "write", `{}`), callOf("b", "read", `{}`)}},
		{"in an approval", []llm.Call{callOf("a", "publish", `{}`), callOf("b", "write", `{}`), callOf("c", "read", `{}`)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			begun := make(chan struct{}, 16)
			m := &scripted{script: []reply{calls(tt.list...), says("fine")}}
			a := newAgent(t, agent.Options{
				Model: m, Approver: waitingApprover(begun),
				Permission: func(s tools.Spec) agent.Permission {
					if s.Name == "write" {
						return agent.FreeClean
					}
					return agent.AskEach
				},
				Tools: []tools.Tool{
					waits("read", tools.None, begun), waits("write", tools.Local, begun), waits("publish", tools.Publishes, begun),
				},
			})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() {
				<-begun
				cancel()
			}()
			var c agent.Conversation
			var events []agent.Event
			for e := range a.Run(ctx, &c, agent.Turn{ID: "t", Question: "q", Env: testEnv()}) {
				events = append(events, e)
			}
			results := 0
			for _, e := range events {
				if e.Type == agent.EventToolResult {
					results++
					if !strings.Contains(e.Failure, "cancelled") {
						t.Errorf("%s: failure %q", e.ID, e.Failure)
					}
				}
			}
			if results != len(tt.list) {
				t.Errorf("%d results of %d calls", results, len(tt.list))
			}
			if f := events[len(events)-1]; f.Type != agent.EventFinish || f.Finish != agent.FinishCancelled {
				t.Errorf("the last event is %+v", f)
			}
			wantSettled(t, &c)
			if got := outline(ask(t, a, &c, "again")); got != "1 text fine\n1 finish stop" {
				t.Errorf("the next turn:\n%s", got)
			}
			noGoroutineLeft(t, before)
		})
	}
}

func TestAToolThatIgnoresItsContextDoesNotHoldUpAStop(t *testing.T) {
	release := make(chan struct{})
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(t.Context())
	stubborn := testTool{name: "stubborn", run: func(context.Context, *tools.Env, json.RawMessage) (tools.Result, error) {
		cancel()
		<-release
		return answerText("late"), nil
	}}
	a := newAgent(t, agent.Options{Model: &scripted{script: []reply{calls(callOf("a", "stubborn", `{}`))}}, Tools: []tools.Tool{stubborn}})
	var c agent.Conversation
	last := agent.Event{}
	for e := range a.Run(ctx, &c, agent.Turn{ID: "t", Question: "q", Env: testEnv()}) {
		last = e
	}
	if last.Finish != agent.FinishCancelled {
		t.Errorf("the last event is %+v", last)
	}
	wantSettled(t, &c)
	close(release)
	noGoroutineLeft(t, before)
}

// Row 002-51: who listens and panics, or goes away, breaks nothing but its own turn.
func TestLeavingTheLoopOrPanickingInItLeavesAWholeConversation(t *testing.T) {
	script := []reply{calls(callOf("a", "echo", `{}`), callOf("b", "echo", `{"n":1}`)), says("some words at the end")}
	total := len(ask(t, newAgent(t, agent.Options{Model: &scripted{script: script}, Tools: []tools.Tool{echo("echo")}}), &agent.Conversation{}, "q"))
	for stop := range total {
		for _, how := range []string{"leave", "panic"} {
			before := runtime.NumGoroutine()
			m := &scripted{script: append(append([]reply(nil), script...), says("next"))}
			a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{echo("echo")}})
			var c agent.Conversation
			func() {
				defer func() {
					if v := recover(); v != nil && v != "listener" {
						panic(v)
					}
				}()
				n := 0
				for range a.Run(t.Context(), &c, agent.Turn{ID: "t", Question: "q", Env: testEnv()}) {
					if n == stop {
						if how == "panic" {
							panic("listener")
						}
						break
					}
					n++
				}
			}()
			wantSettled(t, &c)
			noGoroutineLeft(t, before)
			m.script = []reply{says("next")}
			if got := outline(ask(t, a, &c, "again")); got != "1 text next\n1 finish stop" {
				t.Errorf("%s at event %d: the next turn:\n%s", how, stop, got)
			}
		}
	}
}

func TestTwoTurnsSideBySideDoNotMix(t *testing.T) {
	a := newAgent(t, agent.Options{Model: &scripted{script: []reply{func(req *llm.Request) ([]llm.Event, error) {
		last := req.Messages[len(req.Messages)-1]
		if last.Role == llm.User {
			word, _, _ := strings.Cut(last.Text, "\n")
			return calls(callOf("a", "echo", `{"word":"`+word+`"}`))(req)
		}
		return says(last.Text)(req)
	}}}, Tools: []tools.Tool{echo("echo")}})
	done := make(chan string)
	for _, word := range []string{"left", "right"} {
		go func() {
			r := agenttest.Collect(a.Run(t.Context(), &agent.Conversation{}, agent.Turn{ID: word, Question: word, Env: testEnv()}))
			done <- word + r.Text
		}()
	}
	for range 2 {
		if got := <-done; got != `left{"word":"left"}` && got != `right{"word":"right"}` {
			t.Errorf("got %s", got)
		}
	}
}
