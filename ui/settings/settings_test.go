package settings

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/zalando/go-keyring"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

var (
	usual      = fyne.NewSize(1216, 804)
	themeLight = theme.Options{Mode: theme.Light}
)

func light(t *testing.T) *fixture { return open(t, themeLight, usual) }

func (f *fixture) words() string { return said(f.Content()) }

// segment taps a part of a segmented control by its word, or a switch that is not On or Off
// yet.
func (f *fixture) segment(t *testing.T, id, word string) {
	t.Helper()
	if s, ok := named(t, f.Content(), id).(*widgets.Switch); ok {
		if s.On() != (word == "On") {
			test.Tap(s)
		}
		return
	}
	var control *widgets.Segmented
	walk(f.Content(), func(o fyne.CanvasObject) {
		if s, ok := o.(*widgets.Segmented); ok && s.ID == id {
			control = s
		}
	})
	if control == nil {
		t.Fatalf("no control is called %s", id)
	}
	tapped := false
	walk(control, func(o fyne.CanvasObject) {
		if tappable, ok := o.(fyne.Tappable); ok && strings.TrimSpace(said(o)) == word {
			tappable.Tapped(&fyne.PointEvent{})
			tapped = true
		}
	})
	if !tapped {
		t.Fatalf("%s has no %q", id, word)
	}
}

func (f *fixture) entry(t *testing.T, id string) *widgets.Entry {
	t.Helper()
	return named(t, f.Content(), id).(*widgets.Entry)
}

func TestAChoiceOfLookIsSavedAtOnce(t *testing.T) {
	f := light(t)
	f.ShowPage(Appearance)
	f.segment(t, "settings.mode", "Dark")
	f.segment(t, "settings.density", "Compact")
	f.segment(t, "settings.pictures", "At once")
	f.segment(t, "settings.calm", "On")
	got := f.host.Settings()
	if !got.Appearance.Calm || got.Appearance.Mode != config.ModeDark || got.Appearance.Density != config.Compact || got.Pictures.Show != config.PicturesOfFollowed {
		t.Errorf("saved: %+v, %+v", got.Appearance, got.Pictures)
	}
	f.Shown()
	f.segment(t, "settings.mode", "System")
	if got := f.host.Settings().Appearance.Mode; got != config.ModeSystem {
		t.Errorf("mode %q", got)
	}
}

func TestThePageFollowsALookThatAKeyChanged(t *testing.T) {
	f := light(t)
	f.ShowPage(Appearance)
	f.host.Change(func(s *config.Settings) { s.Appearance.Text = 130 })
	f.Shown()
	if !strings.Contains(f.words(), "130 %") {
		t.Errorf("the size is not shown:\n%s", f.words())
	}
}

func TestWhomYouReadAsIsSaid(t *testing.T) {
	f := light(t)
	for _, want := range []string{"Juno Hartwhistle", "Follows 48 people", "npub1", "made up", "comes later"} {
		if !strings.Contains(f.words(), want) {
			t.Errorf("%q is missing in\n%s", want, f.words())
		}
	}
	leave := named(t, f.Content(), "settings.leave-sample")
	if first := named(t, f.Content(), "settings.profile"); first.Position().X >= leave.Position().X {
		t.Error("what leaves the sample comes first")
	}
	f.tap(t, "settings.leave-sample")
	f.tap(t, "settings.copy-key")
	if !slices.Equal(f.host.calls, []string{"leave sample"}) || len(f.go_.calls) != 1 || !strings.HasPrefix(f.go_.calls[0], "copy: npub1") {
		t.Errorf("calls %v, %v", f.host.calls, f.go_.calls)
	}
}

func TestRemovingAsksFirst(t *testing.T) {
	f := light(t)
	f.ShowPage(Storage)
	for _, tt := range []struct{ button, want string }{{"settings.remove-sample", "remove sample"}, {"settings.remove-all", "remove all"}} {
		f.host.calls = nil
		f.tap(t, tt.button)
		over := f.window.Canvas().Overlays().Top()
		if over == nil {
			t.Fatalf("%s: nothing asks", tt.button)
		}
		f.tapIn(t, over, "settings.keep")
		if len(f.host.calls) > 0 || f.window.Canvas().Overlays().Top() != nil {
			t.Errorf("%s: calls %v after keeping", tt.button, f.host.calls)
		}
		f.tap(t, tt.button)
		f.tapIn(t, f.window.Canvas().Overlays().Top(), "settings.remove")
		if !slices.Equal(f.host.calls, []string{tt.want}) {
			t.Errorf("calls %v, want %q", f.host.calls, tt.want)
		}
	}
}

func TestTheKeyboardBeginsOnTheWayOutOfRemoving(t *testing.T) {
	f := light(t)
	f.ShowPage(Storage)
	f.tap(t, "settings.remove-all")
	focused, ok := f.window.Canvas().Focused().(interface{ DumpName() string })
	if !ok || focused.DumpName() != "settings.keep" {
		t.Errorf("the keyboard is on %v", f.window.Canvas().Focused())
	}
}

// modelServer lists two models to whoever has the key, and counts requests.
func modelServer(t *testing.T, key string) (*httptest.Server, *int) {
	t.Helper()
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if key != "" && r.Header.Get("Authorization") != "Bearer "+key {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = fmt.Fprint(w, `{"data":[{"id":"owl-large"},{"id":"wren-small"}]}`)
	}))
	t.Cleanup(s.Close)
	return s, &asked
}

// another chooses "Another server" at an address.
func (f *fixture) another(t *testing.T, address string) {
	t.Helper()
	f.ShowPage(Assistant)
	c := f.pages[Assistant].(*assistant).chooser
	for _, p := range models.Providers() {
		if p.NeedsAddress {
			c.base = ""
			c.setProvider(p)
		}
	}
	entry := f.entry(t, "settings.address")
	entry.SetText(address)
	entry.OnSubmitted(address)
}

// A question would fail with words for a terminal.
func TestNoModelIsChosenOnAServerThatIsNotKnown(t *testing.T) {
	f := light(t)
	f.another(t, "")
	c := f.pages[Assistant].(*assistant).chooser
	before := f.host.Settings().Assistant.Model
	c.model.SetText("owl")
	c.showMatches()
	if c.choose.Visible() {
		t.Error("it is offered")
	}
	c.use("owl")
	if got := f.host.Settings().Assistant.Model; got != before || !strings.Contains(f.words(), "Enter the address of the server first.") {
		t.Errorf("chosen is %q, and the page says:\n%s", got, f.words())
	}
}

func TestAModelOfAServerIsFoundChosenAndSaidToStayHere(t *testing.T) {
	s, _ := modelServer(t, "")
	f := light(t)
	f.another(t, s.URL+"/v1")
	if !strings.Contains(f.words(), "2 models to choose from") {
		t.Errorf("no models are offered:\n%s", f.words())
	}
	f.entry(t, "settings.model").SetText("wren")
	f.tap(t, "settings.model:wren-small")
	got := f.host.Settings()
	if got.Assistant.Model != "custom:wren-small" || got.Models["custom"].BaseURL != s.URL+"/v1" {
		t.Errorf("saved: %+v, %+v", got.Assistant, got.Models)
	}
	for _, want := range []string{"wren-small", "Another server", "Text stays on this computer"} {
		if !strings.Contains(f.words(), want) {
			t.Errorf("%q is missing in\n%s", want, f.words())
		}
	}
	f.draw(t, "assistant-custom")
}

func TestAKeyIsKeptForgottenFromTheFieldAndRemoved(t *testing.T) {
	const key = "sk-planted-0123456789"
	s, _ := modelServer(t, key)
	f := light(t)
	f.another(t, s.URL+"/v1")
	if !strings.Contains(f.words(), "The server requires a key") {
		t.Errorf("the refusal is not said:\n%s", f.words())
	}
	entry := f.entry(t, "settings.key")
	if !entry.Password {
		t.Error("the key can be read over the shoulder")
	}
	entry.SetText(key)
	f.tap(t, "settings.key.save")
	if entry.Text != "" {
		t.Error("the key is still in its field")
	}
	if words := f.words(); !strings.Contains(words, "saved in this computer's keyring") || !strings.Contains(words, "2 models") || strings.Contains(words, key) {
		t.Errorf("after keeping it:\n%s", words)
	}
	f.tap(t, "settings.key.remove")
	if words := f.words(); !strings.Contains(words, "The server requires a key") {
		t.Errorf("after removing it:\n%s", words)
	}
}

func TestWithoutAKeyringAKeyHoldsForThisRunAndThatIsSaid(t *testing.T) {
	s, _ := modelServer(t, "sk-planted")
	f := light(t)
	keyring.MockInitWithError(fmt.Errorf("no keyring"))
	defer keyring.MockInit()
	f.another(t, s.URL+"/v1")
	f.entry(t, "settings.key").SetText("sk-planted")
	f.tap(t, "settings.key.save")
	if words := f.words(); !strings.Contains(words, "until you close Bowerbird") || !strings.Contains(words, "2 models") {
		t.Errorf("not said:\n%s", words)
	}
}

func TestAProviderThatNeedsAKeyIsNotAskedWithoutOne(t *testing.T) {
	f := light(t)
	f.ShowPage(Assistant)
	c := f.pages[Assistant].(*assistant).chooser
	for _, p := range models.Providers() {
		if p.ID == "openrouter" {
			c.setProvider(p)
		}
	}
	words := f.words()
	for _, want := range []string{"sent to openrouter.ai", "No key yet", "Enter a key to list its models"} {
		if !strings.Contains(words, want) {
			t.Errorf("%q is missing in\n%s", want, words)
		}
	}
	f.draw(t, "assistant-openrouter")
}

func TestTheDailyDigestTakesTimesAsPeopleTypeThem(t *testing.T) {
	f := light(t)
	f.ShowPage(Assistant)
	f.segment(t, "settings.digest.daily", "On")
	f.draw(t, "assistant-daily")
	for _, tt := range []struct{ typed, want string }{{"7:30", "07:30"}, {"21", "21:00"}, {"half past", "21:00"}, {"8.15", "08:15"}} {
		entry := f.entry(t, "settings.digest.at")
		entry.SetText(tt.typed)
		entry.OnSubmitted(tt.typed)
		if got := f.host.Settings().Digest; got.At != tt.want || !got.Daily {
			t.Errorf("%q: %+v, want %s", tt.typed, got, tt.want)
		}
	}
	f.segment(t, "settings.digest.daily", "Off")
	if f.host.Settings().Digest.Daily {
		t.Error("still on")
	}
}

func TestEachPageCanBeReachedWithTheKeyboard(t *testing.T) {
	f := light(t)
	for _, e := range entries() {
		row := named(t, f.Content(), "settings."+e.name)
		focusable, ok := row.(fyne.Focusable)
		if !ok {
			t.Fatalf("%s cannot have the keyboard", e.name)
		}
		focusable.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		if f.open != e.name {
			t.Errorf("Enter on %s shows %s", e.name, f.open)
		}
		f.Focus(f.window.Canvas())
		if f.window.Canvas().Focused() == nil {
			t.Errorf("%s: the keyboard is nowhere", e.name)
		}
	}
}

func TestANarrowWindowHasAPickerInPlaceOfTheList(t *testing.T) {
	f := open(t, theme.Options{Mode: theme.Light}, fyne.NewSize(480, 600))
	if f.frame.list.Visible() || !f.frame.head.Visible() {
		t.Error("the list is shown")
	}
	f.window.Resize(usual)
	if !f.frame.list.Visible() || f.frame.head.Visible() {
		t.Error("the picker is shown")
	}
}

// Nothing of a page may lie outside of it, at any width and size of text.
func TestNothingIsCutAtTheRight(t *testing.T) {
	for _, scale := range []float32{1, 2} {
		for _, width := range []float32{416, 480, 700, 860, 1216} {
			f := open(t, theme.Options{Mode: theme.Light, Scale: scale}, fyne.NewSize(width, 804))
			for _, e := range entries() {
				f.ShowPage(e.name)
				driver := fyne.CurrentApp().Driver()
				walk(f.frame.margins, func(o fyne.CanvasObject) {
					if _, ok := o.(*widget.Label); ok || o.Size().Width == 0 {
						return
					}
					right := driver.AbsolutePositionForObject(o).X + o.Size().Width
					if right > width+0.5 {
						t.Errorf("%s at %v points, text %v: %T ends at %v", e.name, width, scale, o, right)
					}
				})
			}
			f.Close()
		}
	}
}

func TestInTheSampleWhatIsForOwnNotesIsOffAndSaysWhy(t *testing.T) {
	f := open(t, theme.Options{Mode: theme.Light}, fyne.NewSize(900, 700))
	f.sample = true
	for page, controls := range map[string][]string{Assistant: {"Every day"}, Relays: {"How far back", "Open the relays"}} {
		f.ShowPage(page)
		words := said(f.Content())
		if !strings.Contains(words, "This is the sample") {
			t.Errorf("%s does not say why: %s", page, words)
		}
		for _, control := range controls {
			if slices.Contains(strings.Split(words, "\n"), control) {
				t.Errorf("%s offers %q: %s", page, control, words)
			}
		}
	}
}
