package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test" // only it can look into widgets; fyne/v2/app links it anyway
)

// revealMargin is how much of what is around an object is brought into sight with it,
// in points.
const revealMargin float32 = 16

// reveal scrolls an object that the keyboard came to into sight, in whatever it is
// scrolled in. What has the keyboard still, and only the window was left and came back,
// is left where the user scrolled it.
func reveal(o fyne.CanvasObject) {
	c := fyne.CurrentApp().Driver().CanvasForObject(o)
	if c == nil || o.Size().IsZero() {
		return
	}
	if root, ok := c.Content().(*Root); ok {
		if root.revealed == o {
			return
		}
		root.revealed = o
	}
	from := c.Content()
	if top := c.Overlays().Top(); top != nil {
		from = top
	}
	scrollTo(from, o)
}

// scrollTo looks for an object below another one, and scrolls it into sight in each
// scroll on the way; it reports whether it is there.
func scrollTo(from, o fyne.CanvasObject) bool {
	if from == o {
		return true
	}
	if from == nil || !from.Visible() {
		return false
	}
	var children []fyne.CanvasObject
	scroll, _ := from.(*container.Scroll)
	switch from := from.(type) {
	case *container.Scroll:
		children = []fyne.CanvasObject{from.Content}
	case *fyne.Container:
		children = from.Objects
	case fyne.Widget:
		children = test.WidgetRenderer(from).Objects()
	}
	for _, child := range children {
		if scrollTo(child, o) {
			if scroll != nil {
				scrollInto(scroll, o)
			}
			return true
		}
	}
	return false
}

// scrollInto scrolls as far as needed for an object to be in sight whole, or from its
// top where it is higher than what can be seen.
func scrollInto(s *container.Scroll, o fyne.CanvasObject) {
	driver := fyne.CurrentApp().Driver()
	top := driver.AbsolutePositionForObject(o).Y - driver.AbsolutePositionForObject(s).Y
	bottom, view := top+o.Size().Height, s.Size().Height
	switch {
	case view <= 0:
	case top < 0:
		s.ScrollToOffset(s.Offset.AddXY(0, top-revealMargin))
	case bottom > view:
		s.ScrollToOffset(s.Offset.AddXY(0, min(bottom-view+revealMargin, top-revealMargin)))
	}
}
