package chat

import (
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app"
	"bowerbird/ui/answers"
	"bowerbird/ui/screen"
	"bowerbird/ui/screen/screentest"
	"bowerbird/ui/theme"
)

// noon is when the tests are.
var noon = screentest.Noon()

func openApp(t testing.TB) *app.App { return screentest.OpenApp(t) }

func TestMain(m *testing.M) { os.Exit(screentest.Main(m)) }

// stage is the assistant in a window of a test.
type stage struct {
	*Screen
	*screentest.Stage
	t   testing.TB
	app *app.App
}

func setStage(t testing.TB, a *app.App, opt theme.Options, size fyne.Size) *stage {
	t.Helper()
	return setStageWith(t, a, opt, size, func(*screen.Env) {})
}

// setStageWith is setStage with something else in what the screen is made with.
func setStageWith(t testing.TB, a *app.App, opt theme.Options, size fyne.Size, change func(*screen.Env)) *stage {
	t.Helper()
	st := &stage{Stage: screentest.New(t, a, opt, size), t: t, app: a}
	change(&st.Env)
	st.Screen = New(st.Env)
	st.Stage.Show(st.Screen)
	return st
}

// askIt types a question, sends it and waits for the answer's end.
func (st *stage) askIt(question string) {
	st.t.Helper()
	test.Type(st.composer.entry, question)
	st.composer.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	st.Until("the answer is there", func() bool { return st.open.running == nil && len(st.open.turns) > 0 })
	st.Settle()
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
	st.Settle()
}

// named finds what is drawn under a name; nil for nothing.
func (st *stage) named(name string) fyne.CanvasObject {
	objects := []fyne.CanvasObject{st.Window.Canvas().Content()}
	if top := st.Window.Canvas().Overlays().Top(); top != nil {
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

func sourcesOf(t answers.Turn) *answers.Sources {
	for _, b := range t.Blocks {
		if s, ok := b.(*answers.Sources); ok {
			return s
		}
	}
	return nil
}

// lookFor types into the search of the chats and waits for what it finds.
func (st *stage) lookFor(text string) {
	st.t.Helper()
	st.history.search.SetText(text)
	st.Until("it was searched", func() bool { return st.history.query == text })
	st.Settle()
}

// opened opens a saved chat and waits until it is shown.
func (st *stage) opened(id string) {
	st.t.Helper()
	st.OpenChat(id)
	st.Until("the chat is shown", func() bool { return st.open.id == id })
	st.Settle()
}
