package settings

import (
	"fyne.io/fyne/v2"

	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// newStoredRow is a line of what is kept: what, and at the right edge how much. Where
// that would break a word in two it stands below.
func newStoredRow(r present.StorageRow, color fyne.ThemeColorName) *layout.Arranged {
	figure := r.Count + r.Size
	if r.Count != "" && r.Size != "" {
		figure = r.Count + " · " + r.Size
	}
	what, much := prose.Plain(r.What, theme.Body, color), widgets.NewLabel(figure, theme.Body, color)
	return layout.NewArranged(80, func(width float32, put layout.Put) float32 {
		const gap = 8
		figure := much.MinSize()
		left := width - figure.Width - gap
		y := max(0, (what.HeightFor(1_000)-figure.Height)/2)
		stacked := left < what.LeastWidth(width)
		if stacked {
			left = width
		}
		height := what.HeightFor(left)
		if stacked {
			y = height
		}
		if put != nil {
			put(what, 0, 0, left, height)
			put(much, width-figure.Width, y, figure.Width, figure.Height)
		}
		return max(height, y+figure.Height)
	}, what, much)
}
