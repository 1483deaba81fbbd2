package table

import (
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// maxLines is the number of lines that a cell shows; in long tables it is one.
const maxLines = 3

// grid draws the rows that are in sight and handles the mouse and the keyboard for all of
// them: a cell is a place in it, not an object.
type grid struct {
	widget.BaseWidget
	t *Table

	cols   []sized
	ends   []float32  // the right edges of the columns
	tops   []float32  // the upper edges of the rows shown, then the lower edge of the last
	width  float32    // that the columns were laid out for
	offset float32    // how far it is scrolled to the right
	size   float32    // the text size that it was measured with
	look   theme.Look // that it was measured and drawn in
	made   map[int]*gridRow

	row, col int // the selected cell; row -1 is the header
	focused  bool
	ring     *canvas.Rectangle
}

// gridRow is one drawn row.
type gridRow struct {
	rule   *canvas.Rectangle
	cells  []fyne.CanvasObject
	placed bool
	offset float32 // of the grid when it was placed
}

func newGrid(t *Table) *grid {
	g := &grid{t: t, made: map[int]*gridRow{}, ring: canvas.NewRectangle(nil)}
	g.ring.StrokeWidth, g.ring.CornerRadius = 2, 4
	g.ExtendBaseWidget(g)
	return g
}

// DumpName names the cells in the dump of rectangles.
func (g *grid) DumpName() string { return g.t.ID + ".cells" }

// line returns the height of a row of one line.
func (g *grid) line() float32 { return whole(textSize()*1.5 + 2*rowPad) }

// whole rounds up, so that rows begin on whole points.
func whole(points float32) float32 { return float32(math.Ceil(float64(points))) }

// rowPad is the space above and below the text of a cell, in points.
const rowPad = 8

// forget drops the drawn rows, since others are shown or their order has changed.
func (g *grid) forget() {
	g.made = map[int]*gridRow{}
	g.width = -1
}

// restyle drops what was measured and drawn if the theme has changed.
func (g *grid) restyle() {
	if look := theme.Shown(); g.look != look {
		g.look, g.cols = look, nil
		g.forget()
	}
}

// fit lays out the columns for a width and computes the heights of the rows.
func (g *grid) fit(width float32) {
	if g.cols == nil || g.size != textSize() {
		g.size, g.look = textSize(), theme.Shown()
		g.cols = measureColumns(g.t.data, g.size, g.t.opt)
		g.width = -1
	}
	if width = max(width, 1); width == g.width {
		return
	}
	g.width = width
	g.made = map[int]*gridRow{}
	share(g.cols, g.t.data, width, g.size)
	g.ends = g.ends[:0]
	var x float32
	for _, c := range g.cols {
		x += c.width
		g.ends = append(g.ends, x)
	}
	g.offset = max(0, min(g.offset, x-width))
	g.measureRows()
}

func (g *grid) measureRows() {
	g.tops = append(g.tops[:0], 0)
	var y float32
	for i := range g.t.shown() {
		y += g.rowHeight(i)
		g.tops = append(g.tops, y)
	}
}

// rowHeight returns the height of the i-th row shown; in long tables all are equal.
func (g *grid) rowHeight(i int) float32 {
	h := g.line()
	if g.t.virtual() {
		return h
	}
	cells := g.t.data.rows[g.t.data.order[i]]
	for c := range cells {
		// A text of fewer bytes than a line surely has letters needs no measuring.
		w := g.cols[c].width - 2*cellPad - cells[c].before(g.t.opt)
		long := cells[c].spans != nil || len(cells[c].text)*3 > int(w/g.size*4)
		if !g.t.data.columns[c].numeric && long {
			h = max(h, whole(g.text(&cells[c]).HeightFor(w)+2*rowPad))
		}
	}
	return h
}

// text returns the object of a cell without a number.
func (g *grid) text(c *cell) *prose.Text {
	t := c.prose()
	switch {
	case g.t.opt.Whole:
	case g.t.virtual():
		t.MaxLines = 1
	default:
		t.MaxLines = maxLines
	}
	return t
}

// prose returns the object of a cell without a number, in any number of lines.
func (c *cell) prose() *prose.Text {
	color := theme.Text
	switch {
	case c.spans != nil:
		return prose.New(c.spans...)
	case c.open != nil:
		color = theme.Primary
	}
	return prose.Plain(c.text, theme.Small, color)
}

// total returns the width of all columns.
func (g *grid) total() float32 {
	if len(g.ends) == 0 {
		return 0
	}
	return g.ends[len(g.ends)-1]
}

func (g *grid) HeightFor(width float32) float32 {
	g.fit(width)
	return g.tops[len(g.tops)-1]
}

func (g *grid) MinSize() fyne.Size {
	g.ExtendBaseWidget(g)
	if len(g.tops) == 0 {
		return fyne.NewSize(1, g.line())
	}
	return fyne.NewSize(1, g.tops[len(g.tops)-1])
}

// inSight returns the half-open range of the rows to draw: those in sight and a few around
// them.
func (g *grid) inSight() (first, last int) {
	if g.t.scroll == nil {
		return 0, len(g.tops) - 1
	}
	top, bottom := g.t.scroll.Offset(), g.t.scroll.Offset()+g.t.scroll.Size().Height
	first = max(0, int(top/g.line())-2)
	return first, min(len(g.tops)-1, int(bottom/g.line())+3)
}

// scrolled draws the rows that came into sight and drops those that left it.
func (g *grid) scrolled() {
	first, last := g.inSight()
	for i := range g.made {
		if i < first || i >= last {
			delete(g.made, i)
		}
	}
	g.t.tip.hide()
	g.Refresh()
}

// slide scrolls sideways, within the table.
func (g *grid) slide(by float32) {
	to := max(0, min(g.offset+by, g.total()-g.width))
	if to == g.offset {
		return
	}
	g.offset = to
	g.t.tip.hide()
	g.place()
	g.Refresh()
	g.t.head.Refresh()
	g.t.bar.Refresh()
}

// place makes the rows in sight and places their cells.
func (g *grid) place() {
	first, last := g.inSight()
	for i := first; i < last; i++ {
		r := g.made[i]
		if r == nil {
			r = g.makeRow(i)
			g.made[i] = r
		}
		if r.placed && r.offset == g.offset {
			continue
		}
		r.placed, r.offset = true, g.offset
		for c, o := range r.cells {
			if o != nil {
				g.placeCell(o, i, c)
			}
		}
		r.rule.Move(fyne.NewPos(0, g.tops[i+1]-1))
		r.rule.Resize(fyne.NewSize(max(g.width, 1), 1))
	}
	g.placeRing()
}

func (g *grid) makeRow(i int) *gridRow {
	d := g.t.data
	r := &gridRow{rule: canvas.NewRectangle(theme.Color(theme.Line)), cells: make([]fyne.CanvasObject, len(d.columns))}
	for c := range d.columns {
		one := &d.rows[d.order[i]][c]
		switch {
		case one.text == "":
		case d.columns[c].numeric && (one.isNumber || blank(one.text)):
			t := canvas.NewText(one.text, theme.Color(theme.Text))
			if !one.isNumber {
				t.Color = theme.Color(theme.Muted)
			}
			t.TextSize = g.size
			r.cells[c] = t
		default:
			t := g.text(one)
			if c < len(g.t.opt.Align) {
				t.Align = g.t.opt.Align[c]
			}
			if r.cells[c] = t; one.face(g.t.opt) {
				r.cells[c] = layout.Row(faceGap, 1, g.t.opt.Face(one.person), t)
			}
		}
	}
	return r
}

// placeCell aligns numbers at their decimal points, and texts at the left.
func (g *grid) placeCell(o fyne.CanvasObject, i, c int) {
	col, end := g.cols[c], g.ends[c]-g.offset
	top := g.tops[i] + rowPad
	t, number := o.(*canvas.Text)
	if !number {
		o.Resize(fyne.NewSize(col.width-2*cellPad, g.tops[i+1]-g.tops[i]-2*rowPad))
		o.Move(fyne.NewPos(end-col.width+cellPad, top))
		return
	}
	size := t.MinSize()
	x := end - cellPad - col.fraction - size.Width
	if f := fractionOf(t.Text); f != "" {
		x += textWidth(f, g.size, false)
	}
	o.Resize(size)
	o.Move(fyne.NewPos(max(x, end-col.width), top+float32(math.Floor(float64(g.size*1.5-size.Height)/2)))) // on the baseline of the texts
}

func (g *grid) placeRing() {
	g.ring.Hidden = !g.focused || g.row < 0 || g.row+1 >= len(g.tops) || g.col >= len(g.ends)
	if g.ring.Hidden {
		return
	}
	g.ring.StrokeColor = theme.Color(theme.Primary)
	g.ring.Move(fyne.NewPos(g.ends[g.col]-g.cols[g.col].width-g.offset+1, g.tops[g.row]+1))
	g.ring.Resize(fyne.NewSize(g.cols[g.col].width-2, g.tops[g.row+1]-g.tops[g.row]-3))
}

// cellAt returns the cell at a place of the grid; nil for none.
func (g *grid) cellAt(at fyne.Position) (row, col int, c *cell) {
	col = columnAt(g.ends, at.X+g.offset)
	row, found := slices.BinarySearch(g.tops, at.Y)
	if !found {
		row--
	}
	if col < 0 || row < 0 || row >= g.t.shown() {
		return -1, -1, nil
	}
	return row, col, &g.t.data.rows[g.t.data.order[row]][col]
}

// Tapped opens a cell with a code, or shows the whole text of another.
func (g *grid) Tapped(e *fyne.PointEvent) {
	row, col, c := g.cellAt(e.Position)
	if c == nil {
		return
	}
	if c.open != nil && c.spans == nil { // spans have links that open themselves
		c.open()
		return
	}
	g.row, g.col = row, col
	g.showTip(row, col)
}

func (g *grid) MouseIn(e *desktop.MouseEvent) { g.MouseMoved(e) }

func (g *grid) MouseMoved(e *desktop.MouseEvent) {
	row, col, _ := g.cellAt(e.Position)
	g.showTip(row, col)
}

func (g *grid) MouseOut() {
	g.t.tip.hide()
	g.t.BaseWidget.Refresh()
}

// Dragged scrolls a wide table sideways.
func (g *grid) Dragged(e *fyne.DragEvent) { g.slide(-e.Dragged.DX) }

func (g *grid) DragEnd() {}

// showTip shows the whole text of a cell that is cut.
func (g *grid) showTip(row, col int) {
	text := ""
	if row >= 0 && row < g.t.shown() && col >= 0 {
		c := &g.t.data.rows[g.t.data.order[row]][col]
		if !g.t.data.columns[col].numeric && g.text(c).Cut(g.cols[col].width-2*cellPad-c.before(g.t.opt)) {
			text = c.text
		}
	}
	if text == "" {
		if g.t.tip.hide() {
			canvas.Refresh(g.t)
		}
		return
	}
	d := fyne.CurrentApp().Driver()
	origin := d.AbsolutePositionForObject(g.t)
	at := d.AbsolutePositionForObject(g).Subtract(origin)
	at = at.AddXY(max(0, g.ends[col]-g.cols[col].width-g.offset), g.tops[row])
	g.t.tip.show(text, at, g.tops[row+1]-g.tops[row], g.t.Size())
	canvas.Refresh(g.t)
}

func (g *grid) CreateRenderer() fyne.WidgetRenderer { return &gridRenderer{g} }

type gridRenderer struct{ g *grid }

func (r *gridRenderer) Destroy()           {}
func (r *gridRenderer) MinSize() fyne.Size { return r.g.MinSize() }

func (r *gridRenderer) Layout(size fyne.Size) {
	r.g.fit(size.Width)
	r.g.place()
}

func (r *gridRenderer) Refresh() {
	r.g.place()
	canvas.Refresh(r.g)
}

func (r *gridRenderer) Objects() []fyne.CanvasObject {
	first, last := r.g.inSight()
	out := make([]fyne.CanvasObject, 0, (last-first)*(len(r.g.cols)+1)+1)
	for i := first; i < last; i++ {
		if row := r.g.made[i]; row != nil {
			out = append(out, row.rule)
			for _, o := range row.cells {
				if o != nil {
					out = append(out, o)
				}
			}
		}
	}
	return append(out, r.g.ring)
}
