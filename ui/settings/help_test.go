package settings

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/zalando/go-keyring"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/internal/testkit"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
	"bowerbird/ui/screen/screentest"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
	"bowerbird/ui/wordstest"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// host keeps what it was asked for; settings go to the App, as in the window.
type host struct {
	t     testing.TB
	app   *app.App
	calls []string
	login bool
}

func (h *host) AtLogin() bool             { return h.login }
func (h *host) StartAtLogin(on bool)      { h.login = on }
func (h *host) call(what string)          { h.calls = append(h.calls, what) }
func (h *host) Settings() config.Settings { return h.app.Settings() }
func (h *host) ChoosePerson()             { h.call("choose person") }
func (h *host) OpenSample()               { h.call("open sample") }
func (h *host) LeaveSample()              { h.call("leave sample") }
func (h *host) Version() string           { return "0.3.0" }

func (h *host) Remove(sampleOnly bool) {
	if sampleOnly {
		h.call("remove sample")
		return
	}
	h.call("remove all")
}

func (h *host) Change(change func(*config.Settings)) {
	if err := h.app.SaveSettings(change); err != nil {
		h.t.Error(err)
	}
}

func (h *host) AfterSave(do func()) { do() }

// navigator keeps where it was sent.
type navigator struct {
	screen.Navigator
	window fyne.Window
	calls  []string
}

func (n *navigator) Window() fyne.Window            { return n.window }
func (n *navigator) Toast(text, _ string, _ func()) { n.calls = append(n.calls, "toast: "+text) }
func (n *navigator) Copy(text string)               { n.calls = append(n.calls, "copy: "+text) }
func (n *navigator) OpenRelays()                    { n.calls = append(n.calls, "relays") }

type fixture struct {
	*Screen
	host   *host
	go_    *navigator
	window fyne.Window
}

// sample is the one App of all tests here: to make a sample takes a second.
var sample *app.App

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "settings")
	if err == nil {
		sample, err = app.Open(context.Background(), app.Options{
			Places: config.Locate(dir, ""), Sample: true, Now: func() time.Time { return noon }, Zone: time.UTC,
			Getenv: func(string) string { return "" },
		})
	}
	if err != nil {
		panic(err)
	}
	code := wordstest.Main(m)
	_ = sample.Close()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// open shows the settings of a new user, on the sample, in a window of a size, in
// points.
func open(t testing.TB, look theme.Options, size fyne.Size) *fixture {
	t.Helper()
	keyring.MockInit()
	return openOn(t, sample, look, size)
}

// openOn is open on an App of the test's own, and with the keyring as it is.
func openOn(t testing.TB, a *app.App, look theme.Options, size fyne.Size) *fixture {
	t.Helper()
	if err := a.SaveSettings(func(s *config.Settings) { *s = config.Settings{} }); err != nil {
		t.Fatal(err)
	}
	fyneApp := test.NewTempApp(t)
	th, err := theme.New(look)
	if err != nil {
		t.Fatal(err)
	}
	fyneApp.Settings().SetTheme(th)
	h := &host{t: t, app: a}
	n := &navigator{}
	s := New(screen.Env{App: a, Do: screentest.Synchronous(), Go: n, Words: present.Words{}}, h)
	s.sample = false // the App is the sample, but what is tested is for the user's own notes
	root := widgets.NewRoot(s.Content())
	w := test.NewTempWindow(t, widgets.NewFill(widgets.NewGround(theme.Background), root))
	w.SetPadded(false)
	n.window = w
	w.Resize(size)
	s.Shown()
	t.Cleanup(s.Close)
	return &fixture{Screen: s, host: h, go_: n, window: w}
}

func (f *fixture) draw(t *testing.T, name string) {
	t.Helper()
	testkit.Picture(t, name, f.window.Canvas().Capture())
}

// said collects every word that is visible below an object.
func said(o fyne.CanvasObject) string {
	var b strings.Builder
	walk(o, func(o fyne.CanvasObject) {
		switch o := o.(type) {
		case interface{ String() string }:
			b.WriteString(o.String() + "\n")
		case interface{ Text() string }:
			b.WriteString(o.Text() + "\n")
		}
	})
	return b.String()
}

// walk visits the visible objects below one.
func walk(o fyne.CanvasObject, visit func(fyne.CanvasObject)) {
	if o == nil || !o.Visible() {
		return
	}
	visit(o)
	switch o := o.(type) {
	case *fyne.Container:
		for _, child := range o.Objects {
			walk(child, visit)
		}
	case fyne.Widget:
		for _, child := range test.WidgetRenderer(o).Objects() {
			walk(child, visit)
		}
	}
}

// named finds what names itself so in the dump of rectangles.
func named(t *testing.T, o fyne.CanvasObject, name string) fyne.CanvasObject {
	t.Helper()
	var found fyne.CanvasObject
	walk(o, func(o fyne.CanvasObject) {
		if n, ok := o.(interface{ DumpName() string }); ok && n.DumpName() == name {
			found = o
		}
	})
	if found == nil {
		t.Fatalf("nothing is called %s", name)
	}
	return found
}

func (f *fixture) tap(t *testing.T, name string) {
	t.Helper()
	f.tapIn(t, f.window.Canvas().Content(), name)
}

func (f *fixture) tapIn(t *testing.T, o fyne.CanvasObject, name string) {
	t.Helper()
	tappable, ok := named(t, o, name).(fyne.Tappable)
	if !ok {
		t.Fatalf("%s cannot be tapped", name)
	}
	test.Tap(tappable)
}
