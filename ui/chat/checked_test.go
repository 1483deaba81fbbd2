package chat

import (
	"image/png"
	"os"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/check"
	"bowerbird/ui/present"
)

// doubtfulAnswer is one in which something of each kind was found.
func doubtfulAnswer(t *testing.T, st *stage, number int) present.Turn {
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
	st.open.turns = []present.Turn{turn}
	st.refresh()
	if file := os.Getenv("BOWERBIRD_LOOK"); file != "" {
		f, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := png.Encode(f, st.Window.Canvas().Capture()); err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
	}
	if got := st.rowKinds(); !strings.Contains(got, "notice said checked") {
		t.Errorf("rows %s", got)
	}
	for name, copied := range map[string]string{"plain": turn.Plain(), "Markdown": turn.Markdown()} {
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
