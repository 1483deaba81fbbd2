package relays

import (
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/widgets"
)

// headGap is between title and button, in points.
const headGap float32 = 12

// newHeadline is a title with a button at its right, or below it where the title
// would be squeezed.
func newHeadline(title *prose.Text, button *widgets.Button) *layout.Arranged {
	return layout.NewArranged(100, func(width float32, put layout.Put) float32 {
		size, wide := button.MinSize(), width
		beside := button.Visible() && title.NaturalWidth(width)+headGap+size.Width <= width
		if beside {
			wide -= headGap + size.Width
		}
		high := layout.HeightFor(title, wide)
		height, x, y := high, float32(0), high+headGap
		switch {
		case beside:
			height = max(size.Height, high)
			x, y = width-size.Width, (height-size.Height)/2
		case button.Visible():
			height += headGap + size.Height
		}
		if put != nil {
			put(button, x, y, size.Width, size.Height)
			top := float32(0)
			if beside {
				top = (height - high) / 2
			}
			put(title, 0, top, wide, high)
		}
		return height
	}, title, button)
}
