package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/agent/agenttest"
	"bowerbird/assets"
	"bowerbird/llm"
	"bowerbird/tools"
)

// shipped are the prompts as the program has them.
func shipped(t testing.TB) agent.Prompts {
	t.Helper()
	var p agent.Prompts
	for file, into := range map[string]*string{
		"system.md": &p.System, "system_small.md": &p.Small, "closing.md": &p.Closing, "references.md": &p.References,
	} {
		raw, err := assets.Prompts.ReadFile("prompts/" + file)
		if err != nil {
			t.Fatal(err)
		}
		*into = strings.TrimSpace(string(raw))
	}
	return p
}

// Issue 5, "a 3 GB one on their own machine": what a model is told before the
// question leaves room for one, in a small window too.
func TestPromptAndToolsShrinkWithTheWindow(t *testing.T) {
	p := shipped(t)
	for _, tt := range []struct {
		window, tools int
		whole, brief  bool // the contract; the descriptions
	}{
		{0, 12, true, false}, // not known
		{128 << 10, 12, true, false},
		{32 << 10, 12, true, false},
		{16 << 10, 12, true, false},
		{10 << 10, 11, true, true},
		{8 << 10, 11, false, true},
		{6 << 10, 11, false, true},
		{4 << 10, 4, false, true},
		{2 << 10, 4, false, true},
	} {
		t.Run(fmt.Sprint(tt.window), func(t *testing.T) {
			m := &scripted{info: llm.Info{Context: tt.window}, script: []reply{says("ok")}}
			var c agent.Conversation
			if got := outline(ask(t, newAgent(t, agent.Options{Model: m, Tools: tools.BuiltinTools(), Prompts: p}), &c, "What did I miss?")); got != "1 text ok\n1 finish stop" {
				t.Fatal(got)
			}
			req := m.requests[0]
			if len(req.Tools) != tt.tools || strings.HasPrefix(req.Messages[0].Text, p.System) != tt.whole {
				t.Errorf("%d tools, contract %.60q…", len(req.Tools), req.Messages[0].Text)
			}
			n := len(req.Messages[0].Text)
			for _, tool := range req.Tools {
				n += len(tool.Name) + len(tool.Description) + len(tool.Schema)
				var schema map[string]any
				if err := json.Unmarshal(tool.Schema, &schema); err != nil || schema["type"] != "object" || tool.Description == "" {
					t.Errorf("%s: %v, description %q, schema %s", tool.Name, err, tool.Description, tool.Schema)
				}
				if brief := !strings.Contains(string(tool.Schema), `"description"`) && !strings.Contains(tool.Description, "\n\n"); tool.Name == "query" && brief != tt.brief {
					t.Errorf("the description of query is brief: %v", brief)
				}
			}
			if tt.window > 0 && n > tt.window*3/2 {
				t.Errorf("%d bytes of %d tokens are taken", n, tt.window)
			}
		})
	}
}

// Issue 12: a tool that hardly a question needs is offered from the one on that names
// it, and can be called all the same.
func TestAToolThatNoQuestionNamesIsNotOffered(t *testing.T) {
	m := &scripted{script: []reply{says("ok")}}
	a := newAgent(t, agent.Options{Model: m, Tools: tools.BuiltinTools()})
	var c agent.Conversation
	offered := func(question string) bool {
		ask(t, a, &c, question)
		return slices.ContainsFunc(m.requests[len(m.requests)-1].Tools, func(t llm.Tool) bool { return t.Name == "random_uuid" })
	}
	for _, q := range []struct {
		question string
		want     bool
	}{{"What did I miss?", false}, {"Give me a new UUID, please", true}, {"Thanks. What did Ada write?", true}} {
		if got := offered(q.question); got != q.want {
			t.Errorf("%s: offered %v", q.question, got)
		}
	}
	for _, d := range dialects() {
		client, _ := d.model(t, d.said("One moment.", "random_uuid", `{}`), d.said("Here.", "random_uuid", `{}`))
		r := agenttest.Collect(newAgent(t, agent.Options{Model: client, Tools: tools.BuiltinTools(), MaxSteps: 1}).Run(t.Context(), &agent.Conversation{}, agent.Turn{ID: "t", Question: "q", Env: testEnv()}))
		if len(r.Calls) == 0 || r.Calls[0].Failure != "" {
			t.Errorf("%s: %+v", d.name, r)
		}
	}
	m = &scripted{script: []reply{calls(callOf("a", "random_uuid", `{}`)), says("ok")}}
	if got := outline(ask(t, newAgent(t, agent.Options{Model: m, Tools: tools.BuiltinTools()}), &agent.Conversation{}, "What did I miss?")); !strings.Contains(got, "1 tool_result a random_uuid\n") {
		t.Errorf("events:\n%s", got)
	}
}

// A member of a tool's arguments that is called description is no description, and a
// tool that is left out can be called all the same.
func TestShrinkingKeepsWhatAToolTakes(t *testing.T) {
	noted := tools.New("note_down", "Notes.\n\n"+strings.Repeat("At length. ", 500), tools.None,
		func(_ context.Context, _ *tools.Env, args struct {
			Description string `json:"description" jsonschema:"what"`
		},
		) (answerText, error) {
			return answerText("noted " + args.Description), nil
		})
	m := &scripted{info: llm.Info{Context: 4096}, script: []reply{
		calls(callOf("a", "note_down", `{"description":"x"}`), callOf("b", "find_profile", `{}`)), says("ok"),
	}}
	a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{noted}})
	ask(t, a, &agent.Conversation{}, "q")
	if tool := m.requests[0].Tools[0]; tool.Description != "Notes." || !strings.Contains(string(tool.Schema), `"description":{`) {
		t.Errorf("the tool is told as %q, %s", tool.Description, tool.Schema)
	}
	if got := m.toolTexts()[0]; got != "noted x" {
		t.Errorf("the result is %q", got)
	}
	m = &scripted{info: llm.Info{Context: 2048}, script: []reply{calls(callOf("a", "render_table", `{"title":"t","columns":["a"],"rows":[{"a":"b"}]}`)), says("ok")}}
	got := outline(ask(t, newAgent(t, agent.Options{Model: m, Tools: tools.BuiltinTools()}), &agent.Conversation{}, "q"))
	if !strings.Contains(got, "1 table") {
		t.Errorf("a tool that is not offered was not run:\n%s", got)
	}
}

// Issue 5, "budget before every call": a request that cannot fit is not sent, since
// some servers cut its beginning off and say nothing; the user is told what to do.
func TestARequestThatCannotFitIsNotSentButTold(t *testing.T) {
	p := shipped(t)
	for _, tt := range []struct {
		name, question string
		window         int
		said           []string
	}{
		{"a window that the contract alone fills", "q", 512, []string{"sent with every question", "512 at a time", "start it with a larger one"}},
		{"a question that is longer than the window", strings.Repeat("word ", 20_000), 8192, []string{"the question is too long", "shorten it"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &scripted{info: llm.Info{Context: tt.window}, script: []reply{says("never")}}
			var c agent.Conversation
			events := ask(t, newAgent(t, agent.Options{Model: m, Tools: tools.BuiltinTools(), Prompts: p}), &c, tt.question)
			if got := outline(events); got != "1 error context_overflow\n1 finish error" || len(m.requests) != 0 {
				t.Fatalf("%d requests, events:\n%s", len(m.requests), got)
			}
			for _, words := range tt.said {
				if !strings.Contains(events[0].Err.Message, words) {
					t.Errorf("%q does not say %q", events[0].Err.Message, words)
				}
			}
			wantSettled(t, &c)
		})
	}
	t.Run("where the window is not known, the server decides", func(t *testing.T) {
		m := &scripted{script: []reply{says("ok")}}
		if got := outline(ask(t, newAgent(t, agent.Options{Model: m}), &agent.Conversation{}, strings.Repeat("word ", 100_000))); got != "1 text ok\n1 finish stop" {
			t.Errorf("events:\n%s", got)
		}
	})
	t.Run("what was measured counts", func(t *testing.T) {
		// A byte is a token here: the second question is too long, as the first showed.
		m := &scripted{info: llm.Info{Context: 3000}, script: []reply{func(req *llm.Request) ([]llm.Event, error) {
			events, err := says("ok")(req)
			return append(events, llm.Event{Type: llm.EventUsage, Usage: &llm.Usage{Input: requestSize(*req)}}), err
		}}}
		a := newAgent(t, agent.Options{Model: m})
		ask(t, a, &agent.Conversation{}, strings.Repeat("word ", 100))
		events := ask(t, a, &agent.Conversation{}, strings.Repeat("word ", 700))
		if len(m.requests) != 1 || !strings.HasPrefix(outline(events), "1 error context_overflow") {
			t.Errorf("%d requests, events:\n%s", len(m.requests), outline(events))
		}
	})
}
