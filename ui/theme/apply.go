package theme

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test" // only it can look into widgets; fyne/v2/app links it anyway
)

// Apply brings the theme that is shown to an object and to all that is in it. Fyne
// does so when the theme changes, but only to what is in a window: what was out of it
// then, such as another screen, is given to Apply before it comes into sight again.
func Apply(o fyne.CanvasObject) {
	switch o := o.(type) {
	case nil:
		return
	case fyne.Widget:
		r := test.WidgetRenderer(o)
		for _, child := range r.Objects() {
			Apply(child)
		}
		r.Layout(o.Size()) // sizes follow the theme too
	case *fyne.Container:
		for _, child := range o.Objects {
			Apply(child)
		}
		if o.Layout != nil {
			o.Layout.Layout(o.Objects, o.Size())
		}
	}
	o.Refresh()
}

// Look is what the drawing of a text depends on besides itself. Two are equal when
// nothing has to be drawn or measured anew.
type Look struct {
	theme   fyne.Theme
	variant fyne.ThemeVariant
}

// Shown returns the look that is shown.
func Shown() Look {
	s := fyne.CurrentApp().Settings()
	return Look{s.Theme(), s.ThemeVariant()}
}
