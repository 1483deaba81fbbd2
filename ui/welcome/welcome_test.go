package welcome_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app"
	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen/screentest"
	"bowerbird/ui/theme"
	"bowerbird/ui/welcome"
	"bowerbird/ui/widgets"
)

// shown is a welcome in a window without a display.
type shown struct {
	*welcome.Welcome
	window  fyne.Window
	pending func() // what waits for the typing to pause
	asked   []string
	read    *app.Person
	sample  bool
}

var ada = app.Person{PubKey: nostr.PubKey{1}, Found: true, Name: "Ada Lindqvist", Follows: 103}

func show(t *testing.T, mode theme.Mode, size fyne.Size) *shown {
	t.Helper()
	a := test.NewTempApp(t)
	look, err := theme.New(theme.Options{Mode: mode})
	if err != nil {
		t.Fatal(err)
	}
	a.Settings().SetTheme(look)
	s := &shown{}
	s.Welcome = welcome.New(welcome.Options{
		Do: screentest.Synchronous(),
		LookUp: func(_ context.Context, text string) (app.Person, error) {
			s.asked = append(s.asked, text)
			switch text {
			case "ada@lindqvist.example":
				return ada, nil
			case "new@example.com":
				return app.Person{PubKey: nostr.PubKey{2}, Name: "new", Follows: -1}, nil
			case "long@example.com":
				return app.Person{}, &app.LookUpError{Trouble: app.LookUpNoAnswer, Domain: strings.Repeat("x", 60)}
			case "nsec1secret":
				return app.Person{}, &app.LookUpError{Trouble: app.LookUpSecret}
			}
			return app.Person{}, errors.New("the store is closed")
		},
		OpenSample: func() { s.sample = true },
		ReadAs:     func(p app.Person) { s.read = &p },
		Wait: func(_ time.Duration, f func()) func() {
			s.pending = f
			return func() { s.pending = nil }
		},
	})
	s.window = test.NewTempWindow(t, widgets.NewRoot(s.Content()))
	s.window.SetPadded(false)
	s.window.Resize(size)
	return s
}

// named finds a widget by its name.
func named[T fyne.CanvasObject](t *testing.T, s *shown, name string) T {
	t.Helper()
	var found T
	ok := false
	for _, o := range test.LaidOutObjects(s.window.Content()) {
		if n, is := o.(interface{ DumpName() string }); is && n.DumpName() == name {
			found, ok = o.(T)
		}
	}
	if !ok {
		t.Fatalf("there is no %s", name)
	}
	return found
}

func TestNobodyGoesOnAsSomebodyTheyHaveNotSeen(t *testing.T) {
	s := show(t, theme.Light, fyne.NewSize(1280, 832))
	entry := named[*widgets.Entry](t, s, "welcome.entry")
	test.Type(entry, "ada@lindqvist.example")
	if len(s.asked) != 0 {
		t.Errorf("looked up while typing: %q", s.asked)
	}
	test.Tap(named[*widgets.Button](t, s, "welcome.continue"))
	if s.read != nil {
		t.Fatal("went on before anybody was shown")
	}
	test.Tap(named[*widgets.Button](t, s, "welcome.continue"))
	if s.read == nil || s.read.Name != "Ada Lindqvist" {
		t.Errorf("reads as %v", s.read)
	}
	if len(s.asked) != 1 {
		t.Errorf("asked %q", s.asked)
	}
}

func TestWhoeverIsTypedIsRecognisedAfterAPause(t *testing.T) {
	s := show(t, theme.Light, fyne.NewSize(1280, 832))
	entry := named[*widgets.Entry](t, s, "welcome.entry")
	test.Type(entry, "ada@lindqvist.example")
	s.pending()
	named[fyne.CanvasObject](t, s, "welcome.person")
	test.Type(entry, "x") // another text: what was found counts no more
	test.Tap(named[*widgets.Button](t, s, "welcome.continue"))
	if s.read != nil {
		t.Error("went on as whom the text named before")
	}
}

func TestWhatIsWrongIsSaidAndCanBeTriedAgain(t *testing.T) {
	s := show(t, theme.Light, fyne.NewSize(1280, 832))
	entry := named[*widgets.Entry](t, s, "welcome.entry")
	test.Type(entry, "nobody")
	for range 2 {
		test.Tap(named[*widgets.Button](t, s, "welcome.continue"))
	}
	if len(s.asked) != 2 || s.read != nil {
		t.Errorf("asked %q, reads as %v", s.asked, s.read)
	}
}

func TestNothingMovesWhenAnAnswerAppears(t *testing.T) {
	s := show(t, theme.Light, fyne.NewSize(1280, 832))
	place := func() [2]fyne.Position {
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject
		return [2]fyne.Position{at(named[*widgets.Button](t, s, "welcome.sample")), at(named[*widgets.Button](t, s, "welcome.continue"))}
	}
	before := place()
	for _, text := range []string{"ada@lindqvist.example", "new@example.com", "nobody", ""} {
		entry := named[*widgets.Entry](t, s, "welcome.entry")
		entry.SetText(text)
		if s.pending != nil {
			s.pending()
		}
		if after := place(); after != before {
			t.Errorf("after %q the buttons are at %v, before at %v", text, after, before)
		}
	}
}

func TestAnEmptyBoxIsToldWhatToType(t *testing.T) {
	s := show(t, theme.Light, fyne.NewSize(1280, 832))
	for _, text := range []string{"", "   "} {
		named[*widgets.Entry](t, s, "welcome.entry").SetText(text)
		test.Tap(named[*widgets.Button](t, s, "welcome.continue"))
		if got := named[*prose.Text](t, s, "welcome.trouble").String(); !strings.Contains(got, "ada@example.com") {
			t.Errorf("%q: it says %q", text, got)
		}
		if len(s.asked) != 0 {
			t.Errorf("looked up %q", s.asked)
		}
	}
	if s.window.Canvas().Focused() != fyne.Focusable(named[*widgets.Entry](t, s, "welcome.entry")) {
		t.Error("the keyboard is not where to type")
	}
}

func TestASecretKeyDoesNotStayOnTheScreen(t *testing.T) {
	s := show(t, theme.Light, fyne.NewSize(1280, 832))
	entry := named[*widgets.Entry](t, s, "welcome.entry")
	test.Type(entry, "nsec1secret")
	s.pending()
	if entry.Text != "" {
		t.Errorf("the box holds %q", entry.Text)
	}
	if got := named[*prose.Text](t, s, "welcome.trouble").String(); !strings.Contains(got, "secret key") {
		t.Errorf("it says %q", got)
	}
}

func TestALongKeyOrDomainStaysWithinItsCard(t *testing.T) {
	for _, size := range []fyne.Size{{Width: 1280, Height: 832}, {Width: 480, Height: 600}} {
		s := show(t, theme.Light, size)
		entry := named[*widgets.Entry](t, s, "welcome.entry")
		before := entry.Size()
		entry.SetText("npub1" + strings.Repeat("q", 2000))
		if entry.Size() != before {
			t.Errorf("the box grew from %v to %v", before, entry.Size())
		}
		entry.SetText("long@example.com")
		test.Tap(named[*widgets.Button](t, s, "welcome.continue"))
		words := named[*prose.Text](t, s, "welcome.trouble")
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(words)
		if at.X < 16 || at.X+words.Size().Width > size.Width-16 {
			t.Errorf("at %v the words reach from %v to %v", size, at.X, at.X+words.Size().Width)
		}
	}
}

func TestTheSampleIsOneClickAway(t *testing.T) {
	s := show(t, theme.Light, fyne.NewSize(480, 600))
	test.Tap(named[*widgets.Button](t, s, "welcome.sample"))
	if !s.sample {
		t.Error("the sample was not opened")
	}
}

func TestPicture(t *testing.T) {
	for name, size := range map[string]fyne.Size{"wide": {Width: 1280, Height: 832}, "small": {Width: 480, Height: 600}} {
		for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
			s := show(t, mode, size)
			test.Type(named[*widgets.Entry](t, s, "welcome.entry"), "ada@lindqvist.example")
			s.pending()
			testkit.Picture(t, name+"-"+string(mode), s.window.Canvas().Capture())
		}
	}
}

func TestNothingIsOfferedThatDoesNotWork(t *testing.T) {
	s := show(t, theme.Light, fyne.NewSize(1280, 832))
	for _, o := range test.LaidOutObjects(s.window.Content()) {
		if text, ok := o.(*prose.Text); ok && (strings.Contains(text.String(), "Sign in") || strings.Contains(text.String(), "Create")) {
			t.Errorf("%q is shown", text.String())
		}
	}
}
