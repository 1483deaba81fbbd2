package shell

import (
	"slices"
	"sync"

	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/ui/chat"
	"bowerbird/ui/feed"
	settingspage "bowerbird/ui/settings"
	"bowerbird/ui/theme"
)

var _ settingspage.Host = (*Shell)(nil)

// Settings returns the settings as they are shown.
func (s *Shell) Settings() config.Settings {
	s.takeUp()
	return s.settings
}

// Version returns the version of Bowerbird.
func (s *Shell) Version() string { return s.opt.Version }

// Change changes and saves the settings, and applies them to the window.
func (s *Shell) Change(change func(*config.Settings)) {
	before := s.Settings()
	s.remember(change)
	if s.settings.Appearance != before.Appearance {
		s.restyle()
	}
	if s.settings.Appearance.Density != before.Appearance.Density || s.settings.Pictures != before.Pictures {
		s.remake()
	}
	if s.settings.Appearance.Language != before.Appearance.Language {
		s.changeLanguage()
	}
}

// changeLanguage closes what is open, so that nobody is putting anything into words, and
// opens it again in another language: the same screens, with what was typed.
func (s *Shell) changeLanguage() {
	ses, route := s.session, s.route
	if ses == nil {
		return
	}
	var kept chat.Kept
	if sc, ok := ses.places[assistant].(*chat.Screen); ok {
		kept = sc.Keep()
	}
	query := s.query()
	s.rootShows(opening(""))
	s.leave(func() {
		tag, err := s.opt.Speak(s.settings.Appearance.Language)
		if err != nil {
			s.opt.Logger.Error("changing the language", "err", err)
		}
		s.words.Tag = tag
		s.furnish()
		s.open(ses.sample, func() {
			s.beginAt(route)
			if sc, ok := s.screenOf(pane{place: assistant}).(*chat.Screen); ok {
				sc.Resume(kept)
			}
			s.searchAgain(query)
			if sc, ok := s.session.places[settings].(*settingspage.Screen); ok {
				sc.ShowPage("appearance")
			}
		})
	})
}

// query returns what is being searched for.
func (s *Shell) query() string {
	if sc, ok := s.session.places[search].(*feed.Search); ok {
		return sc.Query()
	}
	return ""
}

// searchAgain makes a new search screen look for what the one before did.
func (s *Shell) searchAgain(query string) {
	if query != "" {
		if sc, ok := s.screenOf(pane{place: search}).(*feed.Search); ok {
			sc.SetQuery(query)
		}
	}
}

// remake replaces the screens of notes, which were made for another density or other
// pictures.
func (s *Shell) remake() {
	ses := s.session
	if ses == nil {
		return
	}
	query := s.query()
	for p, sc := range ses.places {
		if p == home || p == search {
			sc.Close()
			delete(ses.places, p)
			delete(ses.looks, sc)
		}
	}
	for e, sc := range ses.entries {
		sc.Close()
		delete(ses.entries, e)
		delete(ses.looks, sc)
	}
	s.searchAgain(query)
	if s.ready() {
		s.draw()
	}
}

// ChoosePerson lets the user choose another account, with a way back.
func (s *Shell) ChoosePerson() {
	if !s.ready() {
		return
	}
	if !s.session.sample {
		s.welcome(s.resume)
		return
	}
	s.open(false, func() { s.welcome(s.OpenSample) })
}

// OpenSample opens the sample, also at the next start.
func (s *Shell) OpenSample() {
	s.remember(func(set *config.Settings) { set.Window.Sample = true })
	s.open(true, nil)
}

// LeaveSample returns to the user's own notes.
func (s *Shell) LeaveSample() {
	s.remember(func(set *config.Settings) { set.Window.Sample = false })
	s.open(false, nil)
}

// Remove closes what is open, deletes the user's data or only the sample, and starts over.
func (s *Shell) Remove(sampleOnly bool) {
	s.rootShows(opening(lang.L("Removing")))
	wasSample := s.session != nil && s.session.sample
	s.leave(func() {
		s.between(func() func() {
			err := s.opt.Remove(sampleOnly)
			return func() {
				switch {
				case err != nil:
					s.rootShows(s.cannotOpen(err, false))
					return
				case !sampleOnly:
					s.saver.forget()
					s.settings = config.Settings{}
					s.restyle()
				case wasSample:
					s.remember(func(set *config.Settings) { set.Window.Sample = false })
				}
				s.open(false, nil)
			}
		})
	})
}

// remember changes the settings, in the file and in the window. A change that cannot be
// saved is reported, and still applies until the window closes.
func (s *Shell) remember(change func(*config.Settings)) {
	s.takeUp()
	change(&s.settings)
	s.saver.add(change)
	s.save()
}

// save saves pending changes; while nothing is open they wait for the next session.
func (s *Shell) save() {
	ses := s.session
	if ses == nil || s.saver.done() {
		return
	}
	s.do.Go(func() func() {
		if err := s.saver.save(ses.app); err != nil {
			s.opt.Logger.Error("saving the settings", "err", err)
			return func() { s.Toast(err.Error(), "", nil) }
		}
		return nil
	})
}

// AfterSave runs do once all changes so far are saved or have failed: only then does the
// App have them.
func (s *Shell) AfterSave(do func()) {
	ses := s.session
	if ses == nil {
		do()
		return
	}
	s.do.Go(func() func() {
		_ = s.saver.save(ses.app) // save reports the error
		return do
	})
}

// takeUp copies what screens changed themselves, such as the model, into the settings of
// the window.
func (s *Shell) takeUp() {
	if s.session != nil && s.saver.done() {
		s.settings = s.session.app.Settings()
	}
}

func (s *Shell) rememberColumn(width float32) {
	s.remember(func(set *config.Settings) { set.Window.Column = int(width) })
}

// rememberWindow keeps the window's size for the next start. It is saved when the session
// ends.
func (s *Shell) rememberWindow() {
	size := s.window.Canvas().Size()
	if size.IsZero() {
		return
	}
	s.saver.add(func(set *config.Settings) {
		set.Window.Width, set.Window.Height = int(size.Width), int(size.Height)
	})
}

// toggleMode switches between light and dark, as they appear now.
func (s *Shell) toggleMode() {
	next := theme.Dark
	if s.isDark() {
		next = theme.Light
	}
	s.remember(func(set *config.Settings) { set.Appearance.Mode = string(next) })
	s.restyle()
	s.showLook()
}

func (s *Shell) isDark() bool {
	r, g, b, _ := theme.Color(theme.Background).RGBA()
	return r+g+b < 3*0x8000
}

// scaleText changes the text size by a step in percent; 0 restores the default.
func (s *Shell) scaleText(step int) {
	percent := s.settings.Appearance.TextPercent()
	if step == 0 {
		percent = 100
	}
	percent = min(max(percent+step, config.LeastText), config.MostText)
	s.remember(func(set *config.Settings) { set.Appearance.Text = percent })
	s.restyle()
	s.showLook()
}

// restyle applies a changed appearance to everything on the screen.
func (s *Shell) restyle() {
	if err := s.applyTheme(); err != nil {
		s.opt.Logger.Error("theme", "err", err)
		return
	}
	s.frame.Refresh()
}

// showLook shows in the settings, if they are visible, what a key has changed.
func (s *Shell) showLook() {
	if ses := s.session; ses != nil {
		sc := ses.places[settings]
		if page, ok := sc.(*settingspage.Screen); ok && slices.Contains(ses.shown, sc) {
			page.LookChanged()
		}
	}
}

// saver saves changes of the settings in their order, off the window's thread. A change
// that fails is saved with the next one.
type saver struct {
	saving  sync.Mutex // one save at a time; held while the disk is written
	mu      sync.Mutex // guards unsaved, for moments
	unsaved []func(*config.Settings)
}

// add adds a change. It may be called more than once, on any goroutine.
func (v *saver) add(change func(*config.Settings)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.unsaved = append(v.unsaved, change)
}

// done reports whether all changes are saved.
func (v *saver) done() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.unsaved) == 0
}

// forget drops unsaved changes.
func (v *saver) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.unsaved = nil
}

// save saves all changes, and returns after earlier calls have saved theirs. It writes to
// the disk.
func (v *saver) save(to *app.App) error {
	v.saving.Lock()
	defer v.saving.Unlock()
	v.mu.Lock()
	changes := slices.Clone(v.unsaved)
	v.mu.Unlock()
	if len(changes) == 0 {
		return nil
	}
	err := to.SaveSettings(func(set *config.Settings) {
		for _, change := range changes {
			change(set)
		}
	})
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.unsaved = slices.Clone(v.unsaved[min(len(changes), len(v.unsaved)):])
	return nil
}
