// Package screentest sets the stage for the tests of screens: the sample in an App, a
// window in memory, and the window's thread, which is the test's own. What is posted
// onto that thread runs when the test says so and not before, so that a test can do
// something in between.
//
// It knows no screen; how one is used is left to the tests of each.
package screentest

import (
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app"
	"bowerbird/internal/testkit"
	"bowerbird/ui/dispatch"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
)

// Stage is a window for a screen, and what the screen is made with.
type Stage struct {
	Env    screen.Env
	Calls  *Calls // its navigator
	Window fyne.Window
	Posted chan func() // to the window's thread, in order

	t       testing.TB
	working atomic.Int64 // how much work goes on away from the window's thread
}

// New opens a window of a size over an App, in a look.
func New(t testing.TB, a *app.App, look theme.Options, size fyne.Size) *Stage {
	t.Helper()
	th, err := theme.New(look)
	if err != nil {
		t.Fatal(err)
	}
	fyneApp := test.NewTempApp(t)
	fyneApp.Settings().SetTheme(th)
	st := &Stage{t: t, Window: fyneApp.NewWindow(""), Posted: make(chan func(), 10_000)}
	st.Window.SetPadded(false)
	st.Window.Resize(size)
	st.Calls = &Calls{In: st.Window}
	st.Env = screen.Env{
		App: a, Go: st.Calls, Words: present.Words{},
		Do: counting{dispatch.Window(func(f func()) { st.Posted <- f }), &st.working},
	}
	return st
}

// Show puts a screen into the window and waits until it has come to rest. It is closed
// with the test.
func (st *Stage) Show(sc screen.Screen) {
	st.t.Helper()
	size := st.Window.Canvas().Size()
	st.Window.SetContent(sc.Content())
	st.Window.Resize(size)
	sc.Shown()
	st.t.Cleanup(sc.Close)
	st.Settle()
}

// Until runs what is posted until something is so.
func (st *Stage) Until(what string, so func() bool) {
	st.t.Helper()
	late := time.After(testkit.Patience)
	for !so() {
		select {
		case f := <-st.Posted:
			f()
		case <-late:
			st.t.Fatalf("waited in vain until %s", what)
		}
	}
}

// Settle runs what is posted until nothing comes any more for a while, no work that was
// given to the dispatcher goes on and no goroutine of the program runs, however slow the
// machine is.
func (st *Stage) Settle() {
	st.t.Helper()
	late := time.After(testkit.Patience)
	for {
		select {
		case f := <-st.Posted:
			f()
		case <-late:
			st.t.Fatalf("waited in vain until the screen comes to rest; busy are:\n%s", testkit.Busy())
		case <-time.After(4 * dispatch.Interval):
			if st.working.Load() == 0 && testkit.Busy() == "" && len(st.Posted) == 0 {
				return
			}
		}
	}
}

// counting is a dispatcher that knows how much work goes on.
type counting struct {
	dispatch.Dispatcher
	working *atomic.Int64
}

func (c counting) Go(work func() func()) {
	c.working.Add(1)
	go func() {
		defer c.working.Add(-1) // after what it shows is posted
		if show := work(); show != nil {
			c.Do(show)
		}
	}()
}

// Picture checks that the window shows something; see [testkit.Picture].
func (st *Stage) Picture(name string) {
	st.t.Helper()
	testkit.Picture(st.t, name, st.Window.Canvas().Capture())
}

// Synchronous returns a dispatcher that runs everything at once, on the caller's goroutine.
func Synchronous() dispatch.Dispatcher { return synchronous{} }

type synchronous struct{}

func (synchronous) Do(f func())             { f() }
func (synchronous) Post(_ string, f func()) { f() }
func (synchronous) Go(work func() func()) {
	if show := work(); show != nil {
		show()
	}
}
