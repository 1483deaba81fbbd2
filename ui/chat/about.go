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

// showAbout says who answered a turn of the chat that is shown, and what that cost.
func (s *Screen) showAbout(t answers.Turn) {
	chat := s.open
	id := chat.id
	s.away(func() func() {
		missed := t.Uncached(s.env.App, id)
		return func() {
			if s.open == chat {
				s.aboutDialog(t, t.Facts(chat.usage, missed))
			}
		}
	})
}

func (s *Screen) aboutDialog(t answers.Turn, facts []answers.TurnFact) {
	var closeDialog func()
	buttons := layout.WrapEnd(8)
	if t.Model != builtinModel {
		sent := widgets.Named("chat.about.sent", widgets.NewButton(lang.L("What was sent"), widgets.Quiet, func() {
			closeDialog()
			s.showSent(t)
		}))
		buttons.Add(sent)
	}
	done := widgets.Named("chat.about.close", widgets.NewButton(lang.L("Close"), widgets.Outline, func() { closeDialog() }))
	buttons.Add(done)
	column := layout.Column(10, prose.New(prose.Span{Text: lang.L("About this answer"), Size: theme.Title, Bold: true}))
	for _, f := range facts {
		column.Add(s.factLine(f))
	}
	column.Add(layout.Pad(layout.Insets{Top: 4}, buttons))
	closeDialog = widgets.ShowDialog(s.env.Go.Window(), column)
}

// factLine draws what a fact is about, and beside it what is known.
func (s *Screen) factLine(f answers.TurnFact) fyne.CanvasObject {
	words := ""
	for i, w := range f.Words {
		if i > 0 {
			words += " · "
		}
		words += say(w, s.now())
	}
	value := prose.Plain(words, theme.Small, theme.Text)
	value.Selectable = true
	return layout.TopRow(10, 1, layout.Fixed(theme.Eased(110), prose.Plain(say(f.Name, s.now()), theme.Small, theme.Muted)), value)
}
