package widgets

import (
	"runtime"
	"time"

	"fyne.io/fyne/v2"

	"bowerbird/ui/theme"
)

// How far a notch of the wheel scrolls, in points, and in which time. Fyne reports
// fyneNotch for it, which is hardly more than a line.
const (
	wheelNotch float32 = 96
	fyneNotch  float32 = 25
	wheelTime          = 120 * time.Millisecond
)

// wheelDistance returns how far to scroll for what Fyne reports. On macOS the system itself
// says how far.
func wheelDistance(reported float32) float32 {
	if runtime.GOOS == "darwin" {
		return reported
	}
	return reported * wheelNotch / fyneNotch
}

// glide scrolls what the turns of a wheel ask for, fast at first. The short steps of a touchpad
// are followed at once. Meanwhile nothing is hovered, since that would change with every frame.
type glide struct {
	by   func(dy float32) // scrolls down at once
	left float32
	run  *fyne.Animation // nil at rest
	root *Root           // whose pointer rests; may be nil
}

// turn scrolls an object further down by dy points: a part of it at once, so that a list that
// follows its end stops doing so.
func (g *glide) turn(o fyne.CanvasObject, dy float32) {
	if g.root = rootOf(o); g.root != nil {
		g.root.pointer.rest()
	}
	g.pause()
	if g.left*dy < 0 { // the other way
		g.left = 0
	}
	g.left += dy
	part := g.left / 4
	if max(dy, -dy) < wheelNotch || theme.Calm() {
		part = g.left
	}
	g.left -= part
	g.by(part)
	whole := g.left
	g.run = fyne.NewAnimation(wheelTime, func(done float32) {
		step := g.left - whole*(1-done)
		g.left -= step
		if g.by(step); done == 1 {
			g.stop()
		}
	})
	g.run.Curve = fyne.AnimationEaseOut
	g.run.Start()
}

// pause ends the movement and keeps what is left of it.
func (g *glide) pause() {
	if g.run != nil {
		g.run.Stop()
		g.run = nil
	}
}

// stop ends the movement, as when something else scrolls.
func (g *glide) stop() {
	g.pause()
	g.left = 0
	if root := g.root; root != nil {
		g.root = nil
		root.pointer.wake()
	}
}
