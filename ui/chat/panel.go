package chat

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// corners says which corners of a panel are rounded.
type corners uint8

const (
	topLeft corners = 1 << iota
	topRight
	bottomRight
	bottomLeft
	allCorners  = topLeft | topRight | bottomRight | bottomLeft
	topCorners  = topLeft | topRight
	lowCorners  = bottomLeft | bottomRight
	userCorners = topLeft | topRight | bottomLeft // the user's words have a tail
)

// panel is a surface behind something, with a line around it. A card of several
// rows is made of panels, each with the sides and corners that are its own: side
// lines always, an upper and a lower one where its corners are round.
type panel struct {
	widget.BaseWidget
	fill, line fyne.ThemeColorName // line "" is none
	radius     float32
	round      corners
}

func newPanel(fill, line fyne.ThemeColorName, radius float32, round corners) *panel {
	p := &panel{fill: fill, line: line, radius: radius, round: round}
	p.ExtendBaseWidget(p)
	return p
}

// set changes what the panel looks like.
func (p *panel) set(fill, line fyne.ThemeColorName, round corners) {
	if p.fill == fill && p.line == line && p.round == round {
		return
	}
	p.fill, p.line, p.round = fill, line, round
	p.Refresh()
}

func (p *panel) HeightFor(float32) float32 { return 0 }
func (p *panel) MinSize() fyne.Size        { return fyne.Size{} }

func (p *panel) CreateRenderer() fyne.WidgetRenderer {
	r := &panelRenderer{panel: p}
	for i := range r.shapes {
		r.shapes[i] = canvas.NewRectangle(color.Transparent)
		r.objects = append(r.objects, r.shapes[i])
	}
	r.Refresh()
	return r
}

// panelRenderer draws the line and the surface on it, each as a rounded box and a
// square one over the corners that are not round: every painter draws those alike.
type panelRenderer struct {
	panel   *panel
	shapes  [6]*canvas.Rectangle // of the line, then of the surface: round, square above, square below
	objects []fyne.CanvasObject
}

func (r *panelRenderer) Layout(size fyne.Size) {
	var left, top, right, bottom float32
	if p := r.panel; p.line != "" {
		left, right = 1, 1
		if p.round&topCorners != 0 {
			top = 1
		}
		if p.round&lowCorners != 0 {
			bottom = 1
		}
	}
	r.part(0, fyne.Position{}, size)
	r.part(3, fyne.NewPos(left, top), fyne.NewSize(max(0, size.Width-left-right), max(0, size.Height-top-bottom)))
}

// part places a rounded box and what squares its corners.
func (r *panelRenderer) part(first int, at fyne.Position, size fyne.Size) {
	edge := min(r.panel.radius, size.Height/2)
	r.shapes[first].Move(at)
	r.shapes[first].Resize(size)
	round := r.panel.round
	above, below := r.shapes[first+1], r.shapes[first+2]
	x, w := cover(at.X, size.Width, round&topLeft == 0, round&topRight == 0)
	above.Move(fyne.NewPos(x, at.Y))
	above.Resize(fyne.NewSize(w, edge))
	x, w = cover(at.X, size.Width, round&bottomLeft == 0, round&bottomRight == 0)
	below.Move(fyne.NewPos(x, at.Y+size.Height-edge))
	below.Resize(fyne.NewSize(w, edge))
}

// cover returns what to cover of a width so that its left or right corner is square.
func cover(x, width float32, left, right bool) (from, wide float32) {
	half := ceil(width / 2) // whole points, so that no edge is blurred
	switch {
	case left && right:
		return x, width
	case left:
		return x, half
	case right:
		return x + width - half, half
	}
	return x, 0
}

func (r *panelRenderer) MinSize() fyne.Size { return fyne.Size{} }

func (r *panelRenderer) Refresh() {
	p := r.panel
	for i, s := range r.shapes {
		name, radius := p.line, p.radius
		if i >= 3 {
			name = p.fill
			if p.line != "" {
				radius--
			}
		}
		s.Hidden = name == "" || p.round == 0 && i%3 != 0 || p.round == allCorners && i%3 != 0
		if name != "" {
			s.FillColor = theme.Color(name)
		}
		if s.CornerRadius = 0; i%3 == 0 && p.round != 0 {
			s.CornerRadius = radius
		}
	}
	r.Layout(p.Size())
	for _, s := range r.shapes {
		canvas.Refresh(s)
	}
}

func (r *panelRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *panelRenderer) Destroy()                     {}

// card puts something on a bordered surface.
func card(line fyne.ThemeColorName, in layout.Insets, content fyne.CanvasObject) *fyne.Container {
	return layout.Stack(newPanel(theme.Surface, line, theme.RadiusCard, allCorners), layout.Pad(in, content))
}
