package chat

import (
	"math"

	"fyne.io/fyne/v2"

	"bowerbird/ndb"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// question draws the user's words: a bubble at the right, as wide as they are.
type question struct {
	text   *prose.Text
	bubble *arranged
}

// bubblePad is the space around the words, and bubbleShare the most that a bubble
// takes of the width.
var bubblePad = layout.Sides(9, 14)

const bubbleShare = 0.85

// The most of a question that is shown: a whole book may have been pasted.
const (
	questionLines = 40
	questionRunes = 3000
)

func newQuestion() *question {
	q := &question{text: prose.Plain("", theme.Body, theme.OnUser)}
	q.text.ID = "chat.question"
	q.text.Selectable = true
	back := newPanel(theme.User, "", theme.RadiusCard, userCorners)
	q.bubble = newArranged(120, func(width float32, put place) float32 {
		most := width*bubbleShare - bubblePad.Left - bubblePad.Right
		wide := ceil(q.text.NaturalWidth(most))
		high := ceil(q.text.HeightFor(wide))
		w, h := wide+bubblePad.Left+bubblePad.Right, high+bubblePad.Top+bubblePad.Bottom
		if put != nil {
			width = float32(math.Floor(float64(width)))
			put(back, width-w, 0, w, h)
			put(q.text, width-w+bubblePad.Left, bubblePad.Top, wide, high)
		}
		return h
	}, back, q.text)
	return q
}

func (q *question) object() fyne.CanvasObject { return q.bubble }

func (q *question) draw(r row) {
	text, _ := present.Clamp(ndb.CleanText(r.text), questionLines, questionRunes)
	q.text.SetSpans(prose.Span{Text: text, Color: theme.OnUser})
}
