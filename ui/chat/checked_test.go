package chat

import (
	"encoding/json"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app/agent"
	"bowerbird/app/check"
	"bowerbird/tools"
	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// doubtfulAnswer is one in which something of each kind was found.
func doubtfulAnswer(t *testing.T, st *stage, number int) answers.Turn {
	t.Helper()
	text := "Two people wrote of the comet. The mayor resigned this morning.\n\nIt is over: “nothing is lost” ^7.\n\n## Sources\n- The Gazette"
	at := func(kind check.Kind, words string) check.Mark {
		i := strings.Index(text, words)
		return check.Mark{Step: 1, Start: i, End: i + len(words), After: i + len(words), Kind: kind, Text: words}
	}
	quote := at(check.QuoteNotFound, "lost")
	quote.After, quote.Note, quote.Says = strings.Index(text, "^7")+3, 1, "found *now* ^1"
	report := &check.Report{Sentences: 3, Cited: 1, Quotes: 1, Numbers: 1, Given: 1, Marks: []check.Mark{
		at(check.Uncited, "The mayor resigned this morning."), quote, at(check.Dangling, "^7"), at(check.OwnSources, "## Sources\n- The Gazette"),
	}}
	return answered(t, st, number, "What is new?", "ollama:qwen3:8b",
		agent.Event{Step: 1, Type: agent.EventText, Delta: text}, agent.Event{Step: 1, Type: agent.EventChecked, Checked: report}, finish("stop"))
}

// Issue 12: what was found stands at its sentence, and in a box that no model writes; the
// same where the answer is copied to.
func TestWhatWasFoundInAnAnswerIsShown(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	turn := doubtfulAnswer(t, st, 1)
	st.open.turns = []answers.Turn{turn}
	st.refresh()
	st.Picture("checked")
	if got := st.rowKinds(); !strings.Contains(got, "notice said checked") {
		t.Errorf("rows %s", got)
	}
	for name, copied := range map[string]string{"plain": turn.Plain(), "Markdown": turn.Markdown(answers.English)} {
		if strings.Contains(copied, "Gazette") || !strings.Contains(copied, "cites no note") || !strings.Contains(copied, "No note was read") {
			t.Errorf("%s:\n%s", name, copied)
		}
	}
	st.toggle(st.seen.rowID(rowChecked, 0, "checked"))
	for _, r := range st.rows {
		if r.kind == rowSaid && !r.deep {
			t.Error("what has no note is not left out")
		}
	}
}

// checkedAnswer is one with sources and coverage below what was checked.
func checkedAnswer(t *testing.T, st *stage, mark bool) answers.Turn {
	t.Helper()
	report := &check.Report{Read: 1, Sentences: 2, Cited: 2}
	if mark {
		report.Cited = 1
		report.Marks = []check.Mark{{Step: 2, Start: 0, End: 3, After: 3, Kind: check.Uncited, Text: "One"}}
	}
	return answered(
		t, st, 1, "What is new?", "ollama:qwen3:8b",
		call("c1", "query", `{"since":"20h"}`),
		result("c1", "query", `{"scope":{"context":"home","authors":103},"total":184,"returned":184,"coverage":{"complete":103,"partly":0,"unreachable":0},"kinds":{"1":184},"authors":["00000001"]}`),
		presented(noteIDs(t, st, 2)),
		agent.Event{Step: 1, Type: agent.EventChart, Chart: &tools.ChartResult{Title: "Notes", Spec: json.RawMessage(chartSpec)}},
		agent.Event{Step: 2, Type: agent.EventText, Delta: "One ^1. Two ^2."},
		agent.Event{Step: 2, Type: agent.EventChecked, Checked: report}, finish("stop"),
	)
}

// The app's word is one box: what was checked, the sources, how complete they are. A chart
// that was made before the first words stands above them.
func TestTheBoxOfWhatWasCheckedLooksAsItDid(t *testing.T) {
	for mode, opt := range map[string]theme.Options{"": plain, "-dark": {Mode: theme.Dark}} {
		st := setStage(t, openApp(t), opt, window)
		st.open.turns = []answers.Turn{checkedAnswer(t, st, true)}
		st.refresh()
		if got := st.rowKinds(); got != "question work chart said checked source source coverage foot end" {
			t.Fatalf("rows %s", got)
		}
		box := layout.Column(0)
		for _, r := range st.rows {
			if r.kind == rowChecked || r.boxed {
				slot := newSlot(st.drawer(r.kind))
				slot.bind(r)
				box.Add(slot)
			}
		}
		if n := len(box.Objects); n != 4 {
			t.Errorf("%d rows in the box", n)
		}
		assertDrawn(t, "box"+mode, box, 796)
	}
}

// A digest says in its head what it is of: it needs no bubble, and the field below is one
// line.
func TestADigestHasNoBubbleAndALineBelow(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.Settle()
	if high := st.composer.box.Size().Height; high <= lineHigh {
		t.Errorf("the field of an empty chat is %v high", high)
	}
	st.askIt("What did I miss since yesterday?")
	if high := st.composer.box.Size().Height; high != lineHigh {
		t.Errorf("the field below an answer is %v high", high)
	}
	bubble := func(turn int) bool {
		st.list.ScrollTo(st.seen.rowID(rowQuestion, turn, ""))
		return st.list.Row(st.seen.rowID(rowQuestion, turn, "")).(*slot).drawer.object.(*fyne.Container).Objects[0].Visible()
	}
	if bubble(0) {
		t.Error("there is a bubble above the digest")
	}
	if d := st.open.turns[0].Blocks[0].(*answers.Digest); !d.Complete {
		t.Error("the sample's digest is not complete")
	}
	test.Type(st.composer.entry, strings.Repeat("and what else was there ", 5))
	if high := st.composer.box.Size().Height; high <= lineHigh {
		t.Errorf("a long question has %v", high)
	}
	st.composer.setText("")
	st.askIt("And last week?")
	if !bubble(1) {
		t.Error("a question that is asked further has no bubble")
	}
}
