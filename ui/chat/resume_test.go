package chat

import (
	"context"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app"
	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/internal/testkit"
	"bowerbird/tools"
	"bowerbird/ui/answers"
)

// program is the program between its starts: where it keeps things, and what its one
// tool has published.
type program struct {
	t         *testing.T
	dir       string
	published []string
}

func (p *program) start() *app.App {
	p.t.Helper()
	type note struct {
		Content string `json:"content"`
	}
	places := config.Locate(p.dir, "")
	settings, err := config.Load(places.Settings)
	if err != nil {
		p.t.Fatal(err)
	}
	a, err := app.Open(p.t.Context(), app.Options{
		Places: places, Settings: settings, Zone: time.UTC, Now: func() time.Time { return noon }, Getenv: func(string) string { return "" },
		Tools: []tools.Tool{tools.New("publish_note", "Publishes.", tools.Publishes, func(_ context.Context, _ *tools.Env, n note) (tools.CountResult, error) {
			p.published = append(p.published, n.Content)
			return tools.CountResult{Count: 1}, nil
		})},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return a
}

// stop ends the program with its window.
func (p *program) stop(st *stage, a *app.App) {
	p.t.Helper()
	st.Close()
	if err := a.Close(); err != nil {
		p.t.Fatal(err)
	}
}

// Row 002-49: an approval that nobody gave before the program ended is asked for again
// after its next start, when the user says so, and the turn goes on to its end.
func TestAnApprovalIsAskedForAgainAfterARestart(t *testing.T) {
	server := testkit.NewModelServer(t,
		testkit.SSE(`{"choices":[{"index":0,"delta":{"content":"I will publish it.","tool_calls":[{"index":0,"id":"c1","function":{"name":"publish_note","arguments":"{\"content\":\"good morning\"}"}}]},"finish_reason":"tool_calls"}]}`),
		testkit.SSE(`{"choices":[{"index":0,"delta":{"content":"It is published."},"finish_reason":"stop"}]}`),
	)
	p := &program{t: t, dir: t.TempDir()}
	a := p.start()
	if err := a.SaveSettings(func(s *config.Settings) { s.Assistant.Model, s.Assistant.BaseURL = "custom:m", server.URL }); err != nil {
		t.Fatal(err)
	}
	st := setStage(t, a, plain, window)
	test.Type(st.composer.entry, "Wish all a good morning")
	st.composer.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	st.Until("it asks", func() bool { return st.named("approve.yes") != nil })
	p.stop(st, a)
	if len(p.published) != 0 {
		t.Fatalf("published without an answer: %q", p.published)
	}

	a = p.start()
	st = setStage(t, a, plain, window)
	defer p.stop(st, a)
	st.Until("the chat is opened by itself", func() bool { return len(st.open.turns) == 1 })
	st.Settle()
	st.Picture("waits")
	if got := st.open.turns[0].State; got != chats.Waiting {
		t.Fatalf("the turn is %s", got)
	}
	if shown := test.RenderToMarkup(st.Window.Canvas()); !strings.Contains(shown, "An action waits for your answer.") || st.named("approve.yes") != nil {
		t.Error("it is not said that it waits, or asked unasked")
	}
	if len(server.Received()) != 1 {
		t.Error("the model was asked again before anybody said so")
	}
	st.press("chat.do.reply")
	st.Until("it asks again", func() bool { return st.named("approve.yes") != nil })
	if shown := test.RenderToMarkup(st.Window.Canvas()); !strings.Contains(shown, "good morning") {
		t.Error("what it asks for is not shown")
	}
	st.Until("yes can be pressed", func() bool { return !st.named("approve.yes").(fyne.Disableable).Disabled() })
	st.named("approve.yes").(fyne.Tappable).Tapped(&fyne.PointEvent{})
	st.Until("the turn has ended", func() bool { return st.open.running == nil })
	st.Settle()
	turn := st.open.turns[0]
	if turn.State != chats.Done || len(st.open.turns) != 1 || !strings.HasSuffix(turn.Plain(), "I will publish it.\n\nIt is published.") {
		t.Errorf("%d turns, %s: %q", len(st.open.turns), turn.State, turn.Plain())
	}
	if len(p.published) != 1 || p.published[0] != "good morning" {
		t.Errorf("published is %q", p.published)
	}
	if st.named("chat.do.reply") != nil || st.open.resumable {
		t.Error("it is still offered to go on")
	}
}

func TestAnAnswerThatWasCutOffGoesOn(t *testing.T) {
	halting := testkit.SSE(`{"choices":[{"index":0,"delta":{"content":"one two"}}]}`)
	halting.Body = strings.Replace(halting.Body, "data: [DONE]\n\n", "", 1)
	halting.Hang = true
	server := testkit.NewModelServer(t, halting,
		testkit.SSE(`{"choices":[{"index":0,"delta":{"content":"one two three"},"finish_reason":"stop"}]}`))
	p := &program{t: t, dir: t.TempDir()}
	a := p.start()
	if err := a.SaveSettings(func(s *config.Settings) { s.Assistant.Model, s.Assistant.BaseURL = "custom:m", server.URL }); err != nil {
		t.Fatal(err)
	}
	st := setStage(t, a, plain, window)
	test.Type(st.composer.entry, "Count")
	st.composer.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	st.Until("something is said", func() bool { return len(st.open.turns) == 1 && st.open.turns[0].Plain() == "one two" })
	p.stop(st, a)

	a = p.start()
	st = setStage(t, a, plain, window)
	defer func() { p.stop(st, a) }()
	st.Until("the chat is opened by itself", func() bool { return len(st.open.turns) == 1 })
	st.Settle()
	if err := a.SaveSettings(func(s *config.Settings) { s.Assistant.BaseURL = "not an address" }); err != nil {
		t.Fatal(err)
	}
	st.press("chat.do.go-on")
	st.Until("it could not", func() bool { return st.open.running == nil })
	st.Settle()
	if got := st.Calls.Last(); !strings.HasPrefix(got, "toast This could not be continued.") || st.open.turns[0].Plain() != "one two" {
		t.Errorf("the last call was %q, and shown is %q", got, st.open.turns[0].Plain())
	}
	if err := a.SaveSettings(func(s *config.Settings) { s.Assistant.BaseURL = server.URL }); err != nil {
		t.Fatal(err)
	}
	st.press("chat.do.go-on")
	st.Until("the turn has ended", func() bool { return st.open.running == nil })
	st.Settle()
	if turn := st.open.turns[0]; turn.State != chats.Done || !strings.Contains(turn.Plain(), "\n\none two three") {
		t.Errorf("%s: %q", turn.State, turn.Plain())
	}
}

func TestOnlyTheLastAnswerOfAChatCanGoOn(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.open.turns = []answers.Turn{interruptedAnswer(t, st, 1), interruptedAnswer(t, st, 2)}
	for _, goes := range []bool{false, true} {
		st.open.resumable = goes
		offered := 0
		for _, r := range st.allRows() {
			if r.resumable {
				offered++
			}
		}
		if want := map[bool]int{false: 0, true: 1}[goes]; offered != want {
			t.Errorf("%d answers can go on, want %d", offered, want)
		}
	}
}
