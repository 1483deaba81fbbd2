package markdown

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/theme"
)

// barHeight is that of the bar below what scrolls to the side, in points.
const barHeight = 6

// wide is content that may be wider than the room for it.
type wide interface {
	fyne.CanvasObject
	// natural is the width that it needs.
	natural() float32
	HeightFor(width float32) float32
}

// sideways shows wide content, and lets it be moved to the side by the wheel, by
// dragging, and with the arrow keys, where it is wider than the room.
type sideways struct {
	widget.BaseWidget
	content wide
	inner   *fyne.Container
	clip    *container.Clip
	mover   *mover
	over    fyne.CanvasObject // the mover, or the wheel around it
	offset  float32
}

func newSideways(content wide, opt *Options) *sideways {
	s := &sideways{content: content}
	s.inner = container.New(&shifted{s}, content)
	s.clip = container.NewClip(s.inner)
	s.mover = &mover{s: s, bar: canvas.NewRectangle(nil), ring: canvas.NewRectangle(nil)}
	s.over = s.mover
	if opt.Scrolled != nil {
		w := &wheel{mover: s.mover, scrolled: opt.Scrolled}
		w.ExtendBaseWidget(w)
		s.over = w
	} else {
		s.mover.ExtendBaseWidget(s.mover)
	}
	s.ExtendBaseWidget(s)
	return s
}

func (s *sideways) HeightFor(width float32) float32 {
	n := s.content.natural()
	h := s.content.HeightFor(max(width, n))
	if n > width {
		h += barHeight + 2
	}
	return h
}

func (s *sideways) MinSize() fyne.Size { return fyne.NewSize(40, s.HeightFor(max(40, s.Size().Width))) }

// excess is how much of the content does not fit.
func (s *sideways) excess() float32 { return max(0, s.content.natural()-s.Size().Width) }

func (s *sideways) moveTo(offset float32) {
	offset = min(max(0, offset), s.excess())
	if offset != s.offset {
		s.offset = offset
		s.Refresh()
	}
}

func (s *sideways) CreateRenderer() fyne.WidgetRenderer { return &sidewaysRenderer{s} }

type sidewaysRenderer struct{ s *sideways }

func (r *sidewaysRenderer) Layout(size fyne.Size) {
	r.s.offset = min(r.s.offset, r.s.excess())
	r.s.clip.Resize(size)
	r.s.inner.Resize(size)
	r.s.inner.Layout.Layout(r.s.inner.Objects, size)
	r.s.over.Resize(size)
}

func (r *sidewaysRenderer) MinSize() fyne.Size { return r.s.MinSize() }

func (r *sidewaysRenderer) Refresh() {
	r.Layout(r.s.Size())
	r.s.content.Refresh()
	r.s.over.Refresh()
	canvas.Refresh(r.s)
}

// Objects leaves the mover out where all fits, so that the wheel goes to the list
// around.
func (r *sidewaysRenderer) Objects() []fyne.CanvasObject {
	if r.s.excess() > 0 {
		return []fyne.CanvasObject{r.s.clip, r.s.over}
	}
	return []fyne.CanvasObject{r.s.clip}
}

func (r *sidewaysRenderer) Destroy() {}

// shifted lays the content out at its width, moved by the offset.
type shifted struct{ s *sideways }

func (l *shifted) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	w := max(l.s.Size().Width, l.s.content.natural())
	l.s.content.Move(fyne.NewPos(-l.s.offset, 0))
	l.s.content.Resize(fyne.NewSize(w, l.s.content.HeightFor(w)))
}

func (l *shifted) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// mover lies over content that does not fit: its bar, and what moves it.
type mover struct {
	widget.BaseWidget
	s         *sideways
	bar, ring *canvas.Rectangle
}

// step is how far an arrow key moves, in points.
const step = 60

// Dragged moves as the mouse does.
func (m *mover) Dragged(e *fyne.DragEvent) {
	d := -e.Dragged.DX
	if e.Position.Y > m.Size().Height-barHeight-4 { // the bar itself
		d = e.Dragged.DX * m.s.content.natural() / max(1, m.Size().Width)
	}
	m.s.moveTo(m.s.offset + d)
}

func (m *mover) DragEnd()       {}
func (m *mover) FocusGained()   { m.ring.Hidden = false; m.Refresh() }
func (m *mover) FocusLost()     { m.ring.Hidden = true; m.Refresh() }
func (m *mover) TypedRune(rune) {}

// TypedKey moves with the arrow keys, Home and End.
func (m *mover) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft:
		m.s.moveTo(m.s.offset - step)
	case fyne.KeyRight:
		m.s.moveTo(m.s.offset + step)
	case fyne.KeyHome:
		m.s.moveTo(0)
	case fyne.KeyEnd:
		m.s.moveTo(m.s.excess())
	}
}

// wheel is a mover that the wheel moves too. It needs someone who takes the other
// turns of the wheel, which Fyne gives to nobody else.
type wheel struct {
	*mover
	scrolled func(*fyne.ScrollEvent)
}

// Scrolled moves to the side; other turns of the wheel go to the list around.
func (w *wheel) Scrolled(e *fyne.ScrollEvent) {
	if e.Scrolled.DX != 0 {
		w.s.moveTo(w.s.offset - e.Scrolled.DX)
	}
	if e.Scrolled.DY != 0 {
		w.scrolled(e)
	}
}

// MinSize is nothing: it lies over what it moves.
func (m *mover) MinSize() fyne.Size { return fyne.Size{} }

func (m *mover) CreateRenderer() fyne.WidgetRenderer {
	m.bar.CornerRadius = barHeight / 2
	m.ring.CornerRadius, m.ring.StrokeWidth, m.ring.Hidden = 4, 2, true
	r := &moverRenderer{m}
	r.Refresh()
	return r
}

type moverRenderer struct{ m *mover }

func (r *moverRenderer) Layout(size fyne.Size) {
	m := r.m
	m.ring.Resize(size)
	n := max(1, m.s.content.natural())
	w := max(24, size.Width*size.Width/n)
	x := float32(0)
	if n := m.s.excess(); n > 0 {
		x = (size.Width - w) * m.s.offset / n
	}
	m.bar.Move(fyne.NewPos(x, size.Height-barHeight))
	m.bar.Resize(fyne.NewSize(w, barHeight))
}

func (r *moverRenderer) MinSize() fyne.Size           { return fyne.Size{} }
func (r *moverRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.m.bar, r.m.ring} }
func (r *moverRenderer) Destroy()                     {}

func (r *moverRenderer) Refresh() {
	r.m.bar.FillColor = theme.Color(theme.Line)
	r.m.ring.StrokeColor = theme.Color(theme.Primary)
	r.Layout(r.m.Size())
	r.m.bar.Refresh()
	r.m.ring.Refresh()
}
