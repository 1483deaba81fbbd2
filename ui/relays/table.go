package relays

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// The columns, from left to right.
const (
	colName = iota
	colUse
	colPeople
	colToday
	colAnswer
	colSync
	colState
	colAction
	columns
)

// leftOut are the columns that may be left out, in the order in which they are.
var leftOut = []int{colAnswer, colToday, colUse, colSync, colPeople}

// Spaces of the table, in points.
const (
	cellSide  float32 = 10
	rowHeight float32 = 38
	rowSpare  float32 = 18 // above and below a line of text together
	nameMost  float32 = 320
	dotGap    float32 = 6
)

// table shows the relays in rows below a head; if it is narrow, each row has two lines and
// there is no head.
type table struct {
	screen  *Screen
	content *fyne.Container
	head    *row
	rows    map[string]*row // by URL
	order   []string
	natural [columns]float32 // widths that the columns ask for
	size    float32          // of the text, when that was measured
	laid    plan
}

// plan is how the table is laid out at a width.
type plan struct {
	width   float32
	stacked bool
	at      [columns]float32 // where columns begin; -1 for those left out
	wide    [columns]float32
}

func newTable(s *Screen) *table {
	t := &table{screen: s, rows: map[string]*row{}}
	t.head = t.newHead()
	t.content = layout.Column(0)
	return t
}

// row is one line: its cells, and what is shown in them.
type row struct {
	table   *table
	content fyne.CanvasObject
	cells   [columns]fyne.CanvasObject
	labels  [columns]*widgets.Label
	dot     *widgets.Dot
	action  *widgets.Link
	line    *widgets.Rule
	is      present.RelayRow
	isHead  bool
}

func (t *table) newHead() *row {
	r := &row{table: t, isHead: true, line: widgets.NewRule()}
	words := [columns]string{lang.L("Relay"), lang.L("Use"), lang.L("People"), lang.L("Notes today"), lang.L("Answer time"), lang.L("Last sync"), lang.L("State"), ""}
	for i, word := range words {
		label := widgets.NewLabel(word, theme.Small, theme.Muted)
		label.Bold = true
		label.Align = alignment(i)
		r.labels[i], r.cells[i] = label, label
	}
	r.content = layout.NewArranged(100, r.arrange, append(r.cells[:], r.line)...)
	return r
}

func alignment(col int) fyne.TextAlign {
	if col == colPeople || col == colToday || col == colAnswer {
		return fyne.TextAlignTrailing
	}
	return fyne.TextAlignLeading
}

func (t *table) newRow(url string) *row {
	r := &row{table: t, line: widgets.NewRule(), dot: widgets.NewDot(theme.Faint)}
	for i := range columns {
		color := theme.Muted
		if i == colName || i == colPeople || i == colToday || i == colAnswer || i == colState {
			color = theme.Text
		}
		label := widgets.NewLabel("", theme.Small, color)
		label.Align = alignment(i)
		r.labels[i], r.cells[i] = label, label
	}
	r.labels[colName].Bold = true
	r.cells[colState] = layout.Row(dotGap, 1, r.dot, r.labels[colState])
	r.action = widgets.Named("relays.action:"+url, widgets.NewLink("", func() { t.screen.actOn(r.is) }))
	r.cells[colAction] = r.action
	press := widgets.Named("relay:"+url, widgets.NewTappable(layout.NewArranged(100, r.arrange, append(r.cells[:], r.line)...), func() { t.screen.showRelay(url) }))
	r.content = press
	return r
}

// show draws rows. Rows that remain keep their objects, and with them the keyboard.
func (t *table) show(rows []present.RelayRow) {
	order := make([]string, len(rows))
	for i, is := range rows {
		order[i] = is.URL
		r := t.rows[is.URL]
		if r == nil {
			r = t.newRow(is.URL)
			t.rows[is.URL] = r
		}
		r.show(is)
	}
	t.measure(order)
	if slices.Equal(order, t.order) {
		return
	}
	t.order = order
	t.content.Objects = []fyne.CanvasObject{t.head.content}
	for _, url := range order {
		t.content.Objects = append(t.content.Objects, t.rows[url].content)
	}
	for url := range t.rows {
		if !slices.Contains(order, url) {
			delete(t.rows, url)
		}
	}
	t.content.Refresh()
}

func (r *row) show(is present.RelayRow) {
	if r.is == is {
		return
	}
	r.is = is
	for i, text := range [columns]string{is.Name, is.Use, is.People, is.Today, is.Answer, is.LastSync, is.State} {
		r.labels[i].SetText(text)
	}
	r.dot.SetColor(screen.ToneColor(is.Tone, theme.Faint))
	r.action.SetText(is.ActionText)
	widgets.SetVisible(r.action, is.ActionText != "")
}

// measure finds the natural widths of the columns.
func (t *table) measure(order []string) {
	t.natural = [columns]float32{}
	take := func(r *row) {
		for i, label := range r.labels {
			wide := label.MinSize().Width
			switch {
			case i == colState && !r.isHead:
				wide += r.dot.MinSize().Width + dotGap
			case i == colAction && !r.isHead:
				wide = r.action.MinSize().Width
			}
			t.natural[i] = max(t.natural[i], wide+2*cellSide)
		}
	}
	take(t.head)
	for _, url := range order {
		take(t.rows[url])
	}
	t.natural[colName] = min(t.natural[colName], nameMost)
	t.size, t.laid = theme.Size(theme.Small), plan{}
}

// planFor decides which columns are shown and where.
func (t *table) planFor(width float32) plan {
	if t.size != theme.Size(theme.Small) { // the user chose another text size
		t.measure(t.order)
	}
	if t.laid.width == width {
		return t.laid
	}
	p := plan{width: width}
	p.wide = t.natural
	sum := func() (total float32) {
		for _, w := range p.wide {
			total += w
		}
		return total
	}
	for _, col := range leftOut {
		if sum() <= width {
			break
		}
		p.wide[col] = 0
	}
	p.stacked = sum() > width
	spare := max(0, width-sum())
	total, x := sum(), float32(0)
	for i := range columns {
		if p.wide[i] == 0 {
			p.at[i] = -1
			continue
		}
		p.wide[i] += spare * p.wide[i] / total
		p.at[i] = x
		x += p.wide[i]
	}
	t.laid = p
	return p
}

// heightAt returns the height of a row.
func (r *row) heightAt(width float32) float32 {
	line := r.labels[colName].MinSize().Height
	switch stacked := r.table.planFor(width).stacked; {
	case stacked && r.isHead:
		return 1
	case stacked:
		return 2*line + rowSpare
	}
	return max(rowHeight, line+rowSpare)
}

// arrange places the cells of a row, and returns its height.
func (r *row) arrange(width float32, put layout.Put) float32 {
	height := r.heightAt(width)
	if put == nil {
		return height
	}
	put(r.line, 0, height-1, width, 1)
	p := r.table.planFor(width)
	if p.stacked {
		r.stack(width, height, put)
		return height
	}
	for i, cell := range r.cells {
		out := p.at[i] < 0
		widgets.SetVisible(cell, !out && (i != colAction || r.isHead || r.is.ActionText != ""))
		if out {
			continue
		}
		h, wide := min(height, cell.MinSize().Height), p.wide[i]-2*cellSide
		if i == colAction && !r.isHead {
			wide = cell.MinSize().Width
		}
		put(cell, p.at[i]+cellSide, (height-h)/2, wide, h)
	}
	return height
}

// stack puts the name above the state, and the action beside both.
func (r *row) stack(width, height float32, put layout.Put) {
	for i, cell := range r.cells {
		widgets.SetVisible(cell, !r.isHead && (i == colName || i == colState || i == colAction && r.is.ActionText != ""))
	}
	if r.isHead {
		return
	}
	left := width
	if r.action.Visible() {
		size := r.action.MinSize()
		put(r.action, width-size.Width, (height-size.Height)/2, size.Width, size.Height)
		left -= size.Width + cellSide
	}
	line := (height - rowSpare) / 2
	put(r.cells[colName], 0, rowSpare/2, left, line)
	put(r.cells[colState], 0, rowSpare/2+line, left, line)
}
