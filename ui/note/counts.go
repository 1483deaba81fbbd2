package note

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/present"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// counts is the line of figures below a note, and the menu of what can be done
// with it. What is nought is not shown: an icon alone would look like a button.
type counts struct {
	widget.BaseWidget
	c       *sheet
	figures [4]*figure
	fold    *widgets.IconButton // nil where nothing can be folded
	more    *widgets.IconButton
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
		n.figures[i] = newFigure(c, icon, func() { n.tapped(i) })
	}
	if c.opt.Fold != nil {
		n.fold = widgets.NewIconButton("chevron-down", say("Hide the replies below"), func() { c.opt.Fold(c.note.ID) })
		n.fold.Side = moreSide
		n.fold.SetGlyph(16)
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
	for i, count := range []present.Count{note.Replies, note.Reposts, note.Likes, note.Zaps} {
		n.figures[i].set(count, tipOf(i, count, n.c.opt.Words))
	}
	n.setFold(note)
	n.more.ID = "more:" + note.ID.String()[:8]
	n.Refresh()
}

// setFold shows whether the replies below are hidden.
func (n *counts) setFold(note *present.Note) {
	if n.fold == nil {
		return
	}
	below, folded := n.c.below, n.c.folded
	n.fold.Hidden = below == 0
	n.fold.ID = "fold:" + note.ID.String()[:8]
	number := map[string]any{"Number": n.c.opt.Words.Number(below)}
	if folded {
		n.fold.SetIcon("chevron-right")
		n.fold.Tip = lang.N("Show the {{.Number}} replies below", below, number)
	} else {
		n.fold.SetIcon("chevron-down")
		n.fold.Tip = lang.N("Hide the {{.Number}} replies below", below, number)
	}
}

// MinSize is a line of figures high.
func (n *counts) MinSize() fyne.Size {
	return fyne.NewSize(120, max(iconSize, float32(int(theme.Size(theme.Small)*1.4))))
}

func (n *counts) CreateRenderer() fyne.WidgetRenderer {
	r := &countsRenderer{n: n}
	for _, f := range n.figures {
		r.objects = append(r.objects, f)
	}
	if n.fold != nil {
		r.objects = append(r.objects, n.fold)
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
		if r.n.fold != nil {
			r.n.fold.Refresh()
		}
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
	if n.fold != nil && n.fold.Visible() {
		end -= side.Width + countGap
		n.fold.Resize(side)
		n.fold.Move(fyne.NewPos(end, (size.Height-side.Height)/2))
	}
	gap := n.gap(end)
	x := float32(0)
	for _, f := range n.figures {
		m := f.MinSize()
		f.Hidden = x+m.Width > end || f.text.Text == ""
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
	gaps := -1
	for _, f := range n.figures {
		if f.text.Text != "" {
			width -= f.MinSize().Width
			gaps++
		}
	}
	return min(nextGap*figureScale(), max(width/float32(max(gaps, 1)), 2*countGap))
}
