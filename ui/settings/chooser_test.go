package settings

import (
	"image/color"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ui/dispatch"
	"bowerbird/ui/theme"
)

// held is a dispatcher that does nothing until it is told to; what was asked last can
// so be answered first.
type held struct {
	dispatch.Dispatcher
	waiting []func() func()
}

func (h *held) Go(work func() func()) { h.waiting = append(h.waiting, work) }

// answer does what waits, the last first.
func (h *held) answer() {
	for len(h.waiting) > 0 {
		last := len(h.waiting) - 1
		work := h.waiting[last]
		h.waiting = slices.Delete(h.waiting, last, last+1)
		if show := work(); show != nil {
			show()
		}
	}
}

func (f *fixture) chooser() *chooser { return f.pages[Assistant].(*assistant).chooser }

// keyAt tells where the key for a server of the user's own is.
func (f *fixture) keyAt(t *testing.T, address string) models.KeyPlace {
	t.Helper()
	place, err := f.env.App.Models().KeyPlace(t.Context(), "custom", address)
	if err != nil {
		t.Fatal(err)
	}
	return place
}

func TestAKeyIsKeptForTheServerThatStandsOnTheScreen(t *testing.T) {
	before, _ := modelServer(t, "")
	now, asked := modelServer(t, "sk-planted")
	f := light(t)
	f.another(t, before.URL+"/v1")
	f.entry(t, "settings.address").SetText(now.URL + "/v1") // and no Enter
	f.entry(t, "settings.key").SetText("sk-planted")
	f.tap(t, "settings.key.save")
	if old, there := f.keyAt(t, before.URL+"/v1"), f.keyAt(t, now.URL+"/v1"); old != models.KeyNowhere || there != models.KeyInKeyring {
		t.Errorf("the key of the server before is in %q, that of the one on the screen in %q", old, there)
	}
	if *asked == 0 || !strings.Contains(f.words(), "2 models to choose from") {
		t.Errorf("the server was asked %d times:\n%s", *asked, f.words())
	}
}

func TestAnAddressCountsWhenTheKeyboardLeavesIt(t *testing.T) {
	before, _ := modelServer(t, "sk-other")
	now, asked := modelServer(t, "")
	f := light(t)
	f.another(t, before.URL+"/v1")
	address := f.entry(t, "settings.address")
	f.window.Canvas().Focus(address)
	address.SetText(now.URL + "/v1")
	f.window.Canvas().Focus(f.entry(t, "settings.key"))
	if *asked != 1 || !strings.Contains(f.words(), "2 models to choose from") {
		t.Errorf("the server was asked %d times:\n%s", *asked, f.words())
	}
	f.window.Canvas().Focus(address)
	f.window.Canvas().Focus(f.entry(t, "settings.key"))
	if *asked != 1 {
		t.Errorf("the same address was asked %d times", *asked)
	}
}

func TestWhatIsBeingEnteredStays(t *testing.T) {
	s, _ := modelServer(t, "sk-planted")
	f := light(t)
	f.another(t, s.URL+"/v1")
	f.entry(t, "settings.key").SetText("sk-half")
	for what, do := range map[string]func(){
		"the screen is shown again": f.Shown, "a key changes the look": f.LookChanged, "another page is looked at": func() { f.ShowPage(Storage); f.ShowPage(Assistant) },
	} {
		do()
		if got := f.entry(t, "settings.key").Text; got != "sk-half" {
			t.Errorf("%s: the key is %q", what, got)
		}
		if got := f.entry(t, "settings.address").Text; got != s.URL+"/v1" {
			t.Errorf("%s: the address is %q", what, got)
		}
	}
}

func TestAFormThatNobodyTouchedFollowsTheSettings(t *testing.T) {
	f := light(t)
	f.ShowPage(Assistant)
	for _, id := range []string{"ollama", "openrouter", "ollama"} {
		f.host.Change(func(s *config.Settings) { s.Assistant.Model = id + ":owl" })
		f.Shown()
		if c := f.chooser(); c.chosen.ID != id || c.model.Text != "owl" {
			t.Errorf("%s is chosen, the form says %s:%s", id, c.chosen.ID, c.model.Text)
		}
	}
}

func TestALateAnswerDoesNotTakeThePlaceOfANewerOne(t *testing.T) {
	f := light(t)
	f.ShowPage(Assistant)
	late := &held{Dispatcher: f.env.Do}
	f.env.Do = late
	for _, id := range []string{"ollama", "openrouter"} {
		f.host.Change(func(s *config.Settings) { s.Assistant.Model = id + ":owl" })
		f.pages[Assistant].load()
	}
	late.answer()
	words := f.words()
	if strings.Contains(words, "Text stays on this computer") || f.chooser().chosen.ID != "openrouter" {
		t.Errorf("openrouter is chosen, the page says:\n%s", words)
	}
}

func TestALateTestSaysNothingOfAnotherModel(t *testing.T) {
	s, _ := modelServer(t, "")
	f := light(t)
	f.another(t, s.URL+"/v1")
	f.tap(t, "settings.model:wren-small")
	m := f.pages[Assistant].(*assistant).current
	usual := f.env.Do
	late := &held{Dispatcher: usual}
	f.env.Do = late
	m.try()
	f.env.Do = usual
	f.host.Change(func(s *config.Settings) { s.Assistant = config.Settings{}.Assistant })
	m.load()
	late.answer()
	if m.result.Visible() {
		t.Errorf("said of the built-in: %s", m.result.String())
	}
	if m.stop != nil {
		t.Error("no further test can be made")
	}
}

func TestTheDotIsNotGreenForAModelThatDoesNotAnswer(t *testing.T) {
	s := reader(t, true)
	f := light(t)
	f.chooseOwn(t, s, "owl")
	m := f.pages[Assistant].(*assistant).current
	colour := func() color.Color {
		return test.WidgetRenderer(m.dot).Objects()[0].(*canvas.Rectangle).FillColor
	}
	if colour() != theme.Color(theme.OK) {
		t.Errorf("a model that answers has the dot %v", colour())
	}
	s.Close()
	f.ShowPage(Account)
	f.ShowPage(Assistant)
	if colour() == theme.Color(theme.OK) {
		t.Error("a model whose server does not answer has a green dot")
	}
	f.tap(t, "settings.test")
	said := m.result.String()
	f.ShowPage(Account)
	f.ShowPage(Assistant)
	if colour() != theme.Color(theme.Bad) || !m.result.Visible() || m.result.String() != said {
		t.Errorf("of the test that failed with %q the page keeps %q and the dot %v", said, m.result.String(), colour())
	}
	f.host.Change(func(s *config.Settings) { s.Assistant = config.Settings{}.Assistant })
	m.load()
	if colour() != theme.Color(theme.OK) || m.result.Visible() {
		t.Errorf("another model has the dot %v, and %q is said of it", colour(), m.result.String())
	}
}

func TestATestCanBeStopped(t *testing.T) {
	s := reader(t, true)
	f := light(t)
	f.chooseOwn(t, s, "owl")
	usual := f.env.Do
	late := &held{Dispatcher: usual}
	f.env.Do = late
	f.tap(t, "settings.test")
	if !strings.Contains(f.words(), "Stop") {
		t.Errorf("it cannot be stopped:\n%s", f.words())
	}
	f.tap(t, "settings.test")
	f.env.Do = usual
	late.answer()
	if words := f.words(); !strings.Contains(words, "It was stopped.") || strings.Contains(words, "Stop\n") {
		t.Errorf("after stopping it:\n%s", words)
	}
	f.tap(t, "settings.test")
	if !strings.Contains(f.words(), "can read your notes") {
		t.Errorf("after another try:\n%s", f.words())
	}
}

func TestAServerOfThisComputerThatPassesAModelOnDoesNotOfferItWhileTextStaysHere(t *testing.T) {
	f := light(t)
	t.Cleanup(func() { sample.Models().KeepHere(false) })
	f.ShowPage(Assistant)
	a := f.pages[Assistant].(*assistant)
	var ollama models.Provider
	for _, p := range models.Providers() {
		if p.ID == "ollama" {
			ollama = p
		}
	}
	a.found.show([]models.LocalServer{{Provider: ollama, BaseURL: ollama.BaseURL, Models: []llm.ModelInfo{{ID: "gpt-oss:120b-cloud"}, {ID: "gpt-oss:20b"}}}})
	disabled := func(id string) bool { return named(t, f.Content(), "settings.local:"+id).(fyne.Disableable).Disabled() }
	if disabled("gpt-oss:120b-cloud") || disabled("gpt-oss:20b") {
		t.Error("off without the switch")
	}
	f.segment(t, "settings.local-only", "On")
	if !disabled("gpt-oss:120b-cloud") || disabled("gpt-oss:20b") {
		t.Errorf("with the switch on, off are the one passed on %v, the one here %v", disabled("gpt-oss:120b-cloud"), disabled("gpt-oss:20b"))
	}
}
