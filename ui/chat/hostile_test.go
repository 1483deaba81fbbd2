package chat

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/internal/testkit"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/ui/answers"
	"bowerbird/ui/screen"
)

// nasty returns texts that break programs.
func nasty(t testing.TB) []string {
	t.Helper()
	raw, err := os.ReadFile(testkit.Shared(t, "data", "hostile", "text", "blns.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	var some []string
	for i := 0; i < len(all); i += 8 { // each is drawn in fifteen places
		some = append(some, all[i])
	}
	return append(some, strings.Repeat("x", 100_000), strings.Repeat("line\n", 10_000),
		"\u202egnp.exe", strings.Repeat("\u200b", 5_000), strings.Repeat("e\u0301\u0302\u0303", 2_000), "{{.Count}} {{", "^1 ^2 ^999")
}

// nastyTurn says a text in every place that a stranger or a model can write to.
func nastyTurn(t testing.TB, st *stage, id nostr.ID, text string) answers.Turn {
	t.Helper()
	turn := answered(t, st, 1, text, "openrouter:"+text, nastyEvents(t, id, text)...)
	sources := *sourcesOf(turn)
	sources.List = append([]answers.Source(nil), sources.List...)
	sources.List[0].Author, sources.List[0].Quote = clean.Line(text, 0), clean.Line(text, 0)
	for i, b := range turn.Blocks {
		if b.Key() == sources.Key() {
			turn.Blocks[i] = &sources
		}
	}
	turn.State = chats.Failed
	return turn
}

// nastyEvents are those of nastyTurn.
func nastyEvents(t testing.TB, id nostr.ID, text string) []agent.Event {
	t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	var failed agent.Event
	err = json.Unmarshal([]byte(`{"type":"error","turn":"t","step":3,"kind":"auth","message":`+string(quoted)+`,"status":401}`), &failed)
	if err != nil {
		t.Fatal(err)
	}
	return []agent.Event{
		{Step: 1, Type: agent.EventReasoning, Delta: text},
		{Step: 1, Type: agent.EventText, Delta: inCells(text)},
		call("c1", "query", `{"search":`+string(quoted)+`,"hashtag":`+string(quoted)+`}`),
		{Step: 1, Type: agent.EventToolResult, ID: "c1", Name: "query", Failure: text},
		call("c2", text, string(quoted)),
		presented([]nostr.ID{id}),
		{Step: 2, Type: agent.EventText, Delta: text},
		{Step: 2, Type: agent.EventTable, Table: &tools.TableResult{
			Title: text, Columns: []tools.Column{{Key: text}}, Rows: [][]string{{text}}, Numeric: []bool{false},
		}},
		{Step: 2, Type: agent.EventChart, Chart: &tools.ChartResult{Title: text, Refused: text}},
		{Step: 3, Type: agent.EventRefusal, Delta: text},
		failed,
		{Step: 3, Type: agent.EventFinish, Finish: agent.FinishError},
	}
}

// inCells writes a text into the cells of a table of Markdown.
func inCells(text string) string {
	text = strings.NewReplacer("\n", " ", "\r", " ").Replace(text)
	line := strings.Repeat("| "+text+" ", 3) + "|\n"
	return line + "|--|--:|:-:|\n" + strings.Repeat(line, 5) + "\n"
}

func TestHostileTextsStayInTheirRows(t *testing.T) {
	if testing.Short() {
		t.Skip("lays out hundreds of texts: not beside the race detector")
	}
	st := setStage(t, openApp(t), plain, fyne.NewSize(480, 600))
	id := noteIDs(t, st, 1)[0]
	slowest, of := time.Duration(0), ""
	for _, text := range nasty(t) {
		st.show(st.newConversation())
		st.open.turns = []answers.Turn{nastyTurn(t, st, id, text), failedAnswer(t, st, 2)}
		st.refresh()
		for _, r := range st.rows {
			slot := newSlot(st.drawer(r.kind))
			start := time.Now()
			slot.bind(r)
			high := slot.HeightFor(480)
			slot.Resize(fyne.NewSize(480, high))
			if took := time.Since(start); took > slowest {
				slowest, of = took, r.kind+" of "+clean.Line(text, 30)
			}
			if high < r.gap || high > 1_000_000 {
				t.Errorf("%q: a %s is %v high", clean.Line(text, 40), r.kind, high)
			}
			if r.kind == rowSource && high > 60 {
				t.Errorf("%q: a line of sources is %v high", clean.Line(text, 40), high)
			}
			o := slot.drawer.object
			if o.Position().X+o.Size().Width > 480 {
				t.Errorf("%q: a %s reaches beyond the window", clean.Line(text, 40), r.kind)
			}
		}
	}
	t.Logf("the slowest row took %v: %s", slowest, of)
}

// The gate (security.md, T5): whatever a stranger or a model writes, in whatever place
// of the chat, in an answer as it comes and in a chat that is read back, and with all
// that can be opened opened, nobody is called, no picture is asked for, no address
// opened.
func TestNothingThatTheChatDrawsCallsAnybody(t *testing.T) {
	if testing.Short() {
		t.Skip("draws hundreds of texts: not beside the race detector")
	}
	server, faces := testkit.StartListener(t), &pictures{}
	st := setStageWith(t, openApp(t), plain, window, func(env *screen.Env) {
		env.Pictures, env.Look.ShowFollowed = faces, true
	})
	store, err := st.app.Chats()
	if err != nil {
		t.Fatal(err)
	}
	id, drawn := noteIDs(t, st, 1)[0], 0
	for i, text := range testkit.Carriers(server.URL + "/x.png") {
		turn := nastyTurn(t, st, id, text)
		st.show(st.newConversation())
		st.open.turns = []answers.Turn{turn}
		drawn += st.drawAll()

		chat, err := store.New("")
		if err != nil {
			t.Fatal(err)
		}
		events := func(yield func(agent.Event) bool) {
			for _, e := range nastyEvents(t, id, text) {
				if e.Turn = "t"; !yield(e) {
					return
				}
			}
		}
		for range chat.Record(t.Context(), agent.Turn{ID: "t", Question: text}, "openrouter:"+text, events) {
		}
		if err := errors.Join(chat.Err(), store.Rename(t.Context(), chat.Info().ID, fmt.Sprint(i, " ", text))); err != nil {
			t.Fatal(err)
		}
		st.opened(chat.Info().ID)
		drawn += st.drawAll()
	}
	st.press("chat.history")
	st.Window.Canvas().Capture()
	st.Settle()
	if n := server.Came(); n != 0 || len(st.Calls.Log) != 0 {
		t.Errorf("%d connections, opened: %q", n, st.Calls.Log)
	}
	of, err := st.app.Notes().Event(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	author, err := st.app.Notes().Profile(t.Context(), of.PubKey)
	if err != nil {
		t.Fatal(err)
	}
	for _, url := range faces.asked { // that of the note's author, who is followed, is meant to be there
		if url != author.Picture {
			t.Errorf("the picture %q was asked for", url)
		}
	}
	t.Logf("%d connections, %d addresses opened, in %d rows drawn of %d carriers", server.Came(), len(st.Calls.Log), drawn, len(testkit.Carriers("")))
}

// drawAll draws the window as it is, and each row of it again with all that opens.
func (st *stage) drawAll() (rows int) {
	st.refresh()
	st.Window.Canvas().Capture()
	for _, r := range st.rows {
		r.open, r.deep = true, true
		slot := newSlot(st.drawer(r.kind))
		slot.bind(r)
		size := fyne.NewSize(480, slot.HeightFor(480))
		slot.Resize(size)
		w := test.NewWindow(slot)
		w.Resize(size)
		w.Close()
	}
	return len(st.rows)
}
