package chat

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/prose"
	"bowerbird/ui/widgets"
)

// clock runs what is waited for when the test says so.
type clock struct{ waiting []func() }

func (c *clock) after(_ time.Duration, f func()) func() {
	c.waiting = append(c.waiting, f)
	return func() {}
}

func (c *clock) run() {
	for _, f := range c.waiting {
		f()
	}
	c.waiting = nil
}

// markedIn returns the marked words of all texts in an object.
func markedIn(o fyne.CanvasObject) (marked string) {
	var inside []fyne.CanvasObject
	switch o := o.(type) {
	case *prose.Text:
		for _, s := range o.Spans() {
			if s.Mark {
				marked += s.Text
			}
		}
	case *fyne.Container:
		inside = o.Objects
	case fyne.Widget:
		inside = test.WidgetRenderer(o).Objects()
	}
	for _, child := range inside {
		marked += markedIn(child)
	}
	return marked
}

func TestTheNoteIsShownBesideItsNumber(t *testing.T) {
	st := setStage(t, openApp(t), plain, fyne.NewSize(796, 500))
	root, clock := widgets.NewRoot(st.Content()), &clock{}
	root.After = clock.after
	st.Window.SetContent(root)
	st.askIt("What is new about the comet in the last 9 days?")
	st.list.ScrollToTop()
	top, into := st.list.Place()
	number := st.named("cite:1").(desktop.Hoverable)
	card := func() string {
		st.Settle()
		if st.named("cite.open") == nil {
			return ""
		}
		return "shown"
	}
	number.MouseIn(&desktop.MouseEvent{})
	if card() != "" {
		t.Fatal("the card comes before the mouse rests")
	}
	if clock.run(); card() == "" {
		t.Fatal("no card is shown")
	}
	source := sourcesOf(st.open.turns[0]).List[0]
	if marked := markedIn(st.Window.Canvas().Content()); !source.Quoted || !strings.HasPrefix(marked, strings.Fields(source.Quote)[0]) {
		t.Errorf("of %q these words are marked: %q", source.Quote, marked)
	}
	if now, y := st.list.Place(); now != top || y != into {
		t.Error("the answer moved")
	}
	number.MouseOut()
	if clock.run(); card() != "" {
		t.Error("the card stays")
	}
	number.(fyne.Focusable).FocusGained()
	if clock.run(); card() == "" {
		t.Error("no card is shown for the keyboard")
	}
	st.press("cite.open")
	if got := st.Calls.Last(); got != "thread "+source.ID.String() || card() != "" {
		t.Errorf("the card leads to %q, and is then %s", got, card())
	}
	number.MouseIn(&desktop.MouseEvent{})
	clock.run()
	card()
	st.list.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -25)})
	if card() != "" {
		t.Error("the card stays where its number scrolls away")
	}
	for what, leave := range map[string]func(){
		"another chat": st.NewChat, "another page": st.Hidden,
		"a window of another size": func() { st.Window.Resize(fyne.NewSize(700, 500)) },
	} {
		st.pop.Enter(number.(fyne.CanvasObject), func(show func(fyne.CanvasObject)) { show(widgets.NewRule()) })
		if clock.run(); !st.pop.Shown() {
			t.Fatal("no card is shown")
		}
		if leave(); st.pop.Shown() {
			t.Errorf("the card stays over %s", what)
		}
	}
}
