package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/agent/agenttest"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"
)

// dialect is how a family of providers writes an answer with a text and a call, and
// one with nothing in it.
type dialect struct {
	name, provider, format string
	first                  []testkit.Reply // what comes before the first answer
	said                   func(text, tool, args string) testkit.Reply
	silent                 testkit.Reply
}

func dialects() []dialect {
	lines := func(events ...string) testkit.Reply {
		return testkit.Reply{Body: "data: " + strings.Join(events, "\n\ndata: ") + "\n\n"}
	}
	stop := `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	written := func(pattern string) func(text, tool, args string) testkit.Reply {
		return func(text, tool, args string) testkit.Reply {
			return testkit.SSE(fmt.Sprintf(`{"choices":[{"index":0,"delta":{"content":%q}}]}`, text+"\n"+fmt.Sprintf(pattern, tool, args)), stop)
		}
	}
	refused := testkit.Reply{Status: 400, Body: `{"error":{"message":"Function tools with reasoning_effort are not supported for m in /v1/chat/completions. To use function tools, use /v1/responses.","param":"reasoning_effort"}}`}
	return []dialect{
		{
			"chat completions", "custom", "", nil,
			func(text, tool, args string) testkit.Reply {
				return testkit.SSE(
					fmt.Sprintf(`{"choices":[{"index":0,"delta":{"content":%q}}]}`, text),
					fmt.Sprintf(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":%q,"arguments":%q}}]},"finish_reason":"tool_calls"}]}`, tool, args))
			},
			testkit.SSE(`{"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}`, stop),
		},
		{
			"Anthropic", "anthropic", "", nil,
			func(text, tool, args string) testkit.Reply {
				return lines(
					fmt.Sprintf(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%q}}`, text),
					fmt.Sprintf(`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":%q,"input":{}}}`, tool),
					fmt.Sprintf(`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":%q}}`, args),
					`{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`, `{"type":"message_stop"}`)
			},
			lines(`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}`, `{"type":"message_stop"}`),
		},
		{
			"Responses", "openai", "",
			[]testkit.Reply{refused},
			func(text, tool, args string) testkit.Reply {
				return lines(
					fmt.Sprintf(`{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":%q}`, text),
					fmt.Sprintf(`{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":%q,"arguments":%q}}`, tool, args),
					`{"type":"response.completed","response":{"status":"completed","output":[]}}`)
			},
			lines(`{"type":"response.completed","response":{"status":"completed","output":[]}}`),
		},
		{
			"Ollama", "ollama", "", nil,
			func(text, tool, args string) testkit.Reply {
				return testkit.Reply{Body: fmt.Sprintf(`{"message":{"role":"assistant","content":%q,"tool_calls":[{"id":"o1","function":{"name":%q,"arguments":%s}}]},"done":false}`, text, tool, args) +
					"\n" + `{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}` + "\n"}
			},
			testkit.Reply{Body: `{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}` + "\n"},
		},
		{"calls in the text, Hermes", "custom", "hermes", nil, written(`<tool_call>{"name": %q, "arguments": %s}</tool_call>`), testkit.SSE(stop)},
		{"calls in the text, Mistral", "custom", "mistral", nil, written(`[TOOL_CALLS] [{"name": %q, "arguments": %s, "id": "call00001"}]`), testkit.SSE(stop)},
		{
			"thinking alone", "custom", "", nil, written(`<tool_call>{"name": %q, "arguments": %s}</tool_call>`),
			testkit.SSE(`{"choices":[{"index":0,"delta":{"reasoning_content":"All is said."}}]}`, stop),
		},
	}
}

func (d dialect) model(t *testing.T, replies ...testkit.Reply) (*llm.Client, *testkit.ModelServer) {
	t.Helper()
	s := testkit.NewModelServer(t, append(slices.Clone(d.first), replies...)...)
	row, _ := llm.FindProvider(d.provider)
	c, err := llm.New(llm.Options{Provider: row, Model: "m", BaseURL: s.URL, HTTP: s.Client(), Format: d.format})
	if err != nil {
		t.Fatal(err)
	}
	return c, s
}

// notesEnv is a small world with one note of Ada's, and its id.
func notesEnv(t *testing.T) (*tools.Env, string) {
	t.Helper()
	w := tooltest.NewWorld(t)
	note := w.Person("ada", "Ada").Note("the comet is back", time.Hour)
	return w.Env(), note.ID.String()
}

// Issue 12, "an answer that was complete ends as an error": many models say all and show
// their notes in one step, and then nothing.
func TestNothingMoreToSayIsTheEndOfATurn(t *testing.T) {
	env, id := notesEnv(t)
	for name, call := range map[string]struct{ tool, args string }{
		"notes": {"present_notes", `{"note_ids":["` + id[:16] + `"]}`},
		"chart": {"render_chart", `{"spec":{"mark":"bar","data":{"values":[{"a":"x","b":1}]},"encoding":{"x":{"field":"a","type":"nominal"},"y":{"field":"b","type":"quantitative"}}}}`},
		"table": {"render_table", `{"columns":["a"],"rows":[{"a":1}]}`},
		// A tool that models make up for the end of an answer.
		"no such tool": {"final_answer", `{}`},
	} {
		for _, d := range dialects() {
			if name != "notes" && d.provider != "custom" || name == "no such tool" && d.name != "chat completions" {
				continue
			}
			t.Run(name+", "+d.name, func(t *testing.T) {
				client, s := d.model(t, d.said("The comet is back.", call.tool, call.args), d.silent)
				a := newAgent(t, agent.Options{Model: client, Tools: tools.BuiltinTools()})
				var c agent.Conversation
				r := agenttest.Collect(a.Run(t.Context(), &c, agent.Turn{ID: "t", Question: "What is new?", Env: env}))
				if r.Err != nil || r.Text != "The comet is back." || r.Truncated || len(r.Calls) != 1 || r.Finish == agent.FinishError {
					t.Errorf("the turn came to %+v", r)
				}
				for _, m := range c.Messages {
					if strings.Contains(m.Text, "without an answer") {
						t.Errorf("the next turn is told %q", m.Text)
					}
				}
				if n := len(s.Received()) - len(d.first); n != 2 {
					t.Errorf("%d requests, want 2", n)
				}
				wantSettled(t, &c)
			})
		}
	}
}

// What was said before the model read something is no answer: it is asked again.
func TestWordsBeforeAReadAreNoAnswer(t *testing.T) {
	m := &scripted{script: []reply{
		func(req *llm.Request) ([]llm.Event, error) {
			events, err := calls(callOf("a", "query", `{}`))(req)
			return append([]llm.Event{{Type: llm.EventText, Delta: "Let me look."}}, events...), err
		},
		says(""), says("Nothing new."),
	}}
	got := outline(ask(t, newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{finds()}}), &agent.Conversation{}, "q"))
	if !strings.HasSuffix(got, "2 retrying empty\n2 text Nothing new.\n2 finish stop") {
		t.Errorf("events:\n%s", got)
	}
}

// Each of the ways a turn can come to its silence ends well, in one run and taken up
// again after a cut before the silent step.
func TestSilenceAfterAnAnswer(t *testing.T) {
	env, id := notesEnv(t)
	present := func(id string) llm.Call { return callOf("p", "present_notes", `{"note_ids":"`+id+`"}`) }
	withText := func(text string, list ...llm.Call) reply {
		return func(req *llm.Request) ([]llm.Event, error) {
			events, err := calls(list...)(req)
			return append([]llm.Event{{Type: llm.EventText, Delta: text}}, events...), err
		}
	}
	for _, tt := range []struct {
		name   string
		script []reply
		fails  bool
	}{
		{"shown and said", []reply{withText("Ada ^1.", present(id))}, false},
		{"shown without a word", []reply{calls(present(id))}, false},
		{"said and shown, then another look", []reply{withText("Ada ^1.", present(id)), calls(callOf("n", "count", `{}`))}, false},
		{"the note that was to be shown is not there", []reply{withText("Ada.", present("ffffffffffffffff"))}, false},
		{"nothing said and nothing there to show", []reply{calls(present("ffffffffffffffff"))}, true},
		{"nothing but a look", []reply{calls(callOf("n", "count", `{}`))}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := len(tt.script)
			for name, resumed := range map[string]bool{"in one run": false, "taken up": true} {
				m := &scripted{script: append(slices.Clone(tt.script), says(""))}
				a := newAgent(t, agent.Options{Model: m, Tools: tools.BuiltinTools()})
				var c agent.Conversation
				turn := agent.Turn{ID: "t", Question: "q", Env: env}
				var events []agent.Event
				results := 0
				for e := range a.Run(t.Context(), &c, turn) {
					events = append(events, e)
					if e.Type == agent.EventToolResult {
						results++
					}
					if resumed && e.Step == n && results == n { // cut off with the last result, and what it shows
						last := e.Type == agent.EventPresentNotes || e.Name == "count"
						if last {
							break
						}
					}
				}
				if resumed {
					kept := agent.Conversation{Messages: slices.Clone(c.Messages), Whole: true}
					for len(kept.Messages) > 0 && kept.Messages[len(kept.Messages)-1].Role != llm.ToolRole {
						kept.Messages = kept.Messages[:len(kept.Messages)-1]
					}
					events = slices.Collect(a.Resume(t.Context(), &kept, turn, agent.Cut{Events: events}))
					c = kept
				}
				want := agent.FinishStop
				if tt.fails {
					want = agent.FinishError
				}
				if last := events[len(events)-1]; last.Finish != want || last.Trimmed {
					t.Errorf("%s: events:\n%s", name, outline(events))
				}
				if !tt.fails && len(m.requests) != n+1 {
					t.Errorf("%s: %d requests, want %d", name, len(m.requests), n+1)
				}
				wantSettled(t, &c)
			}
		})
	}
}

// An answer that was asked back stands when nothing better comes of it: the user has
// read it.
func TestAnAnswerThatWasAskedBackIsNotLost(t *testing.T) {
	for name, second := range map[string]reply{
		"silence":    says(""),
		"an outage":  fails(llm.KindRateLimit),
		"half of it": fails(llm.KindIncomplete, llm.Event{Type: llm.EventText, Delta: "See"}),
	} {
		m := &scripted{script: []reply{says("See ^7."), second}}
		var c agent.Conversation
		r := agenttest.Collect(func(yield func(agent.Event) bool) {
			for _, e := range ask(t, newAgent(t, agent.Options{Model: m, Prompts: agent.Prompts{References: "{refs}"}}), &c, "q") {
				if !yield(e) {
					return
				}
			}
		})
		if r.Text != "See ^7." || r.Err != nil || r.Finish != agent.FinishStop {
			t.Errorf("%s: %+v", name, r)
		}
		if last := c.Messages[len(c.Messages)-1]; last.Role != llm.Assistant || last.Text != "See ^7." {
			t.Errorf("%s: kept is %+v", name, last)
		}
		if len(m.requests) != 2 {
			t.Errorf("%s: %d requests, want 2", name, len(m.requests))
		}
	}
}

// A model that says its answer with the notes that it shows, and then all of it again, has
// said it once.
func TestAnAnswerThatIsSaidTwiceStandsOnce(t *testing.T) {
	env, id := notesEnv(t)
	for second, want := range map[string]string{
		"The comet is back ^1.\n": "The comet is back ^1.",
		"It is back.":             "The comet is back ^1.\n\nIt is back.",
	} {
		m := &scripted{script: []reply{func(req *llm.Request) ([]llm.Event, error) {
			events, err := calls(callOf("p", "present_notes", `{"note_ids":"`+id+`"}`))(req)
			return append([]llm.Event{{Type: llm.EventText, Delta: "The comet is back ^1."}}, events...), err
		}, says(second)}}
		var c agent.Conversation
		r := agenttest.Collect(newAgent(t, agent.Options{Model: m, Tools: tools.BuiltinTools()}).Run(t.Context(), &c, agent.Turn{ID: "t", Question: "q", Env: env}))
		if r.Text != want || r.Finish != agent.FinishStop {
			t.Errorf("%q: %+v", second, r)
		}
		wantSettled(t, &c)
	}
}
