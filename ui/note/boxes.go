package note

import (
	"bowerbird/ndb/nostr"
	"fyne.io/fyne/v2"

	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// boxStyle is how a box of words is framed.
type boxStyle uint8

const (
	plainBox  boxStyle = iota // a line around it
	filledBox                 // grey
	dashedBox                 // for what is not loaded
)

// boxRadius is the corner of boxes within a card.
const boxRadius = theme.RadiusButton

// box is a sentence in a frame, which a click opens.
type box struct {
	pressable
	words *prose.Text
}

func newBox(c *sheet, style boxStyle) *box {
	b := &box{}
	b.over = c.over
	b.frame(style)
	b.ExtendBaseWidget(b)
	return b
}

func (b *box) frame(style boxStyle) {
	b.words = prose.New()
	b.content, b.radius = b.words, boxRadius
	b.in = layout.Sides(9, 11)
	switch style {
	case plainBox:
		b.stroke = theme.Line
	case filledBox:
		b.fill = theme.Chip
	case dashedBox:
		b.dashed = true
		b.in = layout.Sides(12, 12)
		b.words.Align = fyne.TextAlignCenter
	}
}

func (b *box) setSpans(spans ...prose.Span) {
	b.words.SetSpans(spans...)
	b.Refresh()
}

// quoteBox is a note inside another one.
type quoteBox struct {
	pressable
	card *sheet
}

func newQuoteBox(c *sheet) *quoteBox {
	opt := c.opt
	opt.Size, opt.Line = Quote, false
	opt.Changed = func(nostr.ID) { c.changed() }
	q := &quoteBox{card: &sheet{opt: opt, look: lookOf(Quote, opt.Compact)}}
	q.card.ExtendBaseWidget(q.card)
	q.radius, q.stroke = theme.RadiusCard, theme.Line
	q.content, q.over = q.card, c.over
	q.ExtendBaseWidget(q)
	return q
}

func (q *quoteBox) setNote(n *present.Note) {
	c := q.card
	c.set(*n)
	id := n.ID
	q.name = "quote:" + id.String()[:8]
	q.tap = func() { c.opt.Go.OpenThread(id) } // which looks for a note that is not stored
	q.Refresh()
}

// addQuote adds the note that is quoted: an article as an article, whoever wrote it.
func (c *sheet) addQuote() {
	q := c.note.Quote
	if q == nil || c.look.small {
		return
	}
	if q.Article() {
		if c.parts.long == nil {
			c.parts.long = newArticleBox(c)
		}
		c.parts.long.setNote(q, &c.note)
		c.add(c.parts.long, c.look.between)
		return
	}
	if c.parts.quote == nil {
		c.parts.quote = newQuoteBox(c)
	}
	c.parts.quote.setNote(q)
	c.add(c.parts.quote, c.look.between)
}
