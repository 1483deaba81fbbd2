package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

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
