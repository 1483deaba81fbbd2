package table

import (
	"fyne.io/fyne/v2"

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
		y := max(g.tops[g.row+1]-s.Size().Height, min(s.Offset.Y, g.tops[g.row]))
		if y != s.Offset.Y {
			s.ScrollToOffset(fyne.NewPos(0, y))
			s.Refresh() // ScrollToOffset neither draws nor calls OnScrolled
			g.scrolled()
		}
	}
	g.Refresh()
	g.t.head.Refresh()
	if g.focused {
		g.showTip(g.row, g.col)
	}
}
