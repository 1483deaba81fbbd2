// Package relays is the screen that shows how complete the notes are and which servers
// they come from: whose notes are complete, who could not be reached, and the use and
// state of each relay, with what can be done about it.
//
// The words come from [bowerbird/ui/present] ([present.RelayBoard], [present.RelayPage])
// and are only drawn here. The store is read off the window's thread. The screen follows a
// [live.Live] and changes only what the user asks it to.
package relays

import (
	"context"
	"reflect"
	"time"

	"fyne.io/fyne/v2"

	"bowerbird/app"
	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
)

// Source is what the screen shows and controls. Its methods may read the store and are
// called off the window's thread, except Now, Retry, RetryRelay and OnChange.
type Source interface {
	Now() time.Time
	At(ctx context.Context) (present.RelaysAt, error)
	Details(ctx context.Context, url string) (live.RelayDetails, error)
	Name(ctx context.Context, pk nostr.PubKey) string
	CheckRelay(ctx context.Context, text string) (url string, trouble notesync.Trouble, err error)
	AddRelay(text string) (url string, err error)
	RemoveRelay(url string) error
	RestoreRelay(url string) error
	SetOnlyOwn(only bool) error
	Retry()
	RetryRelay(url string)
	OnChange(changed func()) (cancel func())
}

// ofApp is the program's own Source.
type ofApp struct {
	*live.Live
	app *app.App
}

func (l ofApp) At(ctx context.Context) (at present.RelaysAt, err error) {
	at = present.RelaysAt{Status: l.Status(), OnlyOwn: l.OnlyOwn(), Removed: l.Removed(), Now: l.Now()}
	if at.Coverage, err = l.Coverage(ctx); err != nil {
		return at, err
	}
	at.Relays, err = l.Relays(ctx)
	return at, err
}

func (l ofApp) Now() time.Time { return l.app.Now() }

func (l ofApp) Details(ctx context.Context, url string) (live.RelayDetails, error) {
	return l.Relay(ctx, url)
}

func (l ofApp) Name(ctx context.Context, pk nostr.PubKey) string {
	return present.NameIn(ctx, l.app.Notes(), pk)
}

// How often the screen is updated while it is visible: after changes at most each
// drawEvery; at each tick for the words that depend on the clock ("10 s ago"), and from
// the store for what no notification reports.
const (
	drawEvery = time.Second
	tickEvery = 5 * time.Second
	readTicks = 2 // every so many ticks the store is read as well
)

// Screen is the screen of the relays.
type Screen struct {
	env    screen.Env
	source Source
	page   *page

	at     present.RelaysAt   // what is shown
	board  present.RelayBoard // the same in words
	drawn  bool
	sight  context.Context    // while it is in sight
	hide   context.CancelFunc // ends that; nil when it is not
	every  time.Duration      // how often the clock is looked at
	dialog func()             // closes the dialog that is open; nil for none
	// stopLooking cancels the reading for a dialog that has not opened yet.
	stopLooking context.CancelFunc
}

// New returns the screen of an App's relays.
func New(env screen.Env) *Screen { return newFor(env, ofApp{env.App.Live(), env.App}) }

// newFor returns the screen of a [Source], with which env.App may be nil.
func newFor(env screen.Env, source Source) *Screen {
	s := &Screen{env: env, source: source, sight: context.Background(), stopLooking: func() {}, every: tickEvery}
	s.page = newPage(s)
	return s
}

var _ screen.Screen = (*Screen)(nil)

// Content implements screen.Screen.
func (s *Screen) Content() fyne.CanvasObject { return s.page.content }

// Shown implements [screen.Screen]. It begins to follow changes.
func (s *Screen) Shown() {
	if s.hide != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	changed := make(chan struct{}, 1)
	stop := s.source.OnChange(func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	s.sight, s.hide = ctx, func() { stop(); cancel() }
	s.load(ctx)
	go s.watch(ctx, changed)
}

// Hidden implements [screen.Screen].
func (s *Screen) Hidden() {
	if s.hide != nil {
		s.hide()
		s.hide = nil
	}
}

// Focus implements [screen.Screen].
func (s *Screen) Focus(c fyne.Canvas) { s.page.focus(c) }

// Close ends what runs for the screen.
func (s *Screen) Close() {
	s.Hidden()
	s.closeDialog()
}

// watch draws the screen again after changes, and at intervals.
func (s *Screen) watch(ctx context.Context, changed <-chan struct{}) {
	ticks := time.NewTicker(s.every)
	defer ticks.Stop()
	for n := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			if n++; n%readTicks != 0 {
				s.env.Do.Do(s.tick)
				continue
			}
		case <-changed:
		}
		if show := s.read(ctx); show != nil {
			s.env.Do.Do(show)
		}
		select { // a busy sync changes many times a second
		case <-ctx.Done():
			return
		case <-time.After(drawEvery):
		}
	}
}

func (s *Screen) load(ctx context.Context) {
	s.env.Do.Go(func() func() { return s.read(ctx) })
}

// read reads the state and returns a function that shows it.
func (s *Screen) read(ctx context.Context) func() {
	at, err := s.source.At(ctx)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return func() {
			s.drawn = false
			s.page.fail(err)
		}
	}
	return func() { s.show(at) }
}

// show draws a state, if its words have changed.
func (s *Screen) show(at present.RelaysAt) {
	board := s.env.Words.Relays(at)
	s.at = at
	if s.drawn && reflect.DeepEqual(board, s.board) {
		return
	}
	s.board, s.drawn = board, true
	s.page.show(board)
}

// tick updates the words that depend on the clock.
func (s *Screen) tick() {
	if s.drawn && s.hide != nil {
		at := s.at
		at.Now = s.source.Now()
		s.show(at)
	}
}

// act changes something off the window's thread, reports an error, and draws the screen
// again.
func (s *Screen) act(do func() error) {
	s.env.Do.Go(func() func() {
		err := do()
		show := s.read(context.Background())
		return func() {
			if err != nil {
				s.env.Go.Toast(plainly(err), "", nil)
			}
			if show != nil {
				show()
			}
		}
	})
}

func (s *Screen) closeDialog() {
	if s.dialog != nil {
		s.dialog()
		s.dialog = nil
	}
}
