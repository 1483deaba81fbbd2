package widgets_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/theme"
)

// useTheme runs a test's program with our theme.
func useTheme(t testing.TB, opt theme.Options) fyne.App {
	t.Helper()
	th, err := theme.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	a := test.NewTempApp(t)
	a.Settings().SetTheme(th)
	return a
}

// show puts an object into a window of a size.
func show(t testing.TB, o fyne.CanvasObject, width, height float32) fyne.Window {
	t.Helper()
	w := test.NewTempWindow(t, o)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(width, height))
	return w
}

// press types a key into what has the keyboard.
func press(w fyne.Window, keys ...fyne.KeyName) {
	for _, k := range keys {
		if f := w.Canvas().Focused(); f != nil {
			f.TypedKey(&fyne.KeyEvent{Name: k})
		}
	}
}
