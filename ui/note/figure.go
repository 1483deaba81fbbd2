package note

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// The figures of a note, in the order of counts.figures.
const (
	replies = iota
	reposts
	likes
	zaps
)

// tipOf returns what a figure counts, in words.
func tipOf(figure int, n present.Count, w present.Words) string {
	count, number := int(n.N), map[string]any{"Number": w.Number(int(n.N))}
	switch figure {
	case replies:
		return lang.N("{{.Number}} replies: open the thread", count, number)
	case reposts:
		return lang.N("Reposted or quoted {{.Number}} times", count, number)
	case likes:
		return lang.N("{{.Number}} people liked this", count, number)
	}
	return lang.L("Small payments (zaps): {{.Number}} sats, parts of a bitcoin", number)
}

// tapped handles a click on a figure: replies open the thread, as the card does; for the
// others a toast says why nothing happens.
func (n *counts) tapped(figure int) {
	switch {
	case figure == replies:
		if n.c.opt.Size != Focus {
			n.c.open()
		}
	case n.c.note.ID != (nostr.ID{}):
		n.c.opt.Go.Toast(n.figures[figure].Tip+". "+lang.L("You can only read for now: liking and writing come in a later version."), "", nil)
	}
}

// figure is an icon with a number beside it.
type figure struct {
	widgets.Hint
	name string
	icon *widgets.Icon
	text *canvas.Text
	look theme.Look // of the last drawing of the icon
	tap  func()
}

func newFigure(c *sheet, icon string, tap func()) *figure {
	f := &figure{name: "count:" + icon, icon: widgets.NewIcon(icon, iconSize, theme.Muted), text: canvas.NewText("", nil), tap: tap}
	f.Over = c.over
	f.ExtendBaseWidget(f)
	return f
}

// DumpName names what is counted.
func (f *figure) DumpName() string { return f.name }

func (f *figure) set(n present.Count, tip string) {
	f.text.Text, f.Tip = n.Text, tip
}

func (f *figure) Tapped(*fyne.PointEvent) { f.tap() }

func figureScale() float32 { return theme.Size(theme.Small) / 12.5 }

// MinSize implements fyne.CanvasObject.
func (f *figure) MinSize() fyne.Size {
	icon := iconSize * figureScale()
	f.text.TextSize = theme.Size(theme.Small)
	if f.text.Text == "" {
		return fyne.NewSquareSize(icon)
	}
	m := f.text.MinSize()
	return fyne.NewSize(icon+countGap+m.Width, max(icon, m.Height))
}

func (f *figure) CreateRenderer() fyne.WidgetRenderer {
	r := &figureRenderer{f}
	r.Refresh()
	return r
}

type figureRenderer struct{ f *figure }

func (r *figureRenderer) Destroy()           {}
func (r *figureRenderer) MinSize() fyne.Size { return r.f.MinSize() }
func (r *figureRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.f.icon, r.f.text}
}

func (r *figureRenderer) Refresh() {
	f := r.f
	f.text.Color, f.text.TextSize = theme.Color(theme.Muted), theme.Size(theme.Small)
	f.text.Hidden = f.text.Text == ""
	if look := theme.Shown(); f.look != look { // reading an icon again is slow
		f.look = look
		f.icon.Refresh()
	}
	f.text.Refresh()
	r.Layout(f.Size())
}

func (r *figureRenderer) Layout(size fyne.Size) {
	icon := iconSize * figureScale()
	r.f.icon.Resize(fyne.NewSquareSize(icon))
	r.f.icon.Move(fyne.NewPos(0, (size.Height-icon)/2))
	h := r.f.text.MinSize().Height
	r.f.text.Move(fyne.NewPos(icon+countGap, (size.Height-h)/2))
	r.f.text.Resize(fyne.NewSize(max(0, size.Width-icon-countGap), h))
}
