package shell

import (
	"fmt"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

// focusables returns all in a tree that may have the keyboard.
func focusables(o fyne.CanvasObject) []fyne.Focusable {
	var found []fyne.Focusable
	if !o.Visible() {
		return nil
	}
	if f, ok := o.(fyne.Focusable); ok {
		found = append(found, f)
	}
	var children []fyne.CanvasObject
	switch o := o.(type) {
	case *fyne.Container:
		children = o.Objects
	case fyne.Widget:
		children = test.WidgetRenderer(o).Objects()
	}
	for _, child := range children {
		found = append(found, focusables(child)...)
	}
	return found
}

// Fyne asks nobody but the widget that has the keyboard. One that keeps a key that it
// has no use for makes the window deaf.
func TestNoWidgetKeepsTheWindowsKeys(t *testing.T) {
	st := startSample(t)
	st.tap("chat.digest")
	st.wait("cite:*")
	st.pump(200 * time.Millisecond)
	kinds := map[string]bool{}
	for _, f := range focusables(st.window.Content()) {
		kind := fmt.Sprintf("%T", f)
		if kinds[kind] {
			continue
		}
		kinds[kind] = true
		st.enter(assistant)
		if sc, ok := f.(fyne.Shortcutable); ok {
			sc.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.Key4, Modifier: ctrl()})
			if st.route.at != relays {
				t.Errorf("%s keeps Ctrl+4", kind)
			}
		}
		st.enter(assistant)
		var typed fyne.KeyName
		st.window.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { typed = e.Name })
		f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF5})
		if typed != fyne.KeyF5 {
			t.Errorf("%s keeps F5", kind)
		}
	}
	if len(kinds) < 6 {
		t.Errorf("only %d kinds of widgets were found: %v", len(kinds), kinds)
	}
}
