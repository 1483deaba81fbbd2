package markdown

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// paragraph draws a paragraph or a heading.
type paragraph struct {
	*prose.Text
	opt  *Options
	look look
}

func newParagraph(opt *Options, lk look, b Block) *paragraph {
	p := &paragraph{Text: prose.New(), opt: opt, look: lk}
	p.Selectable = true
	p.More = func() []*fyne.MenuItem {
		return []*fyne.MenuItem{fyne.NewMenuItem(lang.L("Copy as Markdown"), func() { opt.copyText(lk.top()) })}
	}
	p.set(b)
	return p
}

func (p *paragraph) object() fyne.CanvasObject { return p.Text }

func (p *paragraph) set(b Block) {
	lk := p.look
	if b.Kind == Heading {
		lk.bold = true
		switch b.Level {
		case 1:
			lk.size = theme.Title
		case 2:
			lk.size = theme.Heading
		}
	}
	p.SetSpans(p.opt.spans(b.Inline, lk)...)
}

// rule draws a thematic break.
type rule struct{ *fyne.Container }

func (r rule) object() fyne.CanvasObject { return r.Container }
func (r rule) set(Block)                 {}

// The measures of quotes and lists, in points.
const (
	quoteBar    = 3
	quoteIndent = 14
	listIndent  = 18
	numberGap   = 7
	boxGap      = 8
)

// quote draws blocks beside a bar.
type quote struct {
	layout.Arranged
	bar   *canvas.Rectangle
	stack *stack
}

func newQuote(opt *Options, lk look, b Block) *quote {
	lk.color = theme.Muted
	q := &quote{bar: canvas.NewRectangle(nil), stack: newStack(opt, lk, b.Children, false)}
	q.bar.CornerRadius = quoteBar / 2.0
	q.Objects, q.Least = []fyne.CanvasObject{q.bar, q.stack}, 60
	q.Paint = func() { q.bar.FillColor = theme.Color(theme.Line) }
	q.Arrange = func(width float32, put layout.Put) float32 {
		high := q.stack.HeightFor(width - quoteIndent)
		if put != nil {
			put(q.bar, 0, 0, quoteBar, high)
			put(q.stack, quoteIndent, 0, width-quoteIndent, high)
		}
		return high
	}
	q.ExtendBaseWidget(q)
	return q
}

func (q *quote) object() fyne.CanvasObject { return q }

func (q *quote) set(b Block) {
	q.stack.update(b.Children, 0)
	q.Refresh()
}
