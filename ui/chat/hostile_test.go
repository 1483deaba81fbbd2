package chat

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/tools"
	"bowerbird/ui/present"
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
func nastyTurn(t testing.TB, st *stage, id ndb.ID, text string) present.Turn {
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
	turn := answered(t, st, 1, text, "openrouter:"+text,
		agent.Event{Step: 1, Type: agent.EventReasoning, Delta: text},
		call("c1", "query", `{"search":`+string(quoted)+`,"hashtag":`+string(quoted)+`}`),
		agent.Event{Step: 1, Type: agent.EventToolResult, ID: "c1", Name: "query", Failure: text},
		call("c2", text, string(quoted)),
		presented([]ndb.ID{id}),
		agent.Event{Step: 2, Type: agent.EventText, Delta: text},
		agent.Event{Step: 2, Type: agent.EventTable, Table: &tools.TableResult{
			Title: text, Columns: []tools.Column{{Key: text}}, Rows: [][]string{{text}}, Numeric: []bool{false},
		}},
		agent.Event{Step: 2, Type: agent.EventChart, Chart: &tools.ChartResult{Title: text, Refused: text}},
		agent.Event{Step: 3, Type: agent.EventRefusal, Delta: text},
		failed,
		agent.Event{Step: 3, Type: agent.EventFinish, Finish: agent.FinishError},
	)
	sources := *sourcesOf(turn)
	sources.List = append([]present.Source(nil), sources.List...)
	sources.List[0].Author, sources.List[0].Quote = ndb.CleanLine(text, 0), ndb.CleanLine(text, 0)
	for i, b := range turn.Blocks {
		if b.Key() == sources.Key() {
			turn.Blocks[i] = &sources
		}
	}
	turn.State = chats.Failed
	return turn
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
		st.open.turns = []present.Turn{nastyTurn(t, st, id, text), failedAnswer(t, st, 2)}
		st.refresh()
		for _, r := range st.rows {
			slot := newSlot(st.drawer(r.kind))
			start := time.Now()
			slot.bind(r)
			high := slot.HeightFor(480)
			slot.Resize(fyne.NewSize(480, high))
			if took := time.Since(start); took > slowest {
				slowest, of = took, r.kind+" of "+ndb.CleanLine(text, 30)
			}
			if high < r.gap || high > 1_000_000 {
				t.Errorf("%q: a %s is %v high", ndb.CleanLine(text, 40), r.kind, high)
			}
			if r.kind == rowSource && high > 60 {
				t.Errorf("%q: a line of sources is %v high", ndb.CleanLine(text, 40), high)
			}
			o := slot.drawer.object()
			if o.Position().X+o.Size().Width > 480 {
				t.Errorf("%q: a %s reaches beyond the window", ndb.CleanLine(text, 40), r.kind)
			}
		}
	}
	t.Logf("the slowest row took %v: %s", slowest, of)
}
