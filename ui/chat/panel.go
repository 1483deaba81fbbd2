package chat

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

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

// panel is a surface with a border, behind other objects. A card of several rows is made
// of one panel per row: all have side borders, those with round corners also the upper or
// lower one.
type panel struct {
	layout.Arranged
	fill, line    fyne.ThemeColorName // line "" is none
	radius        float32
	round         corners
	edge, surface *canvas.Rectangle // the line, and what is within it
}

func newPanel(fill, line fyne.ThemeColorName, radius float32, round corners) *panel {
	p := &panel{fill: fill, line: line, radius: radius, round: round, edge: canvas.NewRectangle(nil), surface: canvas.NewRectangle(nil)}
	p.Objects, p.Arrange, p.Paint = []fyne.CanvasObject{p.edge, p.surface}, p.arrange, p.paint
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

// arrange fills the size that the panel is given.
func (p *panel) arrange(_ float32, put layout.Put) float32 {
	if put == nil {
		return 0
	}
	size := p.Size()
	var side, top, bottom float32
	if p.line != "" {
		side = 1
		if p.round&topCorners != 0 {
			top = 1
		}
		if p.round&lowCorners != 0 {
			bottom = 1
		}
	}
	put(p.edge, 0, 0, size.Width, size.Height)
	put(p.surface, side, top, max(0, size.Width-2*side), max(0, size.Height-top-bottom))
	return 0
}

func (p *panel) paint() {
	p.edge.Hidden, p.surface.Hidden = p.line == "", p.fill == ""
	p.edge.FillColor, p.surface.FillColor = theme.Color(p.line), theme.Color(p.fill)
	inner := p.radius
	if p.line != "" {
		inner--
	}
	p.bend(p.edge, p.radius)
	p.bend(p.surface, inner)
}

func (p *panel) bend(r *canvas.Rectangle, radius float32) {
	of := func(c corners) float32 {
		if p.round&c == 0 || p.round == allCorners {
			return 0
		}
		return radius
	}
	r.TopLeftCornerRadius, r.TopRightCornerRadius = of(topLeft), of(topRight)
	r.BottomLeftCornerRadius, r.BottomRightCornerRadius = of(bottomLeft), of(bottomRight)
	if r.CornerRadius = 0; p.round == allCorners {
		r.CornerRadius = radius
	}
}

// card puts something on a bordered surface.
func card(line fyne.ThemeColorName, in layout.Insets, content fyne.CanvasObject) *fyne.Container {
	return layout.Stack(newPanel(theme.Surface, line, theme.RadiusCard, allCorners), layout.Pad(in, content))
}
