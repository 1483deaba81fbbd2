package widgets

import "fyne.io/fyne/v2"

// NewFrame puts content, without a space around it, into a rounded box of colours
// of the theme; "" leaves the fill or the line out.
func NewFrame(fill, line fyne.ThemeColorName, radius float32, content fyne.CanvasObject) *fyne.Container {
	return boxOf(fill, line, radius, content)
}
