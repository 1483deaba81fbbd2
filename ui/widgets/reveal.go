package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// revealMargin is how much of the surroundings of an object is scrolled into sight with it,
// in points.
const revealMargin float32 = 16

// reveal scrolls an object that has gained the focus into sight. If the object had the
// focus before, and only the window was left and entered again, it stays where the user
// scrolled it.
func reveal(o fyne.CanvasObject) {
	c := fyne.CurrentApp().Driver().CanvasForObject(o)
	if c == nil || o.Size().IsZero() {
		return
	}
	if root := rootOf(o); root != nil {
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

// scrollTo searches the tree below an object for another one, scrolls it into sight in each
// scroll on the way, and reports whether it found it.
func scrollTo(from, o fyne.CanvasObject) bool {
	if from == o {
		return true
	}
	if from == nil || !from.Visible() {
		return false
	}
	for _, child := range childrenOf(from) {
		if scrollTo(child, o) {
			if scroll, ok := from.(*Scroll); ok {
				scroll.into(o)
			}
			return true
		}
	}
	return false
}

// into scrolls as far as needed to show an object whole, or from its top if it is too high.
func (s *Scroll) into(o fyne.CanvasObject) {
	driver := fyne.CurrentApp().Driver()
	top := driver.AbsolutePositionForObject(o).Y - driver.AbsolutePositionForObject(s).Y
	bottom, view := top+o.Size().Height, s.Size().Height
	switch {
	case view <= 0:
	case top < 0:
		s.ScrollTo(s.y + top - revealMargin)
	case bottom > view:
		s.ScrollTo(s.y + min(bottom-view+revealMargin, top-revealMargin))
	}
}

// Seen reports whether an object is on its window's canvas, with nothing around it hidden.
func Seen(o fyne.CanvasObject) bool {
	driver := fyne.CurrentApp().Driver()
	// Fyne returns one and the same position for every object that is not.
	return driver.AbsolutePositionForObject(o) != driver.AbsolutePositionForObject(&canvas.Rectangle{})
}

// KeyboardLost reports whether the focus of a window is on nothing, or on something hidden:
// keys would then act where nobody looks.
func KeyboardLost(c fyne.Canvas) bool {
	o, _ := c.Focused().(fyne.CanvasObject)
	return o == nil || !Seen(o)
}
