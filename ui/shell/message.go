package shell

import (
	"errors"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/upkeep"
	"bowerbird/ndb"
	"bowerbird/ndb/clean"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/welcome"
	"bowerbird/ui/widgets"
)

// page is a message in the middle of an empty window, with buttons.
func page(title, text string, actions ...fyne.CanvasObject) fyne.CanvasObject {
	for i, a := range actions {
		actions[i] = container.NewCenter(a)
	}
	return pageOf(title, text, actions...)
}

// pageOf is a message in the middle of an empty window, with other objects below it.
func pageOf(title, text string, below ...fyne.CanvasObject) fyne.CanvasObject {
	heading := prose.New(prose.Span{Text: title, Size: theme.Title, Bold: true})
	heading.Align = fyne.TextAlignCenter
	body := prose.Plain(text, theme.Body, theme.Muted)
	body.Align = fyne.TextAlignCenter
	content := layout.Column(14, append([]fyne.CanvasObject{container.NewCenter(widgets.NewLogo(60)), heading, body}, below...)...)
	return widgets.NewFill(widgets.NewGround(theme.Background), welcome.Middle(460, 16, content))
}

// opening is shown while a store opens.
func opening(text string) fyne.CanvasObject { return page(text, "") }

// cannotOpen shows why a store cannot be opened, and what can be done.
func (s *Shell) cannotOpen(err error, sample bool) fyne.CanvasObject {
	title, text := whyNotOpen(err)
	var actions []fyne.CanvasObject
	first := widgets.Primary
	if damagedStore(err) != "" && !sample {
		repair := widgets.NewButton(lang.L("Repair"), first, s.repair)
		repair.ID, first = "open.repair", widgets.Outline
		actions = append(actions, repair)
	}
	if damagedStore(err) == "own data" && !sample {
		restore := widgets.Named("open.restore", widgets.NewButton(lang.L("Restore the last backup"), widgets.Outline, s.restore))
		actions = append(actions, restore)
	}
	again := widgets.Named("open.again", widgets.NewButton(lang.L("Try again"), first, func() { s.open(sample, nil) }))
	actions = append(actions, again)
	if !sample {
		look := widgets.Named("open.sample", widgets.NewButton(lang.L("Open the sample"), widgets.Outline, s.OpenSample))
		actions = append(actions, look)
	}
	return page(title, text, actions...)
}

// whyNotOpen words an error of [app.Open].
func whyNotOpen(err error) (title, text string) {
	var inUse *ndb.InUseError
	var newer *ndb.NewerError
	detail := map[string]any{"Error": present.Isolate(clean.Line(err.Error(), 300))}
	switch {
	case errors.As(err, &inUse) && inUse.PID == 0:
		return lang.L("Bowerbird is already open"), lang.L("Another Bowerbird is using these notes. Close it, or continue there.")
	case errors.As(err, &inUse):
		return lang.L("Bowerbird is already open"),
			lang.L("Another Bowerbird (process {{.Process}}) is using these notes. Close it, or continue there. If it does not react, end that process.", map[string]any{"Process": strconv.Itoa(inUse.PID)})
	case errors.As(err, &newer):
		return lang.L("This Bowerbird is too old"),
			lang.L("These notes were written by a newer version. Install that version; nothing was changed.")
	case errors.Is(err, ndb.ErrNoSpace):
		return lang.L("The disk is full"),
			lang.L("Bowerbird needs some free disk space to open its notes. Nothing is lost: free some space and try again.")
	case damagedStore(err) == "notes":
		return lang.L("The stored notes are damaged"),
			lang.L("Bowerbird can save what is readable and fetch the rest again from the relays. Your chats and settings are not touched, and the damaged files are kept.")
	case damagedStore(err) != "":
		return lang.L("Your own data is damaged"),
			lang.L("They hold your chats and everything you saved here. Bowerbird can save what is readable and list what is not, or go back to the last daily backup; the damaged files are kept.")
	case errors.Is(err, upkeep.ErrNoBackup):
		return lang.L("There is no backup to restore"),
			lang.L("Bowerbird makes a backup on each day that it runs, and found no intact one. Nothing was changed. ({{.Error}})", detail)
	case errors.Is(err, ndb.ErrUnreadable):
		return lang.L("Your notes cannot be opened"),
			lang.L("Bowerbird does not have permission to read one of its files. Nothing was changed. ({{.Error}})", detail)
	case errors.Is(err, ndb.ErrReadOnly):
		return lang.L("Your notes cannot be opened"),
			lang.L("Bowerbird cannot write to its folder. Permit it and try again, or start Bowerbird with another folder: bowerbird --data FOLDER. ({{.Error}})", detail)
	}
	return lang.L("Your notes cannot be opened"), lang.L("Nothing was changed. ({{.Error}})", detail)
}

// cannotRead shows what is wrong with the settings. Nothing is opened before they can be
// read: the notes might be in another folder.
func (s *Shell) cannotRead(err error) fyne.CanvasObject {
	again := widgets.Named("settings.again", widgets.NewButton(lang.L("Try again"), widgets.Primary, s.readSettings))
	return page(lang.L("The settings cannot be read"),
		lang.L("Correct the file, or move it away to start with the default settings. Nothing was changed. ({{.Error}})",
			map[string]any{"Error": present.Isolate(clean.Line(err.Error(), 300))}), again)
}

// readSettings reads the settings again, and opens what the user left where that works.
func (s *Shell) readSettings() {
	if s.busy > 0 {
		return // they are being read
	}
	s.between(func() func() {
		set, err := s.opt.LoadSettings()
		return func() {
			if err != nil {
				s.rootShows(s.cannotRead(err))
				return
			}
			s.settings = set
			if err := s.applyTheme(); err != nil {
				s.opt.Logger.Error("the theme", "err", err)
			}
			s.openFirst()
		}
	})
}

// welcome asks which account to use. back leads to what was open; nil if nothing was.
func (s *Shell) welcome(back func()) {
	ses := s.session
	for _, sc := range ses.shown {
		ses.hide(sc)
	}
	ses.shown = nil
	opt := welcome.Options{
		Do:         s.do,
		LookUp:     ses.app.LookUp,
		OpenSample: s.OpenSample,
		ReadAs:     s.readAs,
	}
	if back != nil {
		opt.Back = func() { ses.welcome.Close(); back() }
	}
	ses.welcome = welcome.New(opt)
	s.rootShows(widgets.NewFill(widgets.NewGround(theme.Background), ses.welcome.Content()))
	ses.welcome.Focus(s.window.Canvas())
}

// readAs goes on as a person, in the user's own notes.
func (s *Shell) readAs(p app.Person) {
	ses := s.session
	ses.welcome.Close()
	s.rootShows(opening(lang.L("Opening your notes")))
	s.do.Go(func() func() {
		err := ses.app.ReadAs(ses.ctx, p.PubKey)
		return func() {
			if s.session != ses {
				return
			}
			if err != nil {
				s.rootShows(s.cannotOpen(err, false))
				return
			}
			if s.Settings().Window.Sample { // they came from it
				s.remember(func(set *config.Settings) { set.Window.Sample = false })
			}
			s.begin()
		}
	})
}

// preparing is what the window shows while a store is upgraded or repaired before it
// opens.
type preparing struct {
	what    app.Preparation
	bar     *widgets.Progress
	text    *prose.Text
	shown   fyne.CanvasObject
	percent int
	end     func() // cancels it; the next opening continues or starts over
}

func newPreparing(what app.Preparation, end func()) *preparing {
	m := &preparing{what: what, bar: widgets.NewProgress(), text: prose.New(), percent: -1, end: end}
	m.set(0, 1) // before it is laid out
	m.text.ID = "open.progress"
	m.text.Align = fyne.TextAlignCenter
	title, text := lang.L("Upgrading your notes"),
		lang.L("They were stored by an older Bowerbird. This happens once, and nothing is sent anywhere. You can close the window meanwhile: the next start continues from there.")
	if what == app.SavingDamaged {
		title, text = lang.L("Repairing your notes"),
			lang.L("Some of the stored notes are damaged. What can be read is saved, and the rest is fetched again from the relays. Your chats and settings are not touched, and the damaged files are kept.")
	}
	m.shown = pageOf(title, text, m.bar, m.text)
	return m
}

// set shows the progress. It never goes back: the store of the user's own data, which is
// small, follows that of the notes.
func (m *preparing) set(done, of int) {
	percent := 100 * done / max(of, 1)
	if percent <= m.percent {
		return
	}
	m.percent = percent
	m.bar.SetValue(float64(percent) / 100)
	m.text.SetSpans(prose.Span{
		Text: lang.L("{{.Percent}} % done", map[string]any{"Percent": strconv.Itoa(percent)}),
		Size: theme.Small, Color: theme.Muted,
	})
}

// reportPreparing returns a function that receives the progress off the window's thread. end
// cancels the preparation.
func (s *Shell) reportPreparing(end func()) func(what app.Preparation, done, of int) {
	return func(what app.Preparation, done, of int) {
		s.do.Post("preparing", func() {
			switch {
			case s.closing:
				end()
				return
			case s.session != nil || s.busy == 0: // it is over
				return
			case s.preparing == nil || s.preparing.what != what:
				s.preparing = newPreparing(what, end)
				s.rootShows(s.preparing.shown)
			}
			s.preparing.set(done, of)
		})
	}
}
