package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"bowerbird/app/agent"
	"bowerbird/llm"
	"bowerbird/tools"
)

// long is a result that fills whatever it may.
type long struct{ limits *[]int }

func (l long) ForModel(limit int) string {
	*l.limits = append(*l.limits, limit)
	return strings.Repeat("é", limit) // twice as much as it may
}

func longTool(limits *[]int) testTool {
	return testTool{name: "long", run: func(context.Context, *tools.Env, json.RawMessage) (tools.Result, error) {
		return long{limits}, nil
	}}
}

func requestSize(req llm.Request) int {
	n := 0
	for _, m := range req.Messages {
		n += len(m.Text) + len(m.Reasoning)
		for _, c := range m.Calls {
			n += len(c.Arguments)
		}
	}
	return n
}

func TestAResultGetsAThirdOfTheWindowSharedEvenly(t *testing.T) {
	for _, tt := range []struct {
		window, calls, want int
	}{
		{0, 1, 32 << 10}, // unknown counts as 32k tokens, at 3 bytes a token
		{8192, 1, 8192},
		{8192, 4, 2048},
		{8192, 100, tools.MinForModel},
		{1 << 20, 1, 64 << 10},
		{1 << 20, 2, 64 << 10},
	} {
		t.Run(fmt.Sprintf("%d tokens, %d calls", tt.window, tt.calls), func(t *testing.T) {
			var limits []int
			var list []llm.Call
			for i := range tt.calls {
				list = append(list, callOf(fmt.Sprint(i), "long", fmt.Sprintf(`{"i":%d}`, i)))
			}
			m := &scripted{info: llm.Info{Context: tt.window}, script: []reply{calls(list...), says("ok")}}
			// One at a time, so that limits needs no lock.
			tool := longTool(&limits)
			a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{oneAtATime(tool)}})
			ask(t, a, &agent.Conversation{}, "q")
			if limits[0] != tt.want {
				t.Errorf("the first limit is %d, want %d", limits[0], tt.want)
			}
			for i, text := range m.toolTexts() {
				if len(text) > tt.want || !utf8.ValidString(text) {
					t.Errorf("result %d has %d bytes, valid %v", i, len(text), utf8.ValidString(text))
				}
			}
		})
	}
}

// oneAtATime makes a tool's results safe to make side by side.
func oneAtATime(t testTool) testTool {
	lock := make(chan struct{}, 1)
	run := t.run
	t.run = func(ctx context.Context, env *tools.Env, args json.RawMessage) (tools.Result, error) {
		r, err := run(ctx, env, args)
		return locked{r, lock}, err
	}
	return t
}

type locked struct {
	tools.Result
	lock chan struct{}
}

func (l locked) ForModel(limit int) string {
	l.lock <- struct{}{}
	defer func() { <-l.lock }()
	return l.Result.ForModel(limit)
}

func lastQuestion(messages []llm.Message) string {
	for _, m := range slices.Backward(messages) {
		if m.Role == llm.User {
			return m.Text
		}
	}
	return ""
}

func TestALongChatKeepsWithinTheWindowAndItsPairsWhole(t *testing.T) {
	const window = 4096
	var limits []int
	n := 0
	m := &scripted{info: llm.Info{Context: window}, script: []reply{func(req *llm.Request) ([]llm.Event, error) {
		n++
		if n%5 == 0 {
			return says("an answer of some words")(req)
		}
		return calls(callOf(fmt.Sprint("c", n), "long", fmt.Sprintf(`{"n":%d}`, n)))(req)
	}}}
	a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{longTool(&limits)}, Prompts: agent.Prompts{System: "contract"}})
	var c agent.Conversation
	for i := range 12 {
		ask(t, a, &c, fmt.Sprintf("question %d", i))
	}
	for i, req := range m.requests {
		if got := requestSize(req); got > window*3 {
			t.Errorf("request %d has %d bytes", i+1, got)
		}
		wantSettled(t, &agent.Conversation{Messages: req.Messages})
		if req.Messages[0].Role != llm.System || req.Messages[1].Role != llm.User {
			t.Errorf("request %d starts with %s, %s", i+1, req.Messages[0].Role, req.Messages[1].Role)
		}
	}
	// Results go first, and the time of each old question: what was said in the last turns is
	// still there.
	asked, answers := 0, 0
	last := m.requests[len(m.requests)-1].Messages
	if !strings.Contains(lastQuestion(last), "<context>") || strings.Contains(last[1].Text, "<context>") {
		t.Errorf("the first question is sent as %q", last[1].Text)
	}
	for _, msg := range last {
		if strings.HasPrefix(msg.Text, "question ") {
			asked++
		}
		if strings.HasPrefix(msg.Text, "an answer") {
			answers++
		}
	}
	if asked < 3 || answers != asked-1 {
		t.Errorf("%d questions and %d answers are sent at the end", asked, answers)
	}
	if c.Bare == 0 || !strings.HasPrefix(c.Messages[0].Text, "question 0") {
		t.Error("the conversation itself must keep what is no longer sent")
	}
}

func TestAChatThatIsTooLongLosesItsOldestTurns(t *testing.T) {
	const window = 2048
	m := &scripted{info: llm.Info{Context: window}, script: []reply{says(strings.Repeat("long answer ", 100))}}
	a := newAgent(t, agent.Options{Model: m})
	var c agent.Conversation
	for i := range 12 {
		ask(t, a, &c, fmt.Sprintf("question %d", i))
	}
	last := m.requests[11]
	if got := requestSize(last); got > window*3 || got < window {
		t.Errorf("the last request has %d bytes", got)
	}
	n := len(last.Messages)
	if c.LeftOut == 0 || !strings.HasPrefix(last.Messages[n-1].Text, "question 11") || !strings.HasPrefix(last.Messages[n-3].Text, "question 10") {
		t.Errorf("%d messages are left out of %d", c.LeftOut, len(c.Messages))
	}
}

func TestAnOverflowIsAnsweredByAShorterRequestOnce(t *testing.T) {
	var limits []int
	m := &scripted{script: []reply{
		calls(callOf("a", "long", `{}`)), says("first"),
		fails(llm.KindContext), says("second"),
	}}
	a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{longTool(&limits)}})
	var c agent.Conversation
	ask(t, a, &c, "one")
	want := "1 retrying context_overflow\n1 text second\n1 finish stop"
	if got := outline(ask(t, a, &c, "two")); got != want {
		t.Errorf("events:\n%s\nwant:\n%s", got, want)
	}
	if before, after := requestSize(m.requests[2]), requestSize(m.requests[3]); after >= before*3/4 {
		t.Errorf("%d bytes after %d", after, before)
	}
}

func TestAnOverflowThatNothingCanBeCutFromIsAnError(t *testing.T) {
	m := &scripted{script: []reply{fails(llm.KindContext)}}
	var c agent.Conversation
	want := "1 error context_overflow\n1 finish error"
	if got := outline(ask(t, newAgent(t, agent.Options{Model: m}), &c, "one")); got != want {
		t.Errorf("events:\n%s\nwant:\n%s", got, want)
	}
	if len(m.requests) != 1 {
		t.Errorf("%d requests", len(m.requests))
	}
}

func TestTheWindowFollowsTheMeasuredTokens(t *testing.T) {
	// Each byte is a token here, three times what is assumed.
	var limits []int
	n := 0
	m := &scripted{info: llm.Info{Context: 30_000}, script: []reply{func(req *llm.Request) ([]llm.Event, error) {
		n++
		if req.ToolChoice == llm.ToolNone {
			return says("ok")(req)
		}
		events, _ := calls(callOf("c", "long", fmt.Sprintf(`{"n":%d}`, n)))(req)
		return append(events, llm.Event{Type: llm.EventUsage, Usage: &llm.Usage{Input: requestSize(*req) + 200}}), nil
	}}}
	a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{longTool(&limits)}})
	ask(t, a, &agent.Conversation{}, "q")
	for i, req := range m.requests[2:] {
		if got := requestSize(req); got > 30_000 {
			t.Errorf("request %d has %d tokens of 30000", i+3, got)
		}
	}
	if limits[0] >= 30_000 {
		t.Errorf("the first limit is %d: what was measured did not count", limits[0])
	}
}

// What is chosen for the answer is left free of the window: Ollama cuts what is too
// much of both at the beginning, and says nothing of it.
func TestRoomIsLeftForTheAnswerThatWasChosen(t *testing.T) {
	largest := func(answer int) (bytes int) {
		var limits []int
		n := 0
		m := &scripted{info: llm.Info{Context: 16 << 10, Answer: answer}, script: []reply{func(req *llm.Request) ([]llm.Event, error) {
			n++
			if req.ToolChoice == llm.ToolNone {
				return says("ok")(req)
			}
			return calls(callOf("c", "long", fmt.Sprintf(`{"n":%d}`, n)))(req)
		}}}
		ask(t, newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{longTool(&limits)}}), &agent.Conversation{}, "q")
		for _, req := range m.requests {
			bytes = max(bytes, requestSize(req))
		}
		return bytes
	}
	usual, chosen, all := largest(0), largest(7000), largest(1<<20)
	if most := ((16 << 10) - 7000) * 3; chosen > most || chosen >= usual {
		t.Errorf("with 7000 tokens for the answer %d bytes were sent, without a choice %d; want at most %d", chosen, usual, most)
	}
	if all == 0 || all > chosen {
		t.Errorf("with more than the window for the answer %d bytes were sent", all)
	}
}

func TestATypedModelReadsValuesAndNothingIsSavedOfThem(t *testing.T) {
	m := &scripted{info: llm.Info{Typed: true}, script: []reply{calls(callOf("a", "read", `{}`)), says("ok")}}
	a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{answering("read", strings.Repeat("x", 100_000))}})
	var c agent.Conversation
	ask(t, a, &c, "q")
	msg := m.requests[1].Messages[2]
	if v, ok := msg.Value.(answerText); !ok || len(v) != 100_000 {
		t.Errorf("the value is %T", msg.Value)
	}
	if len(msg.Text) > 4096 {
		t.Errorf("the text has %d bytes", len(msg.Text))
	}
	for _, msg := range c.Messages {
		if msg.Value != nil {
			t.Error("a value is kept after the turn")
		}
	}
	plain := &scripted{script: []reply{calls(callOf("a", "read", `{}`)), says("ok")}}
	ask(t, newAgent(t, agent.Options{Model: plain, Tools: []tools.Tool{answering("read", "x")}}), &agent.Conversation{}, "q")
	if plain.requests[1].Messages[2].Value != nil {
		t.Error("a model over the network was given a value")
	}
}

// Gap of issue 5: of the turns whose calls are no longer sent, what was said with the
// calls still is, and the model and the user take turns.
func TestWordsThatWereSaidWithACallStayWhenTheCallGoes(t *testing.T) {
	var limits []int
	n := 0
	m := &scripted{info: llm.Info{Context: 4096}, script: []reply{func(req *llm.Request) ([]llm.Event, error) {
		n++
		if n%3 == 0 {
			return says(fmt.Sprintf("So it is, %d.", n))(req)
		}
		events, err := calls(callOf(fmt.Sprint("c", n), "long", fmt.Sprintf(`{"n":%d}`, n)))(req)
		return append([]llm.Event{{Type: llm.EventText, Delta: fmt.Sprintf("Let me see, %d.", n)}}, events...), err
	}}}
	a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{longTool(&limits)}})
	var c agent.Conversation
	for i := range 6 {
		ask(t, a, &c, fmt.Sprintf("question %d", i))
	}
	if c.Bare == 0 || c.LeftOut > 0 {
		t.Fatalf("bare up to %d, left out up to %d of %d", c.Bare, c.LeftOut, len(c.Messages))
	}
	sent := m.requests[len(m.requests)-1].Messages
	if got := sent[1]; got.Role != llm.Assistant || got.Text != "Let me see, 1.\n\nLet me see, 2.\n\nSo it is, 3." || len(got.Calls) > 0 {
		t.Errorf("the first answer is sent as %+v", got)
	}
	wantSettled(t, &agent.Conversation{Messages: sent})
	for i := 1; i < len(sent); i++ {
		if sent[i].Role == sent[i-1].Role && sent[i].Role != llm.ToolRole {
			t.Errorf("messages %d and %d are both by %s", i-1, i, sent[i].Role)
		}
	}
}
