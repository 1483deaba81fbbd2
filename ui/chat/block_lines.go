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

// newCoverage draws how complete the notes are that an answer rests on. Its text stays
// the same object, so that the keyboard stays on its links.
func newCoverage(s *Screen) drawer {
	text, dot, box := prose.New(), layout.Stack(), layout.Stack()
	text.ID = "chat.coverage"
	line := layout.TopRow(8, 1, layout.Pad(layout.Insets{Top: 6.5}, dot), text)
	return drawer{box, func(r row) {
		b := r.block.(*answers.Coverage)
		color := theme.OK
		spans := []prose.Span{{Text: sayAll(b.Words, s.now()), Size: theme.Small, Color: theme.Muted}}
		if b.Missing {
			color = theme.Warn
			spans = append(spans, s.fetched(r, b)...)
		}
		dot.Objects = []fyne.CanvasObject{widgets.NewDot(color)}
		text.SetSpans(spans...)
		box.Objects = []fyne.CanvasObject{line}
		if r.boxed {
			box.Objects = []fyne.CanvasObject{
				newPanel(theme.Quiet, theme.Line, theme.RadiusCard, endOf(r)),
				layout.Pad(layout.Insets{Top: 6}, layout.Stack(ruleAbove(), layout.Pad(layout.Sides(9, 16), line))),
			}
		}
		box.Refresh()
	}}
}

// newNotice draws a line about the course of a turn, with what can be done.
func newNotice(s *Screen) drawer {
	line := prose.New()
	line.ID = "chat.notice"
	return drawer{line, func(r row) {
		b := r.block.(*answers.Notice)
		text := say(b.Words, s.now())
		if then := say(b.Then, s.now()); then != "" {
			text += " " + then
		}
		if b.Name == "thinking" || b.Then.Text != "" {
			text += " …"
		}
		spans := []prose.Span{{Text: text, Size: theme.Small, Color: theme.Muted}}
		for _, a := range b.Actions {
			if (a == answers.GoOn || a == answers.Reply) && !r.resumable {
				continue
			}
			spans = append(spans, prose.Span{Text: "  "}, prose.Span{
				Text: actionLabel(a), Size: theme.Small, ID: "chat.do." + string(a),
				Tap: func() { s.act(r.turn, a) },
			})
		}
		line.SetSpans(spans...)
	}}
}

// newThinking draws what a model thought, folded.
func newThinking(s *Screen) drawer {
	text := prose.Plain("", theme.Small, theme.Muted)
	text.Selectable = true
	var id string
	head := layout.Row(6, -1)
	// The same object for all states: what is pressed must be there when it is let go.
	tap := widgets.Named("chat.thinking", widgets.NewTappable(head, func() { s.toggle(id) }))
	box := layout.Column(6)
	return drawer{box, func(r row) {
		id = r.id
		b := r.block.(*answers.Thinking)
		words := lang.L("Reasoning")
		if !b.Final {
			words = lang.L("Thinking")
		}
		head.Objects = []fyne.CanvasObject{widgets.NewIcon(chevron(r.open), 12, theme.Muted), widgets.NewLabel(words, theme.Small, theme.Muted)}
		box.Objects = []fyne.CanvasObject{layout.Row(0, -1, tap)}
		if r.open {
			text.SetSpans(prose.Span{Text: b.Text, Size: theme.Small, Color: theme.Muted})
			box.Objects = append(box.Objects, layout.Pad(layout.Insets{Left: 18}, text))
		}
		box.Refresh()
	}}
}

// chevron names the icon of what opens and closes.
func chevron(open bool) string {
	if open {
		return "chevron-down"
	}
	return "chevron-right"
}

// newRefusal draws what a model said instead of an answer.
func newRefusal(*Screen) drawer {
	text := prose.New()
	text.Selectable = true
	return drawer{card(theme.Line, cardInsets, text), func(r row) {
		text.SetSpans(
			prose.Span{Text: lang.L("The model declined to answer.") + "\n", Bold: true},
			prose.Span{Text: r.block.(*answers.Refusal).Text, Color: theme.Muted},
		)
	}}
}

// newFoot draws what can be done with an answer.
func newFoot(s *Screen) drawer {
	buttons := layout.Row(2, -1)
	// The buttons reach over the side of the text by the space around their icons.
	return drawer{layout.Pad(layout.Insets{Left: -theme.Unit * 2}, buttons), func(r row) {
		button := func(name, tip string, tap func()) fyne.CanvasObject {
			return widgets.Named("chat."+name, widgets.NewIconButton(name, tip, tap))
		}
		var menu fyne.CanvasObject
		menu = button("more", lang.L("More"), func() { s.footMenu(menu, r.turn) })
		buttons.Objects = []fyne.CanvasObject{
			button("copy", lang.L("Copy the answer"), func() { s.copyAnswer(r.turn) }),
			button("edit", lang.L("Edit the question"), func() { s.editQuestion(r.turn) }),
			button("retry", lang.L("Ask again"), func() { s.act(r.turn, answers.AskAgain) }),
			menu,
		}
		buttons.Refresh()
	}}
}
