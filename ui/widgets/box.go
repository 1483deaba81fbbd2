package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// box is a rectangle that follows the theme.
type box struct {
	widget.BaseWidget
	fill, line fyne.ThemeColorName // "" for none
	radius     float32
}

func newBox(fill, line fyne.ThemeColorName, radius float32) *box {
	b := &box{fill: fill, line: line, radius: radius}
	b.ExtendBaseWidget(b)
	return b
}

// boxOf is a rounded box of a colour behind an object.
func boxOf(fill, line fyne.ThemeColorName, radius float32, o fyne.CanvasObject) *fyne.Container {
	return layout.Stack(newBox(fill, line, radius), o)
}

func colorOf(name fyne.ThemeColorName) color.Color {
	if name == "" {
		return color.Transparent
	}
	return theme.Color(name)
}

func (b *box) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{b: b, rect: canvas.NewRectangle(nil)}
	r.paint()
	return r
}

type boxRenderer struct {
	b    *box
	rect *canvas.Rectangle
}

func (r *boxRenderer) paint() {
	r.rect.FillColor, r.rect.StrokeColor = colorOf(r.b.fill), colorOf(r.b.line)
	r.rect.CornerRadius = r.b.radius
	r.rect.StrokeWidth = 0
	if r.b.line != "" {
		r.rect.StrokeWidth = 1
	}
}

func (r *boxRenderer) Layout(size fyne.Size)        { r.rect.Resize(size) }
func (r *boxRenderer) MinSize() fyne.Size           { return fyne.Size{} }
func (r *boxRenderer) Refresh()                     { r.paint(); r.rect.Refresh() }
func (r *boxRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.rect} }
func (r *boxRenderer) Destroy()                     {}

// NewCard puts content into a rounded, bordered box.
func NewCard(content fyne.CanvasObject) *fyne.Container {
	return boxOf(theme.Surface, theme.Line, theme.RadiusCard, layout.Pad(layout.All(theme.CardPadding+2), content))
}

// NewFrame puts content, without a space around it, into a rounded box of colours
// of the theme; "" leaves the fill or the line out.
func NewFrame(fill, line fyne.ThemeColorName, radius float32, content fyne.CanvasObject) *fyne.Container {
	return boxOf(fill, line, radius, content)
}

// Rule is a thin line across.
type Rule struct{ box }

// NewRule returns a rule.
func NewRule() *Rule {
	r := &Rule{box{fill: theme.Line}}
	r.ExtendBaseWidget(r)
	return r
}

// MinSize is one point high.
func (r *Rule) MinSize() fyne.Size { return fyne.NewSize(1, 1) }

// HeightFor implements layout.Heighter.
func (r *Rule) HeightFor(float32) float32 { return 1 }

// Dot is a small disc that stands for a state; words stand beside it.
type Dot struct{ box }

// NewDot returns a dot.
func NewDot(color fyne.ThemeColorName) *Dot {
	d := &Dot{box{fill: color, radius: 4.5}}
	d.ExtendBaseWidget(d)
	return d
}

// SetColor shows another state.
func (d *Dot) SetColor(color fyne.ThemeColorName) { d.fill = color; d.Refresh() }

// MinSize is 9 points.
func (d *Dot) MinSize() fyne.Size { return fyne.NewSquareSize(9) }
