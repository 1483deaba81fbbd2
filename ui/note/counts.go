package note

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/present"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// counts is the line of figures below a note, and the menu of what can be done
// with it.
type counts struct {
	widget.BaseWidget
	c       *sheet
	figures [4]*figure
	more    *widgets.IconButton
	zaps    bool
}

// The measures of the figures, in points at the usual text size.
const (
	iconSize = 15
	countGap = 5
	nextGap  = 28
)

func newCounts(c *sheet) *counts {
	n := &counts{c: c}
	for i, icon := range []string{"reply", "repost", "heart", "zap"} {
		n.figures[i] = newFigure(c, icon)
	}
	n.more = widgets.NewIconButton("more", say("More"), func() { c.showMenu(n.more) })
	n.more.Side = moreSide
	n.more.SetGlyph(16)
	n.ExtendBaseWidget(n)
	return n
}

// moreSide is the width of the menu's button. Its icon stands at the right edge of
// the text: the button reaches over it.
const (
	moreSide = 26
	moreOver = 6
)

func (n *counts) setNote(note *present.Note) {
	w := n.c.opt.Words
	n.figures[0].set(note.Replies, say("Replies: {{.N}}", "N", w.Number(int(note.Replies.N))))
	n.figures[1].set(note.Reposts, say("Reposts and quotes: {{.N}}", "N", w.Number(int(note.Reposts.N))))
	n.figures[2].set(note.Likes, say("Reactions: {{.N}}", "N", w.Number(int(note.Likes.N))))
	n.figures[3].set(note.Zaps, say("Zaps: {{.N}} sats", "N", w.Number(int(note.Zaps.N))))
	n.zaps = note.Zaps.N > 0
	n.more.ID = "more:" + note.ID.String()[:8]
	n.Refresh()
}

// MinSize is a line of figures high.
func (n *counts) MinSize() fyne.Size {
	return fyne.NewSize(120, max(iconSize, float32(int(theme.Size(theme.Small)*1.4))))
}

// CreateRenderer implements fyne.Widget.
func (n *counts) CreateRenderer() fyne.WidgetRenderer {
	r := &countsRenderer{n: n}
	for _, f := range n.figures {
		r.objects = append(r.objects, f)
	}
	r.objects = append(r.objects, n.more)
	return r
}

type countsRenderer struct {
	n       *counts
	objects []fyne.CanvasObject
	color   color.Color // that the menu's button was drawn in
}

func (r *countsRenderer) Destroy()                     {}
func (r *countsRenderer) MinSize() fyne.Size           { return r.n.MinSize() }
func (r *countsRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *countsRenderer) Refresh() {
	for _, f := range r.n.figures {
		f.Refresh()
	}
	if c := theme.Color(theme.Muted); r.color != c {
		r.color = c
		r.n.more.Refresh()
	}
	r.Layout(r.n.Size())
	canvas.Refresh(r.n)
}

func (r *countsRenderer) Layout(size fyne.Size) {
	n := r.n
	side := n.more.MinSize()
	end := size.Width - side.Width + moreOver
	n.more.Resize(side)
	n.more.Move(fyne.NewPos(end, (size.Height-side.Height)/2))
	gap := n.gap(end)
	x := float32(0)
	for _, f := range n.figures {
		m := f.MinSize()
		f.Hidden = x+m.Width > end || f == n.figures[3] && !n.zaps
		if f.Hidden {
			continue
		}
		f.Move(fyne.NewPos(x, (size.Height-m.Height)/2))
		f.Resize(m)
		x += m.Width + gap
	}
}

// gap is the space between figures: smaller where large letters leave less room.
func (n *counts) gap(width float32) float32 {
	gaps := float32(len(n.figures) - 1)
	for _, f := range n.figures[:3] {
		width -= f.MinSize().Width
	}
	if n.zaps {
		width -= n.figures[3].MinSize().Width
	} else {
		gaps--
	}
	return min(nextGap*figureScale(), max(width/gaps, 2*countGap))
}

// figure is an icon with a number behind it.
type figure struct {
	widgets.Hint
	icon  *widgets.Icon
	text  *canvas.Text
	color color.Color // that the icon was drawn in
}

func newFigure(c *sheet, icon string) *figure {
	f := &figure{icon: widgets.NewIcon(icon, iconSize, theme.Muted), text: canvas.NewText("", nil)}
	f.Over = c.over
	f.ExtendBaseWidget(f)
	return f
}

func (f *figure) set(n present.Count, tip string) {
	f.text.Text, f.Tip = n.Text, tip
}

func figureScale() float32 { return theme.Size(theme.Small) / 12.5 }

// MinSize is the icon's and, where there is one, the number's.
func (f *figure) MinSize() fyne.Size {
	icon := iconSize * figureScale()
	f.text.TextSize = theme.Size(theme.Small)
	if f.text.Text == "" {
		return fyne.NewSquareSize(icon)
	}
	m := f.text.MinSize()
	return fyne.NewSize(icon+countGap+m.Width, max(icon, m.Height))
}

// CreateRenderer implements fyne.Widget.
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
	c := theme.Color(theme.Muted)
	f.text.Color, f.text.TextSize = c, theme.Size(theme.Small)
	f.text.Hidden = f.text.Text == ""
	if f.color != c { // reading an icon anew is dear
		f.color = c
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
