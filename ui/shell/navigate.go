package shell

import (
	"net/url"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/feed"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	settingspage "bowerbird/ui/settings"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// place is what the rail leads to.
type place string

const (
	assistant place = "assistant"
	home      place = "home"
	search    place = "search"
	relays    place = "relays"
	settings  place = "settings"
)

// entryKind is what was opened on top of a place.
type entryKind string

const (
	threadEntry  entryKind = "thread"
	profileEntry entryKind = "profile"
	articleEntry entryKind = "article"
)

// entry is a thread, a profile or an article that was opened.
type entry struct {
	kind entryKind
	note nostr.ID     // thread, article
	who  nostr.PubKey // profile
}

// pane is what the column or the main part of the window shows.
type pane struct {
	place place // the screen of a place; "" for an entry or nothing
	entry *entry
}

// nothing reports whether the pane only invites the user to choose a note.
func (p pane) nothing() bool { return p.place == "" && p.entry == nil }

// mostEntries limits the way back of one place.
const mostEntries = 30

// route is where the user is: a place, and what was opened from each place. It is plain
// data; the shell draws what visible returns.
type route struct {
	at     place
	opened map[place][]entry
}

func newRoute(at place) *route {
	return &route{at: at, opened: map[place][]entry{}}
}

// enter goes to a place, and to what was open there. Entering the place that is shown
// returns to its beginning, and so does entering the assistant: the user wants to ask.
func (r *route) enter(p place) {
	if r.at == p || p == assistant {
		delete(r.opened, p)
	}
	r.at = p
}

// open opens an entry, unless it is open already.
func (r *route) open(e entry) {
	stack := r.opened[r.at]
	if len(stack) > 0 && stack[len(stack)-1] == e {
		return
	}
	stack = append(stack, e)
	if len(stack) > mostEntries {
		stack = stack[len(stack)-mostEntries:]
	}
	r.opened[r.at] = stack
}

// back closes the last entry, and reports whether there was one.
func (r *route) back() bool {
	stack := r.opened[r.at]
	if len(stack) == 0 {
		return false
	}
	r.opened[r.at] = stack[:len(stack)-1]
	return true
}

// closeAll closes what was opened from the place that is shown.
func (r *route) closeAll() { delete(r.opened, r.at) }

// top returns what was opened last from the place that is shown; nil for nothing.
func (r *route) top() *entry {
	stack := r.opened[r.at]
	if len(stack) == 0 {
		return nil
	}
	e := stack[len(stack)-1]
	return &e
}

// alive reports whether an entry is on the way back of any place.
func (r *route) alive(e entry) bool {
	for _, stack := range r.opened {
		for _, other := range stack {
			if other == e {
				return true
			}
		}
	}
	return false
}

// visible returns what to draw. A wide window has a column beside the main part; a narrow
// one shows only the last entry or the place.
func (r *route) visible(wide bool) (column pane, hasColumn bool, main pane) {
	main = pane{entry: r.top()}
	switch r.at {
	case relays, settings:
		if main.entry == nil {
			main.place = r.at
		}
		return pane{}, false, main
	case search:
		column = pane{place: search}
	default:
		column = pane{place: home}
		if r.at == assistant && main.entry == nil {
			main.place = assistant
		}
	}
	if wide {
		return column, true, main
	}
	if main.nothing() {
		main = column
	}
	return pane{}, false, main
}

var _ screen.Navigator = (*Shell)(nil)

// enter goes to a place.
func (s *Shell) enter(p place) {
	if !s.ready() {
		return
	}
	s.route.enter(p)
	if p == search && !s.frame.wide {
		s.route.closeAll() // there is no column beside the search to show it in
	}
	s.draw()
	s.focusMain()
}

// find opens the search with its query selected. A result that is open beside it stays
// open.
func (s *Shell) find() {
	if !s.ready() {
		return
	}
	if s.route.at != search || !s.frame.wide {
		s.enter(search)
	} else {
		s.focusMain()
	}
	if sc, ok := s.session.places[search].(*feed.Search); ok {
		sc.SelectQuery()
	}
}

func (s *Shell) openEntry(e entry) {
	if !s.ready() {
		return
	}
	s.route.open(e)
	s.draw()
}

// OpenThread shows the thread around a note.
func (s *Shell) OpenThread(id nostr.ID) { s.openEntry(entry{kind: threadEntry, note: id}) }

// OpenProfile shows a person.
func (s *Shell) OpenProfile(pk nostr.PubKey) { s.openEntry(entry{kind: profileEntry, who: pk}) }

// OpenArticle shows an article to read.
func (s *Shell) OpenArticle(id nostr.ID) { s.openEntry(entry{kind: articleEntry, note: id}) }

// OpenRelays shows the relays.
func (s *Shell) OpenRelays() { s.enterOnce(relays) }

// enterOnce goes to a place unless it is shown already.
func (s *Shell) enterOnce(p place) {
	if s.route.at != p || s.route.top() != nil {
		s.enter(p)
	}
}

// Back returns to what was shown before.
func (s *Shell) Back() {
	if !s.ready() {
		return
	}
	if s.route.back() {
		s.draw()
		s.focusMain()
	}
}

// Window returns the window.
func (s *Shell) Window() fyne.Window { return s.window }

// Copy puts a text on the clipboard and shows that in a toast.
func (s *Shell) Copy(text string) {
	s.fyne.Clipboard().SetContent(text)
	s.Toast(lang.L("Copied"), "", nil)
}

// toastTime is how long something is said, longer where it can be acted on.
const (
	toastTime       = 3 * time.Second
	toastActionTime = 8 * time.Second
)

// Toast shows a message for a few seconds.
func (s *Shell) Toast(text, act string, do func()) {
	shown := toastTime
	if act != "" {
		shown = toastActionTime
	}
	hide := s.root.ShowToast(text, act, do)
	time.AfterFunc(shown, func() { s.do.Do(hide) })
}

// OpenURL asks before it leaves the program, since a link may show another host than it
// leads to.
func (s *Shell) OpenURL(address string) {
	u, err := url.Parse(address)
	host, ok := "", false
	if err == nil && (u.Scheme == "https" || u.Scheme == "http") {
		host, ok = present.Host(u)
	}
	if !ok {
		s.Toast(lang.L("This is not an address that a browser can open."), "", nil)
		return
	}
	var done func()
	text := prose.Plain(clean.Line(address, 300), theme.Small, theme.Muted)
	text.MaxLines = 4
	open := widgets.Named("link.open", widgets.NewButton(lang.L("Open in the browser"), widgets.Primary, func() {
		done()
		if err := s.fyne.OpenURL(u); err != nil {
			s.Toast(lang.L("The browser could not be started."), "", nil)
		}
	}))
	copyIt := widgets.NewButton(lang.L("Copy"), widgets.Outline, func() { done(); s.Copy(address) })
	no := widgets.Named("link.cancel", widgets.NewButton(lang.L("Cancel"), widgets.Outline, func() { done() }))
	content := layout.Column(12,
		prose.New(prose.Span{Text: lang.L("Open {{.Host}}?", map[string]any{"Host": host}), Size: theme.Title, Bold: true}),
		text,
		prose.Plain(lang.L("The page will see that you came, and the address of your computer."), theme.Small, theme.Muted),
		layout.WrapEnd(8, no, copyIt, open),
	)
	done = widgets.ShowDialog(s.window, content)
	s.window.Canvas().Focus(open)
}

// Search shows the search with a query in it.
func (s *Shell) Search(query string) {
	if !s.ready() {
		return
	}
	s.enterOnce(search)
	if sc, ok := s.session.places[search].(*feed.Search); ok {
		sc.SetQuery(query)
	}
}

// OpenSettings shows a page of the settings.
func (s *Shell) OpenSettings(page string) {
	if !s.ready() {
		return
	}
	s.enterOnce(settings)
	if sc, ok := s.session.places[settings].(*settingspage.Screen); ok {
		sc.ShowPage(page)
	}
}

// retry asks for new notes now. A toast shows that, since nothing else changes if there
// are none.
func (s *Shell) retry() {
	switch {
	case !s.ready():
	case s.session.sample:
		s.Toast(lang.L("The sample is made up: there are no new notes to get."), "", nil)
	default:
		s.session.app.Live().Retry()
		s.Toast(lang.L("Looking for new notes"), "", nil)
	}
}
