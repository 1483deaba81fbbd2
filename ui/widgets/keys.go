package widgets

import "fyne.io/fyne/v2"

// passOn gives a key that a widget has no use for to what it is in: Escape to its
// dialog, others to the window. Fyne gives a key only to what has the keyboard.
func passOn(from fyne.CanvasObject, e *fyne.KeyEvent) {
	c := fyne.CurrentApp().Driver().CanvasForObject(from)
	if c == nil {
		return
	}
	if top := c.Overlays().Top(); top != nil {
		if d, ok := top.(*dialog); ok && e.Name == fyne.KeyEscape {
			d.escape()
		}
		return
	}
	if typed := c.OnTypedKey(); typed != nil {
		typed(e)
	}
}
