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

// unlock asks for the password of the file of keys. When that is open, the turn that
// could not be asked is asked.
func (s *Screen) unlock(turn int) {
	number, open := s.open.turns[turn].Number, s.open
	entry := widgets.NewEntry(lang.L("Password"))
	entry.Password, entry.ID = true, "chat.unlock.password"
	said := prose.Plain(" ", theme.Small, theme.Bad) // its line is kept free
	var closeDialog func()
	var yes *widgets.Button
	column := layout.Column(12)
	try := func() {
		password := entry.Text
		if password == "" || yes.Disabled() {
			return
		}
		yes.Disable() // it takes a second
		s.away(func() func() {
			err := s.env.App.Models().UnlockKeys(password)
			return func() {
				yes.Enable()
				if err == nil {
					closeDialog()
					s.loadModels()
					if i := open.index(number); s.open == open && i >= 0 {
						s.act(i, answers.AskAgain)
					}
					return
				}
				said.SetSpans(prose.Span{Text: s.env.Words.KeyFileRefused(err), Size: theme.Small, Color: theme.Bad})
				entry.SetText("")
				column.Refresh() // one of several lines makes the dialog higher
			}
		})
	}
	entry.OnSubmitted = func(string) { try() }
	no := widgets.NewButton(lang.L("Cancel"), widgets.Outline, func() { closeDialog() })
	no.ID = "chat.unlock.no"
	yes = widgets.NewButton(lang.L("Unlock"), widgets.Primary, try)
	yes.ID = "chat.unlock.yes"
	column.Objects = []fyne.CanvasObject{
		prose.New(prose.Span{Text: lang.L("Unlock the keys"), Size: theme.Title, Bold: true}),
		prose.Plain(lang.L("The password of the file that holds your models' keys."), theme.Small, theme.Muted),
		entry, said, layout.WrapEnd(8, no, yes),
	}
	closeDialog = widgets.ShowDialog(s.env.Go.Window(), column)
}
