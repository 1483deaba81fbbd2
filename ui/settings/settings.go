// Package settings is the screen of the settings: the account, what the assistant answers
// with, how far back notes are fetched, how the window looks, what is stored on this
// computer, and what Bowerbird is.
//
// Every choice takes effect and is saved at once; there is no "Apply". Only removing data
// asks first. What the window has to do itself, such as applying another look or closing a
// store, is asked of its [Host]. The words that depend on a state come from
// [bowerbird/ui/present].
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

// Host is the window around the screen. Its methods are called on the window's thread.
type Host interface {
	// Settings returns the current settings, including changes that are not saved yet.
	Settings() config.Settings
	// Change changes the settings, saves them, and applies them to the window. The host
	// reports a change that cannot be saved.
	Change(change func(*config.Settings))
	// AfterSave runs do once all changes so far are saved or have failed: only then does
	// the App have them.
	AfterSave(do func())
	// ChoosePerson lets the user choose another account.
	ChoosePerson()
	// OpenSample opens the sample in place of the user's notes, LeaveSample the reverse.
	OpenSample()
	LeaveSample()
	// Remove closes what is open, deletes the user's data or only the sample, and starts
	// over. The user has confirmed it.
	Remove(sampleOnly bool)
	// Version returns the version of Bowerbird.
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

// entry is a page in the list.
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

// ShowPage shows a page; an unknown name changes nothing.
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

// Shown implements [screen.Screen]. It reads the open page again: notes may have arrived.
func (s *Screen) Shown() {
	s.shown = true
	s.pages[s.open].load()
}

// LookChanged shows a look that a key has changed on the page Appearance. Other pages are
// left alone: the user may be typing there.
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

// leave takes over what is being typed on the open page.
func (s *Screen) leave() {
	if p := s.pages[s.open]; p != nil { // nil before the first page
		p.leave()
	}
}

// Focus focuses the first control of the page.
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

// work does something off the window's thread, and shows the result unless the screen is
// closed by then.
func (s *Screen) work(do func(ctx context.Context) func()) {
	s.env.Work(s.ctx, func() func() { return do(s.ctx) })
}

// with returns the data of a text: pairs of a name and a value.
func with(pairs ...any) map[string]any {
	places := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		places[pairs[i].(string)] = pairs[i+1]
	}
	return places
}
