// Package table shows rows and columns: the results of the assistant's tools, tables in
// Markdown, the numbers of a chart.
//
// A click on the name of a column sorts a [Table], numbers by value and texts in the order of
// the user's language. Numbers are aligned at their decimal points, cells with the code of a
// note or a person are links, the arrow keys alone are enough to read it, and it can be copied
// as CSV and Markdown. At most maxRows rows are shown, no more than a screenful of a long table
// is laid out, and no cell, whatever it contains, extends into another. A table fetches nothing;
// [Options] open and copy.
package table

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// The limits of a table.
const (
	maxRows     = 500
	maxColumns  = 50
	maxCell     = 500 // characters of a cell that are shown
	virtualFrom = 50  // rows; longer tables scroll within a fixed height
	brief       = 12  // rows that are shown before "Show all"
	windowRows  = 14  // that fixed height, in rows
)

// Options say what a table leads to. All are optional.
type Options struct {
	// ID names the table in the dump of rectangles; "" is "table".
	ID         string
	OpenNote   func(nostr.ID)
	OpenPerson func(nostr.PubKey)
	// Name returns what to show for a code in a cell: a person's name, or the beginning of
	// a note; "" for the shortened code. It must return at once.
	Name func(nostr.Code) string
	// Person returns who is meant by a name that is all of a cell, the zero key for nobody. It
	// counts in columns where it knows most cells: a hashtag may be somebody's name.
	Person func(name string) nostr.PubKey
	// Face returns a person's face, to be shown before the name; nil shows none.
	Face func(nostr.PubKey) fyne.CanvasObject
	// When words a time in a cell, or only its day; nil leaves it as it is written.
	When func(at time.Time, day bool) string
	// Spans returns the spans of a cell with links or citations; nil for plain text. Rows
	// and columns count from 0, in the original order.
	Spans func(row, column int) []prose.Span
	// Copy puts a text on the clipboard; nil offers no copying.
	Copy func(text string)
	// Grown is called when the table changes its own height, for lists that keep heights.
	Grown func()
	// Bare leaves out the title and the links above the table.
	Bare bool
	// Whole shows all rows and all lines of each cell at once.
	Whole bool
	// Align aligns the texts of columns; further columns begin at the left.
	Align []fyne.TextAlign
}

// Table is a table in the window.
type Table struct {
	layout.Arranged
	ID string

	opt     Options
	data    *data
	grid    *grid
	head    *header
	tip     *tip
	scroll  *widgets.Scroll // of a long table; nil for others
	bar     *sideBar
	all     bool // all rows are shown
	content *fyne.Container
}

// New returns the widget of a table. It does not change the result.
func New(result *tools.TableResult, opt Options) *Table {
	if opt.ID == "" {
		opt.ID = "table"
	}
	t := &Table{ID: opt.ID, opt: opt, data: newData(result, opt), tip: newTip()}
	t.all = opt.Whole || len(t.data.rows) <= brief
	t.grid = newGrid(t)
	t.head = newHeader(t)
	t.bar = newSideBar(t)
	t.content = layout.Column(0)
	t.build()
	t.Objects, t.Least, t.Paint = []fyne.CanvasObject{t.content, t.tip.back, t.tip.text}, 200, t.grid.restyle
	t.Arrange = func(width float32, put layout.Put) float32 {
		t.grid.fit(width)
		if put != nil {
			put(t.content, 0, 0, width, t.Size().Height)
			t.bar.Refresh()
			return t.Size().Height
		}
		return layout.HeightFor(t.content, width)
	}
	t.ExtendBaseWidget(t)
	return t
}

// build puts together the parts for the rows that are shown.
func (t *Table) build() {
	var parts []fyne.CanvasObject
	if !t.opt.Bare && (t.data.title != "" || t.opt.Copy != nil) {
		parts = append(parts, t.titleLine())
	}
	body := newClip(t.grid, t.grid.HeightFor)
	t.scroll = nil
	if t.virtual() {
		t.scroll = widgets.NewScroll(t.grid)
		t.scroll.OnMoved = t.grid.scrolled
		body = newClip(t.scroll, func(float32) float32 { return windowRows * t.grid.line() })
	}
	parts = append(parts, newClip(t.head, t.head.HeightFor), body, t.bar)
	if !t.all {
		more := widgets.Named(t.ID+".all", widgets.NewLink(lang.L("{{.Shown}} of {{.Rows}} · show all", map[string]any{"Shown": brief, "Rows": len(t.data.rows)}), t.showAll))
		parts = append(parts, layout.Pad(layout.Sides(6, 0), layout.Row(0, -1, more)))
	}
	if t.data.cut > 0 {
		text := lang.N("{{.Count}} more row is not shown.", t.data.cut, map[string]any{"Count": t.data.cut})
		parts = append(parts, layout.Pad(layout.Sides(6, cellPad), prose.Plain(text, theme.Small, theme.Muted)))
	}
	t.content.Objects = parts
}

// virtual reports whether the rows scroll within a fixed height.
func (t *Table) virtual() bool { return t.all && !t.opt.Whole && len(t.data.rows) > virtualFrom }

// shown returns the number of rows that are shown.
func (t *Table) shown() int {
	if t.all {
		return len(t.data.rows)
	}
	return brief
}

func (t *Table) showAll() {
	t.all = true
	t.build()
	t.grown()
}

// grown draws the table again and notifies what is around it of its new height.
func (t *Table) grown() {
	t.grid.forget()
	t.Refresh()
	if t.opt.Grown != nil {
		t.opt.Grown()
	}
}

// DumpName returns the table's ID.
func (t *Table) DumpName() string { return t.ID }

// Sort sorts by a column: ascending, or descending if it is sorted by that column already.
func (t *Table) Sort(column int) {
	if column < 0 || column >= len(t.data.columns) {
		return
	}
	t.data.sort(column)
	t.grid.forget()
	t.tip.hide()
	t.Refresh()
	t.grown() // other rows may be hidden now
}

// titleLine returns the title with "Copy".
func (t *Table) titleLine() fyne.CanvasObject {
	title := prose.New(prose.Span{Text: t.data.title, Size: theme.Small, Bold: true})
	title.MaxLines = 2
	if t.opt.Copy == nil {
		return layout.Pad(layout.Insets{Bottom: 4}, title)
	}
	var link *widgets.Link
	link = widgets.Named(t.ID+".copy", widgets.NewQuietLink(lang.L("Copy"), func() { t.copyMenu(link) }))
	return layout.Pad(layout.Insets{Bottom: 4}, layout.Row(8, 0, title, link))
}

func (t *Table) copyMenu(at fyne.CanvasObject) {
	widgets.ShowMenu(at,
		widgets.MenuItem{Text: lang.L("For a spreadsheet (CSV)"), Do: func() { t.opt.Copy(t.CSV()) }},
		widgets.MenuItem{Text: lang.L("As Markdown"), Do: func() { t.opt.Copy(t.Markdown()) }},
	)
}

// textSize returns the text size of cells.
func textSize() float32 { return theme.Size(theme.Small) }

// columnAt returns the column at a place of the grid; -1 for none.
func columnAt(ends []float32, x float32) int {
	if x < 0 {
		return -1
	}
	return slices.IndexFunc(ends, func(end float32) bool { return x < end })
}

// clip shows the part of an object that is within its bounds.
type clip struct {
	widget.BaseWidget
	inner  fyne.CanvasObject
	height func(width float32) float32
}

func newClip(inner fyne.CanvasObject, height func(width float32) float32) *clip {
	c := &clip{inner: inner, height: height}
	c.ExtendBaseWidget(c)
	return c
}

func (c *clip) HeightFor(width float32) float32 { return c.height(width) }

func (c *clip) MinSize() fyne.Size {
	if c.Size().Width == 0 { // not yet laid out
		return fyne.NewSize(1, 1)
	}
	return fyne.NewSize(1, c.height(c.Size().Width))
}

func (c *clip) CreateRenderer() fyne.WidgetRenderer { return &clipRenderer{c} }

type clipRenderer struct{ c *clip }

// IsClip makes Fyne's painters draw nothing beyond the bounds, as it does in
// container.Clip.
func (r *clipRenderer) IsClip() {}

func (r *clipRenderer) Destroy()                     {}
func (r *clipRenderer) Layout(size fyne.Size)        { r.c.inner.Resize(size) }
func (r *clipRenderer) MinSize() fyne.Size           { return r.c.MinSize() }
func (r *clipRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.c.inner} }
func (r *clipRenderer) Refresh()                     { r.c.inner.Refresh() }

// tip is the box with the whole text of a cell that is cut.
type tip struct {
	back  *canvas.Rectangle
	text  *prose.Text
	shown string
	cell  fyne.Position // the place of its cell
}

func newTip() *tip {
	t := &tip{back: canvas.NewRectangle(nil), text: prose.Plain("", theme.Small, theme.Text)}
	t.back.CornerRadius, t.back.StrokeWidth = 6, 1
	t.text.MaxLines = 12
	t.hide()
	return t
}

// hide reports whether there was a tip to hide.
func (t *tip) hide() bool {
	was := t.shown != ""
	t.shown, t.back.Hidden, t.text.Hidden = "", true, true
	return was
}

// show shows a text above a cell, or below it where there is no space above.
func (t *tip) show(text string, cell fyne.Position, height float32, within fyne.Size) {
	if t.shown == text && t.cell == cell {
		return
	}
	t.shown, t.cell, t.back.Hidden, t.text.Hidden = text, cell, false, false
	const pad = 8
	t.text.SetSpans(prose.Span{Text: text, Size: theme.Small})
	width := t.text.NaturalWidth(min(textSize()*30, within.Width-2*pad))
	h := t.text.HeightFor(width)
	x := max(0, min(cell.X, within.Width-width-2*pad))
	y := cell.Y - h - 2*pad
	if y < 0 && cell.Y+height+h+2*pad <= within.Height {
		y = cell.Y + height
	}
	t.back.FillColor, t.back.StrokeColor = theme.Color(theme.Raised), theme.Color(theme.Line)
	t.back.Move(fyne.NewPos(x, y))
	t.back.Resize(fyne.NewSize(width+2*pad, h+2*pad))
	t.text.Move(fyne.NewPos(x+pad, y+pad))
	t.text.Resize(fyne.NewSize(width, h))
}

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

// DumpName names the bar in the dump of rectangles.
func (b *sideBar) DumpName() string { return b.t.ID + ".bar" }

// Tapped scrolls by a page if the click was beside the thumb.
func (b *sideBar) Tapped(e *fyne.PointEvent) {
	page := b.t.grid.width * 0.8
	if e.Position.X < b.thumb.Position().X {
		page = -page
	}
	b.t.grid.slide(page)
}
