package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// PassOn gives a key that a widget has no use for to what it is in: Escape to its
// dialog, others to the window. Fyne gives a key only to what has the keyboard.
func PassOn(from fyne.CanvasObject, e *fyne.KeyEvent) {
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

// Seen reports whether an object is somewhere to be seen in its window: neither it
// nor what it is in is hidden or taken away.
func Seen(o fyne.CanvasObject) bool {
	driver := fyne.CurrentApp().Driver()
	// Fyne has one place for all that are not.
	return driver.AbsolutePositionForObject(o) != driver.AbsolutePositionForObject(&canvas.Rectangle{})
}

// KeyboardLost reports whether the keyboard of a window is on nothing, or on
// something that cannot be seen: typing would act where nobody looks.
func KeyboardLost(c fyne.Canvas) bool {
	o, _ := c.Focused().(fyne.CanvasObject)
	return o == nil || !Seen(o)
}
