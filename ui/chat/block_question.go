package chat

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/clean"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// question draws the user's words in a bubble at the right, as wide as they are, and below
// it the versions of the turn, if there are several.
type question struct {
	screen  *Screen
	turn    int
	text    *prose.Text
	bubble  *layout.Arranged
	more    *widgets.Link // shows all of a long text
	id      string
	open    bool
	earlier *widgets.IconButton
	later   *widgets.IconButton
	which   *widgets.Label
	pager   *fyne.Container
	box     *fyne.Container
}

// bubblePad is the space around the words, bubbleShare the largest share of the width that
// a bubble takes.
var bubblePad = layout.Sides(9, 14)

const bubbleShare = 0.85

// The most of a question that is shown at first and when it is opened: a whole book may have
// been pasted.
const (
	questionFold  = 8 // lines
	questionLines = 40
	questionRunes = 3000
)

func newQuestion(s *Screen) drawer {
	q := &question{screen: s, text: prose.Plain("", theme.Body, theme.OnUser)}
	q.text.ID = "chat.question"
	q.text.Selectable = true
	q.more = widgets.Named("chat.question.more", widgets.NewLink("", func() { s.toggle(q.id) }))
	back := newPanel(theme.User, "", theme.RadiusCard, userCorners)
	q.bubble = layout.NewArranged(120, func(width float32, put layout.Put) float32 {
		most := width*bubbleShare - bubblePad.Left - bubblePad.Right
		wide := ceil(q.text.NaturalWidth(most))
		high := ceil(q.text.HeightFor(wide))
		w, h := wide+bubblePad.Left+bubblePad.Right, high+bubblePad.Top+bubblePad.Bottom
		if put != nil {
			width = float32(math.Floor(float64(width)))
			put(back, width-w, 0, w, h)
			put(q.text, width-w+bubblePad.Left, bubblePad.Top, wide, high)
		}
		long := q.open || q.text.Cut(wide)
		if q.more.Hidden = !long; long {
			size := q.more.MinSize()
			if put != nil {
				put(q.more, width-size.Width, h+theme.Unit, size.Width, size.Height)
			}
			h += theme.Unit + size.Height
		}
		return h
	}, back, q.text, q.more)
	q.earlier = q.step("chevron-left", lang.L("Earlier version"), -1)
	q.later = q.step("chevron-right", lang.L("Later version"), +1)
	q.which = widgets.NewLabel("", theme.Small, theme.Muted)
	q.pager = layout.Row(0, 0, space(1, 1), q.earlier, q.which, q.later)
	q.box = layout.Column(2, q.bubble, q.pager)
	return drawer{q.box, q.draw}
}

// step makes the button to the version before or after the current one.
func (q *question) step(icon, tip string, by int) *widgets.IconButton {
	b := widgets.Named("chat.version."+icon, widgets.NewIconButton(icon, tip, func() { q.screen.openVersion(q.turn, by) }))
	b.Side = 26
	b.SetGlyph(14)
	return b
}

func (q *question) draw(r row) {
	text, _ := present.Clamp(clean.Text(r.text), questionLines, questionRunes)
	q.id, q.open, q.text.MaxLines = r.id, r.open, questionFold
	label := lang.L("Show all of the question")
	if r.open {
		q.text.MaxLines, label = 0, lang.L("Show less")
	}
	q.more.SetText(label)
	q.text.SetSpans(prose.Span{Text: text, Color: theme.OnUser})
	q.turn, q.bubble.Hidden = r.turn, r.bare
	if q.pager.Hidden = r.of < 2; r.of > 1 {
		q.which.SetText(lang.L("{{.At}} of {{.All}}", in("At", inWords().Number(r.at), "All", inWords().Number(r.of))))
		able(q.earlier, r.at > 1)
		able(q.later, r.at < r.of)
	}
	q.box.Refresh()
}

func able(b fyne.Disableable, yes bool) {
	if yes {
		b.Enable()
	} else {
		b.Disable()
	}
}

// openVersion opens another version of the chat at a turn.
func (s *Screen) openVersion(turn, by int) {
	c := s.open
	if turn >= len(c.turns) {
		return
	}
	number := c.turns[turn].Number
	if at, of := c.version(turn); at > 0 && at+by >= 1 && at+by <= of {
		s.openAt(c.versions[number][at+by-1], number)
	}
}
