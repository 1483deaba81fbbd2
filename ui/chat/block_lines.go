package chat

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// coverage draws how complete the notes are.
type coverage struct {
	screen *Screen
	text   *prose.Text
	dot    *fyne.Container
	row    *fyne.Container
	box    *fyne.Container
}

func newCoverage(s *Screen) *coverage {
	c := &coverage{screen: s, text: prose.New(), dot: layout.Stack()}
	c.text.ID = "chat.coverage"
	c.row = layout.TopRow(8, 1, layout.Pad(layout.Insets{Top: 6.5}, c.dot), c.text)
	c.box = layout.Stack()
	return c
}

func (c *coverage) object() fyne.CanvasObject { return c.box }

func (c *coverage) draw(r row) {
	b := r.block.(*answers.Coverage)
	color := theme.OK
	spans := []prose.Span{{Text: sayAll(b.Words, c.screen.now()), Size: theme.Small, Color: theme.Muted}}
	if b.Lacking {
		color = theme.Warn
		spans = append(spans, c.screen.fetched(r, b)...)
	}
	c.dot.Objects = []fyne.CanvasObject{widgets.NewDot(color)}
	c.text.SetSpans(spans...)
	c.box.Objects = []fyne.CanvasObject{c.row}
	if r.boxed {
		c.box.Objects = []fyne.CanvasObject{
			newPanel(theme.Quiet, theme.Line, theme.RadiusCard, endOf(r)),
			layout.Pad(layout.Insets{Top: 6}, layout.Stack(ruleAbove(), layout.Pad(layout.Sides(9, 16), c.row))),
		}
	}
	c.box.Refresh()
}

// notice draws a line about the course of a turn, with what can be done.
type notice struct {
	screen *Screen
	text   *prose.Text
}

func newNotice(s *Screen) *notice {
	n := &notice{screen: s, text: prose.New()}
	n.text.ID = "chat.notice"
	return n
}

func (n *notice) object() fyne.CanvasObject { return n.text }

func (n *notice) draw(r row) {
	b := r.block.(*answers.Notice)
	now := n.screen.now()
	text := say(b.Words, now)
	if then := say(b.Then, now); then != "" {
		text += " " + then
	}
	if b.Name == "thinking" || b.Then.Text != "" {
		text += " …"
	}
	spans := []prose.Span{{Text: text, Size: theme.Small, Color: theme.Muted}}
	for _, a := range b.Actions {
		if (a == answers.GoOn || a == answers.Reply) && !r.goes {
			continue
		}
		spans = append(spans, prose.Span{Text: "  "}, prose.Span{
			Text: actionLabel(a), Size: theme.Small, ID: "chat.do." + string(a),
			Tap: func() { n.screen.act(r.turn, a) },
		})
	}
	n.text.SetSpans(spans...)
}

// thinking draws what a model thought, folded.
type thinking struct {
	screen *Screen
	id     string
	text   *prose.Text
	head   *fyne.Container
	tap    *widgets.Tappable // stays the same: what is pressed must be there when it is let go
	box    *fyne.Container
}

func newThinking(s *Screen) *thinking {
	t := &thinking{screen: s, text: prose.Plain("", theme.Small, theme.Muted), head: layout.Row(6, -1)}
	t.text.Selectable = true
	t.tap = widgets.NewTappable(t.head, func() { s.toggle(t.id) })
	t.tap.ID = "chat.thinking"
	t.box = layout.Column(6)
	return t
}

func (t *thinking) object() fyne.CanvasObject { return t.box }

func (t *thinking) draw(r row) {
	t.id = r.id
	b := r.block.(*answers.Thinking)
	words, end := lang.L("Reasoning"), "chevron-right"
	if !b.Final {
		words = lang.L("Thinking")
	}
	if r.open {
		end = "chevron-down"
	}
	t.head.Objects = []fyne.CanvasObject{widgets.NewIcon(end, 12, theme.Muted), widgets.NewLabel(words, theme.Small, theme.Muted)}
	t.box.Objects = []fyne.CanvasObject{layout.Row(0, -1, t.tap)}
	if r.open {
		t.text.SetSpans(prose.Span{Text: b.Text, Size: theme.Small, Color: theme.Muted})
		t.box.Objects = append(t.box.Objects, layout.Pad(layout.Insets{Left: 18}, t.text))
	}
	t.box.Refresh()
}

// refusal draws what a model said instead of an answer.
type refusal struct {
	text *prose.Text
	box  *fyne.Container
}

func newRefusal() *refusal {
	f := &refusal{text: prose.New()}
	f.text.Selectable = true
	f.box = card(theme.Line, cardInsets, f.text)
	return f
}

func (f *refusal) object() fyne.CanvasObject { return f.box }

func (f *refusal) draw(r row) {
	f.text.SetSpans(
		prose.Span{Text: lang.L("The model declined to answer.") + "\n", Bold: true},
		prose.Span{Text: r.block.(*answers.Refusal).Text, Color: theme.Muted},
	)
}

// foot draws what can be done with an answer.
type foot struct {
	screen *Screen
	row    *fyne.Container
	box    *fyne.Container
}

func newFoot(s *Screen) *foot {
	f := &foot{screen: s, row: layout.Row(2, -1)}
	// The icons stand on the text's side; the buttons around them reach over it.
	f.box = layout.Pad(layout.Insets{Left: -theme.Unit * 2}, f.row)
	return f
}

func (f *foot) object() fyne.CanvasObject { return f.box }

func (f *foot) draw(r row) {
	s := f.screen
	button := func(name, tip string, tap func()) fyne.CanvasObject {
		o := widgets.NewIconButton(name, tip, tap)
		o.ID = "chat." + name
		return o
	}
	var menu fyne.CanvasObject
	menu = button("more", lang.L("More"), func() { s.footMenu(menu, r.turn) })
	f.row.Objects = []fyne.CanvasObject{
		button("copy", lang.L("Copy the answer"), func() { s.copyAnswer(r.turn) }),
		button("edit", lang.L("Edit the question"), func() { s.editQuestion(r.turn) }),
		button("retry", lang.L("Ask again"), func() { s.act(r.turn, answers.AskAgain) }),
		menu,
	}
	f.row.Refresh()
}
