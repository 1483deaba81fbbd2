package chat

import (
	"runtime"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// showStart says how the server of a turn's model is started.
func (s *Screen) showStart(turn int) {
	s.showSteps(turn, lang.L("How to start it"), answers.StartSteps(s.open.turns[turn].Model, runtime.GOOS))
}

// showGet says how a turn's model comes onto this computer.
func (s *Screen) showGet(turn int) {
	s.showSteps(turn, lang.L("How to get it"), answers.GetSteps(s.open.turns[turn].Model))
}

// showSteps says what to do outside of the program, which does none of it: commands
// can be copied. When it is done the question can be asked again.
func (s *Screen) showSteps(turn int, title string, steps []answers.Step) {
	column := layout.Column(10, prose.New(prose.Span{Text: title, Size: theme.Title, Bold: true}))
	for _, step := range steps {
		column.Add(prose.Plain(say(step.Words, s.now()), theme.Small, theme.Muted))
		if step.Command != "" {
			column.Add(s.command(step.Command))
		}
	}
	number := s.open.turns[turn].Number
	open := s.open
	var closeDialog func()
	done := widgets.Named("chat.steps.close", widgets.NewButton(lang.L("Close"), widgets.Outline, func() { closeDialog() }))
	again := widgets.Named("chat.steps.again", widgets.NewButton(lang.L("Try again"), widgets.Primary, func() {
		closeDialog()
		if i := open.index(number); s.open == open && i >= 0 {
			s.act(i, answers.AskAgain)
		}
	}))
	column.Add(layout.Pad(layout.Insets{Top: 4}, layout.WrapEnd(8, done, again)))
	closeDialog = widgets.ShowDialog(s.env.Go.Window(), column)
}

// command draws a line for a terminal, with a button that copies it.
func (s *Screen) command(text string) fyne.CanvasObject {
	line := prose.New(prose.Span{Text: text, Mono: true, Size: theme.Small})
	line.Selectable = true
	copyIt := widgets.NewIconButton("copy", lang.L("Copy"), func() { s.env.Go.Copy(text) })
	copyIt.ID, copyIt.Side = "chat.steps.copy", 26
	back := newPanel(theme.Chip, "", theme.RadiusButton, allCorners)
	return layout.Stack(back, layout.Pad(layout.Sides(4, 12), layout.Row(8, 0, line, copyIt)))
}
