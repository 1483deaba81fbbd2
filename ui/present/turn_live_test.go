package present_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"text/template"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/builtin"
	"bowerbird/app/chats"
	"bowerbird/app/llm"
	"bowerbird/app/sample"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/tools"
	"bowerbird/ui/present"
)

var now = time.Date(2026, 3, 12, 14, 0, 0, 0, time.UTC)

func clock() time.Time { return now }

// desk is a store with the sample in it, and the saved chats beside it.
type desk struct {
	notes *ndb.Store
	me    ndb.PubKey
	chats *chats.Store
	n     int
}

func newDesk(t testing.TB, withSample bool) *desk {
	t.Helper()
	s, err := ndb.Open(t.TempDir(), ndb.Options{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	d := &desk{notes: s}
	if withSample {
		world, err := sample.Make(sample.Options{Seed: 1, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Put(t.Context(), ndb.Batch{Events: world.Events}); err != nil {
			t.Fatal(err)
		}
		d.me = world.Me
	}
	d.chats, err = chats.NewStore(s.Bucket("chats"), chats.Options{Now: clock, NewID: func() string {
		d.n++
		return fmt.Sprintf("chat-%d", d.n)
	}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *desk) env() *tools.Env {
	return &tools.Env{
		Store: d.notes, Me: d.me, Now: clock, Zone: time.UTC,
		LastVisit: now.Add(-20 * time.Hour), Presented: &tools.Presented{},
	}
}

func (d *desk) find() present.NoteFinder { return present.StoreNotes{Store: d.notes} }

// play asks a model and returns the turn as it looked at the end, and as it looks
// when it is read back.
func (d *desk) play(t *testing.T, m llm.Model, question string) (live, saved present.Turn) {
	t.Helper()
	return d.playUntil(t, t.Context(), m, question, nil)
}

func (d *desk) playUntil(t *testing.T, ctx context.Context, m llm.Model, question string, each func(present.Turn)) (live, saved present.Turn) {
	t.Helper()
	a, err := agent.New(agent.Options{Model: m, Tools: tools.BuiltinTools()})
	if err != nil {
		t.Fatal(err)
	}
	chat, err := d.chats.New("session")
	if err != nil {
		t.Fatal(err)
	}
	name := m.Info().Provider + ":" + m.Info().Name
	turn := agent.Turn{ID: "t", Question: question, Env: d.env()}
	asm := present.NewAssembler(present.Turn{Number: 1, Question: question, Asked: now, Model: name, Host: "model.example"}, d.find())
	for e := range chat.Record(ctx, turn, name, a.Run(ctx, chat.Conversation(), turn)) {
		asm.Add(t.Context(), e)
		if each != nil {
			each(asm.Turn())
		}
	}
	back, err := d.chats.Load(t.Context(), chat.Info().ID)
	if err != nil {
		t.Fatal(err)
	}
	return asm.Turn(), present.SavedTurn(t.Context(), back.Turns[0], "model.example", d.find())
}

func wantEqual(t *testing.T, live, saved present.Turn) {
	t.Helper()
	if live.State != saved.State {
		t.Errorf("live is %s, saved %s", live.State, saved.State)
	}
	if !reflect.DeepEqual(live.Blocks, saved.Blocks) {
		t.Errorf("live:\n%s\nsaved:\n%s", outline(live), outline(saved))
	}
}

func (d *desk) overHTTP(t testing.TB, replies ...testkit.Reply) *llm.Client {
	t.Helper()
	s := testkit.NewModelServer(t, replies...)
	row, ok := llm.FindProvider("custom")
	if !ok {
		t.Fatal("no custom provider")
	}
	c, err := llm.New(llm.Options{Provider: row, Model: "m", BaseURL: s.URL, HTTP: s.Client(), Tries: -1})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// reply reads a recorded answer of a model's server, and the text of it.
func reply(t testing.TB, path string) (testkit.Reply, string) {
	t.Helper()
	raw, err := os.ReadFile(strings.TrimSuffix(path, ".sse") + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var made struct{ Text string }
	if err := json.Unmarshal(raw, &made); err != nil {
		t.Fatal(err)
	}
	r := testkit.RecordedReply(t, path)
	r.Chunks = []int{40}
	return r, made.Text
}

// Every recorded stream is a model's first answer, and a plain one follows where
// the agent asks again. What is shown at the end is what is shown after a reload,
// says what the model said, and ends with what can be done.
func TestATurnOfEveryRecordedStreamIsTheSameLiveAndReadBack(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "app", "llm", "testdata", "streams", "*.sse"))
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
			problem := find[*present.Problem](live)
			if _, foot := last.(*present.Foot); !foot && (problem == nil || last != present.Block(problem)) {
				t.Errorf("the last block is a %T", last)
			}
			if (live.State == chats.Failed) != (problem != nil) {
				t.Errorf("state %s, problem %v", live.State, problem)
			}
			if problem != nil && len(problem.Actions) == 0 {
				t.Errorf("nothing can be done about %q", problem.Title.Text)
			}
			if said = strings.TrimSpace(ndb.CleanText(said)); live.State == chats.Done && !strings.Contains(texts(live), said) && texts(live) != "fine" {
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
		"What did I miss since yesterday evening?", "Top hashtags this week", "Who posted most this week?",
		"What is Ada saying about relays?", "What did the people I follow talk about last week?", "What is the weather?",
	} {
		t.Run(question, func(t *testing.T) {
			live, saved := d.playUntil(t, t.Context(), m, question, func(turn present.Turn) { keysDiffer(t, turn) })
			wantEqual(t, live, saved)
			t.Log("\n" + outline(live))
			work, sources := find[*present.Work](live), find[*present.Sources](live)
			if sources == nil {
				return
			}
			if work == nil {
				t.Fatal("nothing says what was read")
			}
			// The chip counts what the text says was read.
			if want := inEnglish(work.Words); !strings.Contains(texts(live), want) && !strings.Contains(want, " of ") {
				t.Errorf("the chip says %q, the text does not:\n%s", want, texts(live))
			}
			// And the chart below it sums to the same.
			if chart := find[*present.Chart](live); chart != nil && chart.Chart != nil {
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
			_, saved := d.playUntil(t, ctx, d.overHTTP(t, said), "q", func(turn present.Turn) {
				if strings.Contains(texts(turn), "two") {
					cancel(tt.cause)
				}
			})
			notice := find[*present.Notice](saved)
			if saved.State != tt.state || notice == nil || inEnglish(notice.Words) != tt.words || texts(saved) != "one two" {
				t.Errorf("%s:\n%s", saved.State, outline(saved))
			}
		})
	}
}

func TestWhileAnAnswerIsWrittenTheBlocksBeforeItStayTheSame(t *testing.T) {
	asm := present.NewAssembler(present.Turn{Question: "How?", Asked: now, Model: "ollama:m"}, newDesk(t, false).find())
	add := func(e agent.Event) present.Turn {
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
	asm := present.NewAssembler(present.Turn{Question: "How?", Asked: now, Model: "ollama:m"}, newDesk(t, false).find())
	for _, step := range []struct {
		event agent.Event
		want  present.WorkState
	}{
		{agent.Event{Step: 1, Type: agent.EventToolCall, ID: "c", Name: "count", Arguments: json.RawMessage(`{}`)}, present.WorkRunning},
		{agent.Event{Step: 1, Type: agent.EventApproval, ID: "c"}, present.WorkWaiting},
		{agent.Event{Step: 1, Type: agent.EventToolResult, ID: "c", Name: "count", Result: agent.RawResult(`{"count":3}`)}, present.WorkDone},
		{agent.Event{Step: 1, Type: agent.EventToolCall, ID: "d", Name: "count", Arguments: json.RawMessage(`{}`)}, present.WorkRunning},
		{agent.Event{Step: 1, Type: agent.EventFinish, Finish: agent.FinishCancelled}, present.WorkDone}, // the opened chip says which failed
	} {
		asm.Add(t.Context(), step.event)
		if w := find[*present.Work](asm.Turn()); w == nil || w.State != step.want {
			t.Errorf("after %s the chip is %+v", step.event.Type, w)
		}
	}
}

func find[B present.Block](t present.Turn) (b B) {
	for _, block := range t.Blocks {
		if found, ok := block.(B); ok {
			return found
		}
	}
	return b
}

func keysDiffer(t *testing.T, turn present.Turn) {
	t.Helper()
	seen := map[string]bool{}
	for _, b := range turn.Blocks {
		if seen[b.Key()] {
			t.Errorf("two blocks are called %s", b.Key())
		}
		seen[b.Key()] = true
	}
}

func texts(t present.Turn) string {
	var all []string
	for _, b := range t.Blocks {
		switch b := b.(type) {
		case *present.Said:
			all = append(all, b.Markdown)
		case *present.Rest:
			all = append(all, b.Beside, b.Markdown)
		case *present.Refusal:
			all = append(all, b.Text)
		}
	}
	return strings.Join(all, "\n\n")
}

func english(all []present.Phrase) string {
	var s []string
	for _, p := range all {
		s = append(s, inEnglish(p))
	}
	return strings.Join(s, " | ")
}

// outline writes a turn's blocks, a line or more each.
func outline(t present.Turn) string {
	var b strings.Builder
	for _, block := range t.Blocks {
		fmt.Fprintf(&b, "%s: ", block.Key())
		switch block := block.(type) {
		case *present.Said:
			fmt.Fprintf(&b, "%q (final %v, %d sources)", block.Markdown, block.Final, block.Sources)
		case *present.Work:
			fmt.Fprintf(&b, "%s [%s] %d", inEnglish(block.Words), english(block.Facts), block.State)
			for _, l := range block.Lines {
				fmt.Fprintf(&b, "\n    %s [%s] %d %s (%d calls)", inEnglish(l.Words), english(l.Facts), l.State, l.Problem, len(l.Details))
			}
		case *present.Sources:
			for _, s := range block.List {
				fmt.Fprintf(&b, "\n    %d %s: %s", s.Index, s.Author, s.Quote)
			}
		case *present.Coverage:
			fmt.Fprint(&b, english(block.Words))
		case *present.Notice:
			fmt.Fprint(&b, inEnglish(block.Words), " ", inEnglish(block.Then), " ", block.Actions)
		case *present.Problem:
			fmt.Fprint(&b, inEnglish(block.Title), ": ", english(block.Words), " ", block.Actions)
		case *present.Foot:
			fmt.Fprint(&b, block.Model)
		case *present.Table:
			fmt.Fprintf(&b, "%s, %d rows", block.Title, len(block.Rows))
		default:
			fmt.Fprintf(&b, "%+v", block)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// inEnglish writes words without a translation and with bare numbers and times.
func inEnglish(w present.Phrase) string {
	t, err := template.New("").Parse(w.Text)
	if err != nil {
		return w.Text
	}
	var b strings.Builder
	data := map[string]any{}
	for name, value := range w.Data {
		if at, ok := value.(time.Time); ok {
			value = at.Format("Mon 15:04")
		}
		data[name] = value
	}
	if t.Execute(&b, data) != nil {
		return w.Text
	}
	return b.String()
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
		"only the name":           {[]agent.Event{begun("c", "query")}, "Looking through the notes", 1},
		"a tool without words":    {[]agent.Event{begun("c", "brew_tea")}, "Calling brew_tea", 1},
		"the whole call":          {[]agent.Event{begun("c", "query"), call("c", "query")}, "Looking through the notes", 1},
		"without an id":           {[]agent.Event{begun("", "query"), begun("", "count"), call("x", "query"), call("y", "count")}, "Counting", 2},
		"in another order":        {[]agent.Event{begun("a", "query"), begun("b", "count"), call("b", "count"), call("a", "query")}, "Counting", 2},
		"taken back":              {[]agent.Event{begun("c", "query"), {Step: 1, Type: agent.EventRetrying, Retry: &llm.Retry{}}}, "", 0},
		"one that never came":     {[]agent.Event{begun("a", "query"), begun("b", "count"), call("b", "count"), result("b")}, "Counted 3 notes", 1},
		"none came, the next did": {[]agent.Event{begun("a", "query"), {Step: 2, Type: agent.EventText, Delta: "So."}}, "", 0},
		"the end came before it":  {[]agent.Event{begun("a", "query"), {Step: 1, Type: agent.EventFinish, Finish: agent.FinishCancelled}}, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			asm := present.NewAssembler(present.Turn{Question: "How?", Asked: now, Model: "ollama:m"}, newDesk(t, false).find())
			for _, e := range tt.events {
				asm.Add(t.Context(), e)
				keysDiffer(t, asm.Turn())
			}
			w := find[*present.Work](asm.Turn())
			if (w == nil) != (tt.chip == "") {
				t.Fatalf("the chip is %+v", w)
			}
			if w != nil && (inEnglish(w.Words) != tt.chip || len(w.Lines) != tt.lines) {
				t.Errorf("the chip says %q, with %d lines", inEnglish(w.Words), len(w.Lines))
			}
		})
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
	saved := func(s chats.State, events ...agent.Event) present.Turn {
		return present.SavedTurn(t.Context(), chats.Turn{ID: "t", Number: 1, Question: "?", Model: "ollama:m", State: s, Events: events}, "", newDesk(t, false).find())
	}
	one := saved(chats.Waiting, call("a")...)
	if n, w := find[*present.Notice](one), find[*present.Work](one); n == nil || n.Words.Data["Count"] != 1 || n.Actions[0] != present.Reply || w.State != present.WorkWaiting {
		t.Errorf("one call waits:\n%s", outline(one))
	}
	two := saved(chats.Waiting, append(call("a"), call("b")...)...)
	if n := find[*present.Notice](two); n == nil || n.Words.Data["Count"] != 2 {
		t.Errorf("two calls wait:\n%s", outline(two))
	}
	for name, turn := range map[string]present.Turn{
		"cut off":  saved(chats.Interrupted, append(call("a"), started)...),
		"taken up": saved(chats.Done, append(call("a"), started, unknown)...),
	} {
		w := find[*present.Work](turn)
		if w == nil || w.State != present.WorkUnknown || inEnglish(w.Words) != "It is not known whether this happened: publish_note" {
			t.Errorf("%s:\n%s", name, outline(turn))
		}
	}
	if n := find[*present.Notice](saved(chats.Interrupted, call("a")...)); n == nil || n.Actions[0] != present.GoOn {
		t.Error("an interrupted turn cannot go on")
	}
}

// Row 004-11: an answer without tools says that it was made without the notes.
func TestAnAnswerWithoutToolsSaysSo(t *testing.T) {
	for _, toolless := range []bool{true, false} {
		asm := present.NewAssembler(present.Turn{Question: "q", Model: "m:n", Toolless: toolless}, nil)
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
