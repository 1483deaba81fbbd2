package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"bowerbird/ui/keys"
	"bowerbird/ui/theme"
)

// pageShare is the part of the visible height that a page moves: the rest stays as
// orientation.
const pageShare = 0.88

// FocusGained implements fyne.Focusable.
func (l *VirtualList) FocusGained() {
	l.focused = true
	if _, ok := l.currentInSight(); !ok {
		l.setCurrent(l.firstWhole())
	}
	l.paintRing()
}

// currentInSight returns the index of the selected row, and whether it is in sight.
func (l *VirtualList) currentInSight() (int, bool) {
	i, ok := l.Index(l.current)
	return i, ok && i >= l.top && i < l.seen
}

// FocusLost implements fyne.Focusable.
func (l *VirtualList) FocusLost() {
	l.focused, l.calm = false, false
	l.paintRing()
}

// HideRing hides the focus ring until a key is pressed.
func (l *VirtualList) HideRing() { l.calm = true; l.paintRing() }

// TypedRune implements fyne.Focusable.
func (l *VirtualList) TypedRune(r rune) {
	l.calm = false
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
	l.calm = false
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
	case fyne.KeySpace: // arrives as a rune too
	default:
		if e.Name == fyne.KeyEscape && l.opt.Escape != nil {
			l.opt.Escape()
			return
		}
		keys.PassOn(l, e)
	}
}

// Current returns the selected row; "" for none.
func (l *VirtualList) Current() string { return l.current }

// SetCurrent selects a row for when the list has the focus.
func (l *VirtualList) SetCurrent(id string) {
	if i, ok := l.Index(id); ok {
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

// firstWhole returns the first row whose upper edge is in sight.
func (l *VirtualList) firstWhole() int {
	if l.into > 0 && l.top+1 < l.seen {
		return l.top + 1
	}
	return l.top
}

// open does with the selected row what a click does. A row that was scrolled out of sight
// is not opened: the selection moves into sight instead.
func (l *VirtualList) open() {
	if _, ok := l.currentInSight(); !ok {
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

// step selects the next row, or scrolls on in one that is higher than the list.
func (l *VirtualList) step(by int) {
	i, ok := l.currentInSight()
	if !ok {
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

// page scrolls by the visible height.
func (l *VirtualList) page(by float32) {
	l.scrollBy(by * l.Size().Height * pageShare)
	if len(l.ids) == 0 {
		return
	}
	if by > 0 && l.endSeen {
		l.setCurrent(len(l.ids) - 1)
	} else {
		l.setCurrent(l.firstWhole())
	}
}

// paintRing draws the focus ring around the selected row.
func (l *VirtualList) paintRing() {
	i, ok := l.currentInSight()
	l.ring.Hidden = !l.focused || l.calm || !ok
	if !l.ring.Hidden {
		top, bottom := l.span(i)
		l.ring.StrokeColor = theme.Color(theme.Primary)
		l.ring.Move(fyne.NewPos(2, top+2))
		l.ring.Resize(fyne.NewSize(l.width-4, bottom-top-4))
	}
	canvas.Refresh(l.ring)
}
