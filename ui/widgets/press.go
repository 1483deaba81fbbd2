package widgets

import (
	"cmp"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/keys"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// look is how a pressable thing is painted. Colours are names of the theme; "" is
// none, or for the states the same as at rest.
type look struct {
	fill, line          fyne.ThemeColorName
	hover, down, chosen fyne.ThemeColorName // fills
	radius              float32
	bleed               float32 // how far the box stands out at the sides
	// The line that shows the keyboard: how far outside it stands, and its colour if
	// not that of theme.Primary.
	ring     float32
	ringLine fyne.ThemeColorName
}

// press is what all pressable widgets are made of: a rounded box with content,
// that can be hovered, focused and pressed. The outer widget extends it.
type press struct {
	widget.BaseWidget
	ID  string
	Tip string // shown when the mouse or the keyboard rests on it

	tap      func()
	look     func() look
	content  fyne.CanvasObject
	insets   layout.Insets // at the usual text size
	hovered  bool
	down     bool
	focused  bool
	disabled bool
	selected bool
	tip      tipTimer
	outer    fyne.CanvasObject // the widget that is made of this
	drawn    *pressRenderer
}

// ExtendBaseWidget implements what fyne.Widgets are made with.
func (p *press) ExtendBaseWidget(w fyne.Widget) {
	p.outer = w
	p.BaseWidget.ExtendBaseWidget(w)
}

// DumpName names the widget in the dump of rectangles.
func (p *press) DumpName() string { return p.ID }

func (p *press) named(id string) { p.ID = id }

// Named gives a widget the name by which the dump of rectangles and tests know it.
func Named[W interface{ named(id string) }](id string, w W) W {
	w.named(id)
	return w
}

func (p *press) activate() {
	p.tip.hide()
	if !p.Disabled() {
		p.tap()
	}
}

func (p *press) Tapped(*fyne.PointEvent) { p.activate() }

// Cursor shows a hand where a press does something.
func (p *press) Cursor() desktop.Cursor {
	if p.Disabled() {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

func (p *press) MouseIn(*desktop.MouseEvent) {
	p.hovered = true
	p.tip.start(p.outer, p.Tip)
	p.restate()
}

func (p *press) MouseMoved(*desktop.MouseEvent) {}

func (p *press) MouseOut() {
	p.hovered, p.down = false, false
	p.tip.hide()
	p.restate()
}

func (p *press) MouseDown(e *desktop.MouseEvent) {
	p.tip.hide()
	p.down = e.Button == desktop.MouseButtonPrimary
	p.restate()
}

func (p *press) MouseUp(*desktop.MouseEvent) {
	if p.down {
		p.down = false
		p.restate()
	}
}

func (p *press) FocusGained() {
	p.focused = true
	reveal(p.outer)
	p.tip.start(p.outer, p.Tip)
	p.restate()
}

// hush keeps the tip from being shown until the mouse or the keyboard comes again.
func (p *press) hush() { p.tip.hide() }

func (p *press) FocusLost() {
	p.focused = false
	p.tip.hide()
	p.restate()
}

func (p *press) TypedRune(r rune) {
	if r == ' ' {
		p.activate()
	}
}

// TypedKey implements fyne.Focusable. Keys that a press has no use for go on.
func (p *press) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		p.activate()
	case fyne.KeySpace: // comes as a rune too
	default:
		keys.PassOn(p.outer, e)
	}
}

// Enable lets it be pressed, Disable does not.
func (p *press) Enable() { p.setDisabled(false) }

// Disable greys it out.
func (p *press) Disable() { p.setDisabled(true) }

func (p *press) setDisabled(off bool) {
	if p.disabled != off {
		p.disabled, p.down = off, false
		p.restate()
	}
}

// Disabled implements fyne.Disableable. What does nothing is passed by the Tab key
// too.
func (p *press) Disabled() bool { return p.disabled || p.tap == nil }

// SetSelected marks it as the one chosen.
func (p *press) SetSelected(on bool) {
	if p.selected != on {
		p.selected = on
		p.restate()
	}
}

func (p *press) HeightFor(width float32) float32 {
	in := p.pad()
	return layout.HeightFor(p.content, width-in.Left-in.Right) + in.Top + in.Bottom
}

// pad is the space around the content.
func (p *press) pad() layout.Insets {
	in := p.insets
	return layout.Insets{Top: theme.Eased(in.Top), Right: theme.Eased(in.Right), Bottom: theme.Eased(in.Bottom), Left: theme.Eased(in.Left)}
}

func (p *press) CreateRenderer() fyne.WidgetRenderer {
	r := &pressRenderer{p: p, box: canvas.NewRectangle(color.Transparent), ring: canvas.NewRectangle(color.Transparent)}
	r.ring.StrokeWidth = 2
	r.paint()
	p.drawn = r
	return r
}

// restate paints another state. The content is left alone: it may be a whole card.
func (p *press) restate() {
	if p.drawn != nil {
		p.drawn.paint()
		p.drawn.box.Refresh()
		p.drawn.ring.Refresh()
	}
}

type pressRenderer struct {
	p         *press
	box, ring *canvas.Rectangle
}

func (r *pressRenderer) paint() {
	l := r.p.look()
	r.box.FillColor = colorOf(r.p.fill(l))
	r.box.StrokeColor, r.box.StrokeWidth = colorOf(l.line), 0
	if l.line != "" {
		r.box.StrokeWidth = 1
	}
	r.box.CornerRadius = l.radius
	r.box.Move(fyne.NewPos(-l.bleed, 0))
	r.box.Resize(r.p.Size().AddWidthHeight(2*l.bleed, 0))
	r.ring.CornerRadius = l.radius + l.ring
	r.ring.StrokeColor = colorOf(cmp.Or(l.ringLine, theme.Primary))
	r.ring.Hidden = !r.p.focused
	r.ring.Move(fyne.NewPos(-l.ring, -l.ring))
	r.ring.Resize(r.p.Size().AddWidthHeight(2*l.ring, 2*l.ring))
}

// fill is the colour of the state.
func (p *press) fill(l look) fyne.ThemeColorName {
	live := !p.Disabled()
	switch {
	case live && p.down && l.down != "":
		return l.down
	case p.selected && l.chosen != "":
		return l.chosen
	case live && p.hovered && l.hover != "":
		return l.hover
	}
	return l.fill
}

func (r *pressRenderer) Layout(size fyne.Size) {
	in := r.p.pad()
	r.p.content.Move(fyne.NewPos(in.Left, in.Top))
	r.p.content.Resize(fyne.NewSize(size.Width-in.Left-in.Right, size.Height-in.Top-in.Bottom))
	r.paint()
}

func (r *pressRenderer) MinSize() fyne.Size {
	in := r.p.pad()
	return r.p.content.MinSize().AddWidthHeight(in.Left+in.Right, in.Top+in.Bottom)
}

func (r *pressRenderer) Refresh() {
	r.Layout(r.p.Size())
	r.box.Refresh()
	r.ring.Refresh()
	r.p.content.Refresh()
}

func (r *pressRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.box, r.p.content, r.ring}
}

func (r *pressRenderer) Destroy() { r.p.tip.hide() }
