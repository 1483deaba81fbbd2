package shell

import (
	"context"
	"errors"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/ndb"
	"bowerbird/ui/chat"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
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
	shown   []screen.Screen // in sight
	words   present.Words
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
		text = lang.L("Laying out the sample")
	}
	s.rootShows(opening(text))
	s.leave(func() {
		s.do.Go(func() func() {
			a, err := s.opt.Open(s.ctx, sample, s.settings)
			return func() { s.opened(a, sample, then, err) }
		})
	})
}

func (s *Shell) opened(a *app.App, sample bool, then func(), err error) {
	if s.closing {
		if a != nil {
			_ = a.Close() // the window is gone; there is nobody to tell
		}
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
		places: map[place]screen.Screen{}, entries: map[entry]screen.Screen{},
		words: present.Words{L: lang.L, Tag: s.opt.Language},
	}
	switch {
	case then != nil:
		then()
	case a.Me() == (ndb.PubKey{}):
		s.welcome(nil)
	default:
		s.begin()
	}
}

// begin shows the window of a session that has a reader.
func (s *Shell) begin() {
	s.route = newRoute(assistant)
	s.root.SetContent(s.frame)
	s.showReader()
	if !s.session.sample {
		s.session.app.Live().Start()
	}
	s.followStatus()
	s.followDigest()
	s.visit()
	s.draw()
	s.focusMain()
	if sc, ok := s.session.places[assistant].(*chat.Screen); ok && s.settings.Digest.AtStart {
		sc.Digest()
	}
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

// showReader puts who is reading into the rail.
func (s *Shell) showReader() {
	ses := s.session
	s.do.Go(func() func() {
		me := ses.app.Me()
		profile, err := ses.app.Notes().Profile(ses.ctx, me)
		if err != nil {
			profile = ndb.Profile{PubKey: me}
		}
		return func() {
			if s.session == ses {
				s.rail.showReader(present.Name(profile), me)
			}
		}
	})
}

// leave ends the session, off the window's thread, and then runs then on it.
func (s *Shell) leave(then func()) {
	ses := s.session
	s.session = nil
	if ses == nil {
		then()
		return
	}
	s.settings = ses.app.Settings() // screens change them too
	ses.end()
	for _, sc := range ses.screens() {
		sc.Close()
	}
	s.do.Go(func() func() {
		if !ses.sample {
			ses.app.Live().Stop()
		}
		if err := ses.app.Close(); err != nil {
			s.opt.Logger.Error("closing", "err", err)
		}
		return then
	})
}

func (ses *session) screens() []screen.Screen {
	var all []screen.Screen
	for _, sc := range ses.places {
		all = append(all, sc)
	}
	for _, sc := range ses.entries {
		all = append(all, sc)
	}
	return all
}

// statusPause is how often the status line is looked at while nothing happens:
// "Up to date 3 min ago" grows.
const statusPause = 20 * time.Second

// followStatus keeps the status line true while the session lasts.
func (s *Shell) followStatus() {
	ses := s.session
	changed := make(chan struct{}, 1)
	stop := ses.app.Live().OnChange(func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	go func() {
		defer stop()
		tick := time.NewTicker(statusPause)
		defer tick.Stop()
		for {
			words, err := ses.statusWords(s.opt.Now())
			if err != nil && !errors.Is(err, context.Canceled) {
				s.opt.Logger.Warn("reading the state of the store", "err", err)
			}
			s.do.Post("status", func() {
				if s.session == ses {
					s.status.show(words)
				}
			})
			select {
			case <-ses.ctx.Done():
				return
			case <-changed:
			case <-tick.C:
			}
		}
	}()
}

func (ses *session) statusWords(now time.Time) (statusWords, error) {
	words := sayStatus(ses.words, ses.app.Live().Status(), ses.sample, now)
	stats, err := ses.app.Notes().Stats(ses.ctx)
	if err == nil {
		words.stored = storedWords(ses.words, stats)
	}
	return words, err
}

func storedWords(words present.Words, st ndb.Stats) string {
	return lang.N("{{.Notes}} notes · {{.Size}}", st.Events, map[string]any{
		"Notes": words.Number(st.Events), "Size": words.Bytes(st.DiskBytes),
	})
}

// quit closes what is open and then the window.
func (s *Shell) quit() {
	if s.closing {
		return
	}
	s.closing = true
	s.rememberWindow()
	s.window.Hide()
	s.leave(func() {
		s.window.Close()
		s.fyne.Quit()
	})
}

// rootShows shows an object in place of the whole frame.
func (s *Shell) rootShows(o fyne.CanvasObject) { s.root.SetContent(o) }
