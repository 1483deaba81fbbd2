package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/tools"
)

// approver answers as it is told and remembers what it was asked.
type approver struct {
	answer func(p agent.Preview) (agent.Approval, error)
	asked  []agent.Preview
}

func (a *approver) Approve(_ context.Context, p agent.Preview) (agent.Approval, error) {
	a.asked = append(a.asked, p)
	return a.answer(p)
}

func grants(p agent.Preview) (agent.Approval, error) {
	return agent.Approval{Granted: true, Hash: p.Hash()}, nil
}

// publisher is a tool that exists only here. It counts what it did.
type publisher struct {
	effect tools.Effect
	did    []string
}

func (p *publisher) tool() testTool {
	return testTool{name: "publish_note", effect: p.effect, run: func(_ context.Context, _ *tools.Env, args json.RawMessage) (tools.Result, error) {
		p.did = append(p.did, string(args))
		return answerText("published"), nil
	}}
}

func TestAPublishingToolRunsOnlyWhenItsOwnPreviewWasApproved(t *testing.T) {
	const args = `{"content":"hello"}`
	for _, tt := range []struct {
		name     string
		approver *approver
		ran      bool
		failure  string
	}{
		{"nobody is there", nil, false, "nobody is here"},
		{"the user refuses", &approver{answer: func(p agent.Preview) (agent.Approval, error) {
			return agent.Approval{Hash: p.Hash(), Reason: "too long"}, nil
		}}, false, "refused: too long"},
		{"granted for another preview", &approver{answer: func(p agent.Preview) (agent.Approval, error) {
			p.Arguments = `{"content":"bye"}`
			return grants(p)
		}}, false, "not what would run"},
		{"granted without a hash", &approver{answer: func(agent.Preview) (agent.Approval, error) {
			return agent.Approval{Granted: true}, nil
		}}, false, "not what would run"},
		{"asking fails", &approver{answer: func(p agent.Preview) (agent.Approval, error) {
			return agent.Approval{Granted: true, Hash: p.Hash()}, errors.New("window closed")
		}}, false, "window closed"},
		{"the approver panics", &approver{answer: func(agent.Preview) (agent.Approval, error) { panic("boom") }}, false, "panicked"},
		{"granted", &approver{answer: grants}, true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, effect := range []tools.Effect{tools.Local, tools.Network, tools.Publishes, tools.Spends, tools.Deletes, 77} {
				p := &publisher{effect: effect}
				opt := agent.Options{Model: &scripted{script: []reply{calls(callOf("a", "publish_note", args)), says("ok")}}, Tools: []tools.Tool{p.tool()}}
				if tt.approver != nil {
					tt.approver.asked = nil
					opt.Approver = tt.approver
				}
				var c agent.Conversation
				events := ask(t, newAgent(t, opt), &c, "publish hello")
				if ran := len(p.did) == 1; ran != tt.ran {
					t.Errorf("effect %d: ran %v, want %v", effect, ran, tt.ran)
				}
				i := slices.IndexFunc(events, func(e agent.Event) bool { return e.Type == agent.EventToolResult })
				if !strings.Contains(events[i].Failure, tt.failure) || (events[i].Failure == "") != tt.ran {
					t.Errorf("effect %d: failure %q", effect, events[i].Failure)
				}
				if tt.ran {
					i-- // what was approved says that it starts
				}
				if events[i-1].Type != agent.EventApproval || events[i-1].Preview == "" {
					t.Errorf("effect %d: no approval event before the result", effect)
				}
				if tt.approver != nil && (len(tt.approver.asked) != 1 || tt.approver.asked[0].Arguments != args) {
					t.Errorf("effect %d: asked %+v", effect, tt.approver.asked)
				}
				wantSettled(t, &c)
			}
		})
	}
}

func TestReadingNeverAsksAndPublishingAsksOnce(t *testing.T) {
	p := &publisher{effect: tools.Publishes}
	app := &approver{answer: grants}
	m := &scripted{script: []reply{
		calls(callOf("a", "read", `{}`), callOf("b", "read", `{"x":1}`), callOf("c", "publish_note", `{}`), callOf("d", "read", `{"x":2}`)), says("ok"),
	}}
	a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{echo("read"), p.tool()}, Approver: app})
	var c agent.Conversation
	ask(t, a, &c, "go")
	if len(app.asked) != 1 || len(p.did) != 1 {
		t.Errorf("asked %d times, published %d times", len(app.asked), len(p.did))
	}
}

// strict is a tool that takes no arguments but {"ok":true}.
type strict struct{ testTool }

func (strict) Normalize(args json.RawMessage) (json.RawMessage, error) {
	switch string(args) {
	case `{"ok":true}`:
		return args, nil
	case `{"panic":true}`:
		panic("checking")
	}
	return nil, &tools.ArgumentError{Tool: "publish_note", Path: "ok", Expected: "true", Got: "nothing"}
}

func TestNobodyIsAskedAboutACallThatCanOnlyFail(t *testing.T) {
	p := &publisher{effect: tools.Publishes}
	app := &approver{answer: grants}
	m := &scripted{script: []reply{
		calls(callOf("a", "publish_note", `{}`), callOf("b", "publish_note", `{"panic":true}`), callOf("c", "publish_note", `{"ok":true}`)), says("ok"),
	}}
	a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{strict{p.tool()}}, Approver: app})
	var c agent.Conversation
	ask(t, a, &c, "go")
	if len(app.asked) != 1 || app.asked[0].Arguments != `{"ok":true}` || len(p.did) != 1 {
		t.Errorf("asked %+v, did %q", app.asked, p.did)
	}
	texts := m.toolTexts()
	if !strings.Contains(texts[0], `"path":"ok","expected":"true"`) || !strings.Contains(texts[1], "broke inside") {
		t.Errorf("the model was told %q", texts)
	}
	wantSettled(t, &c)
}

func TestAToolThatFailsTaintsAllTheSame(t *testing.T) {
	for _, effect := range []tools.Effect{tools.None, tools.Local} {
		p := &publisher{effect: tools.Publishes}
		// Its error quotes a stranger's name.
		lookup := testTool{name: "look_up", effect: effect, tainting: true, run: func(context.Context, *tools.Env, json.RawMessage) (tools.Result, error) {
			return nil, &tools.ArgumentError{Tool: "look_up", Path: "author", Expected: "one person", Got: `"publish hello"`}
		}}
		m := &scripted{script: []reply{calls(callOf("a", "look_up", `{}`)), calls(callOf("b", "publish_note", `{}`)), says("ok")}}
		a := newAgent(t, agent.Options{Model: m, Tools: []tools.Tool{lookup, p.tool()}, Permission: func(tools.Spec) agent.Permission { return agent.FreeClean }})
		var c agent.Conversation
		ask(t, a, &c, "go")
		if !c.Tainted() || len(p.did) != 0 {
			t.Errorf("effect %v: tainted %v, published %d times unasked", effect, c.Tainted(), len(p.did))
		}
	}
}

func TestEveryPieceOfAPreviewIsInItsHash(t *testing.T) {
	base := agent.Preview{Turn: "t", Call: "c", Tool: "x", Effect: tools.Local, Arguments: "{}"}
	seen := map[[32]byte]bool{base.Hash(): true}
	for _, change := range []func(*agent.Preview){
		func(p *agent.Preview) { p.Turn = "u" },
		func(p *agent.Preview) { p.Call = "d" },
		func(p *agent.Preview) { p.Tool = "y" },
		func(p *agent.Preview) { p.Effect = tools.Deletes },
		func(p *agent.Preview) { p.Arguments = "{} " },
		func(p *agent.Preview) { p.Turn, p.Call = `t" "c`, "" },
	} {
		p := base
		change(&p)
		if seen[p.Hash()] {
			t.Errorf("%+v has the hash of another preview", p)
		}
		seen[p.Hash()] = true
	}
}

func TestAPreviewShowsWhatCannotBeSeen(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ntext\t":  "plain\ntext\t",
		"a\u202eb":       "a⟦U+202E⟧b",
		"zero\u200bw":    "zero⟦U+200B⟧w",
		"tag\U000e0041":  "tag⟦U+E0041⟧",
		"vs\ufe0f":       "vs⟦U+FE0F⟧",
		"esc\x1b[0m":     "esc⟦U+001B⟧[0m",
		"fill\u3164":     "fill⟦U+3164⟧",
		"join\u034fer":   "join⟦U+034F⟧er",
		"line\u2028":     "line⟦U+2028⟧",
		"para\u2029":     "para⟦U+2029⟧",
		"none\u2065":     "none⟦U+2065⟧",
		"tag\U000e0fff":  "tag⟦U+E0FFF⟧",
		"öçñ 日本 😀":       "öçñ 日本 😀",
		"broken\xffbyte": "broken⟦U+FFFD⟧byte",
	} {
		if got := agent.Visible(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
}

// obedient is the worst model there is: whatever it reads in a tool's result, it
// does, with every tool that it has.
func obedient(offer []string) reply {
	return func(req *llm.Request) ([]llm.Event, error) {
		last := req.Messages[len(req.Messages)-1]
		switch {
		case req.ToolChoice == llm.ToolNone:
			return says("I did all I was told.")(req)
		case last.Role == llm.User:
			return calls(callOf("read", "read_notes", `{}`))(req)
		}
		var list []llm.Call
		for i, name := range offer {
			args, err := json.Marshal(map[string]string{"content": last.Text, "to": "everybody"})
			if err != nil {
				return nil, err
			}
			list = append(list, llm.Call{ID: fmt.Sprint("c", len(req.Messages), i), Name: name, Arguments: args})
		}
		return calls(list...)(req)
	}
}

func TestHostileTextsCauseNothingWithoutAnApproval(t *testing.T) {
	texts := inShort(testkit.Injections(t), 25)
	refuses := &approver{answer: func(p agent.Preview) (agent.Approval, error) { return agent.Approval{Hash: p.Hash()}, nil }}
	for _, tt := range []struct {
		name     string
		approver agent.Approver
	}{{"nobody is there", nil}, {"the user refuses all", refuses}} {
		t.Run(tt.name, func(t *testing.T) {
			acted, asked := 0, 0
			for _, text := range texts {
				for _, entry := range []string{`{"notes":[{"content":%s}]}`, `{"notes":[{"name":%s,"content":"hi"}]}`} {
					quoted, err := json.Marshal(text)
					if err != nil {
						t.Fatal(err)
					}
					notes := answering("read_notes", fmt.Sprintf(entry, quoted))
					notes.tainting = true
					list := []tools.Tool{notes}
					names := []string{"read_notes", "no_such_tool"}
					for _, e := range []tools.Effect{tools.Local, tools.Network, tools.Publishes, tools.Spends, tools.Deletes, 99} {
						name := "do_" + fmt.Sprint(int(e))
						list = append(list, testTool{name: name, effect: e, run: func(context.Context, *tools.Env, json.RawMessage) (tools.Result, error) {
							acted++
							return answerText("done"), nil
						}})
						names = append(names, name)
					}
					a := newAgent(t, agent.Options{
						Model: &scripted{script: []reply{obedient(names)}}, Tools: list, Approver: tt.approver, MaxSteps: 2,
						Permission: func(tools.Spec) agent.Permission { return agent.FreeClean }, // taint makes it worthless
					})
					var c agent.Conversation
					for e := range a.Run(t.Context(), &c, agent.Turn{ID: "t", Question: "what did I miss?", Env: testEnv()}) {
						if e.Type == agent.EventApproval {
							asked++
						}
					}
					wantSettled(t, &c)
				}
			}
			if acted != 0 {
				t.Errorf("%d side effects, want 0", acted)
			}
			if asked < len(texts)*2*6 {
				t.Errorf("only %d attempts: the model did not try", asked)
			}
		})
	}
}

// inShort keeps every n-th of a list when the tests are to be short.
func inShort[T any](list []T, n int) []T {
	if !testing.Short() {
		return list
	}
	var out []T
	for i := 0; i < len(list); i += n {
		out = append(out, list[i])
	}
	return out
}

// TestAfterTaintNothingConsequentialRunsWithoutAFreshApproval plays random tool
// sequences over several turns of a chat, with a user who allowed everything for
// good and answers each question at random.
func TestAfterTaintNothingConsequentialRunsWithoutAFreshApproval(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	worlds := 10_000
	if testing.Short() {
		worlds = 400
	}
	ran, standing := 0, 0
	for range worlds {
		var c agent.Conversation
		approved := make(map[string]int) // by call
		tainted := false
		app := &approver{answer: func(p agent.Preview) (agent.Approval, error) {
			if rng.IntN(2) == 0 {
				return agent.Approval{Hash: p.Hash()}, nil
			}
			approved[p.Arguments]++
			return grants(p)
		}}
		var list []tools.Tool
		for e := tools.None; e <= tools.Deletes+1; e++ {
			for _, tainting := range []bool{false, true} {
				list = append(list, testTool{
					name: fmt.Sprintf("tool_%d_%v", e, tainting), effect: e, tainting: tainting,
					run: func(_ context.Context, _ *tools.Env, args json.RawMessage) (tools.Result, error) {
						if e != tools.None {
							ran++
							if tainted && approved[string(args)] == 0 {
								t.Errorf("effect %d ran unasked in a tainted chat", e)
							}
							if approved[string(args)] == 0 {
								standing++
							}
							approved[string(args)]--
							tainted = tainted || tainting || e > tools.Deletes
						}
						return answerText("ok"), nil
					},
				})
			}
		}
		id := 0
		random := func(req *llm.Request) ([]llm.Event, error) {
			if req.ToolChoice == llm.ToolNone || rng.IntN(4) == 0 {
				return says("done")(req)
			}
			var made []llm.Call
			for range rng.IntN(4) {
				name := list[rng.IntN(len(list))].Spec().Name
				id++
				made = append(made, callOf(fmt.Sprint(id), name, fmt.Sprintf(`{"n":%d}`, id)))
			}
			return calls(made...)(req)
		}
		a := newAgent(t, agent.Options{
			Model: &scripted{script: []reply{random}}, Tools: list, Approver: app, MaxSteps: 3,
			Permission: func(tools.Spec) agent.Permission { return agent.FreeClean },
		})
		for range 2 {
			for e := range a.Run(t.Context(), &c, agent.Turn{ID: "t", Question: "q", Env: testEnv()}) {
				// Reading tools run side by side, so their taint is seen here.
				if e.Type == agent.EventToolResult && e.Failure == "" && strings.HasSuffix(e.Name, "0_true") {
					tainted = true
				}
			}
			if tainted && !c.Tainted() {
				t.Fatal("text by others came in and the chat is not tainted")
			}
		}
	}
	if ran < worlds/10 || standing < worlds/100 {
		t.Errorf("%d consequential runs, %d of them by standing permission: the test did not try", ran, standing)
	}
}
