package table

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"

	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// header is the row of the columns' names; a click on one sorts by it.
type header struct {
	layout.Arranged
	t     *Table
	names []*prose.Text
	arrow *canvas.Polygon // in the column that the rows are sorted by
	rule  *canvas.Rectangle
	ring  *canvas.Rectangle
}

// arrowWidth returns the width that the arrow takes beside a name.
func arrowWidth(size float32) float32 { return size*0.6 + 4 }

func newHeader(t *Table) *header {
	h := &header{t: t, arrow: canvas.NewPolygon(3, nil), rule: canvas.NewRectangle(nil), ring: canvas.NewRectangle(nil)}
	h.Objects, h.Arrange, h.Least = []fyne.CanvasObject{h.rule}, h.arrange, 1
	for _, c := range t.data.columns {
		name := prose.New(prose.Span{Text: c.name, Size: theme.Small, Color: theme.Muted, Bold: true})
		name.MaxLines = 1
		h.names = append(h.names, name)
		h.Objects = append(h.Objects, name)
	}
	h.Objects = append(h.Objects, h.arrow, h.ring)
	h.ring.StrokeWidth, h.ring.CornerRadius = 2, 4
	h.ExtendBaseWidget(h)
	return h
}

// DumpName names the columns' names in the dump of rectangles.
func (h *header) DumpName() string { return h.t.ID + ".head" }

func (h *header) Tapped(e *fyne.PointEvent) {
	h.t.Sort(columnAt(h.t.grid.ends, e.Position.X+h.t.grid.offset))
}

func (h *header) Cursor() desktop.Cursor { return desktop.PointerCursor }

func (h *header) arrange(_ float32, put layout.Put) float32 {
	g := h.t.grid
	if put == nil {
		return g.line()
	}
	size := h.Size()
	g.fit(size.Width)
	h.rule.FillColor = theme.Color(theme.Line)
	h.rule.Resize(fyne.NewSize(size.Width, 1))
	h.rule.Move(fyne.NewPos(0, size.Height-1))
	h.arrow.Hide()
	line := g.size * 1.5
	for c, name := range h.names {
		start, width := g.ends[c]-g.cols[c].width-g.offset, g.cols[c].width
		sorted := h.t.data.by == c
		most := width - 2*cellPad
		if sorted {
			most -= arrowWidth(g.size)
		}
		own := min(most, name.NaturalWidth(max(most, 1)))
		x := start + cellPad
		if h.t.data.columns[c].numeric {
			x += most - own
		}
		name.Resize(fyne.NewSize(max(own, 1), line))
		name.Move(fyne.NewPos(x, (size.Height-line)/2))
		if sorted {
			side := g.size * 0.6
			h.arrow.FillColor, h.arrow.Angle = theme.Color(theme.Muted), 0
			if h.t.data.down {
				h.arrow.Angle = 180
			}
			h.arrow.Resize(fyne.NewSize(side, side))
			h.arrow.Move(fyne.NewPos(x+own+4, (size.Height-side)/2))
			h.arrow.Show()
		}
	}
	h.ring.Hidden = !g.focused || g.row >= 0 || g.col >= len(g.ends)
	if !h.ring.Hidden {
		h.ring.StrokeColor = theme.Color(theme.Primary)
		h.ring.Move(fyne.NewPos(g.ends[g.col]-g.cols[g.col].width-g.offset+1, 1))
		h.ring.Resize(fyne.NewSize(g.cols[g.col].width-2, size.Height-3))
	}
	return size.Height
}

// sideBar shows which part of a wide table is in sight, and scrolls it. It takes no space
// where the whole width is. The wheel scrolls what is around the table, so that a reader
// who scrolls down does not get stuck in it.
type sideBar struct {
	layout.Arranged
	t     *Table
	thumb *canvas.Rectangle
}

const barHeight = 12

func newSideBar(t *Table) *sideBar {
	b := &sideBar{t: t, thumb: canvas.NewRectangle(nil)}
	b.thumb.CornerRadius = 3
	b.Objects = []fyne.CanvasObject{b.thumb}
	b.Paint = func() { b.thumb.FillColor = theme.Color(theme.Faint) }
	b.Arrange = func(width float32, put layout.Put) float32 {
		g := t.grid
		if put == nil {
			if g.fit(width); g.total() <= width+0.5 {
				return 0
			}
			return barHeight
		}
		b.thumb.Hidden = b.Size().Height < barHeight || g.total() <= g.width
		if !b.thumb.Hidden {
			put(b.thumb, width*g.offset/g.total(), 4, width*g.width/g.total(), 6)
		}
		return b.Size().Height
	}
	b.ExtendBaseWidget(b)
	return b
}

func (b *sideBar) MinSize() fyne.Size { return fyne.NewSize(1, b.HeightFor(b.t.grid.width)) }

func (b *sideBar) Dragged(e *fyne.DragEvent) {
	b.t.grid.slide(e.Dragged.DX * b.t.grid.total() / max(b.Size().Width, 1))
}

func (b *sideBar) DragEnd() {}

// Tapped scrolls by a page if the click was beside the thumb.
func (b *sideBar) Tapped(e *fyne.PointEvent) {
	page := b.t.grid.width * 0.8
	if e.Position.X < b.thumb.Position().X {
		page = -page
	}
	b.t.grid.slide(page)
}
