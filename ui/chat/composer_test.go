package chat

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/theme"
)

func TestTheComposerIsCalmUntilTheKeyboardComes(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	ring := func() bool {
		frame := test.WidgetRenderer(st.composer.box.(fyne.Widget)).Objects()[0].(*canvas.Rectangle)
		return frame.StrokeWidth == 2
	}
	c := st.Window.Canvas()
	c.Unfocus()
	st.Focus(c)
	if c.Focused() != fyne.Focusable(st.composer.entry) || ring() {
		t.Error("the screen opens with a ring around the field, or without the keyboard in it")
	}
	c.Unfocus()
	st.composer.entry.MouseDown(&desktop.MouseEvent{})
	if ring() {
		t.Error("a click draws a ring")
	}
	c.Focus(st.composer.scope)
	c.FocusPrevious()
	st.composer.entry.KeyUp(&fyne.KeyEvent{Name: fyne.KeyTab})
	if c.Focused() != fyne.Focusable(st.composer.entry) || !ring() {
		t.Error("the Tab key draws no ring")
	}
	if !st.composer.send.Disabled() {
		t.Error("an empty question can be sent")
	}
	if test.Type(st.composer.entry, "a"); st.composer.send.Disabled() {
		t.Error("a question cannot be sent")
	}
}

func TestTheComposerSaysWhatFits(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.composer.setText(strings.Repeat("a ", 1000))
	if got := st.composer.hint.Text(); got != "Enter to send" {
		t.Errorf("with room left it says %q", got)
	}
	st.composer.setText(strings.Repeat("a ", 1990))
	if got := st.composer.hint.Text(); got != "20 characters left" {
		t.Errorf("near the end it says %q", got)
	}
	clip := test.NewClipboard()
	clip.SetContent(strings.Repeat("b ", 2500))
	st.composer.setText("")
	st.composer.entry.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clip})
	if got := st.Calls.Last(); !strings.Contains(got, "at most 4,000 characters") {
		t.Errorf("5,000 characters lead to %q", got)
	}
}

func TestALongQuestionIsFolded(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Top hashtags this week")
	id := st.seen.rowID(rowQuestion, 0, "")
	height := func() float32 { st.Settle(); return st.list.Row(id).Size().Height }
	short := height()
	if more := st.named("chat.question.more"); more != nil && more.Visible() {
		t.Error("a short question can be unfolded")
	}
	st.open.turns[0].Question = strings.Repeat("And what then? ", 150)
	st.refresh()
	folded := height()
	st.press("chat.question.more")
	open := height()
	if line := theme.Size(theme.Body) * 1.5; folded > short+9*line || open < folded+5*line {
		t.Errorf("it is %v high folded and %v open, a short one %v", folded, open, short)
	}
	if st.press("chat.question.more"); height() != folded {
		t.Error("it does not fold again")
	}
}

func TestTheFieldIsAsHighAsItsWordsNeed(t *testing.T) {
	st := setStage(t, openApp(t), plain, fyne.NewSize(480, 600))
	c := st.composer
	half := "x"
	for fyne.MeasureText(half, theme.Size(theme.Body), fyne.TextStyle{}).Width < (c.width-2*cardSide)*0.55 {
		half += "x"
	}
	for text, want := range map[string]int{
		"short": 1, "one\ntwo": 2, "": 1,
		strings.Repeat(half+" ", 4):             4, // no two words of this width are in one line
		strings.Repeat("x", 8*len(half)):        5,
		strings.Repeat("a long question ", 200): mostLines,
	} {
		c.setText(text)
		if c.rows != want {
			t.Errorf("%.40q has %d lines, not %d", text, c.rows, want)
		}
	}
}
