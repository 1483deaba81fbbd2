package chat

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// The most that an answer is wide, and the window's width below which its sides
// get narrow: lines that are too long are hard to read.
const (
	widestAnswer = 860
	narrowWindow = 560
	narrowSides  = 16
)

// inner returns where the answers stand in a width: their left side, and how wide
// they are. The composer stands on the same lines.
func inner(width float32) (left, wide float32) {
	sides := theme.ChatPadding
	if width < narrowWindow {
		sides = narrowSides
	}
	wide = max(0, min(width-2*sides, widestAnswer))
	return float32(math.Floor(float64(width-wide) / 2)), wide
}

func ceil(f float32) float32 { return float32(math.Ceil(float64(f))) }

// drawer draws rows of one kind. It is used again for other rows of its kind.
type drawer interface {
	// object returns what is drawn; always the same.
	object() fyne.CanvasObject
	draw(r row)
}

// slot is a row of the list: a drawer's object between the sides of the chat, with
// a space above.
type slot struct {
	widget.BaseWidget
	drawer drawer
	gap    float32
	width  float32
	row    row
	look   theme.Look // that the row was drawn in
}

func newSlot(d drawer) *slot {
	s := &slot{drawer: d}
	s.ExtendBaseWidget(s)
	return s
}

func (s *slot) HeightFor(width float32) float32 {
	_, wide := inner(width)
	// Whole points: thin lines stay sharp in all rows below.
	return s.gap + ceil(layout.HeightFor(s.drawer.object(), wide))
}

func (s *slot) MinSize() fyne.Size { return fyne.NewSize(120, s.HeightFor(max(s.width, 120))) }

// arrange places the drawer's object in a width.
func (s *slot) arrange(width float32) {
	s.width = width
	left, wide := inner(width)
	o := s.drawer.object()
	o.Move(fyne.NewPos(left, s.gap))
	o.Resize(fyne.NewSize(wide, layout.HeightFor(o, wide)))
}

// bind draws a row. What changed in it is drawn by the drawer itself.
func (s *slot) bind(r row) {
	s.gap = r.gap
	s.row, s.look = r, theme.Shown()
	s.drawer.draw(r)
	s.arrange(s.Size().Width)
}

func (s *slot) CreateRenderer() fyne.WidgetRenderer { return &slotRenderer{s} }

type slotRenderer struct{ slot *slot }

func (r *slotRenderer) Layout(size fyne.Size) { r.slot.arrange(size.Width) }
func (r *slotRenderer) MinSize() fyne.Size    { return r.slot.MinSize() }
func (r *slotRenderer) Refresh() {
	if s := r.slot; s.row.id != "" && s.look != theme.Shown() {
		s.bind(s.row) // some sizes are chosen as it is drawn
	}
	r.Layout(r.slot.Size())
	r.slot.drawer.object().Refresh()
}

func (r *slotRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.slot.drawer.object()}
}
func (r *slotRenderer) Destroy() {}

// flow places objects at their smallest sizes in lines, centred on each, within
// left and right of a width. It returns the height and how wide the widest line is.
func flow(objects []fyne.CanvasObject, gap, x0, y0, width float32, put layout.Put) (height, widest float32) {
	type item struct {
		o    fyne.CanvasObject
		x, w float32
		h    float32
	}
	var line []item
	x, y := float32(0), float32(0)
	end := func() {
		var high float32
		for _, it := range line {
			high = max(high, it.h)
		}
		for _, it := range line {
			if put != nil {
				put(it.o, x0+it.x, y0+y+(high-it.h)/2, it.w, it.h)
			}
			widest = max(widest, it.x+it.w)
		}
		y += high
		line = line[:0]
	}
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		size := o.MinSize()
		w := min(size.Width, width)
		if len(line) > 0 && x+w > width {
			end()
			x, y = 0, y+gap
		}
		line = append(line, item{o, x, w, layout.HeightFor(o, w)})
		x += w + gap
	}
	end()
	return y, widest
}
