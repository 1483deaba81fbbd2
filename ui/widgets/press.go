// Package widgets holds the controls of the window, in the look of tokens.json.
//
// Each works with the mouse and with the keyboard (Tab, Enter, Space), shows when it has the
// focus, and names itself in the dump of rectangles (DumpName), which the test that clicks
// through the real window reads. They draw and hold no logic of a screen:
//
//	b := widgets.Named("save.save", widgets.NewButton("Save", widgets.Primary, save))
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

// Look is how a [Press] is drawn. An empty colour draws nothing, or in a state what is drawn
// at rest. Lengths are in points.
type Look struct {
	Fill, Line          fyne.ThemeColorName
	Hover, Down, Chosen fyne.ThemeColorName // fills
	Radius              float32
	Bleed               float32 // how far the box extends beyond both sides
	// The focus ring: its distance from the widget, and its colour if not [theme.Primary].
	Ring     float32
	RingLine fyne.ThemeColorName
}

// Press is the base of everything that can be pressed: a rounded box around its content that
// can be hovered, focused and pressed. Another widget embeds it, fills in the fields and
// extends itself as its base.
type Press struct {
	widget.BaseWidget
	ID      string          // in the dump of rectangles
	Tip     string          // shown when the mouse or the keyboard rests on it
	Tap     func()          // nil disables it
	Over    func(over bool) // called when the mouse enters and leaves; may be nil
	Look    func() Look
	Content fyne.CanvasObject
	Insets  layout.Insets // at the usual text size
	Rigid   bool          // the insets do not grow with the text

	hovered, down, focused, disabled, selected bool
	calm                                       bool // focused without a ring: see HideRing

	tip   tipTimer
	outer fyne.CanvasObject // the widget that embeds this one
	drawn *pressRenderer
}

// ExtendBaseWidget implements fyne.Widget. It remembers the widget that embeds this one, since
// only that one is on a canvas.
func (p *Press) ExtendBaseWidget(w fyne.Widget) {
	p.outer = w
	p.BaseWidget.ExtendBaseWidget(w)
}

// DumpName names the widget in the dump of rectangles.
func (p *Press) DumpName() string { return p.ID }

func (p *Press) named(id string) { p.ID = id }

// Named gives a widget the name by which tests and the dump of rectangles find it.
func Named[W interface{ named(id string) }](id string, w W) W {
	w.named(id)
	return w
}

func (p *Press) activate() {
	p.tip.hide()
	if !p.Disabled() {
		p.Tap()
	}
}

// Tapped implements fyne.Tappable. What the program focuses in answer to the mouse shows no
// ring until a key is pressed.
func (p *Press) Tapped(*fyne.PointEvent) {
	c := fyne.CurrentApp().Driver().CanvasForObject(p.outer)
	p.activate()
	if c == nil {
		return
	}
	if f, ok := c.Focused().(interface{ HideRing() }); ok {
		f.HideRing()
	}
}

// HideRing hides the focus ring until a key is pressed.
func (p *Press) HideRing() { p.setCalm(true) }

func (p *Press) setCalm(calm bool) {
	if p.calm != calm {
		p.calm = calm
		p.restate()
	}
}

// Cursor is a hand unless the widget is disabled.
func (p *Press) Cursor() desktop.Cursor {
	if p.Disabled() {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

// MouseIn implements desktop.Hoverable.
func (p *Press) MouseIn(*desktop.MouseEvent) {
	p.hovered = true
	if p.Over != nil {
		p.Over(true)
	}
	p.tip.start(p.outer, p.Tip)
	p.restate()
}

// MouseMoved implements desktop.Hoverable.
func (p *Press) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (p *Press) MouseOut() {
	p.hovered, p.down = false, false
	if p.Over != nil {
		p.Over(false)
	}
	p.tip.hide()
	p.restate()
}

// MouseDown implements desktop.Mouseable.
func (p *Press) MouseDown(e *desktop.MouseEvent) {
	p.tip.hide()
	p.down = e.Button == desktop.MouseButtonPrimary
	p.restate()
}

// MouseUp implements desktop.Mouseable.
func (p *Press) MouseUp(*desktop.MouseEvent) {
	p.down = false
	p.restate()
}

// FocusGained implements fyne.Focusable.
func (p *Press) FocusGained() {
	p.focused = true
	reveal(p.outer)
	p.tip.start(p.outer, p.Tip)
	p.restate()
}

// hush cancels the tip of a widget that the program focused, not the user.
func (p *Press) hush() { p.tip.hide() }

// FocusLost implements fyne.Focusable.
func (p *Press) FocusLost() {
	p.focused, p.calm = false, false
	p.tip.hide()
	p.restate()
}

// TypedRune presses it with the space bar.
func (p *Press) TypedRune(r rune) {
	p.setCalm(false)
	if r == ' ' {
		p.activate()
	}
}

// TypedKey presses it with Enter and passes other keys on.
func (p *Press) TypedKey(e *fyne.KeyEvent) {
	p.setCalm(false)
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		p.activate()
	case fyne.KeySpace: // arrives as a rune too
	default:
		keys.PassOn(p.outer, e)
	}
}

// Enable implements fyne.Disableable.
func (p *Press) Enable() { p.setDisabled(false) }

// Disable greys the widget out and keeps the Tab key away from it.
func (p *Press) Disable() { p.setDisabled(true) }

func (p *Press) setDisabled(off bool) {
	if p.disabled != off {
		p.disabled, p.down = off, false
		p.restate()
	}
}

// Disabled reports whether the widget was disabled or has nothing to do.
func (p *Press) Disabled() bool { return p.disabled || p.Tap == nil }

// SetSelected marks the widget as the chosen one of several.
func (p *Press) SetSelected(on bool) {
	if p.selected != on {
		p.selected = on
		p.restate()
	}
}

// HeightFor implements layout.Heighter.
func (p *Press) HeightFor(width float32) float32 {
	in := p.pad()
	return layout.HeightFor(p.Content, width-in.Left-in.Right) + in.Top + in.Bottom
}

// pad returns the insets at the current text size.
func (p *Press) pad() layout.Insets {
	in := p.Insets
	if p.Rigid {
		return in
	}
	return layout.Insets{Top: theme.Eased(in.Top), Right: theme.Eased(in.Right), Bottom: theme.Eased(in.Bottom), Left: theme.Eased(in.Left)}
}

// CreateRenderer implements fyne.Widget.
func (p *Press) CreateRenderer() fyne.WidgetRenderer {
	r := &pressRenderer{p: p, box: canvas.NewRectangle(color.Transparent), ring: canvas.NewRectangle(color.Transparent)}
	r.ring.StrokeWidth = 2
	r.paint()
	p.drawn = r
	return r
}

// restate paints a new state and leaves the content alone, which may be a whole card.
func (p *Press) restate() {
	if p.drawn != nil {
		p.drawn.paint()
		p.drawn.box.Refresh()
		p.drawn.ring.Refresh()
	}
}

type pressRenderer struct {
	p         *Press
	box, ring *canvas.Rectangle
}

func (r *pressRenderer) paint() {
	p, l := r.p, r.p.Look()
	fill := l.Fill
	switch live := !p.Disabled(); {
	case live && p.down && l.Down != "":
		fill = l.Down
	case p.selected && l.Chosen != "":
		fill = l.Chosen
	case live && p.hovered && l.Hover != "":
		fill = l.Hover
	}
	r.box.FillColor = colorOf(fill)
	r.box.StrokeColor, r.box.StrokeWidth = colorOf(l.Line), 0
	if l.Line != "" {
		r.box.StrokeWidth = 1
	}
	r.box.CornerRadius = l.Radius
	r.box.Move(fyne.NewPos(-l.Bleed, 0))
	r.box.Resize(p.Size().AddWidthHeight(2*l.Bleed, 0))
	r.ring.CornerRadius = l.Radius + l.Ring
	r.ring.StrokeColor = colorOf(cmp.Or(l.RingLine, theme.Primary))
	r.ring.Hidden = !p.focused || p.calm
	r.ring.Move(fyne.NewPos(-l.Ring, -l.Ring))
	r.ring.Resize(p.Size().AddWidthHeight(2*l.Ring, 2*l.Ring))
}

func (r *pressRenderer) Layout(size fyne.Size) {
	in := r.p.pad()
	r.p.Content.Move(fyne.NewPos(in.Left, in.Top))
	r.p.Content.Resize(fyne.NewSize(size.Width-in.Left-in.Right, size.Height-in.Top-in.Bottom))
	r.paint()
}

func (r *pressRenderer) MinSize() fyne.Size {
	in := r.p.pad()
	return r.p.Content.MinSize().AddWidthHeight(in.Left+in.Right, in.Top+in.Bottom)
}

func (r *pressRenderer) Refresh() {
	r.Layout(r.p.Size())
	r.box.Refresh()
	r.ring.Refresh()
	r.p.Content.Refresh()
}

func (r *pressRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.box, r.p.Content, r.ring}
}

func (r *pressRenderer) Destroy() { r.p.tip.hide() }
