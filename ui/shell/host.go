package shell

import (
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/ui/feed"
	settingspage "bowerbird/ui/settings"
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
		s.Toast(lang.L("The language changes after a restart."), "", nil)
	}
}

// remake replaces the screens of notes, which were made for another density or other
// pictures.
func (s *Shell) remake() {
	ses := s.session
	if ses == nil {
		return
	}
	query := ""
	if sc, ok := ses.places[search].(*feed.Search); ok {
		query = sc.Query()
	}
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
	if query != "" {
		if sc, ok := s.screenOf(pane{place: search}).(*feed.Search); ok {
			sc.SetQuery(query)
		}
	}
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
