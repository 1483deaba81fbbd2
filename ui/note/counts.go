package note

import (
	"fyne.io/fyne/v2/canvas"

	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
)

// counts are the replies, reposts, likes and zaps of a note, in columns that are at the same
// place in all notes of a list: below the text, or at the end of the name line of a reply.
// Below the text a 0 is drawn as an icon alone, so that the eye finds the columns.
type counts struct {
	layout.Arranged
	c       *sheet
	figures [4]*figure
	beside  bool // on the name line
}

// The measures of the counts, in points at the usual text size.
const (
	iconSize     = 14
	countGap     = 6
	countColumn  = 62
	besideColumn = 38 // on the name line
	besideZaps   = 50 // the same of zaps, which are many
)

func newCounts(c *sheet) *counts {
	n := &counts{c: c}
	for i, icon := range []string{"reply", "repost", "heart", "zap"} {
		n.figures[i] = newFigure(c, icon, func() { n.tapped(i) })
		n.Objects = append(n.Objects, n.figures[i])
	}
	n.Arrange = n.arrange
	n.ExtendBaseWidget(n)
	return n
}

// counted reports whether anything of the note is counted.
func (c *sheet) counted() bool {
	n := &c.note
	return n.Replies.Text != "" || n.Reposts.Text != "" || n.Likes.Text != "" || n.Zaps.Text != ""
}

func (n *counts) setNote(note *present.Note) {
	for i, count := range []present.Count{note.Replies, note.Reposts, note.Likes, note.Zaps} {
		n.figures[i].set(count, tipOf(i, count, n.c.opt.Words))
	}
	n.Least = 0
	for i := range n.figures {
		n.Least += n.column(i)
	}
	for _, f := range n.figures {
		f.Refresh()
	}
	n.Place() // reading the icons of the buttons again would be slow
	canvas.Refresh(n)
}

// column returns the width of the column of a figure on the name line.
func (n *counts) column(i int) float32 {
	least := float32(besideColumn)
	if i == zaps {
		least = besideZaps
	}
	return max(least*figureScale(), n.figures[i].MinSize().Width+countGap/2)
}

func (n *counts) arrange(width float32, put layout.Put) float32 {
	if put == nil {
		return max(iconSize, float32(int(theme.Size(theme.Small)*1.4)))
	}
	height, x := n.Size().Height, float32(0)
	for i, f := range n.figures {
		m := f.MinSize()
		f.Hidden = x+m.Width > width || f.text.Text == "" && (n.beside || i == zaps)
		if !f.Hidden {
			put(f, x, (height-m.Height)/2, m.Width, m.Height)
		}
		if n.beside {
			x += n.column(i)
		} else {
			x += max(m.Width+countGap/2, min(countColumn*figureScale(), width/4)) // large letters leave less
		}
	}
	return height
}
