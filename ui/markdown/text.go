package markdown

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
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
	p.More = opt.more(lk)
	p.set(b)
	return p
}

func (p *paragraph) object() fyne.CanvasObject { return p.Text }

// more is what the menu of a text offers: the block that it is in, as Markdown.
func (o *Options) more(lk look) func() []*fyne.MenuItem {
	return func() []*fyne.MenuItem {
		return []*fyne.MenuItem{fyne.NewMenuItem(lang.L("Copy as Markdown"), func() { o.copyText(lk.top()) })}
	}
}

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

// rule draws a line across.
type rule struct{ *fyne.Container }

func newRule() *rule {
	return &rule{layout.Pad(layout.Sides(ruleSpace, 0), widgets.NewRule())}
}

const ruleSpace = 4

func (r *rule) object() fyne.CanvasObject { return r.Container }
func (r *rule) set(Block)                 {}
func (r *rule) HeightFor(float32) float32 { return 2*ruleSpace + 1 }

// The indents of quotes and lists, in points.
const (
	quoteBar    = 3
	quoteIndent = 14
	listIndent  = 18
	numberGap   = 7
	boxGap      = 8
)

// quote draws blocks beside a bar.
type quote struct {
	widget.BaseWidget
	bar   *canvas.Rectangle
	stack *stack
}

func newQuote(opt *Options, lk look, b Block) *quote {
	lk.color = theme.Muted
	q := &quote{bar: canvas.NewRectangle(nil), stack: newStack(opt, lk, b.Children, false)}
	q.bar.CornerRadius = quoteBar / 2.0
	q.ExtendBaseWidget(q)
	return q
}

func (q *quote) object() fyne.CanvasObject { return q }

func (q *quote) set(b Block) {
	q.stack.update(b.Children, 0)
	q.Refresh()
}

func (q *quote) HeightFor(width float32) float32 { return q.stack.HeightFor(width - quoteIndent) }

func (q *quote) MinSize() fyne.Size { return fyne.NewSize(60, q.stack.MinSize().Height) }

// CreateRenderer implements fyne.Widget.
func (q *quote) CreateRenderer() fyne.WidgetRenderer {
	r := &quoteRenderer{q}
	r.Refresh()
	return r
}

type quoteRenderer struct{ q *quote }

func (r *quoteRenderer) Layout(size fyne.Size) {
	r.q.bar.Resize(fyne.NewSize(quoteBar, size.Height))
	r.q.stack.Move(fyne.NewPos(quoteIndent, 0))
	r.q.stack.Resize(fyne.NewSize(size.Width-quoteIndent, size.Height))
}

func (r *quoteRenderer) Refresh() {
	r.q.bar.FillColor = theme.Color(theme.Line)
	r.q.bar.Refresh()
	r.Layout(r.q.Size())
	r.q.stack.Refresh()
	canvas.Refresh(r.q)
}

func (r *quoteRenderer) MinSize() fyne.Size { return r.q.MinSize() }
func (r *quoteRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.q.bar, r.q.stack}
}
func (r *quoteRenderer) Destroy() {}
