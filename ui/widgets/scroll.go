package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/layout"
)

// Scroll shows a part of a content that is higher than its place.
type Scroll struct {
	widget.BaseWidget
	Content fyne.CanvasObject
	Least   fyne.Size // the minimum size; without a width, that of the content
	OnMoved func()    // called after it has scrolled; may be nil

	y     float32
	bar   *scrollBar
	glide glide
}

// NewScroll returns a scroll at the beginning of a content.
func NewScroll(content fyne.CanvasObject) *Scroll {
	s := &Scroll{Content: content}
	s.bar = newScrollBar(s)
	s.glide.by = func(dy float32) { s.move(s.y + dy) }
	s.ExtendBaseWidget(s)
	return s
}

// NewRoomy returns what asks for the height of its content, and scrolls it where it gets less.
func NewRoomy(content fyne.CanvasObject) fyne.CanvasObject {
	scroll := NewScroll(content)
	var all *layout.Arranged
	all = layout.NewArranged(content.MinSize().Width, func(width float32, put layout.Put) float32 {
		if put != nil {
			put(scroll, 0, 0, width, all.Size().Height)
		}
		return layout.HeightFor(content, width)
	}, scroll)
	return all
}

// Offset returns how much of the content is above, in points.
func (s *Scroll) Offset() float32 { return s.y }

// ScrollTo scrolls as far as the content reaches.
func (s *Scroll) ScrollTo(y float32) {
	s.glide.stop()
	s.move(y)
}

func (s *Scroll) move(y float32) {
	was := s.y
	s.y = y
	if s.place(); s.y == was {
		return
	}
	if s.bar.stir(); s.OnMoved != nil {
		s.OnMoved()
	}
}

// Scrolled implements fyne.Scrollable.
func (s *Scroll) Scrolled(e *fyne.ScrollEvent) {
	if e.Scrolled.DY != 0 {
		s.glide.turn(s, -wheelDistance(e.Scrolled.DY))
	}
}

// place places the content; it is at least as high as the scroll.
func (s *Scroll) place() {
	size := s.Size()
	high := max(size.Height, layout.HeightFor(s.Content, size.Width))
	s.y = max(0, min(s.y, high-size.Height))
	s.Content.Move(fyne.NewPos(0, -s.y))
	s.Content.Resize(fyne.NewSize(size.Width, high))
	s.bar.place(size)
}

func (s *Scroll) offset() (y, total float64) {
	return float64(s.y), float64(s.Content.Size().Height)
}

func (s *Scroll) scrollToOffset(y float64) { s.ScrollTo(float32(y)) }

// AtEnd reports whether the end is in sight.
func (s *Scroll) AtEnd() bool { return s.y+s.Size().Height >= s.Content.Size().Height }

// CreateRenderer implements fyne.Widget.
func (s *Scroll) CreateRenderer() fyne.WidgetRenderer { return &scrollRenderer{s} }

type scrollRenderer struct{ s *Scroll }

func (r *scrollRenderer) Layout(fyne.Size) { r.s.place() }

func (r *scrollRenderer) MinSize() fyne.Size {
	const least = 32
	size := r.s.Least.Max(fyne.NewSquareSize(least))
	if r.s.Least.Width == 0 {
		size.Width = max(size.Width, r.s.Content.MinSize().Width)
	}
	return size
}

func (r *scrollRenderer) Refresh() {
	r.s.Content.Refresh()
	r.s.place()
	r.s.bar.Refresh()
}

func (r *scrollRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.s.Content, r.s.bar}
}

func (r *scrollRenderer) Destroy() {}
