package note

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/present"
	"bowerbird/ui/theme"
)

// counts is the line of figures below a note, and the menu of what can be done
// with it.
type counts struct {
	widget.BaseWidget
	icons [4]*canvas.Image
	texts [4]*canvas.Text
	more  *iconButton
	zaps  bool
}

// The measures of the figures, in points at the usual text size.
const (
	iconSize = 15
	countGap = 6
	nextGap  = 28
)

func newCounts(c *sheet) *counts {
	n := &counts{}
	for i, name := range []string{"reply", "repost", "heart", "zap"} {
		n.icons[i] = canvas.NewImageFromResource(icon(name))
		n.icons[i].FillMode = canvas.ImageFillContain
		n.texts[i] = canvas.NewText("", theme.Color(theme.Muted))
	}
	n.more = newIconButton("more", say("More"), func() { c.showMenu(n.more) })
	n.ExtendBaseWidget(n)
	return n
}

func (n *counts) setNote(note *present.Note) {
	for i, count := range []present.Count{note.Replies, note.Reposts, note.Likes, note.Zaps} {
		n.texts[i].Text = count.Text
	}
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
	for i := range n.icons {
		r.objects = append(r.objects, n.icons[i], n.texts[i])
	}
	r.objects = append(r.objects, n.more)
	r.Refresh()
	return r
}

type countsRenderer struct {
	n       *counts
	objects []fyne.CanvasObject
}

func (r *countsRenderer) Destroy()                     {}
func (r *countsRenderer) MinSize() fyne.Size           { return r.n.MinSize() }
func (r *countsRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *countsRenderer) Refresh() {
	n := r.n
	c, size := theme.Color(theme.Muted), theme.Size(theme.Small)
	for i, t := range n.texts {
		t.Color, t.TextSize = c, size
		n.icons[i].Resource = icon([]string{"reply", "repost", "heart", "zap"}[i])
	}
	n.icons[3].Hidden, n.texts[3].Hidden = !n.zaps, !n.zaps
	r.Layout(n.Size())
	canvas.Refresh(n)
}

func (r *countsRenderer) Layout(size fyne.Size) {
	n := r.n
	x := float32(0)
	scale := theme.Size(theme.Small) / 12.5
	icon := iconSize * scale
	for i, t := range n.texts {
		n.icons[i].Resize(fyne.NewSquareSize(icon))
		n.icons[i].Move(fyne.NewPos(x, (size.Height-icon)/2))
		x += icon + countGap
		m := t.MinSize()
		t.Resize(m)
		t.Move(fyne.NewPos(x, (size.Height-m.Height)/2))
		if t.Text != "" {
			x += m.Width
		}
		x += nextGap * scale
	}
	m := n.more.MinSize()
	n.more.Resize(m)
	n.more.Move(fyne.NewPos(size.Width-m.Width+6, (size.Height-m.Height)/2))
}
