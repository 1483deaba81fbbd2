package shell

import (
	"context"
	"errors"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/app/upkeep"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/chat"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/welcome"
	"bowerbird/ui/widgets"
)

// session is an open store with an account: the App, the sync, the screens.
type session struct {
	app     *app.App
	sample  bool
	ctx     context.Context
	end     context.CancelFunc
	stop    func() // ends waiting for other starts
	places  map[place]screen.Screen
	entries map[entry]screen.Screen
	shown   []screen.Screen              // in sight
	looks   map[screen.Screen]theme.Look // that those out of sight were drawn with

	endAccount context.CancelFunc // of followAccount; nil before it runs

	welcome *welcome.Welcome // shown in place of the screens; else nil
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

// openFirst opens what the user left open: their own notes, or the sample.
func (s *Shell) openFirst() {
	s.open(s.opt.Sample || s.settings.Window.Sample, nil)
}

// open replaces what is open by the user's notes or the sample. then shows it; nil shows
// the window, or the welcome if no account is chosen.
func (s *Shell) open(sample bool, then func()) {
	text := lang.L("Opening your notes")
	if sample {
		text = lang.L("Creating the sample")
	}
	s.rootShows(opening(text))
	s.leave(func() {
		set := s.settings
		ctx, end := context.WithCancel(s.ctx)
		report := s.reportPreparing(end)
		s.busy++
		s.do.Go(func() func() {
			a, err := s.opt.Open(ctx, sample, set, report)
			stop := func() {}
			if err == nil {
				stop = s.waitForStarts(a)
			}
			return func() {
				end()
				s.busy--
				s.preparing = nil
				s.opened(a, sample, stop, then, err)
			}
		})
	})
}

func (s *Shell) opened(a *app.App, sample bool, stop, then func(), err error) {
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
		app: a, sample: sample, ctx: ctx, end: end, stop: stop,
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

// begin shows the window of a session that has an account, or now has another one.
func (s *Shell) begin() {
	s.beginAt(newRoute(assistant))
	if sc, ok := s.session.places[assistant].(*chat.Screen); ok && s.settings.Digest.AtStart {
		sc.Digest()
	}
}

// beginAt shows the window of such a session at a place.
func (s *Shell) beginAt(route *route) {
	ses := s.session
	ses.closeScreens() // they show the account before
	s.route = route
	s.followAccount()
	if !ses.begun {
		ses.begun = true
		if !ses.sample {
			ses.app.Live().Start()
		}
		s.followStatus()
		s.followDigest()
		s.followUpdates()
	}
	s.visit()
	s.resume()
}

// resume shows the screens in place of the welcome.
func (s *Shell) resume() {
	s.session.welcome = nil
	s.rootShows(s.frame)
	s.draw()
	s.focusMain()
	if code := s.link; code != nil {
		s.OpenLink(*code)
	}
}

// visit remembers that the user is here: notes are new from now on.
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

// ready reports whether there are screens to go to: a store is open, and the welcome is
// not shown.
func (s *Shell) ready() bool { return s.session != nil && s.session.begun && s.session.welcome == nil }

// leave ends the session off the window's thread and then runs then, or ends the program
// if that was asked for meanwhile.
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
		if ses.begun { // the next visit begins where this one ends
			if _, err := ses.app.Visit(context.WithoutCancel(ses.ctx)); err != nil {
				s.opt.Logger.Error("remembering the visit", "err", err)
			}
		}
		if err := s.saver.save(ses.app); err != nil {
			s.opt.Logger.Error("saving the settings", "err", err)
		}
		set := ses.app.Settings() // screens change them too
		ses.stop()
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

// closeScreens closes all screens; they are made again when they are needed.
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

// quit closes what is open and then the window. An opening, closing or removal that is
// running finishes first, so that nothing has to be repaired at the next start; only an
// upgrade is interrupted, since it may take minutes.
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

// finish ends the program. Nothing that is posted from now on runs.
func (s *Shell) finish() {
	s.thread.stop()
	if !s.loopless {
		if s.seen {
			s.window.Close()
		}
		// The App's own Quit fails where the system could not watch Fyne's settings.
		s.fyne.Driver().Quit()
	}
}

// rootShows shows an object in place of the frame, and takes the keyboard from what
// disappears.
func (s *Shell) rootShows(o fyne.CanvasObject) {
	s.root.SetContent(o)
	if c := s.window.Canvas(); !s.covered() && c.Focused() != nil && widgets.KeyboardLost(c) {
		c.Unfocus()
	}
}

// damagedStore returns which of the user's stores an error of [app.Open] reports as
// damaged; "" for none.
func damagedStore(err error) string {
	var store *upkeep.StoreError
	if errors.Is(err, ndb.ErrDamaged) && errors.As(err, &store) && store.Store != "sample" {
		return store.Store
	}
	return ""
}

// repair salvages the damaged stores, then shows the result.
func (s *Shell) repair() {
	s.rootShows(opening(lang.L("Saving what can be read. With many notes this takes a few minutes.")))
	s.between(func() func() {
		repaired, err := s.opt.Repair(s.ctx)
		return func() {
			switch {
			case err != nil:
				s.opt.Logger.Error("repairing", "err", err)
				s.rootShows(s.cannotOpen(err, false))
			case len(repaired) == 0: // it can be opened by now
				s.open(false, nil)
			default:
				for _, r := range repaired {
					s.opt.Logger.Warn("repaired", "store", r.Store, "report", r.Report)
				}
				s.rootShows(s.repaired(repaired))
			}
		}
	})
}

// repaired shows what was saved and what was lost, before the store is opened.
func (s *Shell) repaired(all []upkeep.Repaired) fyne.CanvasObject {
	goOn := widgets.Named("repaired.on", widgets.NewButton(lang.L("Continue"), widgets.Primary, func() { s.open(false, nil) }))
	title, text := repairWords(s.words, all, s.opt.Now())
	return page(title, text, goOn)
}

func repairWords(words present.Words, all []upkeep.Repaired, now time.Time) (title, text string) {
	title = lang.L("Everything was saved")
	var says, aside []string
	for _, r := range all {
		if !r.Report.Whole() {
			title = lang.L("Most was saved")
		}
		says = append(says, lostText(words, r, now)...)
		aside = append(aside, lang.L("The damaged files are kept in {{.Folder}}.", map[string]any{"Folder": present.Isolate(r.Report.Aside)}))
	}
	return title, strings.Join(append(says, aside...), " ")
}

// lostText words what was lost of a store.
func lostText(words present.Words, r upkeep.Repaired, now time.Time) (says []string) {
	report := r.Report
	if report.Lost > 0 {
		says = append(says, lang.N("{{.Notes}} notes are lost.", report.Lost, map[string]any{"Notes": words.Number(report.Lost)}))
		if report.LostTo > 0 {
			says = append(says, lang.L("Time span: {{.From}} – {{.To}}.", map[string]any{
				"From": words.Day(time.Unix(report.LostFrom, 0), now), "To": words.Day(time.Unix(report.LostTo, 0), now),
			}))
		}
	}
	values := 0
	for _, n := range report.LostValues {
		values += n
	}
	if values > 0 {
		says = append(says, lang.N("{{.Values}} of your own saved things (chats, what you last saw) are lost.", values, map[string]any{"Values": words.Number(values)}))
	}
	if report.Incomplete {
		says = append(says, lang.L("More may be missing: the newest notes, deletions, or earlier versions of your lists."))
	}
	if r.Store == "notes" && !report.Whole() {
		says = append(says, lang.L("Bowerbird asks the relays for what is missing."))
	}
	return says
}

// restore replaces the user's own data by its last backup.
func (s *Shell) restore() {
	s.rootShows(opening(lang.L("Restoring the backup")))
	s.between(func() func() {
		day, err := s.opt.Restore(context.Background())
		return func() {
			if err != nil {
				s.opt.Logger.Error("restoring the backup", "err", err)
				s.rootShows(s.cannotOpen(err, false))
				return
			}
			s.opt.Logger.Info("restored the backup", "of", day)
			s.open(false, nil)
		}
	})
}
