package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// box is a rectangle in colours of the theme.
type box struct {
	layout.Arranged
	fill, line fyne.ThemeColorName // "" for none
}

func newBox(fill, line fyne.ThemeColorName, radius float32) *box {
	b := &box{}
	b.draw(fill, line, radius, 0)
	b.ExtendBaseWidget(b)
	return b
}

// draw makes a box that asks for a square of a side, and fills what it is given.
func (b *box) draw(fill, line fyne.ThemeColorName, radius, side float32) {
	rect := canvas.NewRectangle(nil)
	rect.CornerRadius = radius
	b.fill, b.line = fill, line
	b.Objects, b.Least = []fyne.CanvasObject{rect}, side
	b.Arrange = func(width float32, put layout.Put) float32 {
		if put != nil {
			put(rect, 0, 0, width, b.Size().Height)
		}
		return side
	}
	b.Paint = func() {
		rect.FillColor, rect.StrokeColor = colorOf(b.fill), colorOf(b.line)
		rect.StrokeWidth = 0
		if b.line != "" {
			rect.StrokeWidth = 1
		}
	}
}

func colorOf(name fyne.ThemeColorName) color.Color {
	if name == "" {
		return color.Transparent
	}
	return theme.Color(name)
}

// NewFrame puts content, without padding, into a rounded box of theme colours; "" leaves
// the fill or the line out.
func NewFrame(fill, line fyne.ThemeColorName, radius float32, content fyne.CanvasObject) *fyne.Container {
	return layout.Stack(newBox(fill, line, radius), content)
}

// NewCard puts content into a rounded, bordered box.
func NewCard(content fyne.CanvasObject) *fyne.Container {
	return NewFrame(theme.Surface, theme.Line, theme.RadiusCard, layout.Pad(layout.All(theme.CardPadding+2), content))
}

// NewGround is a plain area in a theme colour.
func NewGround(color fyne.ThemeColorName) fyne.CanvasObject { return newBox(color, "", 0) }

// Rule is a horizontal line, one point high.
type Rule struct{ box }

// NewRule returns a rule.
func NewRule() *Rule {
	r := &Rule{}
	r.draw(theme.Line, "", 0, 1)
	r.ExtendBaseWidget(r)
	return r
}

// Dot is a disc of 9 points whose colour shows a state; a label beside it names the state.
type Dot struct{ box }

// NewDot returns a dot.
func NewDot(color fyne.ThemeColorName) *Dot {
	d := &Dot{}
	d.draw(color, "", 4.5, 9)
	d.ExtendBaseWidget(d)
	return d
}

// SetColor shows another state.
func (d *Dot) SetColor(color fyne.ThemeColorName) { d.fill = color; d.Refresh() }

// NewHead is the head of a screen: 56 points high, with a line below.
func NewHead(content fyne.CanvasObject) fyne.CanvasObject {
	var head *layout.Arranged
	head = layout.NewArranged(2*theme.ColumnPadding, func(width float32, put layout.Put) float32 {
		w := width - 2*theme.ColumnPadding
		h := layout.HeightFor(content, w)
		if put != nil {
			put(content, theme.ColumnPadding, (head.Size().Height-h)/2, w, h)
		}
		return max(theme.HeadHeight-1, h+8)
	}, content)
	return layout.Column(0, head, NewRule())
}

// NewFill gives each object all of its space and asks for none, so that its parent decides how
// large it is.
func NewFill(objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(fill{}, objects...)
}

type fill struct{}

func (fill) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.Position{})
		o.Resize(size)
	}
}

func (fill) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// NewPage puts a head above a body, which takes the remaining height, and that is at least a
// third.
func NewPage(head, body fyne.CanvasObject) *fyne.Container {
	return container.New(page{}, head, body)
}

// NewFooted puts a foot below a body, which takes the remaining height.
func NewFooted(body, foot fyne.CanvasObject) *fyne.Container {
	return container.New(footed{}, body, foot)
}

type footed struct{}

func (footed) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	h := float32(0)
	if objects[1].Visible() {
		h = min(layout.HeightFor(objects[1], size.Width), size.Height)
	}
	objects[0].Move(fyne.Position{})
	objects[0].Resize(fyne.NewSize(size.Width, size.Height-h))
	objects[1].Move(fyne.NewPos(0, size.Height-h))
	objects[1].Resize(fyne.NewSize(size.Width, h))
}

func (footed) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

type page struct{}

func (page) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	h := min(layout.HeightFor(objects[0], size.Width), size.Height*2/3)
	objects[0].Move(fyne.Position{})
	objects[0].Resize(fyne.NewSize(size.Width, h))
	objects[1].Move(fyne.NewPos(0, h))
	objects[1].Resize(fyne.NewSize(size.Width, max(0, size.Height-h)))
}

func (page) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }
