package chat

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/ui/answers"
	"bowerbird/ui/theme"
)

// askedOverHTTP asks a model behind a server of the test's own: it counts, and answers.
func askedOverHTTP(t testing.TB, opt theme.Options, size fyne.Size) (*stage, *testkit.ModelServer) {
	t.Helper()
	server := testkit.NewModelServer(t,
		testkit.SSE(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"count","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`),
		testkit.SSE(
			`{"choices":[{"index":0,"delta":{"content":"There are many."},"finish_reason":"stop"}]}`,
			`{"choices":[],"usage":{"prompt_tokens":5120,"completion_tokens":340,"prompt_tokens_details":{"cached_tokens":4096}}}`,
		))
	a := openApp(t)
	if err := a.SaveSettings(func(s *config.Settings) { s.Assistant.Model, s.Assistant.BaseURL = "custom:m", server.URL }); err != nil {
		t.Fatal(err)
	}
	st := setStage(t, a, opt, size)
	st.askIt("How many notes are there?")
	return st, server
}

// menu opens the menu of an answer and chooses something.
func (st *stage) menu(choice string) {
	st.t.Helper()
	st.footMenu(st.content, len(st.open.turns)-1)
	st.Settle()
	st.press("menu:" + choice)
}

func TestWhatWasSentIsShownByteForByte(t *testing.T) {
	st, server := askedOverHTTP(t, plain, window)
	st.menu("What was sent")
	st.Until("the panel is shown", func() bool { return st.sent.shown })
	st.Settle()
	got := server.Received()
	if len(got) != 2 || len(st.sent.requests) != 2 {
		t.Fatalf("%d requests came, %d are shown", len(got), len(st.sent.requests))
	}
	for i, r := range st.sent.requests {
		exact := strings.Join(r.Exact, "")
		if string(r.Body) != string(got[i].Body) || !strings.HasSuffix(exact, string(got[i].Body)) {
			t.Errorf("request %d is shown as\n%s\nand was\n%s", i, exact, got[i].Body)
		}
	}
	st.press("chat.sent.copy")
	if got := st.Calls.Last(); got != "copy "+string(server.Received()[1].Body) {
		t.Errorf("copied is %.200q", got)
	}
	if title := st.head.title.Text(); title != "What was sent" {
		t.Errorf("the title is %q", title)
	}
	st.press("chat.history") // "Back to the chat"
	if st.sent.shown || !st.body.Visible() {
		t.Error("the chat is not shown again")
	}
}

func TestTheMessagesOfARequestOpenByKeyboardAndEscapeLeaves(t *testing.T) {
	st, _ := askedOverHTTP(t, plain, window)
	st.menu("About this answer")
	if shown := test.RenderToMarkup(st.Window.Canvas()); !strings.Contains(shown, "4,096 of the tokens read came from the cache") {
		t.Error("it is not said what came from the cache")
	}
	st.press("chat.about.sent")
	st.Until("the panel is shown", func() bool { return st.sent.shown })
	st.Settle()
	list := st.sent.list
	if st.Window.Canvas().Focused() != fyne.Focusable(list) {
		t.Fatal("the keyboard is elsewhere")
	}
	parts := st.sent.requests[1].Parts
	before := len(list.IDs())
	list.SetCurrent(st.sent.rowID(sentPart, 1, 0, 0))
	list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if got := len(list.IDs()); got != before+len(parts[0].Text) {
		t.Errorf("opened there are %d rows, before %d, and the message has %d pieces", got, before, len(parts[0].Text))
	}
	list.SetCurrent(st.sent.rowID(sentRequest, 1, 0, 0))
	list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if got := len(list.IDs()); got != 3 { // the note, two requests
		t.Errorf("closed there are %d rows", got)
	}
	list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if st.sent.shown || st.Window.Canvas().Focused() != fyne.Focusable(st.composer.entry) {
		t.Error("Escape does not lead back to the field")
	}
}

func TestWhatIsNotKeptAnyMoreIsSaid(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.open.turns = []answers.Turn{failedAnswer(t, st, 1)}
	st.refresh()
	st.showSent(st.open.turns[0])
	st.Settle()
	if shown := test.RenderToMarkup(st.Window.Canvas()); !strings.Contains(shown, "no longer kept") || len(st.sent.list.IDs()) != 1 {
		t.Error("it is not said that nothing is kept")
	}
	st.NewChat()
	if st.sent.shown {
		t.Error("it covers a new chat")
	}
}

// large is a request of about so many bytes.
func large(bytes int) []answers.SentRequest {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	body := struct {
		Model    string    `json:"model"`
		Messages []message `json:"messages"`
	}{Model: "m"}
	line := strings.Repeat("A note about moving a relay, and what came of it.\n", 200)
	for n := 0; n < bytes; n += len(line) {
		body.Messages = append(body.Messages, message{"user", line})
	}
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return answers.ReadSent([]models.SentRequest{{
		SentRequest: llm.SentRequest{Time: noon, URL: "https://api.example/v1/chat/completions", Body: raw, Header: http.Header{"Authorization": {"Bearer …"}}, Try: 1},
		Outcome:     llm.Outcome{Status: 200}, Size: len(raw),
	}})
}

func TestALargeRequestIsDrawnAsFarAsItIsSeen(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.sent.show(large(4 << 20))
	st.sent.choose(0, true)
	st.Settle()
	drawn := 0
	for _, id := range st.sent.list.IDs() {
		if st.sent.list.Row(id) != nil {
			drawn++
		}
	}
	if all := len(st.sent.list.IDs()); all < 1000 || drawn > 60 {
		t.Errorf("%d of %d rows are made", drawn, all)
	}
}

func TestHostileTextsInARequestStayInTheirRows(t *testing.T) {
	if testing.Short() {
		t.Skip("lays out hundreds of texts: not beside the race detector")
	}
	st := setStage(t, openApp(t), plain, fyne.NewSize(480, 600))
	for _, text := range nasty(t) {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		body := []byte(`{` + string(quoted) + `:` + string(quoted) + `,"messages":[{"role":` + string(quoted) + `,"content":` + string(quoted) + `}],"tools":` + string(quoted) + `}`)
		st.sent.asked++
		st.sent.show(answers.ReadSent([]models.SentRequest{{
			SentRequest: llm.SentRequest{URL: text, Body: body, Header: http.Header{text: {text}}}, Outcome: llm.Outcome{Failed: text}, Size: len(body),
		}}))
		for _, exact := range []bool{false, true} {
			st.sent.choose(0, exact)
			for id, r := range st.sent.rows {
				if r.kind == sentText && r.piece > 2 {
					continue
				}
				slot := newSlot(st.sent.drawer(r.kind))
				slot.bind(row{id: id})
				slot.Resize(fyne.NewSize(480, slot.HeightFor(480)))
				if high, o := slot.Size().Height, slot.drawer.object; high > 20_000 || o.Position().X+o.Size().Width > 480 || r.kind == sentPart && high > 60 {
					t.Errorf("%.40q: a %s is %v high and ends at %v", text, r.kind, high, o.Position().X+o.Size().Width)
				}
			}
		}
	}
}

// BenchmarkOpeningALargeRequest measures the window's thread from a request of 4 MB,
// already read, to its first screen, as its exact bytes.
func BenchmarkOpeningALargeRequest(b *testing.B) {
	st := setStage(b, openApp(b), plain, window)
	requests := large(4 << 20)
	for b.Loop() {
		st.sent.asked++
		st.sent.show(requests)
		st.sent.choose(0, true)
	}
}

func TestLookAtWhatWasSent(t *testing.T) {
	if testing.Short() {
		t.Skip("draws the screen in each look: not beside the race detector")
	}
	for name, look := range map[string]struct {
		opt  theme.Options
		size fyne.Size
	}{
		"light":  {theme.Options{Mode: theme.Light}, fyne.NewSize(796, 804)},
		"dark":   {theme.Options{Mode: theme.Dark}, fyne.NewSize(796, 804)},
		"narrow": {theme.Options{Mode: theme.Light}, fyne.NewSize(416, 700)},
		"large":  {theme.Options{Mode: theme.Light, Scale: 2}, fyne.NewSize(796, 804)},
	} {
		t.Run(name, func(t *testing.T) {
			st, _ := askedOverHTTP(t, look.opt, look.size)
			st.Picture("answer-" + name)
			st.menu("About this answer")
			st.Picture("about-" + name)
			st.press("chat.about.sent")
			st.Until("the panel is shown", func() bool { return st.sent.shown })
			st.Settle()
			st.sent.toggle(st.sent.rowID(sentPart, 1, 1, 0))
			st.Settle()
			st.Picture("sent-" + name)
			st.sent.choose(1, true)
			st.Settle()
			st.Picture(fmt.Sprintf("sent-exact-%s", name))
		})
	}
}
