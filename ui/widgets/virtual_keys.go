package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"bowerbird/ui/keys"
	"bowerbird/ui/theme"
)

// pageShare is how much of what is seen a page moves: a little stays for the eye.
const pageShare = 0.88

// FocusGained implements fyne.Focusable.
func (l *VirtualList) FocusGained() {
	l.focused = true
	if i, ok := l.find(l.current); !ok || i < l.top || i >= l.seen {
		l.setCurrent(l.firstWhole())
	}
	l.paintRing()
}

// FocusLost implements fyne.Focusable.
func (l *VirtualList) FocusLost() {
	l.focused = false
	l.paintRing()
}

// TypedRune implements fyne.Focusable.
func (l *VirtualList) TypedRune(r rune) {
	switch r {
	case ' ':
		l.page(1)
	case 'j':
		l.step(1)
	case 'k':
		l.step(-1)
	}
}

// TypedKey implements fyne.Focusable.
func (l *VirtualList) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyDown:
		l.step(1)
	case fyne.KeyUp:
		l.step(-1)
	case fyne.KeyPageDown:
		l.page(1)
	case fyne.KeyPageUp:
		l.page(-1)
	case fyne.KeyHome:
		l.ScrollToTop()
		l.setCurrent(0)
		l.moved()
	case fyne.KeyEnd:
		l.ScrollToEnd()
		l.setCurrent(len(l.ids) - 1)
		l.moved()
	case fyne.KeyReturn, fyne.KeyEnter:
		l.open()
	case fyne.KeySpace: // comes as a rune too
	default:
		if e.Name == fyne.KeyEscape && l.opt.Escape != nil {
			l.opt.Escape()
			return
		}
		keys.PassOn(l, e)
	}
}

// Current returns the row that the keyboard is on; "" for none.
func (l *VirtualList) Current() string { return l.current }

// SetCurrent puts the keyboard's place on a row, for when the list has the keyboard.
func (l *VirtualList) SetCurrent(id string) {
	if i, ok := l.find(id); ok {
		l.setCurrent(i)
	}
}

func (l *VirtualList) setCurrent(i int) {
	l.current = ""
	if i >= 0 && i < len(l.ids) {
		l.current = l.ids[i]
	}
	l.paintRing()
}

// firstWhole returns the first row that is in sight with its upper edge.
func (l *VirtualList) firstWhole() int {
	if l.into > 0 && l.top+1 < l.seen {
		return l.top + 1
	}
	return l.top
}

// open does with the row of the keyboard what a click does. One that was scrolled out
// of sight is not opened: the keyboard comes to one that is seen.
func (l *VirtualList) open() {
	if i, ok := l.find(l.current); !ok || i < l.top || i >= l.seen {
		l.setCurrent(l.firstWhole())
		return
	}
	if l.opt.Open != nil && l.current != "" {
		l.opt.Open(l.current)
		return
	}
	if t, ok := l.Row(l.current).(fyne.Tappable); ok {
		t.Tapped(&fyne.PointEvent{})
	}
}

// step goes to the next row, or on in one that is longer than what is seen.
func (l *VirtualList) step(by int) {
	i, ok := l.find(l.current)
	if !ok || i < l.top || i >= l.seen {
		l.setCurrent(l.firstWhole())
		return
	}
	top, bottom := l.span(i)
	height := l.Size().Height
	switch {
	case by > 0 && bottom > height+1:
		l.scrollBy(min(bottom-height, height*pageShare))
		return
	case by < 0 && top < -1:
		l.scrollBy(max(top, -height*pageShare))
		return
	}
	next := max(0, min(i+by, len(l.ids)-1))
	l.setCurrent(next)
	if next == i {
		return
	}
	l.measured(next)
	top, bottom = l.span(next)
	if by > 0 && bottom > height {
		l.scrollBy(min(bottom-height, top))
	} else if by < 0 && top < 0 {
		l.scrollBy(max(top, bottom-height))
	}
}

// span returns where a row begins and ends, below the upper edge.
func (l *VirtualList) span(i int) (top, bottom float32) {
	top = -l.into
	for j := l.top; j < i; j++ {
		top += l.heights.each[j]
	}
	for j := l.top; j > i; j-- {
		top -= l.heights.each[j-1]
	}
	return top, top + l.heights.each[i]
}

// page moves by what is seen.
func (l *VirtualList) page(by float32) {
	l.scrollBy(by * l.Size().Height * pageShare)
	if len(l.ids) == 0 {
		return
	}
	switch {
	case by > 0 && l.endSeen:
		l.setCurrent(len(l.ids) - 1)
	default:
		l.setCurrent(l.firstWhole())
	}
}

// newRing returns a line around what is to be found.
func newRing() *canvas.Rectangle {
	r := canvas.NewRectangle(color.Transparent)
	r.StrokeWidth, r.CornerRadius = 2, 6
	r.Hide()
	return r
}

// paintRing puts the line around the row that the keyboard is on.
func (l *VirtualList) paintRing() {
	i, ok := l.find(l.current)
	l.ring.Hidden = !l.focused || !ok || i < l.top || i >= l.seen
	if !l.ring.Hidden {
		top, bottom := l.span(i)
		l.ring.StrokeColor = theme.Color(theme.Primary)
		l.ring.Move(fyne.NewPos(2, top+2))
		l.ring.Resize(fyne.NewSize(l.width-4, bottom-top-4))
	}
	canvas.Refresh(l.ring)
}
