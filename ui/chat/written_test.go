package chat

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app/agent"
	"bowerbird/ui/answers"
	"bowerbird/ui/table"
)

const writtenByHand = `Here is who wrote most:

| Who | Notes | Said |
|:----|------:|:-----|
| Ben | 9 | A **long read** ^1 |
| Ada | 12 | Moved her relay ^2, and [wrote it up](https://example.com/x) |
| Cleo | 3 | Nothing new |

That is all.`

// tableOf finds the first table widget below an object; nil for none.
func tableOf(o fyne.CanvasObject) *table.Table {
	if t, ok := o.(*table.Table); ok {
		return t
	}
	var inside []fyne.CanvasObject
	switch o := o.(type) {
	case *fyne.Container:
		inside = o.Objects
	case fyne.Widget:
		inside = test.WidgetRenderer(o).Objects()
	}
	for _, child := range inside {
		if t := tableOf(child); t != nil {
			return t
		}
	}
	return nil
}

// Row 000-45: a table that a model writes into its text is drawn by the same widget as
// one that it makes with its tool.
func TestATableInAnAnswerIsDrawnAsThoseOfTheTool(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	ids := noteIDs(t, st, 2)
	asm := answers.NewAssembler(answers.Turn{Number: 1, Question: "Who?", Asked: noon, Model: "ollama:m"}, st.find)
	asm.Add(t.Context(), presented(ids))
	show := func() {
		st.open.turns = []answers.Turn{asm.Turn()}
		st.refresh()
		st.Settle()
	}
	for i, piece := range strings.SplitAfter(writtenByHand, "\n") { // it grows
		asm.Add(t.Context(), agent.Event{Turn: "t", Step: 2, Type: agent.EventText, Delta: piece})
		show()
		if i > 5 && tableOf(st.Window.Canvas().Content()) == nil {
			t.Fatalf("after line %d no table is shown", i)
		}
	}
	asm.Add(t.Context(), finish("stop"))
	show()
	st.Picture("written-table")
	found := tableOf(st.Window.Canvas().Content())
	found.Sort(1)
	want := "Who,Notes,Said\nCleo,3,Nothing new\nBen,9,A long read ^1\nAda,12,\"Moved her relay ^2, and wrote it up\"\n"
	if got := found.CSV(); got != want {
		t.Errorf("sorted by numbers it is\n%s", got)
	}
	st.list.ScrollToEnd()
	st.list.ScrollToTop()
	st.refresh()
	if again := tableOf(st.Window.Canvas().Content()); again == nil || again.CSV() != want {
		t.Error("it did not stay sorted")
	}
	st.press("cite:2")
	if got, want := st.Calls.Last(), "thread "+sourcesOf(st.open.turns[0]).List[1].ID.String(); got != want {
		t.Errorf("a citation in a cell led to %q", got)
	}
	st.press("link:example.com")
	if got := st.Calls.Last(); got != "url https://example.com/x" {
		t.Errorf("a link in a cell led to %q", got)
	}
}

func TestALongTableInAnAnswerIsFolded(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	var text strings.Builder
	text.WriteString("| a | b |\n|--|--|\n")
	for i := range 40 {
		fmt.Fprintf(&text, "| row %d | %s |\n", i, strings.Repeat("x", 30))
	}
	st.open.turns = []answers.Turn{answered(t, st, 1, "Who?", "ollama:m",
		agent.Event{Step: 1, Type: agent.EventText, Delta: text.String()}, finish("stop"))}
	st.refresh()
	st.Settle()
	if st.named("chat.said.all") == nil {
		t.Error("all of its rows are shown at once")
	}
	before := st.list.Row(st.rows[1].id).Size().Height
	st.press("chat.said.all")
	if after := st.list.Row(st.rows[1].id).Size().Height; after <= before {
		t.Errorf("opened it is %v high, before %v", after, before)
	}
}
