package note

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/present"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// counts is the line below a note with its replies, reposts, likes and zaps, and the button
// of its menu. A count of 0 is not shown: an icon alone would look like a button.
type counts struct {
	widget.BaseWidget
	c       *sheet
	figures [4]*figure
	fold    *widgets.IconButton // nil where replies cannot be hidden
	more    *widgets.IconButton
}

// The measures of the counts, in points; those of the figures at the usual text size.
const (
	iconSize = 15
	countGap = 5
	nextGap  = 28
	moreSide = 26 // the menu's button
	moreOver = 6  // how far it extends beyond the text, so that its icon is at the edge
)

func newCounts(c *sheet) *counts {
	n := &counts{c: c}
	for i, icon := range []string{"reply", "repost", "heart", "zap"} {
		n.figures[i] = newFigure(c, icon, func() { n.tapped(i) })
	}
	small := func(b *widgets.IconButton) *widgets.IconButton {
		b.Side = moreSide
		b.SetGlyph(16)
		return b
	}
	if c.opt.Fold != nil {
		n.fold = small(widgets.NewIconButton("chevron-down", say("Hide the replies below"), func() { c.opt.Fold(c.note.ID) }))
	}
	n.more = small(widgets.NewIconButton("more", say("More"), func() { c.showMenu(n.more) }))
	n.ExtendBaseWidget(n)
	return n
}

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

// MinSize is the height of a line of figures.
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
	look    theme.Look // that the buttons were drawn in
}

func (r *countsRenderer) Destroy()                     {}
func (r *countsRenderer) MinSize() fyne.Size           { return r.n.MinSize() }
func (r *countsRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *countsRenderer) Refresh() {
	for _, f := range r.n.figures {
		f.Refresh()
	}
	if look := theme.Shown(); r.look != look { // reading an icon again is slow
		r.look = look
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

// gap returns the space between the figures, which shrinks where large letters leave less.
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
