package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// Switch turns something on and off.
type Switch struct {
	Press
	on bool
}

// The measures of a switch at the usual text size, in points.
const (
	switchWide, switchHigh float32 = 36, 22
	switchGap              float32 = 2 // around the knob
)

// NewSwitch returns a switch. changed is called after the user has turned it.
func NewSwitch(on bool, changed func(on bool)) *Switch {
	s := &Switch{on: on}
	track, knob := canvas.NewRectangle(nil), canvas.NewCircle(nil)
	face := &layout.Arranged{Objects: []fyne.CanvasObject{track, knob}}
	face.Paint = func() {
		name := theme.Faint
		if s.on {
			name = theme.Primary
		}
		track.FillColor, knob.FillColor = theme.Color(name), theme.Color(theme.Surface)
	}
	face.Arrange = func(float32, layout.Put) float32 {
		wide, high, gap := theme.Eased(switchWide), theme.Eased(switchHigh), theme.Eased(switchGap)
		side, x := high-2*gap, gap
		if s.on {
			x = wide - gap - side
		}
		track.CornerRadius = high / 2
		track.Resize(fyne.NewSize(wide, high))
		knob.Move(fyne.NewPos(x, gap))
		knob.Resize(fyne.NewSquareSize(side))
		return high
	}
	face.ExtendBaseWidget(face)
	s.Press = Press{Content: face, Tap: func() {
		s.SetOn(!s.on)
		changed(s.on)
	}}
	s.Press.Look = func() Look { return Look{Radius: theme.Eased(switchHigh) / 2, Ring: 3} }
	s.ExtendBaseWidget(s)
	return s
}

// On reports whether it is on.
func (s *Switch) On() bool { return s.on }

// SetOn shows another state without calling changed.
func (s *Switch) SetOn(on bool) {
	if s.on != on {
		s.on = on
		s.Content.Refresh()
	}
}

// MinSize implements fyne.CanvasObject.
func (s *Switch) MinSize() fyne.Size {
	return fyne.NewSize(theme.Eased(switchWide), theme.Eased(switchHigh))
}
