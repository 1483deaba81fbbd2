// Package keyfile asks for the password of the key file, in which models' keys are saved
// on a computer without a keyring: to create the file, to unlock it, to change its
// password, or to start a new file when the password is forgotten.
package keyfile

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// asker shows one dialog at a time.
type asker struct {
	env   screen.Env
	close func() // closes the dialog that is open
	done  func()
}

// Open shows the dialog that takes an offer up, and calls done when that has succeeded.
// The function that it returns closes the dialog, or the one that followed it.
func Open(env screen.Env, offer present.KeyOffer, done func()) (closeDialog func()) {
	a := &asker{env: env, close: func() {}, done: done}
	switch offer {
	case present.CreateKeyFile, present.RenewKeyFile:
		a.create()
	case present.UnlockKeyFile:
		a.unlock()
	case present.ChangePassword:
		a.change()
	}
	return func() { a.close() }
}

func (a *asker) create() {
	one, two := newPassword("keyfile.new"), newPassword("keyfile.again")
	a.ask(dialog{
		title:  lang.L("A password for your keys"),
		text:   lang.L("This computer has no keyring. Bowerbird can save keys in a file that only your password unlocks. You are asked for it once each time you start Bowerbird. If you forget it, you have to enter the keys again; nothing else is lost."),
		fields: []field{{lang.L("Password"), one}, {lang.L("Password again"), two}},
		do:     lang.L("Save keys in a file"),
		check:  func() string { return a.env.Words.PasswordTwice(one.Text, two.Text) },
		run: func() func() error {
			password := one.Text
			return func() error { return a.env.App.Models().CreateKeyFile(password) }
		},
	})
}

func (a *asker) unlock() {
	entry := newPassword("keyfile.password")
	a.ask(dialog{
		title:  lang.L("Unlock the keys"),
		text:   lang.L("Your models' keys are in a file that your password unlocks. They stay unlocked until you close Bowerbird."),
		fields: []field{{lang.L("Password"), entry}},
		do:     lang.L("Unlock"),
		beside: widgets.Named("keyfile.forgotten", widgets.NewButton(lang.L("Forgot the password?"), widgets.Quiet, a.forgotten)),
		run: func() func() error {
			password := entry.Text
			return func() error { return a.env.App.Models().UnlockKeys(password) }
		},
	})
}

func (a *asker) change() {
	old, one, two := newPassword("keyfile.password"), newPassword("keyfile.new"), newPassword("keyfile.again")
	done := a.done
	a.done = func() {
		a.env.Go.Toast(lang.L("Password changed."), "", nil)
		done()
	}
	a.ask(dialog{
		title:  lang.L("Change the key file's password"),
		fields: []field{{lang.L("Current password"), old}, {lang.L("New password"), one}, {lang.L("Password again"), two}},
		do:     lang.L("Change it"),
		check:  func() string { return a.env.Words.PasswordTwice(one.Text, two.Text) },
		run: func() func() error {
			before, password := old.Text, one.Text
			return func() error { return a.env.App.Models().ChangeKeyPassword(before, password) }
		},
	})
}

// forgotten offers to start with a new file.
func (a *asker) forgotten() {
	a.close()
	keep := widgets.Named("keyfile.keep", widgets.NewButton(lang.L("Cancel"), widgets.Outline, func() {
		a.close()
		a.unlock()
	}))
	problem := prose.Plain("", theme.Small, theme.Bad)
	problem.Hide()
	aside := widgets.Named("keyfile.aside", widgets.NewButton(lang.L("Start a new file"), widgets.Danger, func() {
		to, err := a.env.App.Models().SetKeyFileAside()
		if err != nil {
			problem.SetSpans(prose.Span{Text: a.env.Words.KeyFileRefused(err), Size: theme.Small, Color: theme.Bad})
			problem.Show()
			return
		}
		a.env.Go.Toast(lang.L("The old file is at {{.Place}}.", map[string]any{"Place": config.ShortPath(to)}), "", nil)
		a.close()
		a.create()
	}))
	a.close = widgets.ShowDialog(a.env.Go.Window(), layout.Column(14,
		prose.New(prose.Span{Text: lang.L("Start a new key file?"), Size: theme.Title, Bold: true}),
		prose.Plain(lang.L("Nobody can open the old one without its password, not even Bowerbird. It is renamed, not deleted. You will have to enter the keys again; you get them from where you got them before."), theme.Body, theme.Muted),
		problem, layout.WrapEnd(8, keep, aside),
	))
	a.env.Go.Window().Canvas().Focus(keep)
}

// dialog asks for passwords and does something with them, which takes up to a second.
type dialog struct {
	title, text string // text may be empty
	fields      []field
	do          string            // on the button
	beside      fyne.CanvasObject // another button; may be nil
	check       func() string     // returns what is wrong with what was typed; may be nil
	// run reads the fields and returns what to do with them off the window's thread.
	run func() func() error
}

// field is a password in a dialog, with its name.
type field struct {
	name  string
	entry *widgets.Entry
}

func newPassword(id string) *widgets.Entry {
	e := widgets.NewEntry("")
	e.ID, e.Password = id, true
	return e
}

// ask shows a dialog. A problem is shown in it, and what was typed stays.
func (a *asker) ask(d dialog) {
	problem := prose.Plain(" ", theme.Small, theme.Bad) // keeps a line free
	problem.ID = "keyfile.problem"
	rows := layout.Column(14, prose.New(prose.Span{Text: d.title, Size: theme.Title, Bold: true}))
	say := func(text string) {
		problem.SetSpans(prose.Span{Text: text, Size: theme.Small, Color: theme.Bad})
		rows.Refresh() // a problem of several lines makes the dialog higher
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
		a.env.Do.Go(func() func() {
			err := work()
			return func() {
				do.Enable()
				if err != nil {
					say(a.env.Words.KeyFileRefused(err))
					return
				}
				a.close()
				a.done()
			}
		})
	}
	do = widgets.Named("keyfile.do", widgets.NewButton(d.do, widgets.Primary, submit))
	buttons := layout.WrapEnd(8, widgets.Named("keyfile.cancel", widgets.NewButton(lang.L("Cancel"), widgets.Outline, func() { a.close() })), do)
	if d.beside != nil {
		buttons.Objects = append([]fyne.CanvasObject{d.beside}, buttons.Objects...)
	}
	if d.text != "" {
		rows.Add(prose.Plain(d.text, theme.Body, theme.Muted))
	}
	for i, f := range d.fields {
		rows.Add(layout.Column(5, prose.New(prose.Span{Text: f.name, Bold: true}), f.entry))
		f.entry.OnSubmitted = func(string) { submit() }
		if i+1 < len(d.fields) {
			next := d.fields[i+1].entry
			f.entry.OnSubmitted = func(string) { a.env.Go.Window().Canvas().Focus(next) }
		}
	}
	rows.Add(problem)
	rows.Add(buttons)
	a.close = widgets.ShowDialog(a.env.Go.Window(), rows)
	a.env.Go.Window().Canvas().Focus(d.fields[0].entry)
}
