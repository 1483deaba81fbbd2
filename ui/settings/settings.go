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
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/ui/keyfile"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
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
	// AtLogin reports whether Bowerbird is started when the user logs in, and StartAtLogin
	// changes that. The host reports what fails.
	AtLogin() bool
	StartAtLogin(on bool)
	// Version returns the version of Bowerbird.
	Version() string
}

// The names of the pages, as Navigator.OpenSettings takes them.
const (
	Account    = "account"
	Assistant  = "assistant"
	Tools      = "tools"
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
		{Tools, lang.L("Tools and permissions"), newTools},
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

// newAbout says what Bowerbird is, what it sends where, and what it is made of.
func newAbout(s *Screen) page {
	version := s.host.Version()
	copyIt := widgets.Named("settings.copy-version", widgets.NewButton(lang.L("Copy the version"), widgets.Outline, func() { s.env.Go.Copy("Bowerbird " + version) }))
	item := func(what, text string) fyne.CanvasObject {
		return layout.Column(2, prose.New(prose.Span{Text: what, Bold: true}), note(text))
	}
	body := sheet(lang.L("About"),
		section("",
			newField("Bowerbird "+version, lang.L("Keeps your Nostr notes on your computer and tells you what you missed. A satin bowerbird collects blue things and lays them out for show; this one collects notes."), copyIt),
			note(lang.L("Free software under the MIT licence.")),
			newUpdates(s),
		),
		section(lang.L("What is sent where"),
			item(lang.L("Relays"), lang.L("They are asked for the notes of the people you follow, and so learn whom you read. Nothing of yours is written to them.")),
			item(lang.L("The assistant"), lang.L("The built-in assistant and models on this computer send nothing. Any other model receives your question and the notes read for it; its host is shown beside its name.")),
			item(lang.L("Pictures"), lang.L("They come directly from the server that holds them, after a click, or at once for people you follow if you choose so.")),
			item(lang.L("Names"), lang.L("If you type a name such as ada@example.com, example.com is asked whose it is.")),
			item(lang.L("Nothing else"), lang.L("No figures about you or your use are collected or sent.")),
		),
		section(lang.L("Made with"),
			item("Inter", lang.L("The typeface, under the SIL Open Font License. © The Inter Project Authors")),
			item("Fyne", lang.L("The window, under the BSD 3-Clause licence. © Fyne.io developers")),
			item("Badger", lang.L("The store, under the Apache licence 2.0. © Dgraph Labs")),
			item("go-nostr", lang.L("The note format, under the MIT licence. © nbd")),
			item(lang.L("And others"), lang.L("All components and their licences are listed in docs/dependencies.md, which comes with the source.")),
		),
	)
	return still{body, copyIt}
}

// newUpdates says where newer versions come from.
func newUpdates(s *Screen) fyne.CanvasObject {
	if by := s.env.App.PackagedBy(); by != "" {
		return note(lang.L("Newer versions come with {{.System}}.", with("System", by)))
	}
	if !s.env.App.LooksForUpdates() {
		return note(lang.L("Bowerbird does not look for updates."))
	}
	look := onOff("settings.updates", !s.host.Settings().Updates.Off, func(on bool) {
		s.host.Change(func(set *config.Settings) { set.Updates.Off = !on })
	})
	text := lang.L("Once a day, your relays are asked for a notice of the project. Nothing is downloaded.")
	if v := s.env.App.NewVersion(); v != "" {
		text = lang.L("Bowerbird {{.Version}} is available where you got this one.", with("Version", v)) + " " + text
	}
	return newField(lang.L("Look for newer versions"), text, look)
}

// newRelays is how far back notes are fetched, and a button that opens the relays.
func newRelays(s *Screen) page {
	if s.sample {
		return still{body: sheet(lang.L("Relays"), section("", note(lang.L("This is the sample: it is made up, and nothing is fetched. With your own notes, you choose here how far back they are fetched, and from which servers."))))}
	}
	var choices []choice
	for _, d := range []int{1, 3, 7, 14, 30} {
		label := lang.L("{{.N}} days", with("N", d))
		if d == 1 {
			label = lang.L("1 day")
		}
		choices = append(choices, choice{strconv.Itoa(d), label})
	}
	now := func() string { return strconv.Itoa(s.host.Settings().Sync.DaysBack()) }
	if chosen := now(); !hasValue(choices, chosen) {
		choices = append(choices, choice{chosen, lang.L("{{.N}} days", with("N", chosen))})
	}
	days := menu("settings.days", choices, now, func(v string) {
		n, err := strconv.Atoi(v)
		if err == nil {
			s.host.Change(func(set *config.Settings) { set.Sync.Days = n })
		}
	})
	open := widgets.Named("settings.relays", widgets.NewButton(lang.L("Open the relays"), widgets.Outline, s.env.Go.OpenRelays))
	body := sheet(lang.L("Relays"),
		section(lang.L("Fetching"),
			newField(lang.L("How far back"), lang.L("The notes of this many days are fetched first, as far as the relays have them. More days take longer. Changes take effect at once."), days),
		),
		section(lang.L("Servers"),
			newField(lang.L("The relays"), lang.L("The servers that notes come from: see their state, add and remove them, or ask only your own."), open),
		),
	)
	return still{body, days}
}
