package note

import (
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// counts is the line below a note with its replies, reposts, likes and zaps, and the button
// of its menu. A count of 0 is not shown: an icon alone would look like a button.
type counts struct {
	layout.Arranged
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
	for _, f := range n.figures {
		n.Objects = append(n.Objects, f)
	}
	if n.fold != nil {
		n.Objects = append(n.Objects, n.fold)
	}
	n.Objects = append(n.Objects, n.more)
	n.Arrange, n.Least = n.arrange, 120
	n.ExtendBaseWidget(n)
	return n
}

func (n *counts) setNote(note *present.Note) {
	for i, count := range []present.Count{note.Replies, note.Reposts, note.Likes, note.Zaps} {
		n.figures[i].set(count, tipOf(i, count, n.c.opt.Words))
	}
	n.setFold(note)
	n.more.ID = "more:" + note.ID.String()[:8]
	for _, f := range n.figures {
		f.Refresh()
	}
	n.Place() // reading the icons of the buttons again would be slow
	canvas.Refresh(n)
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

func (n *counts) arrange(width float32, put layout.Put) float32 {
	if put == nil {
		return max(iconSize, float32(int(theme.Size(theme.Small)*1.4)))
	}
	height, side := n.Size().Height, n.more.MinSize()
	end := width - side.Width + moreOver
	put(n.more, end, (height-side.Height)/2, side.Width, side.Height)
	if n.fold != nil && n.fold.Visible() {
		end -= side.Width + countGap
		put(n.fold, end, (height-side.Height)/2, side.Width, side.Height)
	}
	gap := n.gap(end)
	x := float32(0)
	for _, f := range n.figures {
		m := f.MinSize()
		f.Hidden = x+m.Width > end || f.text.Text == ""
		if f.Hidden {
			continue
		}
		put(f, x, (height-m.Height)/2, m.Width, m.Height)
		x += m.Width + gap
	}
	return height
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
