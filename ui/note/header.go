package note

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// header is the line with the author and the time of a note, and the button of its menu at
// the end. The time is always whole; a long name ends in an ellipsis, and the handle gives way
// first. The note that a thread is about has its time on a second line, in a quotation it
// follows the name.
type header struct {
	layout.Arranged
	c      *sheet
	face   *widgets.Avatar // only in quotations
	name   *prose.Text
	handle *prose.Text
	when   *prose.Text
	exact  *widgets.Hint       // around when: shows the exact time
	fold   *widgets.IconButton // nil where replies cannot be hidden
	more   *widgets.IconButton // nil in quotations
}

func newHeader(c *sheet) *header {
	h := &header{c: c, name: prose.New(), handle: prose.New(), when: prose.New()}
	h.name.MaxLines, h.handle.MaxLines, h.when.MaxLines = 1, 1, 1
	h.exact = widgets.NewHint(h.when, "")
	h.exact.Over = c.over
	h.Objects, h.Arrange, h.Least = []fyne.CanvasObject{h.name, h.handle, h.exact}, h.arrange, 80
	small := func(icon, tip string, tap func()) *widgets.IconButton {
		b := widgets.NewIconButton(icon, tip, tap)
		b.Side = moreSide
		b.SetGlyph(16)
		h.Objects = append(h.Objects, b)
		return b
	}
	if c.look.small {
		h.face = widgets.NewAvatar(c.note.PubKey, theme.AvatarSmall)
		h.Objects = append(h.Objects, h.face)
	} else {
		if c.opt.Fold != nil {
			h.fold = small("chevron-down", say("Hide the replies below"), func() { c.opt.Fold(c.note.ID) })
		}
		h.more = small("more", say("More"), func() { c.showMenu(h.more) })
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
		h.more.ID = "more:" + n.ID.String()[:8]
		h.setFold(n)
	} else {
		h.face.Set(n.PubKey)
	}
	h.name.SetSpans(name)
	h.handle.SetSpans(h.about(n)...)
	h.exact.Tip = n.Exact
	when := prose.Span{Text: h.time(n), Size: c.look.meta, Color: theme.Muted}
	if c.own() {
		h.name.SetSpans(when) // in the place of the name
		h.handle.SetSpans()
		when.Text = ""
	}
	h.when.SetSpans(when)
	h.Place() // each part has refreshed itself
	canvas.Refresh(h)
}

// time returns when the note was written: how long ago, or the date where a thread is about it.
func (h *header) time(n *present.Note) string {
	if h.c.opt.Size == Focus {
		return n.Exact
	}
	return n.When
}

// setFold shows whether the replies below are hidden.
func (h *header) setFold(n *present.Note) {
	if h.fold == nil {
		return
	}
	below, folded := h.c.below, h.c.folded
	h.fold.Hidden = below == 0
	h.fold.ID = "fold:" + n.ID.String()[:8]
	number := map[string]any{"Number": h.c.opt.Words.Number(below)}
	if folded {
		h.fold.SetIcon("chevron-right")
		h.fold.Tip = lang.N("Show the {{.Number}} replies below", below, number)
	} else {
		h.fold.SetIcon("chevron-down")
		h.fold.Tip = lang.N("Hide the {{.Number}} replies below", below, number)
	}
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
	if size := h.c.opt.Size; len(parts) > 0 && (size == Quote || size == Focus) {
		parts = append(parts, prose.Span{Text: " ·", Size: look.meta, Color: theme.Muted})
	}
	return parts
}

const (
	nameGap   = 5  // between the parts of a header, in points
	whenGap   = 10 // before a time at the right, at the least
	minHandle = 3  // the least width of a handle that is still readable, in ems
	moreSide  = 26 // the menu's button
	moreOver  = 6  // how far it extends beyond the text, so that its icon is at the edge
	moreGap   = 2  // before it
)

func (h *header) arrange(width float32, put layout.Put) float32 {
	line := max(h.name.HeightFor(1_000), h.when.HeightFor(1_000))
	if h.face != nil {
		line = max(line, theme.Eased(theme.AvatarSmall))
	}
	height := line
	if h.c.opt.Size == Focus {
		height += h.when.HeightFor(1_000)
	}
	if put == nil || width <= 0 {
		return height
	}
	x, end := float32(0), h.end(width)
	next := func(t fyne.CanvasObject, w float32) {
		own := layout.HeightFor(t, w)
		// Half a point below the middle, smaller letters are on one baseline with larger ones.
		put(t, x, max(0, float32(int((line-own)/2+0.75))), w, own)
		x += w
	}
	if h.face != nil {
		side := h.face.MinSize().Width
		put(h.face, 0, (line-side)/2, side, side)
		x = side + nameGap
	}
	if h.more != nil {
		side := h.more.MinSize()
		put(h.more, width-side.Width+moreOver, (line-side.Height)/2, side.Width, side.Height)
	}
	when := h.when.NaturalWidth(end - x)
	if h.c.opt.Size == Focus {
		next(h.name, min(h.name.NaturalWidth(end-x), max(0, end-x)))
		h.below(line, end, when, put)
		return height
	}
	free := end - x - when - whenGap
	if h.c.look.small {
		free = end - x - when - nameGap
	} else if h.holdsCounts(width) {
		free = h.countsAt(width) - x - whenGap
	}
	if h.fold != nil && h.fold.Visible() {
		free -= h.fold.MinSize().Width
	}
	name := min(h.name.NaturalWidth(end-x), max(0, free))
	next(h.name, name)
	free -= name + nameGap
	handle := h.handleWidth(free)
	h.handle.Hidden = handle == 0
	if !h.handle.Hidden {
		x += nameGap
		next(h.handle, handle)
	}
	if h.fold != nil && h.fold.Visible() {
		side := h.fold.MinSize()
		put(h.fold, x, (line-side.Height)/2, side.Width, side.Height)
	}
	if h.c.look.small {
		x += nameGap
	} else {
		x = end - when
	}
	next(h.exact, when)
	return height
}

// below places the second line of the note that a thread is about: its handle and time.
func (h *header) below(y, width, when float32, put layout.Put) {
	handle := h.handleWidth(width - when - nameGap)
	h.handle.Hidden = handle == 0
	x := float32(0)
	if handle > 0 {
		put(h.handle, 0, y, handle, h.handle.HeightFor(handle))
		x = handle + nameGap
	}
	put(h.exact, x, y, when, layout.HeightFor(h.exact, when))
}

// handleWidth returns how wide the handle is drawn in so much space; 0 if it is not.
func (h *header) handleWidth(free float32) float32 {
	if len(h.handle.Spans()) == 0 || free < minHandle*theme.Size(h.c.look.meta) {
		return 0
	}
	return min(h.handle.NaturalWidth(free), free)
}

// end returns where the texts of the line end.
func (h *header) end(width float32) float32 {
	if h.more == nil {
		return width
	}
	return width - h.more.MinSize().Width + moreOver - moreGap
}

// countsAt returns where the counts begin on the line of a reply: in columns that are at the
// same place in all replies whose times are not longer than usual.
func (h *header) countsAt(width float32) float32 {
	return h.end(width) - max(theme.Scaled(usualWhen), h.when.NaturalWidth(width)) - h.c.parts.counts.MinSize().Width
}

// The widths of most times and of most names, in points at the usual text size. Where the counts
// of most replies do not fit beside the name, those of none are there.
const (
	usualWhen = 50
	usualName = 160
)

// holdsCounts reports whether there is space on the line for the counts of a reply.
func (h *header) holdsCounts(width float32) bool {
	if h.c.opt.Size != Reply || h.c.parts.counts == nil || !h.c.counted() {
		return false
	}
	name := h.name.NaturalWidth(width) + whenGap
	if h.fold != nil && h.fold.Visible() {
		name += h.fold.MinSize().Width
	}
	return max(name, theme.Scaled(usualName)) <= h.countsAt(width)
}
