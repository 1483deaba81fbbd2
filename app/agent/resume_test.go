package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/llm"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// cutOff plays a turn until n events have come, and returns the conversation and the
// events as they were saved then. The conversation is as a save would hold it.
func cutOff(t *testing.T, opt agent.Options, n int) (*agent.Conversation, agent.Cut) {
	t.Helper()
	var c agent.Conversation
	var kept agent.Conversation
	var events []agent.Event
	for e := range newAgent(t, opt).Run(t.Context(), &c, agent.Turn{ID: "t1", Question: "q", Env: testEnv()}) {
		events = append(events, e)
		if len(events) == n {
			kept = c
			kept.Messages = slices.Clone(c.Messages)
			break
		}
	}
	if len(events) != n {
		t.Fatalf("%d events, want %d:\n%s", len(events), n, outline(events))
	}
	return &kept, agent.Cut{Events: events}
}

// resumed takes a turn up.
func resumed(t *testing.T, opt agent.Options, c *agent.Conversation, cut agent.Cut) []agent.Event {
	t.Helper()
	out := slices.Collect(newAgent(t, opt).Resume(t.Context(), c, agent.Turn{ID: "t1", Question: "q", Env: testEnv()}, cut))
	wantSettled(t, c)
	return out
}

// Row 002-49: a turn that is taken up counts on what it had: its steps, the calls that
// go in circles, the references that were asked back, the notes that were presented.
func TestATurnThatIsTakenUpCountsOn(t *testing.T) {
	again := calls(callOf("a", "read", `{}`))
	shows := testTool{name: "shows", run: func(_ context.Context, env *tools.Env, _ json.RawMessage) (tools.Result, error) {
		n := len(env.Presented.IDs) + 1
		id := strings.Repeat(fmt.Sprint(n), 64)
		parsed, err := nostr.ParseID(id)
		env.Presented.IDs = append(env.Presented.IDs, parsed)
		return tools.PresentResult{Presented: []tools.PresentedNote{{Index: n, NoteID: id}}}, err
	}}
	// Behind its usage an answer is known to be whole.
	counted := func(rest reply) reply {
		return func(req *llm.Request) ([]llm.Event, error) {
			events, err := rest(req)
			return append(events, llm.Event{Type: llm.EventUsage, Usage: &llm.Usage{Input: 1}}), err
		}
	}
	ends := func(text, finish string) reply {
		return func(*llm.Request) ([]llm.Event, error) {
			return []llm.Event{{Type: llm.EventText, Delta: text}, {Type: llm.EventFinish, Finish: finish}}, nil
		}
	}
	for _, tt := range []struct {
		name   string
		steps  int
		before []reply
		cut    int // events that were saved
		after  []reply
		want   string
	}{
		{"its steps", 2, []reply{again, again}, 4, []reply{says("at last")}, `
3 text at last
3 finish max_steps truncated`},
		{"its closing words", 1, []reply{again, counted(says("at last"))}, 5, []reply{says("never asked")}, `
2 finish max_steps truncated`},
		{"an open call of its closing words", 1, []reply{again, counted(again)}, 4, []reply{says("never asked")}, `
2 tool_result a read failed
2 finish max_steps truncated`},
		{"calls in circles", 20, []reply{again, again, again, again, again}, 8, []reply{again, says("enough")}, `
5 tool_call a read
5 tool_result a read
6 text enough
6 finish repeated_calls truncated`},
		{"calls in circles, all of them made", 20, []reply{again, again, again, again, again}, 10, []reply{says("enough")}, `
6 text enough
6 finish repeated_calls truncated`},
		{"an answer that was asked back", 20, []reply{says("see^7 "), says("x")}, 3, []reply{says("see^8 ")}, `
2 text see^8 
2 finish stop`},
		{"an answer that was whole", 20, []reply{counted(says("fine"))}, 2, []reply{says("never asked")}, `
1 finish stop`},
		{"an answer that ran out of tokens", 20, []reply{counted(ends("half a th", "max_tokens"))}, 2, []reply{says("never asked")}, `
1 finish length truncated`},
		{"an answer that a filter held back", 20, []reply{counted(ends("see^7 ", "SAFETY"))}, 2, []reply{says("never asked")}, `
1 finish content_filter`},
		{"an answer that was whole and is to be asked back", 20, []reply{counted(says("see^7 ")), says("x")}, 3, []reply{says("fine")}, `
1 retrying ^7: no such note was presented
2 text fine
2 finish stop`},
		{"an answer that may not have been whole", 20, []reply{says("fine")}, 1, []reply{says("fine again")}, `
1 retrying the turn was interrupted
1 text fine again
1 finish stop`},
		{"notes", 20, []reply{calls(callOf("a", "shows", `{}`)), says("x")}, 3, []reply{calls(callOf("a", "shows", `{}`)), says("^1 and ^2")}, `
2 tool_call a shows
2 tool_result a shows
2 present_notes
3 text ^1 and ^2
3 finish stop`},
		{"a call with the id of one before", 20, []reply{calls(callOf("a", "read", `{}`)), says("x")}, 1, []reply{calls(callOf("a", "read", `{"x":1}`)), says("fine")}, `
1 retrying the turn was interrupted
1 tool_call a read
1 tool_result a read
2 text fine
2 finish stop`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			opt := agent.Options{
				Model: &scripted{script: tt.before}, Tools: []tools.Tool{echo("read"), shows}, MaxSteps: tt.steps,
				Prompts: agent.Prompts{References: "{refs} of {count}"},
			}
			c, cut := cutOff(t, opt, tt.cut)
			opt.Model = &scripted{script: tt.after}
			if got := outline(resumed(t, opt, c, cut)); got != strings.TrimPrefix(tt.want, "\n") {
				t.Errorf("behind\n%s\ncame\n%s\nwant%s", outline(cut.Events), got, tt.want)
			}
		})
	}
}

// Row 002-49: a turn of which too little was kept is not taken up, since it would do
// again what it has done.
func TestATurnThatWasNotKeptWholeIsNotTakenUp(t *testing.T) {
	m := &scripted{script: []reply{says("never asked")}}
	c := &agent.Conversation{Messages: []llm.Message{{Role: llm.User, Text: "q"}}}
	cut := agent.Cut{Events: []agent.Event{{Type: agent.EventToolResult, Step: 3, ID: "a", Name: "publish_note"}}}
	events := resumed(t, agent.Options{Model: m}, c, cut)
	if last := events[len(events)-1]; last.Finish != agent.FinishError || len(m.requests) != 0 {
		t.Errorf("%d requests, events:\n%s", len(m.requests), outline(events))
	}
}

// Row 002-49: a turn can be stopped while it is taken up, as at any time.
func TestATurnThatIsTakenUpCanBeStopped(t *testing.T) {
	opt := agent.Options{Model: &scripted{script: []reply{calls(callOf("a", "read", `{}`), callOf("b", "read", `{}`)), says("x")}}, Tools: []tools.Tool{echo("read")}}
	c, cut := cutOff(t, opt, 3)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var events []agent.Event
	for e := range newAgent(t, opt).Resume(ctx, c, agent.Turn{ID: "t1", Question: "q", Env: testEnv()}, cut) {
		events = append(events, e)
		cancel()
	}
	if last := events[len(events)-1]; last.Finish != agent.FinishCancelled {
		t.Errorf("events:\n%s", outline(events))
	}
	wantSettled(t, c)
}

// Issue 5, "a claim about a note that was not presented is asked back once": also of a
// note that was read before the turn was cut off.
func TestAClaimAboutANoteThatWasReadBeforeTheCutIsAskedBack(t *testing.T) {
	for name, tt := range map[string]struct {
		says string
		back bool
	}{
		"its quoted words":     {"Somebody wrote “The comet is back tonight, look up” about it.", true},
		"who wrote it":         {"Ada wrote something.", true},
		"nothing to say of it": {"Not much.", false},
	} {
		t.Run(name, func(t *testing.T) {
			opt := agent.Options{
				Model: &scripted{script: []reply{calls(callOf("a", "query", `{}`)), says("x")}}, Tools: []tools.Tool{finds()},
				Prompts: agent.Prompts{Claims: "mend"},
			}
			c, cut := cutOff(t, opt, 2)
			opt.Model = &scripted{script: []reply{says(tt.says), says("So be it.")}}
			got := outline(resumed(t, opt, c, cut))
			if back := strings.Contains(got, "2 retrying notes were spoken of"); back != tt.back {
				t.Errorf("asked back: %v\n%s", back, got)
			}
		})
	}
}
