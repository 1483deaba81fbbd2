package answers_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/app/check"
	"bowerbird/llm"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"
	"bowerbird/ui/answers"
)

var update = flag.Bool("update", false, "write the golden files anew")

// exported saves turns with these events in a chat, by their questions, and exports it.
func exported(t *testing.T, w *tooltest.World, turns ...[]agent.Event) string {
	t.Helper()
	at := w.Now
	store, err := chats.NewStore(w.Store.Bucket("chats"), chats.Options{
		Now: func() time.Time { return at }, NewID: func() string { return "chat-1" },
	})
	if err != nil {
		t.Fatal(err)
	}
	chat, err := store.New("session")
	if err != nil {
		t.Fatal(err)
	}
	for _, events := range turns {
		turn := agent.Turn{ID: events[0].Turn, Question: events[0].Turn}
		for range chat.Record(t.Context(), turn, "test:m", slices.Values(events[1:])) {
		}
		at = at.Add(time.Minute)
	}
	var out strings.Builder
	if err := answers.Export(t.Context(), store, "chat-1", answers.StoreNotes{Store: w.Store}, answers.English, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// asks begins a turn of exported.
func asks(question string) agent.Event { return agent.Event{Turn: question} }

func TestAChatIsExportedAsMarkdown(t *testing.T) {
	w := tooltest.NewWorld(t)
	note := w.Person("ada", "Ada *L*").Note("The comet\nis <b>back</b>, nsec1"+strings.Repeat("q", 58), time.Hour)
	spec := `{"mark":"bar","data":{"values":[{"d":"Mon","n":3}]},"encoding":{"x":{"field":"d","type":"nominal"},"y":{"field":"n","type":"quantitative"}}}`
	answer := "It is back ^1, not ^2. ![x](https://evil.example/?q) <img src=x>"
	names := func(all ...string) (columns []tools.Column) {
		for _, name := range all {
			columns = append(columns, tools.Column{Key: name, Label: name})
		}
		return columns
	}
	got := exported(t, w,
		[]agent.Event{
			asks("What about *the* comet?\nAnd tags?"),
			{Type: agent.EventText, Step: 1, Delta: "I look."},
			{Type: agent.EventToolCall, Step: 1, ID: "a", Name: "coverage", Arguments: json.RawMessage(`{}`)},
			{Type: agent.EventToolResult, Step: 1, ID: "a", Name: "coverage", Result: tools.CoverageResult{
				Scope:   tools.Scope{Context: "home"},
				Summary: tools.CoverageSummary{Complete: 2, Partly: 1, AsOf: "2026-05-03T08:00:00Z", Note: "Of 1 person: only a part."},
			}},
			{Type: agent.EventPresentNotes, Step: 1, Notes: &tools.PresentResult{Presented: []tools.PresentedNote{{Index: 1, NoteID: note.ID.String()}}}},
			{Type: agent.EventTable, Step: 1, Table: &tools.TableResult{
				Title: "Tags | top", Columns: names("tag", "n"), Rows: [][]string{{"#comet", "41"}, {"<b>|x", "2"}}, Numeric: []bool{false, true},
			}},
			{Type: agent.EventChart, Step: 1, Chart: &tools.ChartResult{Title: "Days", Spec: json.RawMessage(spec)}},
			{Type: agent.EventText, Step: 2, Delta: answer},
			{Type: agent.EventChecked, Step: 2, Checked: &check.Report{Read: 1, Sentences: 1, Cited: 1}},
			{Type: agent.EventFinish, Step: 2, Finish: "stop"},
		},
		[]agent.Event{
			asks("And then?"),
			{Type: agent.EventError, Step: 1, Err: &llm.Error{Kind: llm.KindServer, Message: "nothing is *left* to say"}},
			{Type: agent.EventFinish, Step: 1, Finish: agent.FinishError},
		},
		[]agent.Event{
			asks("A wide one"),
			{Type: agent.EventTable, Step: 1, Table: &tools.TableResult{
				Columns: names("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"), Rows: [][]string{{"1", "", "", "", "", "", "", "", "", "", "```"}}, Numeric: make([]bool, 11),
			}},
			{Type: agent.EventText, Step: 2, Delta: "There."},
			{Type: agent.EventChecked, Step: 2, Checked: &check.Report{}},
			{Type: agent.EventFinish, Step: 2, Finish: agent.FinishCancelled},
		},
	)
	golden := filepath.Join("testdata", "export.md")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNothingInAnExportActsOnATerminal(t *testing.T) {
	const hostile = "red \x1b[31m csi \u009b1m turned \u202e end"
	got := exported(t, tooltest.NewWorld(t), []agent.Event{
		asks(hostile),
		{Type: agent.EventTable, Step: 1, Table: &tools.TableResult{Title: hostile, Columns: []tools.Column{{Key: "a", Label: hostile}}, Rows: [][]string{{hostile}}, Numeric: []bool{false}}},
		{Type: agent.EventText, Step: 1, Delta: hostile},
		{Type: agent.EventFinish, Step: 1, Finish: "stop"},
	})
	if strings.Count(got, "csi 1m turned") != 6 {
		t.Errorf("something is missing:\n%s", got)
	}
	if strings.ContainsAny(got, "\x1b\u009b\u202e") {
		t.Errorf("%q acts on a terminal", got)
	}
}

func TestAnAnswerIsCopiedInTheReadersLanguage(t *testing.T) {
	turn := answers.Turn{Question: "Was gibt es Neues?", Blocks: []answers.Block{
		&answers.Sources{List: []answers.Source{{Index: 1, Author: "Ada", Quote: "Der Komet ist zurück.", Link: "nostr:nevent1x"}}},
	}}
	german := func(p answers.Phrase) string {
		words := map[string]string{"Sources": "Quellen", "“{{.Text}}”": "„{{.Text}}“"}
		return answers.English(answers.Phrase{Text: words[p.Text], Data: p.Data})
	}
	if got := turn.Markdown(german); !strings.Contains(got, "**Quellen**\n\n- ^1 Ada, ") || !strings.Contains(got, ": „Der Komet ist zurück.“ nostr:nevent1x") {
		t.Errorf("%s", got)
	}
}
