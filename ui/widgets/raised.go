package widgets

import (
	"image/color"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// newShadow is the soft shadow of what floats, as large as its card: layers that add up below
// the card and end one after the other around it.
func newShadow(radius float32) fyne.CanvasObject {
	const layers, step, down = 6, 4, 2 // the distances in points
	var boxes []fyne.CanvasObject
	for i := range layers {
		boxes = append(boxes, newBox(theme.Shadow, "", radius+step*float32(i)))
	}
	var s *layout.Arranged
	s = layout.NewArranged(0, func(width float32, put layout.Put) float32 {
		high := s.Size().Height
		for i, box := range boxes {
			if out := step * float32(i); put != nil {
				put(box, -out, -out+down*float32(i+1), width+2*out, high+2*out)
			}
		}
		return high
	}, boxes...)
	return s
}

// fadeTime is how long a card or a menu takes to appear.
const fadeTime = 120 * time.Millisecond

// veil covers a card that appears, in the card's own colour, and fades: nothing else in Fyne
// can be half transparent as a whole.
type veil struct {
	*canvas.Rectangle
	color color.NRGBA
}

func newVeil(radius float32) *veil {
	v := &veil{canvas.NewRectangle(theme.Color(theme.Raised)), color.NRGBAModel.Convert(theme.Color(theme.Raised)).(color.NRGBA)}
	v.CornerRadius, v.Hidden = radius, theme.Calm()
	return v
}

// lift fades the veil, unless the user wants less motion.
func (v *veil) lift() {
	if v.Hidden {
		return
	}
	fyne.NewAnimation(fadeTime, func(done float32) {
		c := v.color
		c.A = uint8(255 * (1 - done))
		v.FillColor, v.Hidden = c, done == 1
		v.Refresh()
	}).Start()
}
