package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// MenuItem is one line of a menu.
type MenuItem struct {
	Text    string
	Do      func()
	Checked bool
	Rule    bool // a line between groups; the rest is then unused
}

// ShowMenu opens a menu below an object. Arrow keys walk it, Enter chooses, Escape
// closes.
func ShowMenu(at fyne.CanvasObject, items ...MenuItem) {
	c := fyne.CurrentApp().Driver().CanvasForObject(at)
	if c == nil {
		return
	}
	var list []*fyne.MenuItem
	for _, it := range items {
		if it.Rule {
			list = append(list, fyne.NewMenuItemSeparator())
			continue
		}
		m := fyne.NewMenuItem(it.Text, it.Do)
		m.Checked = it.Checked
		list = append(list, m)
	}
	pos := fyne.CurrentApp().Driver().AbsolutePositionForObject(at)
	menu := widget.NewPopUpMenu(fyne.NewMenu("", list...), c)
	size := menu.MinSize()
	pos.Y += at.Size().Height + 2
	if pos.Y+size.Height > c.Size().Height {
		pos.Y = max(0, pos.Y-at.Size().Height-size.Height-4)
	}
	pos.X = max(0, min(pos.X, c.Size().Width-size.Width-4))
	menu.ShowAtPosition(pos)
	c.Focus(menu)
}

// dialogWidth is how wide a dialog is at most, in points.
const dialogWidth float32 = 520

// ShowDialog shows content above the window until close is called or Escape is
// pressed. The keyboard goes back to where it was. closed is told, however it was
// closed.
func ShowDialog(w fyne.Window, content fyne.CanvasObject, closed ...func()) (close func()) {
	c := w.Canvas()
	before := c.Focused()
	d := &dialog{content: content}
	d.ExtendBaseWidget(d)
	pop := widget.NewModalPopUp(d, c)
	gone := false
	close = func() {
		if gone {
			return
		}
		gone = true
		pop.Hide()
		if before != nil {
			c.Focus(before)
		}
		for _, tell := range closed {
			tell()
		}
	}
	d.escape = close
	d.most = c.Size()
	pop.Show()
	c.Focus(d)
	return close
}

// dialog is the raised card; it takes the keys while nothing in it does.
type dialog struct {
	widget.BaseWidget
	content fyne.CanvasObject
	most    fyne.Size
	escape  func()
}

func (d *dialog) FocusGained()   {}
func (d *dialog) FocusLost()     {}
func (d *dialog) TypedRune(rune) {}
func (d *dialog) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape {
		d.escape()
	}
}

func (d *dialog) CreateRenderer() fyne.WidgetRenderer {
	scroll := container.NewVScroll(layout.Pad(layout.All(10), d.content))
	return &dialogRenderer{d: d, scroll: scroll}
}

type dialogRenderer struct {
	d      *dialog
	scroll *container.Scroll
}

func (r *dialogRenderer) Layout(size fyne.Size) { r.scroll.Resize(size) }
func (r *dialogRenderer) MinSize() fyne.Size {
	w := min(dialogWidth, r.d.most.Width-48)
	h := layout.HeightFor(r.scroll.Content, w)
	return fyne.NewSize(w, min(h, r.d.most.Height-64))
}
func (r *dialogRenderer) Refresh()                     { r.scroll.Refresh() }
func (r *dialogRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.scroll} }
func (r *dialogRenderer) Destroy()                     {}

// NewBanner is a card that says what went wrong and what can be done.
func NewBanner(line fyne.ThemeColorName, content fyne.CanvasObject) fyne.CanvasObject {
	return boxOf(theme.Surface, line, theme.RadiusCard, layout.Pad(layout.All(theme.CardPadding+4), content))
}
