package widgets

import "fyne.io/fyne/v2"

// escape closes the dialog that an object is in, if it is in one. Fyne gives a key
// to what has the keyboard only, so each of our widgets passes Escape on.
func escape(o fyne.CanvasObject) {
	c := fyne.CurrentApp().Driver().CanvasForObject(o)
	if c == nil {
		return
	}
	if top, ok := c.Overlays().Top().(interface{ Escape() }); ok {
		top.Escape()
	}
}
