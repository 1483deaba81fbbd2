package table

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// header is the line of the columns' names; a click sorts by one.
type header struct {
	widget.BaseWidget
	t     *Table
	names []*prose.Text
	arrow *canvas.Polygon // at the column that the rows are sorted by
	rule  *canvas.Rectangle
	ring  *canvas.Rectangle
}

// sortRoom is what the arrow takes beside a name.
func sortRoom(size float32) float32 { return size*0.6 + 4 }

func newHeader(t *Table) *header {
	h := &header{t: t, arrow: canvas.NewPolygon(3, nil), rule: canvas.NewRectangle(nil), ring: canvas.NewRectangle(nil)}
	for _, c := range t.data.columns {
		name := prose.New(prose.Span{Text: c.name, Size: theme.Small, Color: theme.Muted, Bold: true})
		name.MaxLines = 1
		h.names = append(h.names, name)
	}
	h.ring.StrokeWidth, h.ring.CornerRadius = 2, 4
	h.ExtendBaseWidget(h)
	return h
}

// DumpName names the columns' names in the dump of rectangles.
func (h *header) DumpName() string { return h.t.ID + ".head" }

func (h *header) HeightFor(float32) float32 { return h.t.grid.line() }
func (h *header) MinSize() fyne.Size        { return fyne.NewSize(1, h.t.grid.line()) }

func (h *header) Tapped(e *fyne.PointEvent) {
	h.t.Sort(columnAt(h.t.grid.ends, e.Position.X+h.t.grid.offset))
}

func (h *header) Cursor() desktop.Cursor              { return desktop.PointerCursor }
func (h *header) CreateRenderer() fyne.WidgetRenderer { return &headerRenderer{h} }

type headerRenderer struct{ h *header }

func (r *headerRenderer) Destroy()           {}
func (r *headerRenderer) MinSize() fyne.Size { return r.h.MinSize() }

func (r *headerRenderer) Objects() []fyne.CanvasObject {
	out := []fyne.CanvasObject{r.h.rule}
	for _, n := range r.h.names {
		out = append(out, n)
	}
	return append(out, r.h.arrow, r.h.ring)
}

func (r *headerRenderer) Layout(size fyne.Size) {
	h, g := r.h, r.h.t.grid
	g.fit(size.Width)
	h.rule.FillColor = theme.Color(theme.Line)
	h.rule.Resize(fyne.NewSize(size.Width, 1))
	h.rule.Move(fyne.NewPos(0, size.Height-1))
	h.arrow.Hide()
	line := g.size * 1.5
	for c, name := range h.names {
		start, width := g.ends[c]-g.cols[c].width-g.offset, g.cols[c].width
		sorted := h.t.data.by == c
		room := width - 2*cellPad
		if sorted {
			room -= sortRoom(g.size)
		}
		own := min(room, name.NaturalWidth(max(room, 1)))
		x := start + cellPad
		if h.t.data.columns[c].numeric {
			x = start + cellPad + room - own
		}
		name.Resize(fyne.NewSize(max(own, 1), line))
		name.Move(fyne.NewPos(x, (size.Height-line)/2))
		if sorted {
			h.placeArrow(x+own+4, size.Height)
		}
	}
	h.ring.Hidden = !g.focused || g.row >= 0 || g.col >= len(g.ends)
	if !h.ring.Hidden {
		h.ring.StrokeColor = theme.Color(theme.Primary)
		h.ring.Move(fyne.NewPos(g.ends[g.col]-g.cols[g.col].width-g.offset+1, 1))
		h.ring.Resize(fyne.NewSize(g.cols[g.col].width-2, size.Height-3))
	}
}

// placeArrow draws a small triangle: upwards where the smallest come first.
func (h *header) placeArrow(x, height float32) {
	side := h.t.grid.size * 0.6
	h.arrow.FillColor, h.arrow.Angle = theme.Color(theme.Muted), 0
	if h.t.data.down {
		h.arrow.Angle = 180
	}
	h.arrow.Resize(fyne.NewSize(side, side))
	h.arrow.Move(fyne.NewPos(x, (height-side)/2))
	h.arrow.Show()
}

func (r *headerRenderer) Refresh() {
	r.Layout(r.h.Size())
	for _, n := range r.h.names {
		n.Refresh()
	}
	canvas.Refresh(r.h)
}

// sideBar shows how much of a wide table is seen, and moves it. It takes no room
// where all is seen. The wheel is left to what is around the table, so that reading
// on is not caught in it.
type sideBar struct {
	widget.BaseWidget
	t     *Table
	thumb *canvas.Rectangle
}

const barHeight = 12

func newSideBar(t *Table) *sideBar {
	b := &sideBar{t: t, thumb: canvas.NewRectangle(nil)}
	b.thumb.CornerRadius = 3
	b.ExtendBaseWidget(b)
	return b
}

func (b *sideBar) HeightFor(width float32) float32 {
	b.t.grid.fit(width)
	if b.t.grid.total() <= width+0.5 {
		return 0
	}
	return barHeight
}

func (b *sideBar) MinSize() fyne.Size { return fyne.NewSize(1, b.HeightFor(b.t.grid.room)) }

func (b *sideBar) Dragged(e *fyne.DragEvent) {
	b.t.grid.slide(e.Dragged.DX * b.t.grid.total() / max(b.Size().Width, 1))
}

func (b *sideBar) DragEnd() {}

// Tapped implements fyne.Tappable: a click beside the thumb moves a page.
func (b *sideBar) Tapped(e *fyne.PointEvent) {
	page := b.t.grid.room * 0.8
	if e.Position.X < b.thumb.Position().X {
		page = -page
	}
	b.t.grid.slide(page)
}

func (b *sideBar) CreateRenderer() fyne.WidgetRenderer { return &barRenderer{b} }

type barRenderer struct{ b *sideBar }

func (r *barRenderer) Destroy()                     {}
func (r *barRenderer) MinSize() fyne.Size           { return r.b.MinSize() }
func (r *barRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.b.thumb} }

func (r *barRenderer) Layout(size fyne.Size) {
	g := r.b.t.grid
	r.b.thumb.Hidden = size.Height < barHeight || g.total() <= g.room
	if r.b.thumb.Hidden {
		return
	}
	r.b.thumb.FillColor = theme.Color(theme.Faint)
	part := g.room / g.total()
	r.b.thumb.Resize(fyne.NewSize(size.Width*part, 6))
	r.b.thumb.Move(fyne.NewPos(size.Width*g.offset/g.total(), 4))
}

func (r *barRenderer) Refresh() {
	r.Layout(r.b.Size())
	canvas.Refresh(r.b)
}
