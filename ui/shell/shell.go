// Package shell is the window: the rail, the column and the main part, the status line,
// the navigation between screens, the keys. It opens and closes the stores behind the
// window (the user's notes, the sample); the screens decide what they show.
//
// Everything runs on the window's thread, except what is given to the dispatcher. The
// package never calls Fyne's app.New, so that it can be tested without a display.
package shell

import (
	"context"
	"log/slog"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"golang.org/x/text/language"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/upkeep"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/dispatch"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// Options configure a window. Open is required.
type Options struct {
	// Open opens the user's notes, or the sample. It is called off the window's thread;
	// only one of them is open at a time. It reports its progress to preparing, and stops
	// when ctx ends.
	Open func(ctx context.Context, sample bool, set config.Settings, preparing func(what app.Preparation, done, of int)) (*app.App, error)
	// Remove deletes the user's data (or only the sample) after they are closed.
	Remove func(sampleOnly bool) error
	// Repair salvages damaged stores into new ones, and keeps the damaged files. It is
	// called off the window's thread.
	Repair func(ctx context.Context) ([]upkeep.Repaired, error)
	// Restore replaces the user's own data by the newest backup and returns its day; the
	// error is [upkeep.ErrNoBackup] if there is none. It is called off the window's
	// thread.
	Restore func(context.Context) (time.Time, error)
	// LoadSettings reads the settings again after SettingsErr, off the window's thread.
	LoadSettings func() (config.Settings, error)
	Settings     config.Settings // at the start
	// SettingsErr is why Settings could not be read; nil if they were. Nothing is opened
	// or written before they can be.
	SettingsErr error
	Language    language.Tag // of numbers and dates
	// Speak loads the window's texts in a language of the settings, and returns that of
	// numbers and dates. It is called while nothing is open.
	Speak  func(chosen string) (language.Tag, error)
	Sample bool // open the sample, not what was open last
	// Wait makes another start of the program with the same data call show, or use what is
	// open here. It is called off the window's thread
	// while a store is held for writing, and stop before it is closed. Nil: each start opens
	// a window.
	Wait  func(a *app.App, show func(link *nostr.Code)) (stop func(), err error)
	Link  *nostr.Code // opened first; nil for none
	Login Login       // starts the program when the user logs in; nil: there is no such choice
	// Tray reports whether the desktop has a place for an icon that stands for the program
	// while its window is closed. It may ask another program.
	Tray        func() bool
	Background  bool // start without a window, where there is a tray
	Version     string
	DumpWidgets string // file to which the places of the widgets are written repeatedly; "" for none
	Logger      *slog.Logger
	Do          dispatch.Dispatcher // default: one onto Fyne's thread
	Now         func() time.Time    // default time.Now
}

// Login starts the program when the user logs in.
type Login interface {
	On() bool
	Set(on bool) error
}

// Shell is the window. Its methods are called on the window's thread.
type Shell struct {
	opt    Options
	fyne   fyne.App
	window fyne.Window
	do     dispatch.Dispatcher
	ctx    context.Context // ends with the window
	words  present.Words

	settings config.Settings
	route    *route
	frame    *frame
	root     *widgets.Root
	rail     *rail
	status   *status
	session  *session // what is open; nil while nothing is
	saver    saver
	// preparing is what is shown while a store is prepared; else nil.
	preparing *preparing
	busy      int         // of leave, open and Remove: what runs between two sessions
	closing   bool        // the program ends
	link      *nostr.Code // waits until there are screens to open it in
	tray      bool        // there is an icon in the tray: the program goes on without the window
	seen      bool        // the window was shown; else Fyne cannot close it
	thread    *thread
	loopless  bool // Fyne's loop has ended, and with it the window
}

// New makes the window, with nothing open yet.
func New(desktop fyne.App, opt Options) (*Shell, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Shell{opt: opt, fyne: desktop, do: opt.Do, thread: newThread(), settings: opt.Settings, link: opt.Link, route: newRoute(assistant), words: present.Words{L: lang.L, Tag: opt.Language}}
	if s.do == nil {
		s.do = dispatch.Window(s.thread.do)
	}
	if err := s.applyTheme(); err != nil {
		return nil, err
	}
	s.window = desktop.NewWindow("Bowerbird")
	s.window.SetPadded(false)
	s.root = widgets.NewRoot(opening(""))
	s.furnish()
	s.window.SetContent(s.root)
	s.window.Resize(s.windowSize())
	s.window.SetCloseIntercept(s.closeWindow)
	s.addShortcuts()
	desktop.Lifecycle().SetOnEnteredForeground(s.visit)
	return s, nil
}

// furnish makes what is around the screens, in the language that is spoken.
func (s *Shell) furnish() {
	s.rail = newRail(s)
	s.status = newStatus(s.OpenRelays)
	s.frame = newFrame(s.rail.content, s.status.content, s.columnWidth())
	s.frame.folded = func(bool) { s.draw() }
	s.frame.dragged = s.rememberColumn
}

// Start opens what the user left open. What runs for the window ends with ctx.
func (s *Shell) Start(ctx context.Context) {
	s.ctx = ctx
	if err := s.opt.SettingsErr; err != nil {
		s.rootShows(s.cannotRead(err))
		return
	}
	s.openFirst()
}

// Run shows the window and returns when it is closed. SIGINT and SIGTERM close it too,
// since Fyne handles them.
func (s *Shell) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.Start(ctx)
	if s.opt.DumpWidgets != "" {
		go s.dumpForever(ctx)
	}
	if s.addTray(); !s.tray || !s.opt.Background {
		s.seen = true
		s.window.Show()
	}
	s.fyne.Run()
	s.ended()
	return nil
}

// ended closes what is open after Fyne's loop has ended by itself: a signal, such as that
// of a log-out, ends it without asking.
func (s *Shell) ended() {
	s.thread.turn.Lock()
	s.loopless = true
	s.thread.turn.Unlock()
	s.thread.do(s.quit)
	s.thread.drain()
}

// dumpPause is how often the dump of a tested window is written.
const dumpPause = 150 * time.Millisecond

func (s *Shell) dumpForever(ctx context.Context) {
	tick := time.NewTicker(dumpPause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		s.do.Do(func() {
			if err := writeDump(s.opt.DumpWidgets, s.window.Canvas()); err != nil {
				s.opt.Logger.Error("writing the dump of widgets", "err", err)
			}
		})
	}
}

func (s *Shell) applyTheme() error {
	t, err := theme.New(theme.Options{
		Mode:  theme.Mode(s.settings.Appearance.Mode),
		Scale: float32(s.settings.Appearance.TextPercent()) / 100,
		Calm:  s.settings.Appearance.Calm,
	})
	if err != nil {
		return err
	}
	s.fyne.Settings().SetTheme(t)
	return nil
}

// The window's size while the user has not chosen one, in points.
var firstSize = fyne.NewSize(1280, 832)

func (s *Shell) windowSize() fyne.Size {
	w := s.settings.Window
	if w.Width <= 0 || w.Height <= 0 {
		return firstSize
	}
	return fyne.NewSize(max(float32(w.Width), 480), max(float32(w.Height), 600))
}

func (s *Shell) columnWidth() float32 {
	if w := s.settings.Window.Column; w > 0 {
		return float32(w)
	}
	return theme.ColumnWidth
}
