package table

import (
	"cmp"
	"encoding/csv"
	"io"
	"strings"

	"fyne.io/fyne/v2"

	"bowerbird/tools"
	"bowerbird/ui/keys"
)

func (g *grid) FocusGained() {
	g.focused = true
	g.moved()
}

func (g *grid) FocusLost() {
	g.focused = false
	g.t.tip.hide()
	g.moved()
}

func (g *grid) TypedRune(r rune) {
	if r == ' ' {
		g.enter()
	}
}

// TypedKey implements fyne.Focusable: the arrow keys walk the cells and the header, Enter
// opens a cell or sorts by a column.
func (g *grid) TypedKey(e *fyne.KeyEvent) {
	lastRow, lastCol := g.t.shown()-1, len(g.ends)-1
	switch e.Name {
	case fyne.KeyDown:
		g.row = min(g.row+1, lastRow)
	case fyne.KeyUp:
		g.row = max(g.row-1, -1)
	case fyne.KeyPageDown:
		g.row = min(g.row+windowRows, lastRow)
	case fyne.KeyPageUp:
		g.row = max(g.row-windowRows, 0)
	case fyne.KeyRight:
		g.col = max(0, min(g.col+1, lastCol))
	case fyne.KeyLeft:
		g.col = max(g.col-1, 0)
	case fyne.KeyHome:
		g.col = 0
	case fyne.KeyEnd:
		g.col = max(0, lastCol)
	case fyne.KeyEscape:
		if !g.t.tip.hide() {
			keys.PassOn(g, e)
		}
		g.Refresh()
		return
	case fyne.KeyReturn, fyne.KeyEnter:
		g.enter()
		return
	default:
		keys.PassOn(g, e)
		return
	}
	g.moved()
}

// TypedShortcut copies a whole cell and passes other shortcuts on to the window.
func (g *grid) TypedShortcut(s fyne.Shortcut) {
	if _, ok := s.(*fyne.ShortcutCopy); !ok {
		keys.PassShortcutOn(g, s)
	} else if g.t.opt.Copy != nil && g.row >= 0 && g.row < g.t.shown() && g.col < len(g.ends) {
		g.t.opt.Copy(g.t.data.rows[g.t.data.order[g.row]][g.col].raw)
	}
}

func (g *grid) enter() {
	switch {
	case g.row < 0:
		g.t.Sort(g.col)
	case g.row < g.t.shown() && g.col < len(g.ends):
		if open := g.t.data.rows[g.t.data.order[g.row]][g.col].open; open != nil {
			open()
		}
	}
}

// moved scrolls to the selected cell and shows what of it is cut.
func (g *grid) moved() {
	if g.col >= len(g.ends) {
		return
	}
	end := g.ends[g.col]
	if start := end - g.cols[g.col].width; start < g.offset {
		g.slide(start - g.offset)
	} else if end > g.offset+g.width {
		g.slide(end - g.offset - g.width)
	}
	if s := g.t.scroll; s != nil && g.row >= 0 && g.row+1 < len(g.tops) {
		y := max(g.tops[g.row+1]-s.Size().Height, min(s.Offset(), g.tops[g.row]))
		if y != s.Offset() {
			s.ScrollTo(y)
		}
	}
	g.Refresh()
	g.t.head.Refresh()
	if g.focused {
		g.showTip(g.row, g.col)
	}
}

// result returns the table with its rows as they are sorted.
func (t *Table) result() *tools.TableResult {
	out := &tools.TableResult{}
	for _, c := range t.data.columns {
		out.Columns, out.Numeric = append(out.Columns, tools.Column{Label: c.name}), append(out.Numeric, c.numeric)
	}
	for _, r := range t.data.order {
		cells := make([]string, len(t.data.columns))
		for c := range cells {
			cells[c] = t.data.rows[r][c].raw
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}

// CSV returns the table as comma-separated values, with the rows as they are sorted.
func (t *Table) CSV() string {
	var b strings.Builder
	_ = WriteCSV(&b, t.result()) // a strings.Builder returns no error
	return b.String()
}

// Markdown returns the table as GitHub Flavored Markdown, with the rows as they are sorted.
func (t *Table) Markdown() string { return t.result().Markdown() + "\n" }

// WriteCSV writes a table as comma-separated values (RFC 4180), the names of the columns first.
// Notes are written by strangers: a text that a spreadsheet would run as a formula gets an
// apostrophe before it.
func WriteCSV(w io.Writer, t *tools.TableResult) error {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = cmp.Or(c.Key, c.Label)
	}
	c := csv.NewWriter(w)
	for _, row := range append([][]string{names}, t.Rows...) {
		cells := make([]string, len(row))
		for i, text := range row {
			if _, number := readNumber(text); text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) && !number {
				text = "'" + text
			}
			cells[i] = text
		}
		if err := c.Write(cells); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}
