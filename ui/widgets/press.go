package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// look is how a pressable thing is painted.
type look struct {
	fill, line fyne.ThemeColorName // "" for none
	hover      fyne.ThemeColorName // "" for the same as fill
	radius     float32
	selected   fyne.ThemeColorName // fill while it is selected
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
	insets   layout.Insets
	hovered  bool
	focused  bool
	disabled bool
	selected bool
	tip      tipTimer
}

// DumpName names the widget in the dump of rectangles.
func (p *press) DumpName() string { return p.ID }

func (p *press) activate() {
	if !p.disabled && p.tap != nil {
		p.tap()
	}
}

// Tapped implements fyne.Tappable.
func (p *press) Tapped(*fyne.PointEvent) { p.tip.hide(); p.activate() }

// Cursor shows a hand where a press does something.
func (p *press) Cursor() desktop.Cursor {
	if p.disabled || p.tap == nil {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

// MouseIn implements desktop.Hoverable.
func (p *press) MouseIn(*desktop.MouseEvent) {
	p.hovered = true
	p.tip.start(p.self(), p.Tip)
	p.Refresh()
}

// MouseMoved implements desktop.Hoverable.
func (p *press) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (p *press) MouseOut() {
	p.hovered = false
	p.tip.hide()
	p.Refresh()
}

// FocusGained implements fyne.Focusable.
func (p *press) FocusGained() { p.focused = true; p.Refresh() }

// FocusLost implements fyne.Focusable.
func (p *press) FocusLost() { p.focused = false; p.tip.hide(); p.Refresh() }

// TypedRune implements fyne.Focusable.
func (p *press) TypedRune(r rune) {
	if r == ' ' {
		p.activate()
	}
}

// TypedKey implements fyne.Focusable.
func (p *press) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter {
		p.activate()
	}
}

// Enable lets it be pressed, Disable does not.
func (p *press) Enable() { p.disabled = false; p.Refresh() }

// Disable greys it out.
func (p *press) Disable() { p.disabled = true; p.Refresh() }

// Disabled implements fyne.Disableable.
func (p *press) Disabled() bool { return p.disabled }

// SetSelected marks it as the one chosen.
func (p *press) SetSelected(on bool) {
	if p.selected != on {
		p.selected = on
		p.Refresh()
	}
}

func (p *press) self() fyne.CanvasObject { return p }

// HeightFor implements layout.Heighter.
func (p *press) HeightFor(width float32) float32 {
	return layout.HeightFor(p.content, width-p.insets.Left-p.insets.Right) + p.insets.Top + p.insets.Bottom
}

// CreateRenderer implements fyne.Widget.
func (p *press) CreateRenderer() fyne.WidgetRenderer {
	r := &pressRenderer{p: p, box: canvas.NewRectangle(color.Transparent), ring: canvas.NewRectangle(color.Transparent)}
	r.paint()
	return r
}

type pressRenderer struct {
	p         *press
	box, ring *canvas.Rectangle
}

func (r *pressRenderer) paint() {
	l := r.p.look()
	fill := l.fill
	if r.p.selected && l.selected != "" {
		fill = l.selected
	} else if r.p.hovered && !r.p.disabled && l.hover != "" {
		fill = l.hover
	}
	r.box.FillColor = colorOf(fill)
	r.box.StrokeColor, r.box.StrokeWidth = colorOf(l.line), 0
	if l.line != "" {
		r.box.StrokeWidth = 1
	}
	r.box.CornerRadius = l.radius
	r.ring.CornerRadius = l.radius
	r.ring.StrokeWidth, r.ring.StrokeColor = 0, color.Transparent
	if r.p.focused {
		r.ring.StrokeWidth, r.ring.StrokeColor = 2, theme.Color(theme.Primary)
	}
}

func colorOf(name fyne.ThemeColorName) color.Color {
	if name == "" {
		return color.Transparent
	}
	return theme.Color(name)
}

func (r *pressRenderer) Layout(size fyne.Size) {
	in := r.p.insets
	r.box.Resize(size)
	r.ring.Resize(size)
	r.p.content.Move(fyne.NewPos(in.Left, in.Top))
	r.p.content.Resize(fyne.NewSize(size.Width-in.Left-in.Right, size.Height-in.Top-in.Bottom))
}

func (r *pressRenderer) MinSize() fyne.Size {
	in := r.p.insets
	return r.p.content.MinSize().AddWidthHeight(in.Left+in.Right, in.Top+in.Bottom)
}

func (r *pressRenderer) Refresh() {
	r.paint()
	r.Layout(r.p.Size())
	r.box.Refresh()
	r.ring.Refresh()
	r.p.content.Refresh()
}

func (r *pressRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.box, r.p.content, r.ring}
}

func (r *pressRenderer) Destroy() { r.p.tip.hide() }
