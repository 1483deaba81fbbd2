package note

import (
	"fyne.io/fyne/v2"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// boxRadius is the corner radius of boxes within a card, in points.
const boxRadius = theme.RadiusButton

// box is a sentence in a frame, which a click opens.
type box struct {
	widgets.Press
	words *prose.Text
}

func newBox(c *sheet, fill, line fyne.ThemeColorName) *box {
	b := &box{words: prose.New()}
	b.Press = widgets.Press{
		Content: b.words, Insets: layout.Sides(9, 11), Rigid: true, Over: c.over,
		Look: func() widgets.Look {
			l := widgets.Look{Fill: fill, Line: line, Hover: theme.Chip, Radius: boxRadius}
			if fill == theme.Chip {
				l.Hover = theme.Line
			}
			return l
		},
	}
	b.ExtendBaseWidget(b)
	return b
}

// framed is the look of an article or a quotation within a card.
func framed() widgets.Look {
	return widgets.Look{Line: theme.Line, Hover: theme.Chip, Radius: theme.RadiusCard}
}

// quoteBox is a note inside another one.
type quoteBox struct {
	widgets.Press
	card *sheet
}

func newQuoteBox(c *sheet) *quoteBox {
	opt := c.opt
	opt.Size, opt.Line = Quote, false
	opt.Changed = func(nostr.ID) { c.changed() }
	q := &quoteBox{card: &sheet{opt: opt, look: lookOf(Quote, opt.Compact)}}
	q.card.ExtendBaseWidget(q.card)
	q.Press = widgets.Press{Content: q.card, Look: framed, Over: c.over}
	q.ExtendBaseWidget(q)
	return q
}

func (q *quoteBox) setNote(n *present.Note) {
	c := q.card
	c.set(*n)
	id := n.ID
	q.ID = "quote:" + id.String()[:8]
	q.Tap = func() { c.opt.Go.OpenThread(id) } // which fetches a note that is not stored
}

// addQuote adds the quoted note; an article as an article.
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
