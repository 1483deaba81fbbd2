package chat

import (
	"math"

	"fyne.io/fyne/v2"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// The most that an answer is wide, and the window's width below which its sides
// get narrow: lines that are too long are hard to read.
const (
	widestAnswer = 722
	narrowWindow = 560
	narrowSides  = 16
)

// inner returns the left edge and the width of the column that answers and composer share.
func inner(width float32) (left, wide float32) {
	sides := theme.ChatPadding
	if width < narrowWindow {
		sides = narrowSides
	}
	wide = max(0, min(width-2*sides, widestAnswer))
	return float32(math.Floor(float64(width-wide) / 2)), wide
}

func ceil(f float32) float32 { return float32(math.Ceil(float64(f))) }

// frame puts the head above the chat, and the history or what was sent in its place when
// open.
func (s *Screen) frame() fyne.CanvasObject {
	var frame *layout.Arranged
	frame = layout.NewArranged(240, func(width float32, put layout.Put) float32 {
		if put == nil {
			return 320
		}
		size := frame.Size()
		top := layout.HeightFor(s.head.box, width)
		put(s.head.box, 0, 0, width, top)
		for _, o := range []fyne.CanvasObject{s.body, s.history.box, s.sent.box} {
			if o.Visible() {
				put(o, 0, top, width, size.Height-top)
			}
		}
		return size.Height
	}, s.body, s.history.box, s.sent.box, s.head.box)
	s.history.box.Hide()
	return frame
}

// over shows the chat, the history or what was sent.
func (s *Screen) over() {
	s.history.box.Hidden = !s.history.shown
	s.sent.box.Hidden = !s.sent.shown
	s.body.Hidden = s.history.shown || s.sent.shown
	s.head.draw()
	s.content.Refresh()
}

// back returns to the chat, or opens the history from it.
func (s *Screen) back() {
	if s.sent.shown {
		s.hideSent()
		return
	}
	s.showHistory(!s.history.shown)
}

// place gives the composer the height that it needs and the list what is left.
func (s *Screen) place(below fyne.CanvasObject, width float32, put layout.Put) float32 {
	if put == nil {
		return 280
	}
	size := s.body.Size()
	left, wide := inner(width)
	least := size.Height * 0.3
	if s.open != nil && len(s.open.turns) == 0 && s.opening.shown { // its button is in sight
		least = max(least, gapTurn+layout.HeightFor(s.opening.box, wide)+2*gapBlock+theme.ColumnPadding)
	}
	s.try.fit(func() bool { return layout.HeightFor(below, wide) <= size.Height-least })
	high := ceil(layout.HeightFor(below, wide)) // whole points: a row's thin lines stay sharp at the end too
	bottom := theme.ColumnPadding
	wasAtEnd := s.list.AtEnd() && s.open != nil && len(s.open.turns) > 0
	put(s.list, 0, 0, width, max(0, size.Height-high-bottom)) // lines end at the composer's edge, as if they went on below it
	put(below, left, size.Height-high-bottom, wide, high)
	if s.keepEnd(); wasAtEnd {
		s.list.ScrollToEnd()
	}
	return size.Height
}

// arrange lays the screen out again, after something changed its height.
func (s *Screen) arrange() {
	s.body.Refresh()
}
