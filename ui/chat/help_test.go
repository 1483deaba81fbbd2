package chat

import (
	"context"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/assets"
	"bowerbird/ndb"
	"bowerbird/ui/dispatch"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
)

// calls is a navigator that keeps where it was led.
type calls struct {
	log    []string
	window fyne.Window
	undo   func()
}

func (c *calls) add(s string) { c.log = append(c.log, s) }

func (c *calls) OpenThread(id ndb.ID) { c.add("thread " + id.String()) }

func (c *calls) OpenProfile(pk ndb.PubKey) { c.add("profile " + pk.String()) }

func (c *calls) OpenArticle(id ndb.ID) { c.add("article " + id.String()) }

func (c *calls) Search(q string) { c.add("search " + q) }

func (c *calls) Ask(q, _ string) { c.add("ask " + q) }

func (c *calls) AskAbout(pk ndb.PubKey, _, q string) { c.add("ask about " + pk.String() + ": " + q) }

func (c *calls) Summarise(id ndb.ID) { c.add("summarise " + id.String()) }

func (c *calls) OpenSettings(page string) { c.add("settings " + page) }

func (c *calls) OpenRelays() { c.add("relays") }

func (c *calls) OpenURL(url string) { c.add("url " + url) }

func (c *calls) Copy(text string) { c.add("copy " + text) }

func (c *calls) Toast(text, _ string, do func()) {
	c.add("toast " + text)
	c.undo = do
}

func (c *calls) Back() { c.add("back") }

func (c *calls) Window() fyne.Window { return c.window }

func (c *calls) last() string {
	if len(c.log) == 0 {
		return ""
	}
	return c.log[len(c.log)-1]
}

// stage is the screen in a window of a test, and the window's thread, which is the
// test's own: pump runs what was posted.
type stage struct {
	*Screen
	t      testing.TB
	app    *app.App
	calls  *calls
	window fyne.Window
	posted chan func()
}

// noon is when the tests are: the day is not over, the sample is fresh.
var noon = time.Date(2026, 3, 12, 14, 0, 0, 0, time.UTC)

// openApp opens the sample in a folder of the test's own. It is made once.
func openApp(t testing.TB) *app.App {
	t.Helper()
	made := sampleOnce()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(made)); err != nil {
		t.Fatal(err)
	}
	a, err := app.Open(t.Context(), sampleOptions(dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

func sampleOptions(dir string) app.Options {
	return app.Options{
		Places: config.Locate(dir, ""), Sample: true, Zone: time.UTC,
		Now: func() time.Time { return noon }, Getenv: func(string) string { return "" },
	}
}

// sampleOnce returns a folder that the sample was made in.
var sampleOnce = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "bowerbird-chat")
	if err != nil {
		panic(err)
	}
	a, err := app.Open(context.Background(), sampleOptions(dir))
	if err != nil {
		panic(err)
	}
	if err := a.Close(); err != nil {
		panic(err)
	}
	return dir
})

func TestMain(m *testing.M) {
	words, err := assets.Translations.ReadFile("translations/chat.en.json")
	if err != nil {
		panic(err)
	}
	if err := lang.AddTranslations(fyne.NewStaticResource("chat.en.json", words)); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(sampleOnce())
	os.Exit(code)
}

func setStage(t testing.TB, a *app.App, opt theme.Options, size fyne.Size) *stage {
	t.Helper()
	return setStageWith(t, a, opt, size, func(*screen.Env) {})
}

// setStageWith is setStage with something else in what the screen is made with.
func setStageWith(t testing.TB, a *app.App, opt theme.Options, size fyne.Size, change func(*screen.Env)) *stage {
	t.Helper()
	th, err := theme.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	fyneApp := test.NewTempApp(t)
	fyneApp.Settings().SetTheme(th)
	st := &stage{t: t, app: a, calls: &calls{}, posted: make(chan func(), 1000)}
	do := dispatch.Window(func(f func()) { st.posted <- f })
	st.window = fyneApp.NewWindow("")
	st.window.SetPadded(false)
	st.calls.window = st.window
	env := screen.Env{App: a, Do: do, Go: st.calls, Words: present.Words{}}
	change(&env)
	st.Screen = New(env)
	st.window.SetContent(st.Content())
	st.window.Resize(size)
	t.Cleanup(func() { st.Close() })
	st.settle()
	return st
}

// until runs what is posted until something is so.
func (st *stage) until(what string, so func() bool) {
	st.t.Helper()
	late := time.After(time.Minute)
	for !so() {
		select {
		case f := <-st.posted:
			f()
		case <-late:
			st.t.Fatalf("waited in vain until %s", what)
		}
	}
}

// settle runs what is posted until nothing comes any more for a while.
func (st *stage) settle() {
	for {
		select {
		case f := <-st.posted:
			f()
		case <-time.After(3 * dispatch.Interval):
			return
		}
	}
}

// askIt types a question, sends it and waits for the answer's end.
func (st *stage) askIt(question string) {
	st.t.Helper()
	test.Type(st.composer.entry, question)
	st.composer.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	st.until("the answer is there", func() bool { return st.open.running == nil && len(st.open.turns) > 0 })
	st.settle()
}

// picture saves what the window shows, for people to look at.
func (st *stage) picture(name string) {
	st.t.Helper()
	dir := os.Getenv("LOOK")
	if dir == "" {
		return
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		st.t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, name+".png"))
	if err != nil {
		st.t.Fatal(err)
	}
	if err := png.Encode(f, st.window.Canvas().Capture()); err != nil {
		st.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		st.t.Fatal(err)
	}
}

// rowKinds lists the rows that are shown.
func (st *stage) rowKinds() string {
	var kinds []string
	for _, r := range st.rows {
		kinds = append(kinds, r.kind)
	}
	return strings.Join(kinds, " ")
}

var (
	plain  = theme.Options{Mode: theme.Light}
	window = fyne.NewSize(796, 804)
)

// press finds something by its name in the dump, in what is drawn, and presses it.
func (st *stage) press(name string) {
	st.t.Helper()
	o := st.named(name)
	if o == nil {
		st.t.Fatalf("nothing drawn is called %s", name)
	}
	o.(fyne.Tappable).Tapped(&fyne.PointEvent{})
	st.settle()
}

// named finds what is drawn under a name; nil for nothing.
func (st *stage) named(name string) fyne.CanvasObject {
	objects := []fyne.CanvasObject{st.window.Canvas().Content()}
	if top := st.window.Canvas().Overlays().Top(); top != nil {
		objects = append(objects, top)
	}
	for _, root := range objects {
		if o := findNamed(root, name); o != nil {
			return o
		}
	}
	return nil
}

func findNamed(o fyne.CanvasObject, name string) fyne.CanvasObject {
	if !o.Visible() {
		return nil
	}
	if named, ok := o.(interface{ DumpName() string }); ok && named.DumpName() == name {
		if _, can := o.(fyne.Tappable); can {
			return o
		}
	}
	var inside []fyne.CanvasObject
	switch o := o.(type) {
	case *fyne.Container:
		inside = o.Objects
	case fyne.Widget:
		inside = test.WidgetRenderer(o).Objects()
	}
	for _, child := range inside {
		if found := findNamed(child, name); found != nil {
			return found
		}
	}
	return nil
}

func sourcesOf(t present.Turn) *present.Sources {
	for _, b := range t.Blocks {
		if s, ok := b.(*present.Sources); ok {
			return s
		}
	}
	return nil
}

// lookFor types into the search of the chats and waits for what it finds.
func (st *stage) lookFor(text string) {
	st.t.Helper()
	st.history.search.SetText(text)
	st.until("it was searched", func() bool { return st.history.query == text })
	st.settle()
}
