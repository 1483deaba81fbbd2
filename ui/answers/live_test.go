package answers_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/builtin"
	"bowerbird/app/chats"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/ndb/clean"
	"bowerbird/ui/answers"
)

// Every recorded stream is a model's first answer, and a plain one follows where
// the agent asks again. What is shown at the end is what is shown after a reload,
// says what the model said, and ends with what can be done.
func TestATurnOfEveryRecordedStreamIsTheSameLiveAndReadBack(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "llm", "testdata", "streams", "*.sse"))
	if err != nil || len(paths) < 70 {
		t.Fatalf("%d fixtures: %v", len(paths), err)
	}
	more, err := filepath.Glob(filepath.Join(filepath.Dir(testkit.Root(t)), "shared", "fixtures", "streams", "*.sse"))
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, false)
	fine := testkit.SSE(`{"choices":[{"index":0,"delta":{"content":"fine"}}]}`, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)
	for _, path := range append(paths, more...) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".sse"), func(t *testing.T) {
			first, said := reply(t, path)
			live, saved := d.play(t, d.overHTTP(t, first, fine, fine, fine, fine), "q")
			wantEqual(t, live, saved)
			if live.Running() || len(live.Blocks) == 0 {
				t.Fatalf("the turn did not end: %s", outline(live))
			}
			last := live.Blocks[len(live.Blocks)-1]
			problem := find[*answers.Problem](live)
			if _, foot := last.(*answers.Foot); !foot && (problem == nil || last != answers.Block(problem)) {
				t.Errorf("the last block is a %T", last)
			}
			if (live.State == chats.Failed) != (problem != nil) {
				t.Errorf("state %s, problem %v", live.State, problem)
			}
			if problem != nil && len(problem.Actions) == 0 {
				t.Errorf("nothing can be done about %q", problem.Title.Text)
			}
			if said = strings.TrimSpace(clean.Text(said)); live.State == chats.Done && !strings.Contains(texts(live), said) && texts(live) != "fine" {
				t.Errorf("said %q, shown\n%s", said, outline(live))
			}
			keysDiffer(t, live)
		})
	}
}

func TestTheBuiltinsAnswersOnTheSampleAreTheSameLiveAndReadBack(t *testing.T) {
	d := newDesk(t, true)
	m := builtin.New(builtin.Options{
		Now: clock, Zone: func() *time.Location { return time.UTC }, Me: d.me.String,
		LastVisit: func() time.Time { return now.Add(-20 * time.Hour) },
	})
	for _, question := range []string{
		"What did I miss since yesterday evening? Details, please.", "Top hashtags this week", "Who posted most this week?",
		"What is Ada saying about relays? Details, please.", "What did the people I follow talk about last week? Details, please.", "What is the weather?",
	} {
		t.Run(question, func(t *testing.T) {
			live, saved := d.playUntil(t, t.Context(), m, question, func(turn answers.Turn) { keysDiffer(t, turn) })
			wantEqual(t, live, saved)
			t.Log("\n" + outline(live))
			work, sources := find[*answers.Work](live), find[*answers.Sources](live)
			if sources == nil {
				return
			}
			if work == nil {
				t.Fatal("nothing says what was read")
			}
			// The chip counts what the text says was read, where it is asked.
			if want := inEnglish(work.Words); !strings.Contains(texts(live), want) && !strings.Contains(want, " of ") {
				t.Errorf("the chip says %q, the text does not:\n%s", want, texts(live))
			}
			// And the chart below it sums to the same.
			if chart := find[*answers.Chart](live); chart != nil && chart.Chart != nil {
				sum := 0.0
				for _, p := range chart.Chart.Layers[0].Points {
					sum += p.Amount
				}
				if counted, _ := work.Words.Data["Count"].(int); float64(counted) != sum {
					t.Errorf("the chip says %q, the chart sums to %v", inEnglish(work.Words), sum)
				}
			}
			for i, s := range sources.List {
				if s.Index != i+1 || s.Gone || s.Quote == "" || s.Author == "" {
					t.Errorf("source %d: %+v", i+1, s)
				}
				if !strings.Contains(texts(live), s.Quote) {
					t.Errorf("^%d is said to be quoted with %q, which the text does not hold", s.Index, s.Quote)
				}
			}
		})
	}
}

func TestAStoppedTurnKeepsWhatWasSaid(t *testing.T) {
	d := newDesk(t, false)
	said := testkit.SSE(`{"choices":[{"index":0,"delta":{"content":"one two "}}]}`)
	said.Hang = true
	for name, tt := range map[string]struct {
		cause error
		state chats.State
		words string
	}{
		"by the user":    {context.Canceled, chats.Cancelled, "Stopped."},
		"by the closing": {chats.ErrClosing, chats.Interrupted, "The window was closed while this was being written."},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			_, saved := d.playUntil(t, ctx, d.overHTTP(t, said), "q", func(turn answers.Turn) {
				if strings.Contains(texts(turn), "two") {
					cancel(tt.cause)
				}
			})
			ended := slices.ContainsFunc(saved.Blocks, func(b answers.Block) bool {
				n, ok := b.(*answers.Notice)
				return ok && inEnglish(n.Words) == tt.words
			})
			if saved.State != tt.state || !ended || texts(saved) != "one two" {
				t.Errorf("%s:\n%s", saved.State, outline(saved))
			}
		})
	}
}

func TestWhileAnAnswerIsWrittenTheBlocksBeforeItStayTheSame(t *testing.T) {
	asm := answers.NewAssembler(answers.Turn{Question: "How?", Asked: now, Model: "ollama:m"}, newDesk(t, false).find())
	add := func(e agent.Event) answers.Turn {
		asm.Add(t.Context(), e)
		return asm.Turn()
	}
	add(agent.Event{Step: 1, Type: agent.EventReasoning, Delta: "Let me see."})
	add(agent.Event{Step: 1, Type: agent.EventText, Delta: "I look."})
	add(agent.Event{Step: 1, Type: agent.EventToolCall, ID: "c", Name: "count", Arguments: json.RawMessage(`{}`)})
	called := add(agent.Event{Step: 1, Type: agent.EventToolResult, ID: "c", Name: "count", Result: agent.RawResult(`{"count":3}`)})
	first := add(agent.Event{Step: 2, Type: agent.EventText, Delta: "There "})
	second := add(agent.Event{Step: 2, Type: agent.EventText, Delta: "are three."})
	if got := outline(second); !strings.Contains(got, "There are three.") {
		t.Fatalf("said is:\n%s", got)
	}
	if len(first.Blocks) != 4 || len(second.Blocks) != 4 {
		t.Fatalf("%d and %d blocks", len(first.Blocks), len(second.Blocks))
	}
	for i, b := range first.Blocks[:3] {
		if called.Blocks[i] != b || second.Blocks[i] != b {
			t.Errorf("%s was made anew", b.Key())
		}
	}
	if first.Blocks[3] == second.Blocks[3] {
		t.Error("the text grew, and its block did not change")
	}
}

// Row 001-13: what was looked up is a chip that says how it went.
func TestAChipChangesWithItsCalls(t *testing.T) {
	asm := answers.NewAssembler(answers.Turn{Question: "How?", Asked: now, Model: "ollama:m"}, newDesk(t, false).find())
	for _, step := range []struct {
		event agent.Event
		want  answers.WorkState
	}{
		{agent.Event{Step: 1, Type: agent.EventToolCall, ID: "c", Name: "count", Arguments: json.RawMessage(`{}`)}, answers.WorkRunning},
		{agent.Event{Step: 1, Type: agent.EventApproval, ID: "c"}, answers.WorkWaiting},
		{agent.Event{Step: 1, Type: agent.EventToolResult, ID: "c", Name: "count", Result: agent.RawResult(`{"count":3}`)}, answers.WorkDone},
		{agent.Event{Step: 1, Type: agent.EventToolCall, ID: "d", Name: "count", Arguments: json.RawMessage(`{}`)}, answers.WorkRunning},
		{agent.Event{Step: 1, Type: agent.EventFinish, Finish: agent.FinishCancelled}, answers.WorkDone}, // the opened chip says which failed
	} {
		asm.Add(t.Context(), step.event)
		if w := find[*answers.Work](asm.Turn()); w == nil || w.State != step.want {
			t.Errorf("after %s the chip is %+v", step.event.Type, w)
		}
	}
}

// Row 001-14: the chip is there as soon as the name of a call is known; row 003-25: a
// tool without words of its own is called by its name.
func TestAChipIsThereWhileTheArgumentsStillCome(t *testing.T) {
	begun := func(id, name string) agent.Event {
		return agent.Event{Step: 1, Type: agent.EventToolCallBegun, ID: id, Name: name}
	}
	call := func(id, name string) agent.Event {
		return agent.Event{Step: 1, Type: agent.EventToolCall, ID: id, Name: name, Arguments: json.RawMessage(`{"search":"comet"}`)}
	}
	result := func(id string) agent.Event {
		return agent.Event{Step: 1, Type: agent.EventToolResult, ID: id, Result: agent.RawResult(`{"count":3}`)}
	}
	for name, tt := range map[string]struct {
		events []agent.Event
		chip   string // "" for none
		lines  int
	}{
		"only the name":           {[]agent.Event{begun("c", "query")}, "Searching the notes", 1},
		"a tool without words":    {[]agent.Event{begun("c", "brew_tea")}, "Calling brew_tea", 1},
		"the whole call":          {[]agent.Event{begun("c", "query"), call("c", "query")}, "Searching the notes", 1},
		"without an id":           {[]agent.Event{begun("", "query"), begun("", "count"), call("x", "query"), call("y", "count")}, "Counting", 2},
		"in another order":        {[]agent.Event{begun("a", "query"), begun("b", "count"), call("b", "count"), call("a", "query")}, "Counting", 2},
		"taken back":              {[]agent.Event{begun("c", "query"), {Step: 1, Type: agent.EventRetrying, Retry: &llm.Retry{}}}, "", 0},
		"one that never came":     {[]agent.Event{begun("a", "query"), begun("b", "count"), call("b", "count"), result("b")}, "Counted 3 notes", 1},
		"none came, the next did": {[]agent.Event{begun("a", "query"), {Step: 2, Type: agent.EventText, Delta: "So."}}, "", 0},
		"the end came before it":  {[]agent.Event{begun("a", "query"), {Step: 1, Type: agent.EventFinish, Finish: agent.FinishCancelled}}, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			asm := answers.NewAssembler(answers.Turn{Question: "How?", Asked: now, Model: "ollama:m"}, newDesk(t, false).find())
			for _, e := range tt.events {
				asm.Add(t.Context(), e)
				keysDiffer(t, asm.Turn())
			}
			w := find[*answers.Work](asm.Turn())
			if (w == nil) != (tt.chip == "") {
				t.Fatalf("the chip is %+v", w)
			}
			if w != nil && (inEnglish(w.Words) != tt.chip || len(w.Lines) != tt.lines) {
				t.Errorf("the chip says %q, with %d lines", inEnglish(w.Words), len(w.Lines))
			}
		})
	}
}

// What the provider refused stays beside the answer.
func TestToolsThatWereLeftOutAreNamed(t *testing.T) {
	asm := answers.NewAssembler(answers.Turn{Question: "How?", Asked: now, Model: "ollama:m"}, newDesk(t, false).find())
	for _, name := range []string{"mcp__x__a", "mcp__x__b, mcp__x__c"} {
		asm.Add(t.Context(), agent.Event{Step: 1, Type: agent.EventRetrying, Retry: &llm.Retry{Reason: llm.ToolRefused + name}})
	}
	asm.Add(t.Context(), agent.Event{Step: 1, Type: agent.EventText, Delta: "So."})
	if n := find[*answers.Notice](asm.Turn()); n == nil || inEnglish(n.Words) != "Left out, because the model's provider does not accept it: mcp__x__a, mcp__x__b, mcp__x__c" {
		t.Errorf("%+v", n)
	}
}

// Row 002-49: a turn that waited when the program ended says so, and for how many
// answers; a call that ran then is said to be neither done nor not.
func TestATurnThatWasCutOffSaysWhatIsOpen(t *testing.T) {
	call := func(id string) []agent.Event {
		return []agent.Event{
			{Step: 1, Type: agent.EventToolCall, ID: id, Name: "publish_note", Arguments: json.RawMessage(`{}`)},
			{Step: 1, Type: agent.EventApproval, ID: id, Name: "publish_note"},
		}
	}
	started := agent.Event{Step: 1, Type: agent.EventToolStarted, ID: "a", Name: "publish_note"}
	unknown := agent.Event{Step: 1, Type: agent.EventToolResult, ID: "a", Failure: "it is not known whether this took effect: the program ended"}
	saved := func(s chats.State, events ...agent.Event) answers.Turn {
		return answers.SavedTurn(t.Context(), chats.Turn{ID: "t", Number: 1, Question: "?", Model: "ollama:m", State: s, Events: events}, "", newDesk(t, false).find())
	}
	one := saved(chats.Waiting, call("a")...)
	if n, w := find[*answers.Notice](one), find[*answers.Work](one); n == nil || n.Words.Data["Count"] != 1 || n.Actions[0] != answers.Reply || w.State != answers.WorkWaiting {
		t.Errorf("one call waits:\n%s", outline(one))
	}
	two := saved(chats.Waiting, append(call("a"), call("b")...)...)
	if n := find[*answers.Notice](two); n == nil || n.Words.Data["Count"] != 2 {
		t.Errorf("two calls wait:\n%s", outline(two))
	}
	for name, turn := range map[string]answers.Turn{
		"cut off":  saved(chats.Interrupted, append(call("a"), started)...),
		"taken up": saved(chats.Done, append(call("a"), started, unknown)...),
	} {
		w := find[*answers.Work](turn)
		if w == nil || w.State != answers.WorkUnknown || inEnglish(w.Words) != "It is not known whether this happened: publish_note" {
			t.Errorf("%s:\n%s", name, outline(turn))
		}
	}
	if n := find[*answers.Notice](saved(chats.Interrupted, call("a")...)); n == nil || n.Actions[0] != answers.GoOn {
		t.Error("an interrupted turn cannot go on")
	}
}

// Row 004-11: an answer without tools says that it was made without the notes.
func TestAnAnswerWithoutToolsSaysSo(t *testing.T) {
	for _, toolless := range []bool{true, false} {
		asm := answers.NewAssembler(answers.Turn{Question: "q", Model: "m:n", Toolless: toolless}, nil)
		asm.Add(t.Context(), agent.Event{Type: agent.EventText, Step: 1, Delta: "I cannot look."})
		asm.Add(t.Context(), agent.Event{Type: agent.EventFinish, Finish: agent.FinishStop})
		asm.End(chats.Done)
		told := false
		for _, b := range asm.Turn().Blocks {
			told = told || b.Key() == "notice:toolless"
		}
		if told != toolless {
			t.Errorf("without tools %v: told %v", toolless, told)
		}
	}
}
