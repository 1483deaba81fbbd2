package chat

import (
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app/agent"
	"bowerbird/ui/answers"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// Row 001-8: ^1 in an answer leads to its note.
func TestAQuestionIsAnsweredCitedAndLeadsToItsThread(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("What is new about the comet in the last 9 days?")
	if got := st.rowKinds(); got != "question digest work source source source more foot end" {
		t.Fatalf("shown are %s", got)
	}
	if st.composer.entry.Text != "" {
		t.Errorf("the field still holds %q", st.composer.entry.Text)
	}
	st.list.ScrollToTop()
	want := "thread " + sourcesOf(st.open.turns[0]).List[0].ID.String()
	for _, name := range []string{"cite:1", "source:1"} {
		st.Calls.Log = nil
		st.press(name)
		if st.Calls.Last() != want {
			t.Errorf("%s leads to %q, want %q", name, st.Calls.Last(), want)
		}
	}
}

func TestADigestIsReadFromItsBeginning(t *testing.T) {
	st := setStage(t, openApp(t), plain, fyne.NewSize(480, 600))
	st.askIt("Top hashtags this week")
	st.askIt("What did I miss since yesterday evening?")
	question := st.list.Row(st.seen.rowID(rowQuestion, 1, ""))
	if question == nil || st.list.AtEnd() {
		t.Fatal("the question went out of sight")
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(question)
	if at.Y < theme.HeadHeight || at.Y > 200 {
		t.Errorf("the question stands at %v", at.Y)
	}
}

// Row 001-8: and one out of range leads nowhere.
func TestACitationMovesNothingInTheAnswer(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("What did I miss since yesterday evening?")
	list := sourcesOf(st.open.turns[0]).List
	rows := st.rowKinds()
	top, into := st.list.Place()
	st.cite(0, len(list))
	if got, want := st.Calls.Last(), "thread "+list[len(list)-1].ID.String(); got != want {
		t.Errorf("it leads to %q, want %q", got, want)
	}
	if now, y := st.list.Place(); st.rowKinds() != rows || now != top || y != into {
		t.Errorf("the answer moved from %s %v to %s %v, its rows are %s", top, into, now, y, st.rowKinds())
	}
	st.Calls.Log = nil
	st.cite(0, len(list)+1) // no such source
	if got := st.Calls.Last(); got != "" {
		t.Errorf("a citation of nothing leads to %q", got)
	}
}

func TestACitationOpensItsNoteWhileTheAnswerIsWritten(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	ids := noteIDs(t, st, 2)
	st.open.turns = []answers.Turn{answered(t, st, 1, "What did I miss?", "ollama:qwen3:8b",
		presented(ids), agent.Event{Step: 2, Type: agent.EventText, Delta: "Ada wrote ^1, and Bo answered ^2. Then"})}
	st.refresh()
	for i, id := range ids {
		st.cite(0, i+1)
		if got := st.Calls.Last(); got != "thread "+id.String() {
			t.Errorf("citation %d leads to %q", i+1, got)
		}
	}
	st.cite(0, 3)
	if got := st.Calls.Last(); got != "thread "+ids[1].String() {
		t.Errorf("a citation of nothing leads to %q", got)
	}
}

// Row 001-13: a chip opens to what was asked, and closes.
func TestWhatIsOpenedStaysOpen(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("What did I miss since yesterday evening?")
	st.list.ScrollToEnd()
	st.press("chat.sources")
	n := len(sourcesOf(st.open.turns[0]).List)
	if got := strings.Count(st.rowKinds(), rowSource); got != n {
		t.Errorf("%d of %d sources are shown", got, n)
	}
	st.list.ScrollToEnd()
	st.press("chat.notes")
	if got := strings.Count(st.rowKinds(), rowNote); got != n || len(st.notes) != n {
		t.Errorf("%d notes are shown, %d were read, of %d", got, len(st.notes), n)
	}
	for i, r := range st.rows {
		if row := st.list.Row(r.id); r.kind == rowNote && row != nil {
			want := strconv.Itoa(r.block.(*answers.Sources).List[r.index].Index)
			if got := numberOf(row); got != want {
				t.Errorf("note %s, row %d, is shown with the number %q", want, i, got)
			}
		}
	}
	st.askIt("Top hashtags this week")
	if got := strings.Count(st.rowKinds(), rowNote); got != n {
		t.Errorf("after another question %d notes are shown", got)
	}
}

// numberOf returns the number of the citation that an object shows.
func numberOf(o fyne.CanvasObject) string {
	var inside []fyne.CanvasObject
	switch o := o.(type) {
	case *prose.Text:
		if spans := o.Spans(); len(spans) == 1 && spans[0].Chip {
			return spans[0].Text
		}
	case *fyne.Container:
		inside = o.Objects
	case fyne.Widget:
		inside = test.WidgetRenderer(o).Objects()
	}
	for _, child := range inside {
		if number := numberOf(child); number != "" {
			return number
		}
	}
	return ""
}

func TestAWindowThatShrinksKeepsWhatIsRead(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("What did I miss since yesterday evening?")
	for _, at := range []string{"end", "middle"} {
		st.Window.Resize(window)
		if st.list.ScrollToEnd(); at == "middle" {
			st.list.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 40)})
		}
		st.atEnd = false // as after something was opened
		top, _ := st.list.Place()
		st.Window.Resize(fyne.NewSize(480, 600))
		if now, _ := st.list.Place(); at == "end" != st.list.AtEnd() || at == "middle" && now != top {
			t.Errorf("at the %s: it shows the end: %v, and begins with %s in place of %s", at, st.list.AtEnd(), now, top)
		}
	}
}

func TestAPageWithoutAQuestionIsReadFromItsBeginning(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light, Scale: 2}, fyne.NewSize(480, 600))
	st.sync.shown, st.sync.status.First = true, true // a card more than there is room for
	st.refresh()
	if st.list.AtEnd() || !st.list.AtTop() {
		t.Errorf("in sight are the end: %v, the beginning: %v", st.list.AtEnd(), st.list.AtTop())
	}
}

func TestTheDigestIsOfferedInSightInASmallWindow(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light, Scale: 1.25}, fyne.NewSize(480, 600))
	button := st.named("chat.digest")
	if button == nil {
		t.Fatal("the digest is not offered")
	}
	driver := fyne.CurrentApp().Driver()
	foot := driver.AbsolutePositionForObject(button).Y + button.Size().Height
	if end := driver.AbsolutePositionForObject(st.list).Y + st.list.Size().Height; foot > end {
		t.Errorf("the button ends at %v, the list at %v", foot, end)
	}
}
