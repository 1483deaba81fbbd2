package relays

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// addForm is the dialog that asks for the address of a relay, tries it, and adds it.
type addForm struct {
	*Screen
	entry *widgets.Entry
	said  *prose.Text
	add   *widgets.Button
	body  *fyne.Container

	stop  context.CancelFunc // ends the try that is under way
	tried string             // the address that did not answer and may be added all the same
}

// askForRelay opens the form.
func (s *Screen) askForRelay() {
	f := &addForm{Screen: s, stop: func() {}}
	f.entry = widgets.Named("relays.address", widgets.NewEntry("relay.example.com"))
	f.entry.OnSubmitted = func(string) { f.submit() }
	f.entry.OnChanged = func(string) { f.change() }
	f.said = prose.Plain("", theme.Small, theme.Warn)
	f.said.Hide()
	cancel := widgets.Named("relays.address.cancel", widgets.NewButton(lang.L("Cancel"), widgets.Quiet, s.closeDialog))
	f.add = widgets.Named("relays.address.add", widgets.NewButton(lang.L("Add"), widgets.Primary, f.submit))
	f.body = layout.Column(12,
		s.dialogHead(lang.L("Add a relay")),
		prose.Plain(lang.L("Type the address of a relay that you know. It is asked for the notes of everybody you follow."), theme.Body, theme.Muted),
		f.entry, f.said,
		layout.WrapEnd(8, cancel, f.add),
	)
	s.open(f.body, func() { f.stop() })
	s.env.Go.Window().Canvas().Focus(f.entry)
}

// say shows what is wrong, or in progress.
func (f *addForm) say(text string) {
	f.said.SetSpans(prose.Span{Text: text, Size: theme.Small, Color: theme.Warn})
	widgets.SetVisible(f.said, text != "")
	f.body.Refresh()
}

// change forgets the result of the previous address.
func (f *addForm) change() {
	f.stop()
	f.tried = ""
	f.add.Enable()
	f.add.SetText(lang.L("Add"))
	f.say("")
}

// submit tries the address. The result counts only while the form is open with that
// address.
func (f *addForm) submit() {
	text := strings.TrimSpace(f.entry.Text)
	switch text {
	case "":
		f.say(lang.L("Type an address such as relay.example.com."))
		return
	case f.tried:
		f.addRelay(text)
		return
	}
	f.stop()
	ctx, stop := context.WithCancel(context.Background())
	f.stop = stop
	f.add.Disable()
	f.say(lang.L("Trying to reach it …"))
	f.env.Do.Go(func() func() {
		_, trouble, err := f.source.CheckRelay(ctx, text)
		return func() {
			if ctx.Err() == nil {
				stop()
				f.answered(text, trouble, err)
			}
		}
	})
}

// answered adds the relay, or shows what is wrong with it.
func (f *addForm) answered(text string, trouble notesync.Trouble, err error) {
	f.add.Enable()
	switch {
	case err != nil:
		f.say(lang.L("This is not a usable relay address. It should look like relay.example.com; addresses on this computer or its network are not allowed."))
		return
	case slices.ContainsFunc(f.at.Relays, func(r live.RelayState) bool { return r.URL == text || r.Name() == text }):
		f.say(lang.L("This relay has already been added."))
	case trouble != notesync.NoTrouble:
		f.say(lang.L("{{.Trouble}}. You can add it anyway; it is then tried again automatically.", map[string]any{"Trouble": f.env.Words.RelayTrouble(trouble)}))
	default:
		f.addRelay(text)
		return
	}
	f.tried = text
	f.add.SetText(lang.L("Add anyway"))
}

func (s *Screen) addRelay(text string) {
	s.closeDialog()
	s.act(func() error {
		_, err := s.source.AddRelay(text)
		return err
	})
}
