// Package settings is the screen of the settings: whom the notes are read as, what
// the assistant answers with, how far back notes are fetched, how the window looks,
// what is kept on this computer, and what Bowerbird is.
//
// Each choice holds at once and is saved at once; there is no "Apply". What takes
// away (removing data) asks first. What the window must do itself, such as showing
// another look or closing a store, it is asked to do through Host. The words that
// depend on a state are made by ui/present.
package settings

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/ui/keyfile"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
)

// Host is the window around the screen. Its methods are called on the window's
// thread.
type Host interface {
	// Settings returns the settings as they are shown.
	Settings() config.Settings
	// Change changes the settings, saves them, and brings them to the window. What
	// cannot be saved is told to the user by the host.
	Change(change func(*config.Settings))
	// AfterSave runs do when what was changed until now is saved, or cannot be: the
	// App has it only then.
	AfterSave(do func())
	// ChoosePerson lets the user choose whom to read as.
	ChoosePerson()
	// OpenSample opens the sample in place of the user's notes, LeaveSample the
	// other way round.
	OpenSample()
	LeaveSample()
	// Remove closes what is open and deletes the user's data, or only the sample,
	// and begins anew. The user has agreed.
	Remove(sampleOnly bool)
	// Version returns which Bowerbird this is.
	Version() string
}

// The names of the pages, as Navigator.OpenSettings takes them.
const (
	Account    = "account"
	Assistant  = "assistant"
	Relays     = "relays"
	Appearance = "appearance"
	Storage    = "storage"
	About      = "about"
)

// page is one page of the settings.
type page interface {
	content() fyne.CanvasObject
	first() fyne.Focusable // what the keyboard goes to; nil for nothing
	load()                 // reads what the page shows, each time it comes into sight
	leave()                // takes what is being typed, when the page goes out of sight
}

// still is a page that always shows the same. Other pages embed it.
type still struct {
	body  fyne.CanvasObject
	start fyne.Focusable
}

func (p still) content() fyne.CanvasObject { return p.body }
func (p still) first() fyne.Focusable      { return p.start }
func (still) load()                        {}
func (still) leave()                       {}

// entry is a page with its place in the list.
type entry struct {
	name, title string
	make        func(*Screen) page
}

func entries() []entry {
	return []entry{
		{Account, lang.L("Account"), newAccount},
		{Assistant, lang.L("Assistant"), newAssistant},
		{Relays, lang.L("Relays"), newRelays},
		{Appearance, lang.L("Appearance"), newAppearance},
		{Storage, lang.L("Storage"), newStorage},
		{About, lang.L("About"), newAbout},
	}
}

// Screen is the screen of the settings.
type Screen struct {
	env  screen.Env
	host Host
	// sample: made-up notes are open; what is for fetching the user's own is off.
	sample bool
	ctx    context.Context
	end    context.CancelFunc
	frame  *frame
	pages  map[string]page
	open   string // the page in sight
	shown  bool
	close  func() // closes the dialog that is open; nil for none
}

// New returns the screen, with the page Account open.
func New(env screen.Env, host Host) *Screen {
	ctx, end := context.WithCancel(context.Background())
	s := &Screen{env: env, host: host, sample: env.App.Sample(), ctx: ctx, end: end, pages: map[string]page{}}
	s.frame = newFrame(entries(), s.ShowPage)
	s.ShowPage(Account)
	return s
}

var _ screen.Screen = (*Screen)(nil)

// ShowPage shows a page; a name that is not known shows the one that is open.
func (s *Screen) ShowPage(name string) {
	for _, e := range entries() {
		if e.name != name {
			continue
		}
		s.leave()
		p := s.pages[name]
		if p == nil {
			p = e.make(s)
			s.pages[name] = p
		} else if s.open != name {
			theme.Apply(p.content()) // which may have changed while the page was out of the window
		}
		s.open = name
		s.frame.show(e, p.content())
		if s.shown {
			p.load()
		}
	}
}

// Content implements screen.Screen.
func (s *Screen) Content() fyne.CanvasObject { return s.frame }

// Shown reads the page that is open anew: notes may have come since.
func (s *Screen) Shown() {
	s.shown = true
	s.pages[s.open].load()
}

// LookChanged shows, on the page Appearance, a look that something else has changed.
// No other page is touched: something may be being entered there.
func (s *Screen) LookChanged() {
	if s.open == Appearance {
		s.pages[s.open].load()
	}
}

// Hidden implements screen.Screen.
func (s *Screen) Hidden() {
	s.leave()
	s.shown = false
}

// leave lets the open page take what is being typed there.
func (s *Screen) leave() {
	if p := s.pages[s.open]; p != nil { // nil before the first page
		p.leave()
	}
}

// Focus puts the keyboard on the first thing of the page.
func (s *Screen) Focus(c fyne.Canvas) {
	if first := s.pages[s.open].first(); first != nil {
		c.Focus(first)
	}
}

// Close ends what runs for the screen.
func (s *Screen) Close() {
	if s.ctx.Err() == nil {
		s.leave()
	}
	s.end()
	s.closeDialog()
}

// keyFile opens a dialog about the key file, in place of the dialog that is open.
func (s *Screen) keyFile(offer present.KeyOffer, done func()) {
	s.closeDialog()
	s.close = keyfile.Open(s.env, offer, done)
}

func (s *Screen) closeDialog() {
	if s.close != nil {
		s.close()
		s.close = nil
	}
}

// work does something away from the window's thread, unless the screen is closed,
// and then runs what it returns on it.
func (s *Screen) work(do func(ctx context.Context) func()) {
	s.env.Work(s.ctx, func() func() { return do(s.ctx) })
}

// with makes the places of a text: pairs of a name and what stands there.
func with(pairs ...any) map[string]any {
	places := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		places[pairs[i].(string)] = pairs[i+1]
	}
	return places
}
