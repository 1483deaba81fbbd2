package markdown

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// The cells of a table, in points.
const (
	cellPad    = 10 // beside the text
	cellPadV   = 5  // above and below it
	widestCell = 420
	narrowCell = 200 // a column is at least as wide as its longest word, up to this
)

// table draws a table within what scrolls to the side.
type table struct {
	*sideways
	grid *grid
}

func newTable(opt *Options, lk look, b Block) *table {
	g := &grid{opt: opt, look: lk}
	g.ExtendBaseWidget(g)
	t := &table{sideways: newSideways(g, opt), grid: g}
	t.set(b)
	return t
}

func (t *table) object() fyne.CanvasObject { return t.sideways }

func (t *table) set(b Block) {
	t.grid.set(b)
	t.Refresh()
}

// grid lays cells out in columns as wide as their text, made narrower where the
// room is small, with a line below each row.
type grid struct {
	widget.BaseWidget
	opt  *Options
	look look
	rows [][]Cell

	cells [][]*prose.Text
	rules []*canvas.Rectangle

	size    float32   // of the text, that want was measured at
	want    []float32 // how wide each column would be, and the least it may be
	least   []float32
	room    float32 // that cols are for
	cols    []float32
	objects []fyne.CanvasObject
}

func (g *grid) set(b Block) {
	for i, row := range b.Rows {
		if i == len(g.cells) {
			g.cells = append(g.cells, nil)
			g.rules = append(g.rules, canvas.NewRectangle(nil))
		}
		for j, cell := range row {
			if j == len(g.cells[i]) {
				t := prose.New()
				t.Selectable, t.More = true, g.opt.more(g.look)
				g.cells[i] = append(g.cells[i], t)
			}
			t := g.cells[i][j]
			fresh := i >= len(g.rows) || j >= len(g.rows[i]) || !cellsEqual(g.rows[i][j], cell)
			if fresh || t.String() == "" && len(cell.Inline) > 0 {
				g.fill(t, cell, i == 0)
			}
		}
		clear(g.cells[i][len(row):])
		g.cells[i] = g.cells[i][:len(row)]
	}
	g.cells, g.rules = g.cells[:len(b.Rows)], g.rules[:len(b.Rows)]
	g.rows = b.Rows
	g.size = 0
	g.Refresh()
}

func (g *grid) fill(t *prose.Text, cell Cell, head bool) {
	lk := g.look
	lk.bold = lk.bold || head
	lk.size = smaller(lk.size)
	t.Align = fyne.TextAlignLeading
	switch {
	case cell.Right:
		t.Align = fyne.TextAlignTrailing
	case cell.Center:
		t.Align = fyne.TextAlignCenter
	}
	t.SetSpans(g.opt.spans(cell.Inline, lk)...)
}

// measure finds how wide the columns would be.
func (g *grid) measure() {
	size := theme.Size(theme.Small)
	if g.size == size {
		return
	}
	g.size, g.want, g.least, g.cols = size, g.want[:0], g.least[:0], nil
	for _, row := range g.cells {
		for j, cell := range row {
			if j == len(g.want) {
				g.want = append(g.want, 0)
				g.least = append(g.least, 0)
			}
			w := cell.NaturalWidth(widestCell) + 2*cellPad
			g.want[j] = max(g.want[j], w)
			g.least[j] = max(g.least[j], cell.LeastWidth(narrowCell)+2*cellPad)
		}
	}
}

// natural is the least width that the columns can have.
func (g *grid) natural() float32 {
	g.measure()
	return sum(g.least)
}

func sum(ws []float32) float32 {
	var s float32
	for _, w := range ws {
		s += w
	}
	return s
}

// columns returns the widths of the columns in a room: what they want if it is
// there, else the widest ones are cut to the same width.
func (g *grid) columns(room float32) []float32 {
	g.measure()
	if g.cols != nil && g.room == room {
		return g.cols
	}
	g.room, g.cols = room, slices.Clone(g.want)
	if sum(g.cols) <= room {
		return g.cols
	}
	low, high := float32(0), room
	for range 20 { // near enough
		if m := (low + high) / 2; sum(g.capped(m)) > room {
			high = m
		} else {
			low = m
		}
	}
	g.cols = g.capped(low)
	return g.cols
}

func (g *grid) capped(limit float32) []float32 {
	ws := make([]float32, len(g.want))
	for i := range ws {
		ws[i] = max(g.least[i], min(g.want[i], limit))
	}
	return ws
}

func (g *grid) place(width float32, put func(row, col int, x, y, w, h float32)) float32 {
	ws := g.columns(width)
	var y float32
	for i, row := range g.cells {
		var h, x float32
		for j, cell := range row {
			h = max(h, cell.HeightFor(ws[j]-2*cellPad))
		}
		h += 2 * cellPadV
		if put != nil {
			for j := range row {
				put(i, j, x, y, ws[j], h)
				x += ws[j]
			}
		}
		y += h + 1
	}
	return y
}

func (g *grid) HeightFor(width float32) float32 { return g.place(width, nil) }
func (g *grid) MinSize() fyne.Size              { return fyne.NewSize(g.natural(), g.HeightFor(g.Size().Width)) }

func (g *grid) CreateRenderer() fyne.WidgetRenderer {
	r := &gridRenderer{g}
	r.Refresh()
	return r
}

type gridRenderer struct{ g *grid }

func (r *gridRenderer) Layout(size fyne.Size) {
	g := r.g
	full := min(size.Width, max(sum(g.columns(size.Width)), 1))
	g.place(size.Width, func(i, j int, x, y, w, h float32) {
		cell := g.cells[i][j]
		cell.Move(fyne.NewPos(x+cellPad, y+cellPadV))
		cell.Resize(fyne.NewSize(w-2*cellPad, h-2*cellPadV))
		if j == 0 {
			g.rules[i].Move(fyne.NewPos(0, y+h))
			g.rules[i].Resize(fyne.NewSize(full, 1))
		}
	})
}

func (r *gridRenderer) MinSize() fyne.Size { return r.g.MinSize() }

func (r *gridRenderer) Objects() []fyne.CanvasObject {
	g := r.g
	g.objects = g.objects[:0]
	for i, row := range g.cells {
		for _, cell := range row {
			g.objects = append(g.objects, cell)
		}
		g.objects = append(g.objects, g.rules[i])
	}
	return g.objects
}

func (r *gridRenderer) Destroy() {}

func (r *gridRenderer) Refresh() {
	for _, rule := range r.g.rules {
		rule.FillColor = theme.Color(theme.Line)
		rule.Refresh()
	}
	r.Layout(r.g.Size())
	canvas.Refresh(r.g)
}
