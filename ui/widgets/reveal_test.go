package widgets

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

func TestWhatTheKeyboardComesToIsScrolledIntoSight(t *testing.T) {
	a := test.NewTempApp(t)
	th, err := theme.New(theme.Options{Mode: theme.Light})
	if err != nil {
		t.Fatal(err)
	}
	a.Settings().SetTheme(th)
	column := layout.Column(8)
	for i := range 30 {
		column.Add(NewButton(fmt.Sprintf("Button %d", i), Outline, func() {}))
		column.Add(NewEntry("Type"))
	}
	scroll := NewScroll(column)
	w := test.NewTempWindow(t, NewRoot(scroll))
	w.SetPadded(false)
	w.Resize(fyne.NewSize(300, 200))
	c := w.Canvas()
	inSight := func() bool {
		o := c.Focused().(fyne.CanvasObject)
		y := a.Driver().AbsolutePositionForObject(o).Y - a.Driver().AbsolutePositionForObject(scroll).Y
		return y >= 0 && y+o.Size().Height <= 200
	}
	for range 59 {
		c.FocusNext()
		if !inSight() {
			t.Fatalf("the keyboard is out of sight at an offset of %v", scroll.Offset())
		}
	}
	if scroll.Offset() == 0 {
		t.Fatal("nothing was scrolled")
	}
	for range 58 {
		c.FocusPrevious()
		if !inSight() {
			t.Fatalf("on the way back the keyboard is out of sight at an offset of %v", scroll.Offset())
		}
	}

	scroll.ScrollTo(1e6)
	at := scroll.Offset()
	focused := c.Focused() // the window is left, and comes back
	focused.FocusLost()
	focused.FocusGained()
	if scroll.Offset() != at {
		t.Errorf("it jumps to %v when the window comes back", scroll.Offset())
	}
}
