package prose

import (
	"cmp"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"

	"bowerbird/ui/keys"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// link is what the mouse and the keyboard reach of one span with Tap: a head, which can be
// focused, and a tail for each further piece of it.
type link struct {
	t     *Text
	span  Span
	head  *head
	tails []*fragment
	used  int // pieces in use
	hover bool
	focus bool
	lit   bool // see Light

	timer  *time.Timer // until the tip is shown
	tipped tipper      // the layer that shows the tip
}

// drawLinks puts the links over their pieces. A link that is shown already stays the same
// object, so that it keeps the focus.
func (r *renderer) drawLinks(f *flow) {
	n := 0
	for _, s := range r.t.spans {
		if s.Tap == nil || n == maxLinks {
			continue
		}
		if n == len(r.links) {
			l := &link{t: r.t}
			l.head = &head{}
			l.head.init(l)
			l.head.ExtendBaseWidget(l.head)
			r.links = append(r.links, l)
		}
		r.links[n].span, r.links[n].used = s, 0
		n++
	}
	for i := range r.placed {
		p := &r.placed[i]
		l := &f.looks[p.look]
		if l.link > 0 && !p.ellipsis {
			r.links[l.link-1].cover(r, f, p)
		}
	}
}

// cover puts a piece of the link over a piece of text.
func (l *link) cover(r *renderer, f *flow, p *placed) {
	var o fyne.CanvasObject = l.head
	frag := &l.head.fragment
	if l.used > 0 {
		if l.used > len(l.tails) {
			tail := &fragment{}
			tail.init(l)
			tail.ExtendBaseWidget(tail)
			l.tails = append(l.tails, tail)
		}
		frag = l.tails[l.used-1]
		o = frag
	}
	l.used++
	frag.under = p.baseline + 2 - p.top
	frag.chip, frag.after = f.looks[p.look].chip, f.looks[p.look].after
	o.Move(fyne.NewPos(p.x, p.top))
	o.Resize(fyne.NewSize(p.w, f.line))
	frag.Refresh()
	r.objects = append(r.objects, o)
}

// shines reports whether the link's chip is filled.
func (l *link) shines() bool { return l.hover || l.focus || l.lit }

// show draws hover and focus on all pieces.
func (l *link) show() {
	if l.head.chip {
		l.t.Refresh() // the chip is drawn with the text
		return
	}
	l.head.Refresh()
	for _, t := range l.tails {
		t.Refresh()
	}
}

func (l *link) tap() {
	if l.span.Tap != nil {
		l.span.Tap()
	}
}

func (l *link) over(f *fragment, on bool) {
	if l.span.Over != nil {
		l.span.Over(f.drawn(), on)
	}
}

// Light fills the link's chip, as long as the card about it is shown.
func (f *fragment) Light(on bool) {
	f.link.lit = on
	f.link.show()
}

// drawn returns what is on the canvas: of the first piece, the head.
func (f *fragment) drawn() fyne.CanvasObject {
	if f == &f.link.head.fragment {
		return f.link.head
	}
	return f
}

// tipper shows tips above everything else: the window's content (widgets.Root).
type tipper interface {
	ShowTip(text string, beside fyne.CanvasObject)
	HideTip()
}

// fragment is a piece of a link on one line.
type fragment struct {
	layout.Arranged
	link  *link
	under float32 // the y of its underline
	chip  bool
	after float32 // the space after a chip's box
}

func (f *fragment) init(l *link) {
	line, ring := canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	ring.CornerRadius = 4
	f.link, f.Objects = l, []fyne.CanvasObject{line, ring}
	f.Paint = func() {
		line.FillColor, line.Hidden = theme.Color(theme.Primary), !l.hover || f.chip
		ring.StrokeColor, ring.StrokeWidth = theme.Color(theme.Primary), 2
		ring.Hidden = !l.focus
	}
	f.Arrange = func(width float32, put layout.Put) float32 {
		switch height := f.Size().Height; {
		case put == nil: // it is as large as its piece
		case f.chip:
			put(line, 0, f.under, width, 1)
			put(ring, chipBefore-1, 1, width-chipBefore-f.after+2, height-2)
		default:
			put(line, 0, f.under, width, 1)
			put(ring, -2, 0, width+4, height)
		}
		return 0
	}
}

// DumpName returns the ID of the span, else what the link says.
func (f *fragment) DumpName() string { return cmp.Or(f.link.span.ID, "link:"+f.link.span.Text) }

// Tapped opens the link.
func (f *fragment) Tapped(*fyne.PointEvent) {
	f.tip(false)
	f.link.tap()
}

func (f *fragment) Cursor() desktop.Cursor { return desktop.PointerCursor }

func (f *fragment) MouseIn(*desktop.MouseEvent) {
	f.link.hover = true
	f.link.show()
	f.tip(true)
	f.link.over(f, true)
}

func (f *fragment) MouseMoved(*desktop.MouseEvent) {}

func (f *fragment) MouseOut() {
	f.link.hover = false
	f.link.show()
	f.tip(false)
	f.link.over(f, false)
}

// tipDelay is how long the mouse rests on a link before its tip is shown.
const tipDelay = 600 * time.Millisecond

// tip shows the link's tip after [tipDelay], or hides it.
func (f *fragment) tip(show bool) {
	l := f.link
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
	if l.tipped != nil {
		l.tipped.HideTip()
		l.tipped = nil
	}
	if !show || l.span.Tip == "" {
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(tipDelay, func() {
		fyne.Do(func() {
			if l.timer == timer {
				f.showTip()
			}
		})
	})
	l.timer = timer
}

func (f *fragment) showTip() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(f.drawn()); c != nil {
		if root, ok := c.Content().(tipper); ok {
			f.link.tipped = root
			root.ShowTip(f.link.span.Tip, f.drawn())
		}
	}
}

// head is the first piece of a link, which the keyboard reaches.
type head struct{ fragment }

func (h *head) FocusGained() { h.link.focus = true; h.link.show(); h.link.over(&h.fragment, true) }
func (h *head) FocusLost()   { h.link.focus = false; h.link.show(); h.link.over(&h.fragment, false) }

// TypedRune opens the link with the space bar.
func (h *head) TypedRune(r rune) {
	if r == ' ' {
		h.link.tap()
	}
}

// TypedKey opens the link with Enter and passes other keys on.
func (h *head) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		h.link.tap()
	case fyne.KeySpace: // arrives as a rune too
	default:
		keys.PassOn(h, e)
	}
}
