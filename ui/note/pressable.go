package note

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/keys"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// pressable is a part of a card that can be clicked: a frame around a content,
// with a ring when it has the keyboard. With tap nil it lets clicks through to
// the eye only: it does nothing.
type pressable struct {
	widget.BaseWidget
	name      string // in the dump of rectangles
	tap       func()
	content   fyne.CanvasObject
	radius    float32
	in        layout.Insets
	fill      fyne.ThemeColorName // "" for none
	stroke    fyne.ThemeColorName
	dashed    bool
	mouseOnly bool
	over      func(on bool) // tells the card; may be nil

	hover, focus bool
}

// DumpName names it in the dump of rectangles.
func (p *pressable) DumpName() string { return p.name }

func (p *pressable) Tapped(*fyne.PointEvent) {
	if p.tap != nil {
		p.tap()
	}
}

func (p *pressable) Cursor() desktop.Cursor {
	if p.tap == nil {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

func (p *pressable) MouseIn(*desktop.MouseEvent)    { p.setHover(true) }
func (p *pressable) MouseMoved(*desktop.MouseEvent) {}
func (p *pressable) MouseOut()                      { p.setHover(false) }

func (p *pressable) setHover(on bool) {
	if p.over != nil {
		p.over(on)
	}
	p.hover = on && p.tap != nil
	p.Refresh()
}

func (p *pressable) FocusGained() { p.focus = true; p.Refresh() }
func (p *pressable) FocusLost()   { p.focus = false; p.Refresh() }

// TypedRune presses it with the space bar.
func (p *pressable) TypedRune(r rune) {
	if r == ' ' {
		p.Tapped(nil)
	}
}

// TypedKey presses it with Enter. Keys that it has no use for are the window's.
func (p *pressable) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		p.Tapped(nil)
	case fyne.KeySpace: // comes as a rune too
	default:
		keys.PassOn(p, e)
	}
}

// Disabled keeps the keyboard away from what only the mouse needs.
func (p *pressable) Disabled() bool { return p.mouseOnly || p.tap == nil }

func (p *pressable) Enable()  {}
func (p *pressable) Disable() {}

func (p *pressable) HeightFor(width float32) float32 {
	return layout.HeightFor(p.content, width-p.in.Left-p.in.Right) + p.in.Top + p.in.Bottom
}

func (p *pressable) MinSize() fyne.Size {
	m := p.content.MinSize()
	return fyne.NewSize(m.Width+p.in.Left+p.in.Right, m.Height+p.in.Top+p.in.Bottom)
}

func (p *pressable) CreateRenderer() fyne.WidgetRenderer {
	r := &pressableRenderer{p: p, back: canvas.NewRectangle(color.Transparent), ring: canvas.NewRectangle(color.Transparent)}
	r.ring.StrokeWidth = 2
	if p.dashed {
		r.dashes = canvas.NewRaster(dashes(p.radius))
	}
	r.Refresh()
	return r
}

type pressableRenderer struct {
	p          *pressable
	back, ring *canvas.Rectangle
	dashes     *canvas.Raster
	faint      color.Color // that the dashes were drawn in
}

func (r *pressableRenderer) Destroy()           {}
func (r *pressableRenderer) MinSize() fyne.Size { return r.p.MinSize() }

func (r *pressableRenderer) Objects() []fyne.CanvasObject {
	if r.dashes != nil {
		return []fyne.CanvasObject{r.back, r.dashes, r.p.content, r.ring}
	}
	return []fyne.CanvasObject{r.back, r.p.content, r.ring}
}

func (r *pressableRenderer) Layout(size fyne.Size) {
	in := r.p.in
	r.back.Resize(size)
	if r.dashes != nil {
		r.dashes.Resize(size)
	}
	r.ring.Resize(size)
	r.p.content.Move(fyne.NewPos(in.Left, in.Top))
	r.p.content.Resize(fyne.NewSize(size.Width-in.Left-in.Right, size.Height-in.Top-in.Bottom))
}

func (r *pressableRenderer) Refresh() {
	p := r.p
	r.back.CornerRadius, r.ring.CornerRadius = p.radius, p.radius
	r.back.FillColor, r.back.StrokeColor, r.back.StrokeWidth = color.Transparent, color.Transparent, 0
	if p.fill != "" {
		r.back.FillColor = theme.Color(p.fill)
	}
	if p.hover && (p.fill != "" || p.stroke != "" || p.dashed) {
		r.back.FillColor = theme.Color(theme.Chip)
		if p.fill == theme.Chip {
			r.back.FillColor = theme.Color(theme.Line)
		}
	}
	if p.stroke != "" {
		r.back.StrokeColor, r.back.StrokeWidth = theme.Color(p.stroke), 1
	}
	if c := theme.Color(theme.Faint); r.dashes != nil && r.faint != c {
		r.faint = c
		r.dashes.Refresh()
	}
	r.ring.StrokeColor = theme.Color(theme.Primary)
	r.ring.Hidden = !p.focus
	if p.Size().Width > 0 {
		r.Layout(p.Size())
	}
	canvas.Refresh(p)
}
