package widgets

import "fyne.io/fyne/v2"

// SetVisible shows or hides an object, which is drawn anew only where that changes.
func SetVisible(o fyne.CanvasObject, visible bool) {
	switch {
	case visible == o.Visible():
	case visible:
		o.Show()
	default:
		o.Hide()
	}
}
