package widgets

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/layout"
)

func TestOnlyTheKeyboardBringsTheFocusRing(t *testing.T) {
	test.NewTempApp(t)
	var w fyne.Window
	next := NewButton("Next", Outline, func() {})
	first := NewButton("First", Outline, func() { w.Canvas().Focus(next) })
	w = test.NewTempWindow(t, layout.Column(4, first, next))
	ring := func() bool { return !next.drawn.ring.Hidden }
	test.Tap(first)
	if w.Canvas().Focused() != fyne.Focusable(next) || ring() {
		t.Errorf("after a click the ring is shown: %v", ring())
	}
	next.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if !ring() {
		t.Error("a key does not bring the ring")
	}
	w.Canvas().Focus(first)
	first.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if !ring() {
		t.Error("what the keyboard leads to has no ring")
	}
}
