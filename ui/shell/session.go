package shell

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/chat"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/welcome"
	"bowerbird/ui/widgets"
)

// session is what lives as long as one store is open for one reader: the App, the
// sync, the screens.
type session struct {
	app     *app.App
	sample  bool
	ctx     context.Context
	end     context.CancelFunc
	places  map[place]screen.Screen
	entries map[entry]screen.Screen
	shown   []screen.Screen              // in sight
	looks   map[screen.Screen]theme.Look // that those out of sight were drawn with

	endReader context.CancelFunc // of what follows the reader's profile; nil before

	welcome *welcome.Welcome // in place of the screens; nil once somebody is read as
	begun   bool             // followed: see begin
}

// between does work off the window's thread while no session is open, and shows what
// comes of it, unless the program ends by then: quit waits for the work.
func (s *Shell) between(work func() (show func())) {
	s.busy++
	s.do.Go(func() func() {
		show := work()
		return func() {
			s.busy--
			if s.closing {
				s.finish()
				return
			}
			show()
		}
	})
}

// openFirst opens what the user left: their notes, or the sample.
func (s *Shell) openFirst() {
	s.open(s.opt.Sample || s.settings.Window.Sample, nil)
}

// open closes what is open and opens the user's notes or the sample in its place.
// then is shown of it; nil for its window, or the welcome where nobody is chosen.
func (s *Shell) open(sample bool, then func()) {
	text := lang.L("Opening your notes")
	if sample {
		text = lang.L("Creating the sample")
	}
	s.rootShows(opening(text))
	s.leave(func() {
		set := s.settings
		ctx, end := context.WithCancel(s.ctx)
		tell := s.tellPreparing(end)
		s.busy++
		s.do.Go(func() func() {
			a, err := s.opt.Open(ctx, sample, set, tell)
			return func() {
				end()
				s.busy--
				s.preparing = nil
				s.opened(a, sample, then, err)
			}
		})
	})
}

func (s *Shell) opened(a *app.App, sample bool, then func(), err error) {
	if err != nil && s.closing {
		s.finish()
		return
	}
	if err != nil {
		s.opt.Logger.Error("opening", "sample", sample, "err", err)
		s.rootShows(s.cannotOpen(err, sample))
		return
	}
	ctx, end := context.WithCancel(s.ctx)
	s.session = &session{
		app: a, sample: sample, ctx: ctx, end: end,
		places: map[place]screen.Screen{}, entries: map[entry]screen.Screen{}, looks: map[screen.Screen]theme.Look{},
	}
	if s.closing { // meanwhile
		s.leave(s.finish)
		return
	}
	s.save() // what was changed while nothing was open
	switch {
	case then != nil:
		then()
	case a.Me() == (nostr.PubKey{}):
		s.welcome(nil)
	default:
		s.begin()
	}
}

// begin shows the window of a session that has a reader, or has another one than
// before.
func (s *Shell) begin() {
	ses := s.session
	ses.closeScreens() // they are the reader's before
	s.route = newRoute(assistant)
	s.followReader()
	if !ses.begun {
		ses.begun = true
		if !ses.sample {
			ses.app.Live().Start()
		}
		s.followStatus()
		s.followDigest()
	}
	s.visit()
	s.resume()
	if sc, ok := ses.places[assistant].(*chat.Screen); ok && s.settings.Digest.AtStart {
		sc.Digest()
	}
}

// resume shows the screens, in place of the welcome.
func (s *Shell) resume() {
	s.session.welcome = nil
	s.rootShows(s.frame)
	s.draw()
	s.focusMain()
}

// visit says that the user is here: from then on counts what is new.
func (s *Shell) visit() {
	ses := s.session
	if ses == nil {
		return
	}
	s.do.Go(func() func() {
		if _, err := ses.app.Visit(ses.ctx); err != nil && ses.ctx.Err() == nil {
			s.opt.Logger.Error("remembering the visit", "err", err)
		}
		return nil
	})
}

// ready reports whether the screens are there to go to: something is open, and not
// the welcome before it.
func (s *Shell) ready() bool { return s.session != nil && s.session.begun && s.session.welcome == nil }

// leave ends the session, off the window's thread, and then runs then on it; the
// end of the program takes its place.
func (s *Shell) leave(then func()) {
	ses := s.session
	s.session = nil
	if ses == nil {
		then()
		return
	}
	ses.end()
	if ses.welcome != nil {
		ses.welcome.Close()
	}
	ses.closeScreens()
	s.busy++
	s.do.Go(func() func() {
		if ses.begun { // the end of this visit is where the next one goes on
			if _, err := ses.app.Visit(context.WithoutCancel(ses.ctx)); err != nil {
				s.opt.Logger.Error("remembering the visit", "err", err)
			}
		}
		if err := s.saver.save(ses.app); err != nil {
			s.opt.Logger.Error("saving the settings", "err", err)
		}
		set := ses.app.Settings() // screens change them too
		if err := ses.app.Close(); err != nil {
			s.opt.Logger.Error("closing", "err", err)
		}
		return func() {
			s.busy--
			if s.saver.done() {
				s.settings = set
			}
			if s.closing {
				then = s.finish
			}
			then()
		}
	})
}

// closeScreens ends all screens; they are made anew when they are needed again.
func (ses *session) closeScreens() {
	for _, sc := range ses.shown {
		sc.Hidden()
	}
	ses.shown = nil
	for p, sc := range ses.places {
		sc.Close()
		delete(ses.places, p)
	}
	for e, sc := range ses.entries {
		sc.Close()
		delete(ses.entries, e)
	}
	clear(ses.looks)
}

// quit closes what is open and then the window. What is just being opened, closed or
// removed comes to its end first: then there is nothing to repair at the next start.
// Only a migration is left where it is, for it may take minutes.
func (s *Shell) quit() {
	if s.closing {
		return
	}
	s.closing = true
	s.rememberWindow()
	if !s.loopless {
		s.window.Hide()
	}
	switch {
	case s.session != nil:
		s.leave(s.finish)
	case s.preparing != nil:
		s.preparing.end()
	case s.busy == 0:
		s.finish()
	}
}

// finish ends the program. Nothing that is posted from here on runs.
func (s *Shell) finish() {
	s.thread.stop()
	if !s.loopless {
		s.window.Close()
		// The App's own Quit fails where the system could not watch Fyne's settings.
		s.fyne.Driver().Quit()
	}
}

// rootShows shows an object in place of the whole frame.
// The keyboard does not stay on what went.
func (s *Shell) rootShows(o fyne.CanvasObject) {
	s.root.SetContent(o)
	if c := s.window.Canvas(); !s.covered() && c.Focused() != nil && widgets.KeyboardLost(c) {
		c.Unfocus()
	}
}
