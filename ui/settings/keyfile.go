package settings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// The dialogs about the file of keys, for computers without a keyring. What was done
// is told to done.

// keyFile opens the dialog of an offer.
func (s *Screen) keyFile(o present.KeyOffer, done func()) {
	switch o {
	case present.CreateKeyFile, present.RenewKeyFile:
		s.createKeyFile(done)
	case present.UnlockKeyFile:
		s.unlockKeyFile(done)
	case present.ChangePassword:
		s.changePassword(done)
	}
}

func (s *Screen) createKeyFile(done func()) {
	one, two := newPassword("settings.password.new"), newPassword("settings.password.again")
	s.askPassword(passwordDialog{
		title:  lang.L("A password for your keys"),
		text:   lang.L("This computer has no keyring. Bowerbird can save keys in a file that only your password unlocks. You are asked for it once each time you start Bowerbird. If you forget it, you have to enter the keys again; nothing else is lost."),
		fields: []passwordField{{lang.L("Password"), one}, {lang.L("Password again"), two}},
		do:     lang.L("Save keys in a file"),
		check:  func() string { return s.env.Words.PasswordTwice(one.Text, two.Text) },
		run: func() func() error {
			password := one.Text
			return func() error { return s.env.App.Models().CreateKeyFile(password) }
		},
		done: done,
	})
}

func (s *Screen) unlockKeyFile(done func()) {
	password := newPassword("settings.password")
	forgotten := widgets.NewButton(lang.L("Forgot the password?"), widgets.Quiet, func() { s.forgottenPassword(done) })
	forgotten.ID = "settings.password.forgotten"
	s.askPassword(passwordDialog{
		title:  lang.L("Unlock the keys"),
		text:   lang.L("Your models' keys are in a file that your password unlocks. They stay unlocked until you close Bowerbird."),
		fields: []passwordField{{lang.L("Password"), password}},
		do:     lang.L("Unlock"), beside: forgotten,
		run: func() func() error {
			text := password.Text
			return func() error { return s.env.App.Models().UnlockKeys(text) }
		},
		done: done,
	})
}

func (s *Screen) changePassword(done func()) {
	old, one, two := newPassword("settings.password"), newPassword("settings.password.new"), newPassword("settings.password.again")
	s.askPassword(passwordDialog{
		title:  lang.L("Change the key file's password"),
		fields: []passwordField{{lang.L("Current password"), old}, {lang.L("New password"), one}, {lang.L("Password again"), two}},
		do:     lang.L("Change it"),
		check:  func() string { return s.env.Words.PasswordTwice(one.Text, two.Text) },
		run: func() func() error {
			before, password := old.Text, one.Text
			return func() error { return s.env.App.Models().ChangeKeyPassword(before, password) }
		},
		done: func() {
			s.env.Go.Toast(lang.L("Password changed."), "", nil)
			done()
		},
	})
}

// forgottenPassword offers to begin with a new file.
func (s *Screen) forgottenPassword(done func()) {
	s.closeDialog()
	keep := widgets.NewButton(lang.L("Cancel"), widgets.Outline, func() { s.unlockKeyFile(done) })
	keep.ID = "settings.keep"
	problem := prose.Plain("", theme.Small, theme.Bad)
	problem.Hide()
	aside := widgets.NewButton(lang.L("Start a new file"), widgets.Danger, func() {
		to, err := s.env.App.Models().SetKeyFileAside()
		if err != nil {
			problem.SetSpans(prose.Span{Text: s.env.Words.KeyFileRefused(err), Size: theme.Small, Color: theme.Bad})
			problem.Show()
			return
		}
		s.env.Go.Toast(lang.L("The old file is at {{.Place}}.", with("Place", config.ShortPath(to))), "", nil)
		s.createKeyFile(done)
	})
	aside.ID = "settings.password.aside"
	s.close = widgets.ShowDialog(s.env.Go.Window(), layout.Column(14,
		prose.New(prose.Span{Text: lang.L("Start a new key file?"), Size: theme.Title, Bold: true}),
		prose.Plain(lang.L("Nobody can open the old one without its password, not even Bowerbird. It is renamed, not deleted. You will have to enter the keys again; you get them from where you got them before."), theme.Body, theme.Muted),
		problem, layout.WrapEnd(8, keep, aside),
	))
	s.env.Go.Window().Canvas().Focus(keep)
}

// passwordField is a password in a dialog, with its name.
type passwordField struct {
	name  string
	entry *widgets.Entry
}

// passwordDialog asks for passwords and does something with them, which takes up to a
// second.
type passwordDialog struct {
	title, text string
	fields      []passwordField
	do          string            // on the button
	beside      fyne.CanvasObject // another button; may be nil
	check       func() string     // what is wrong with what was typed; may be nil
	// run takes what was typed and returns what to do with it, away from the window's
	// thread.
	run  func() func() error
	done func()
}

func newPassword(id string) *widgets.Entry {
	e := widgets.NewEntry("")
	e.Password = true
	e.ID = id
	return e
}

// askPassword shows the dialog. What is wrong is said in it, and what was typed stays.
func (s *Screen) askPassword(d passwordDialog) {
	s.closeDialog()
	problem := prose.Plain(" ", theme.Small, theme.Bad) // its line is kept free
	problem.ID = "settings.password.problem"
	rows := layout.Column(14, prose.New(prose.Span{Text: d.title, Size: theme.Title, Bold: true}))
	say := func(text string) {
		problem.SetSpans(prose.Span{Text: text, Size: theme.Small, Color: theme.Bad})
		rows.Refresh() // one of several lines makes the dialog higher
	}
	var do *widgets.Button
	submit := func() {
		if do.Disabled() {
			return
		}
		if d.check != nil {
			if wrong := d.check(); wrong != "" {
				say(wrong)
				return
			}
		}
		say(" ")
		do.Disable()
		work := d.run()
		s.env.Do.Go(func() func() {
			err := work()
			return func() {
				do.Enable()
				if err != nil {
					say(s.env.Words.KeyFileRefused(err))
					return
				}
				s.closeDialog()
				d.done()
			}
		})
	}
	do = widgets.NewButton(d.do, widgets.Primary, submit)
	do.ID = "settings.password.do"
	cancel := widgets.NewButton(lang.L("Cancel"), widgets.Outline, s.closeDialog)
	cancel.ID = "settings.password.cancel"
	if d.text != "" {
		rows.Add(prose.Plain(d.text, theme.Body, theme.Muted))
	}
	for i, f := range d.fields {
		rows.Add(layout.Column(5, prose.New(prose.Span{Text: f.name, Bold: true}), f.entry))
		f.entry.OnSubmitted = func(string) { submit() }
		if i+1 < len(d.fields) {
			next := d.fields[i+1].entry
			f.entry.OnSubmitted = func(string) { s.env.Go.Window().Canvas().Focus(next) }
		}
	}
	rows.Add(problem)
	if d.beside != nil {
		rows.Add(layout.WrapEnd(8, d.beside, cancel, do))
	} else {
		rows.Add(layout.WrapEnd(8, cancel, do))
	}
	s.close = widgets.ShowDialog(s.env.Go.Window(), rows)
	s.env.Go.Window().Canvas().Focus(d.fields[0].entry)
}
