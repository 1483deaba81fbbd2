package shell

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/chat"
	"bowerbird/ui/feed"
	relayboard "bowerbird/ui/relays"
	"bowerbird/ui/screen"
	settingspage "bowerbird/ui/settings"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// draw makes the window show the route: it creates missing screens, notifies those that
// appear and disappear, and closes those that no way leads back to.
func (s *Shell) draw() {
	if !s.ready() {
		return
	}
	ses := s.session
	column, hasColumn, main := s.route.visible(s.frame.wide)
	var columnObject fyne.CanvasObject
	var shown []screen.Screen
	if hasColumn {
		sc := s.screenOf(column)
		markOpened(sc, main)
		shown = append(shown, sc)
		columnObject = ses.object(sc)
	}
	var mainObject fyne.CanvasObject = widgets.NewEmpty("", "", lang.L("Choose a note to read its thread."))
	if !main.nothing() {
		sc := s.screenOf(main)
		markOpened(sc, pane{}) // beside it nothing is opened
		shown = append(shown, sc)
		mainObject = ses.object(sc)
	}
	before := ses.shown
	ses.shown = shown
	held := s.window.Canvas().Focused() != nil
	for _, sc := range before {
		if !slices.Contains(shown, sc) {
			ses.hide(sc)
		}
	}
	s.rail.mark(s.route.at)
	s.frame.show(columnObject, mainObject)
	for _, sc := range shown {
		if !slices.Contains(before, sc) {
			sc.Shown()
		}
	}
	for e, sc := range ses.entries {
		if !s.route.alive(e) {
			sc.Close()
			delete(ses.entries, e)
			delete(ses.looks, sc)
		}
	}
	if held && !s.covered() && widgets.KeyboardLost(s.window.Canvas()) {
		s.window.Canvas().Unfocus()
		s.focusMain() // what had the keyboard is not to be seen any more
	}
}

// markOpened marks the open note in the column beside it.
func markOpened(column screen.Screen, main pane) {
	var id nostr.ID
	if main.entry != nil {
		id = main.entry.note
	}
	if c, ok := column.(interface{ MarkOpened(id nostr.ID) }); ok {
		c.MarkOpened(id)
	}
}

// hide notifies a screen that it disappears, and remembers the look that it had.
func (ses *session) hide(sc screen.Screen) {
	ses.looks[sc] = theme.Shown()
	sc.Hidden()
}

// object returns the content of a screen in the current look. Fyne applies a changed theme
// only to what is in the window.
func (ses *session) object(sc screen.Screen) fyne.CanvasObject {
	if look, hidden := ses.looks[sc]; hidden {
		delete(ses.looks, sc)
		if look != theme.Shown() {
			theme.Apply(sc.Content())
		}
	}
	return sc.Content()
}

// focusMain puts the keyboard where a person would begin.
func (s *Shell) focusMain() {
	if first := s.first(); first != nil {
		first.Focus(s.window.Canvas())
	}
}

// first returns the visible screen that a person would begin with; nil for none.
func (s *Shell) first() screen.Screen {
	if !s.ready() || len(s.session.shown) == 0 {
		return nil
	}
	if s.route.at == search {
		return s.session.shown[0]
	}
	return s.session.shown[len(s.session.shown)-1]
}

// keyTaker is a screen that handles keys which no widget in it handled.
type keyTaker interface{ TypedKey(e *fyne.KeyEvent) }

// screenOf returns the screen of a pane, and makes it the first time.
func (s *Shell) screenOf(p pane) screen.Screen {
	ses := s.session
	if p.entry != nil {
		sc := ses.entries[*p.entry]
		if sc == nil {
			sc = s.newEntry(*p.entry)
			ses.entries[*p.entry] = sc
		}
		return sc
	}
	sc := ses.places[p.place]
	if sc == nil {
		sc = s.newPlace(p.place)
		ses.places[p.place] = sc
	}
	return sc
}

func (s *Shell) env() screen.Env {
	return screen.Env{
		App: s.session.app, Do: s.do, Go: s,
		Look: screen.Look{
			Compact:      s.settings.Appearance.Density == config.Compact,
			ShowFollowed: s.showsFollowed(),
		},
		Words: s.words, Pictures: s.session.app.Pictures(),
	}
}

// showsFollowed reports whether pictures of followed people are loaded without a click. Those
// of the sample always are, for they are part of the program.
func (s *Shell) showsFollowed() bool {
	return s.session.sample || s.settings.Pictures.Show == config.PicturesOfFollowed
}

func (s *Shell) newPlace(p place) screen.Screen {
	env := s.env()
	switch p {
	case home:
		return feed.NewHome(env)
	case search:
		return feed.NewSearch(env)
	case relays:
		return relayboard.New(env)
	case settings:
		return settingspage.New(env, s)
	}
	return chat.New(env)
}

func (s *Shell) newEntry(e entry) screen.Screen {
	env := s.env()
	switch e.kind {
	case profileEntry:
		return feed.NewProfile(env, e.who)
	case articleEntry:
		return feed.NewArticle(env, e.note)
	}
	return feed.NewThread(env, e.note)
}
