package note

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// header is the line with the author and the time of a note. The time is always whole; a
// long name ends in an ellipsis, and the handle gives way first.
type header struct {
	layout.Arranged
	c      *sheet
	face   *widgets.Avatar // only in quotations
	name   *prose.Text
	handle *prose.Text
	when   *prose.Text
	exact  *widgets.Hint // around when: shows the exact time
}

func newHeader(c *sheet) *header {
	h := &header{c: c, name: prose.New(), handle: prose.New(), when: prose.New()}
	h.name.MaxLines, h.handle.MaxLines, h.when.MaxLines = 1, 1, 1
	if c.look.small {
		h.face = widgets.NewAvatar("", c.note.PubKey, theme.AvatarSmall)
	}
	h.exact = widgets.NewHint(h.when, "")
	h.exact.Over = c.over
	h.Objects, h.Arrange, h.Least = []fyne.CanvasObject{h.name, h.handle, h.exact}, h.arrange, 80
	if h.face != nil {
		h.Objects = append(h.Objects, h.face)
	}
	h.ExtendBaseWidget(h)
	return h
}

func (h *header) setNote(n *present.Note) {
	c := h.c
	name := prose.Span{Text: n.Author, Size: c.look.name, Color: theme.Text, Bold: true}
	if !c.look.small {
		pk := n.PubKey
		name.Tap = func() { c.openProfile(pk) }
		name.ID = "author:" + n.ID.String()[:8]
	} else {
		h.face.Set(n.Author, n.PubKey)
	}
	h.name.SetSpans(name)
	h.handle.SetSpans(h.about(n)...)
	h.exact.Tip = n.Exact
	h.when.SetSpans(prose.Span{Text: n.When, Size: c.look.meta, Color: theme.Muted})
	h.Place() // each part has refreshed itself
	canvas.Refresh(h)
}

// about returns what is between the name and the time.
func (h *header) about(n *present.Note) []prose.Span {
	look := h.c.look
	var parts []prose.Span
	add := func(text string, color fyne.ThemeColorName) {
		if text == "" {
			return
		}
		if len(parts) > 0 {
			parts = append(parts, prose.Span{Text: " · ", Size: look.meta, Color: theme.Muted})
		}
		parts = append(parts, prose.Span{Text: text, Size: look.meta, Color: color})
	}
	if h.c.look.small {
		add(n.Mark, theme.Warn)
	}
	switch h.c.opt.Size {
	case Focus:
		if n.NIP05 != "" {
			add(n.NIP05, theme.Muted)
		} else {
			add(n.Handle, theme.Muted)
		}
	case Feed:
		add(n.Handle, theme.Muted)
	}
	if n.Bot {
		add(say("automatic"), theme.Muted)
	}
	if len(parts) > 0 {
		parts = append(parts, prose.Span{Text: " ·", Size: look.meta, Color: theme.Muted})
	}
	return parts
}

const (
	nameGap   = 5 // between the parts of a header, in points
	minHandle = 3 // the least width of a handle that is still readable, in ems
)

func (h *header) arrange(width float32, put layout.Put) float32 {
	height := max(h.name.HeightFor(1_000), h.when.HeightFor(1_000))
	if h.face != nil {
		height = max(height, theme.Eased(theme.AvatarSmall))
	}
	if put == nil || width <= 0 {
		return height
	}
	x, full := float32(0), h.Size().Height
	if h.face != nil {
		side := h.face.MinSize().Width
		put(h.face, 0, (full-side)/2, side, side)
		x = side + nameGap
		width -= x
	}
	whenGap := float32(int(theme.Size(h.c.look.meta) * 0.28))
	when := h.when.NaturalWidth(width)
	name := min(h.name.NaturalWidth(width), max(0, width-when-nameGap))
	handle := float32(0)
	if len(h.handle.Spans()) > 0 {
		handle = min(h.handle.NaturalWidth(width), width-name-when-nameGap-whenGap)
	}
	next := func(t fyne.CanvasObject, w float32) {
		own := layout.HeightFor(t, w)
		// Half a point below the middle, smaller letters are on one baseline with larger ones.
		put(t, x, max(0, float32(int((full-own)/2+0.75))), w, own)
		x += w
	}
	next(h.name, name)
	x += nameGap
	h.handle.Hidden = handle < minHandle*theme.Size(h.c.look.meta)
	if !h.handle.Hidden {
		next(h.handle, handle)
		x += whenGap
	}
	next(h.exact, when)
	return height
}
