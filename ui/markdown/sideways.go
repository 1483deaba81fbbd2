package markdown

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

const barHeight = 6 // of the bar below content that scrolls sideways, in points

// sideways shows code, which the wheel, dragging and the arrow keys move sideways where it is too
// wide. Fyne's own scroll would keep the vertical turns of the wheel from the list around it.
type sideways struct {
	layout.Arranged
	content *codeLines
	offset  float32
}

func newSideways(content *codeLines, opt *Options) *sideways {
	s := &sideways{content: content}
	inner := container.New(&shifted{s}, content)
	clip := container.NewClip(inner)
	m := newMover(s)
	var over fyne.CanvasObject = m
	if opt.Scrolled != nil {
		w := &wheel{mover: m, scrolled: opt.Scrolled}
		w.ExtendBaseWidget(w)
		over = w
	} else {
		m.ExtendBaseWidget(m)
	}
	s.Least, s.Objects = 40, []fyne.CanvasObject{clip}
	s.Paint = content.Refresh
	s.Arrange = func(width float32, put layout.Put) float32 {
		natural := content.natural()
		height := content.HeightFor(0)
		if natural > width {
			height += barHeight + 2
		}
		if put == nil {
			return height
		}
		s.offset = min(s.offset, s.excess())
		for _, o := range []fyne.CanvasObject{clip, inner, over} {
			o.Resize(s.Size())
		}
		inner.Layout.Layout(nil, s.Size())
		// Where all fits, the mover is left out so that the wheel reaches the list around.
		if s.Objects = s.Objects[:1]; s.excess() > 0 {
			s.Objects = append(s.Objects, over)
		}
		return height
	}
	s.ExtendBaseWidget(s)
	return s
}

// excess returns the width of the content that does not fit.
func (s *sideways) excess() float32 { return max(0, s.content.natural()-s.Size().Width) }

func (s *sideways) moveTo(offset float32) {
	offset = min(max(0, offset), s.excess())
	if offset != s.offset {
		s.offset = offset
		s.Refresh()
	}
}

// shifted gives the content its natural width, and moves it by the offset.
type shifted struct{ s *sideways }

func (l *shifted) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	w := max(l.s.Size().Width, l.s.content.natural())
	l.s.content.Move(fyne.NewPos(-l.s.offset, 0))
	l.s.content.Resize(fyne.NewSize(w, l.s.content.HeightFor(0)))
}

func (l *shifted) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// mover is in front of content that does not fit: it shows the bar and moves the content.
type mover struct {
	layout.Arranged
	s    *sideways
	ring *canvas.Rectangle
}

func newMover(s *sideways) *mover {
	bar, ring := canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	bar.CornerRadius = barHeight / 2
	ring.CornerRadius, ring.StrokeWidth, ring.Hidden = 4, 2, true
	m := &mover{s: s, ring: ring}
	m.Objects = []fyne.CanvasObject{bar, ring}
	m.Paint = func() {
		bar.FillColor, ring.StrokeColor = theme.Color(theme.Line), theme.Color(theme.Primary)
	}
	m.Arrange = func(width float32, put layout.Put) float32 {
		if put == nil {
			return 0
		}
		height := m.Size().Height
		w, x := max(24, width*width/max(1, s.content.natural())), float32(0)
		if n := s.excess(); n > 0 {
			x = (width - w) * s.offset / n
		}
		put(ring, 0, 0, width, height)
		put(bar, x, height-barHeight, w, barHeight)
		return height
	}
	return m
}

const step = 60 // how far an arrow key moves, in points

// Dragged implements fyne.Draggable.
func (m *mover) Dragged(e *fyne.DragEvent) {
	d := -e.Dragged.DX
	if e.Position.Y > m.Size().Height-barHeight-4 { // on the bar, which moves the other way
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

// wheel is a mover that the wheel moves too. Fyne gives the turns of the wheel to one object
// only, so it passes the vertical ones on to scrolled.
type wheel struct {
	*mover
	scrolled func(*fyne.ScrollEvent)
}

// Scrolled implements fyne.Scrollable.
func (w *wheel) Scrolled(e *fyne.ScrollEvent) {
	if e.Scrolled.DX != 0 {
		w.s.moveTo(w.s.offset - e.Scrolled.DX)
	}
	if e.Scrolled.DY != 0 {
		w.scrolled(e)
	}
}
