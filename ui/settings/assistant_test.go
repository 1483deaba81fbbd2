package settings

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ui/widgets"
)

// reader is a model server that says of one model what it reads, and whose model takes
// tools, or refuses them.
func reader(t *testing.T, tools bool) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/models") {
			_, _ = fmt.Fprint(w, `{"data":[{"id":"owl","context_length":131072}]}`)
			return
		}
		body, _ := io.ReadAll(r.Body)
		native := strings.Contains(string(body), `"tools"`)
		if native && !tools {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprint(w, `{"error":{"message":"this model does not support tools"}}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		delta := `{"tool_calls":[{"index":0,"id":"c1","function":{"name":"ping","arguments":"{\"word\":\"pong\"}"}}]}`
		if !native {
			delta = `{"content":"<tool_call>\n{\"name\":\"ping\",\"arguments\":{\"word\":\"pong\"}}\n</tool_call>"}`
		}
		_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":%s,\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", delta)
	}))
	t.Cleanup(s.Close)
	return s
}

// choose makes a model of a server of the user's own the one that answers.
func (f *fixture) chooseOwn(t *testing.T, s *httptest.Server, model string) {
	t.Helper()
	f.another(t, s.URL+"/v1")
	f.tap(t, "settings.model:"+model)
}

// fact is what the page says of the chosen model in one thing.
func (f *fixture) fact(t *testing.T, id string) string {
	t.Helper()
	return said(named(t, f.Content(), "settings.fact:"+id))
}

// typed types into a field and leaves it.
func (f *fixture) typed(t *testing.T, id, text string) {
	t.Helper()
	c := f.window.Canvas()
	entry := f.entry(t, id)
	c.Focus(entry)
	entry.SetText(text)
	c.Unfocus()
}

// Rows 004-11, 003-15: how a model looks things up is learned, said, chosen, forgotten.
func TestHowAModelLooksThingsUpIsLearnedSaidAndForgotten(t *testing.T) {
	s := reader(t, false)
	f := light(t)
	f.chooseOwn(t, s, "owl")
	if got := f.fact(t, "tools"); !strings.Contains(got, "Directly") {
		t.Errorf("before anything is known: %q", got)
	}
	if strings.Contains(f.words(), "Forget") {
		t.Error("there is nothing to forget, and it is offered")
	}
	f.tap(t, "settings.test")
	if words := f.words(); !strings.Contains(words, "can read your notes. It looks things up through the text, in the format of Hermes.") {
		t.Errorf("the test says:\n%s", words)
	}
	if got := f.fact(t, "tools"); !strings.Contains(got, "In the text: the instructions") || !strings.Contains(got, "Its server refused the standard way.") {
		t.Errorf("after the test: %q", got)
	}
	f.tap(t, "settings.forget")
	if got := f.fact(t, "tools"); !strings.Contains(got, "Directly") || strings.Contains(f.words(), "What was learned") {
		t.Errorf("after forgetting: %q", got)
	}

	advanced := f.pages[Assistant].(*assistant).current.advanced
	for _, tt := range []struct{ format, want string }{
		{config.FormatNone, "Not at all: it answers without your notes"}, {"mistral", "In the format of Mistral."}, {"", "Directly"},
	} {
		advanced.set(func(o *config.ModelOptions) { o.Format = tt.format }) // as the menu does
		if got := f.fact(t, "tools"); !strings.Contains(got, tt.want) {
			t.Errorf("%q is said as %q", tt.format, got)
		}
		if tt.format == config.FormatNone {
			if f.tap(t, "settings.test"); !strings.Contains(f.words(), "without your notes, as you chose") {
				t.Errorf("a test of a model without tools says:\n%s", f.words())
			}
		}
	}
}

// Row 002-1: with the switch on, no text leaves this computer, and the page says what
// can answer.
func TestWithTheSwitchOnOnlyThisComputerAnswers(t *testing.T) {
	f := light(t)
	f.host.Change(func(set *config.Settings) { set.Assistant.Model = "openrouter:birds/owl" })
	f.ShowPage(Assistant)
	t.Cleanup(func() { sample.Models().KeepHere(false) })
	f.segment(t, "settings.local-only", "On")
	for _, want := range []string{"runs elsewhere (openrouter.ai), so it is not asked", "Use the built-in assistant", "It is not asked", "Switch off “Answer on this computer only”"} {
		if !strings.Contains(f.words(), want) {
			t.Errorf("%q is missing in\n%s", want, f.words())
		}
	}
	if !f.host.Settings().Assistant.LocalOnly {
		t.Error("the switch is not saved")
	}
	f.tap(t, "settings.provider")
	menu := f.dialog(t)
	if words := said(menu); !strings.Contains(words, "Not available while answering only on this computer:") {
		t.Errorf("the menu does not say why:\n%s", words)
	}
	off := named(t, menu, "menu:OpenRouter · sent to openrouter.ai").(fyne.Disableable)
	here := named(t, menu, "menu:Ollama · on this computer").(fyne.Disableable)
	if !off.Disabled() || here.Disabled() {
		t.Errorf("off is OpenRouter %v, Ollama %v", off.Disabled(), here.Disabled())
	}
	menu.(fyne.Focusable).TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})

	f.tap(t, "settings.use-builtin")
	if words := f.words(); f.host.Settings().Assistant.ModelID() != config.DefaultModel || strings.Contains(words, "so it is not asked") {
		t.Errorf("after choosing the built-in:\n%s", words)
	}
	f.segment(t, "settings.local-only", "Off")
	if f.host.Settings().Assistant.LocalOnly {
		t.Error("the switch is still on")
	}
}

func TestAModelOfThisComputerIsOfferedInPlaceOfOneThatIsElsewhere(t *testing.T) {
	s := reader(t, true)
	f := light(t)
	t.Cleanup(func() { sample.Models().KeepHere(false) })
	f.host.Change(func(set *config.Settings) { set.Assistant.Model = "openrouter:birds/owl" })
	f.ShowPage(Assistant)
	f.segment(t, "settings.local-only", "On")
	var ollama models.Provider
	for _, p := range models.Providers() {
		if p.ID == "ollama" {
			ollama = p
		}
	}
	f.pages[Assistant].(*assistant).here.found([]models.LocalServer{{Provider: ollama, BaseURL: s.URL + "/v1", Models: []llm.ModelInfo{{ID: "owl"}}}})
	f.tap(t, "settings.use-local:ollama")
	set := f.host.Settings()
	if set.Assistant.Model != "ollama:owl" || set.Models["ollama"].BaseURL != s.URL+"/v1" {
		t.Errorf("chosen: %+v, %+v", set.Assistant, set.Models)
	}
}

// Row 002-1: settings of providers are kept while another one is chosen.
func TestChangingTheProviderAndBackLosesNothing(t *testing.T) {
	s := reader(t, true)
	f := light(t)
	f.another(t, s.URL+"/v1")
	f.entry(t, "settings.model").SetText("ow")
	f.entry(t, "settings.key").SetText("sk-half")
	c := f.chooser()
	providers := map[string]models.Provider{}
	for _, p := range models.Providers() {
		providers[p.ID] = p
	}
	c.pick(providers["ollama"])
	if address, model, key := c.address.Text, c.model.Text, c.key.Text; address != "http://127.0.0.1:11434/v1" || model != "" || key != "" {
		t.Errorf("Ollama got %q, %q, %q", address, model, key)
	}
	c.pick(providers["custom"])
	if address, model, key := c.address.Text, c.model.Text, c.key.Text; address != s.URL+"/v1" || model != "ow" || key != "sk-half" {
		t.Errorf("back again: %q, %q, %q", address, model, key)
	}
	f.entry(t, "settings.model").SetText("owl")
	f.tap(t, "settings.model.use")
	c.pick(providers[models.Builtin])
	if got := f.host.Settings().Assistant.ModelID(); got != config.DefaultModel {
		t.Errorf("%s answers", got)
	}
	f.Close()

	f = openOn(t, sample, themeLight, usual) // which begins with new settings
	f.host.Change(func(set *config.Settings) {
		models.Choice{ID: "custom:owl", BaseURL: s.URL + "/v1"}.ChosenIn(set)
		models.Choice{}.ChosenIn(set)
	})
	f.ShowPage(Assistant)
	f.chooser().pick(providers["custom"])
	if got := f.entry(t, "settings.address").Text; got != s.URL+"/v1" {
		t.Errorf("after a new start the address is %q", got)
	}
}

func TestAModelIsFoundAndChosenWithTheKeyboardAlone(t *testing.T) {
	s := aviary(t)
	f := light(t)
	f.another(t, s.URL+"/v1")
	c := f.window.Canvas()
	model := f.entry(t, "settings.model")
	c.Focus(model)
	for _, r := range "robin" {
		model.TypedRune(r)
	}
	model.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	match, ok := c.Focused().(*widgets.Tappable)
	if !ok || match.ID != "settings.model:birds/robin-30b-a3b" {
		t.Fatalf("Down leads to %v", c.Focused())
	}
	match.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if got := f.host.Settings().Assistant.Model; got != "custom:birds/robin-30b-a3b" {
		t.Errorf("chosen: %s", got)
	}
	f.tap(t, "settings.model.other")
	if !strings.Contains(f.words(), "birds/owl-large") || c.Focused() != fyne.Focusable(model) {
		t.Errorf("the others are not offered again:\n%s", f.words())
	}
}

func TestTheLastListIsOfferedWhileTheServerIsAway(t *testing.T) {
	s := aviary(t)
	f := light(t)
	f.another(t, s.URL+"/v1")
	s.Close()
	f.chooser().ask()
	if words := f.words(); !strings.Contains(words, "Here are the 3 models of its last list.") || !strings.Contains(words, "birds/owl-large") {
		t.Errorf("while the server is away:\n%s", words)
	}
	f.tap(t, "settings.model:birds/wren-3b")
	if got := f.host.Settings().Assistant.Model; got != "custom:birds/wren-3b" {
		t.Errorf("chosen: %s", got)
	}
}

func TestAModelThatItsServerPassesOnCannotBeChosenWhileTextStaysHere(t *testing.T) {
	f := light(t)
	t.Cleanup(func() { sample.Models().KeepHere(false) })
	f.ShowPage(Assistant)
	f.segment(t, "settings.local-only", "On")
	c := f.chooser()
	for _, p := range models.Providers() {
		if p.ID == "ollama" {
			c.setProvider(p)
		}
	}
	c.at.Obstacle = models.NoObstacle
	c.gotModels([]llm.ModelInfo{{ID: "gpt-oss:120b-cloud"}, {ID: "gpt-oss:20b"}}, nil, nil)
	cloud := named(t, f.Content(), "settings.model:gpt-oss:120b-cloud").(*widgets.Tappable)
	if !cloud.Disabled() || !strings.Contains(f.words(), "Off: it runs elsewhere") {
		t.Errorf("it can be chosen:\n%s", f.words())
	}
	c.use("gpt-oss:120b-cloud")
	if got := f.host.Settings().Assistant.ModelID(); got != config.DefaultModel {
		t.Errorf("typed and entered, %s is chosen", got)
	}
	f.tap(t, "settings.model:gpt-oss:20b")
	if got := f.host.Settings().Assistant.ModelID(); got != "ollama:gpt-oss:20b" {
		t.Errorf("chosen: %s", got)
	}
}

// Everything of the page has to be reached with the Tab key, once each, in an order.
func TestTheWholePageIsReachedWithTheKeyboard(t *testing.T) {
	s := reader(t, true)
	f := light(t)
	f.chooseOwn(t, s, "owl")
	f.tap(t, "settings.advanced")
	c := f.window.Canvas()
	c.Unfocus()
	var reached []string
	for range 80 {
		c.FocusNext()
		focused := c.Focused()
		if focused == nil {
			break
		}
		name := ""
		if n, ok := focused.(interface{ DumpName() string }); ok {
			name = n.DumpName()
		}
		if slices.Contains(reached, name) && strings.HasPrefix(name, "settings.") {
			break // around the end
		}
		reached = append(reached, name)
	}
	for _, id := range []string{
		"settings.test", "settings.advanced", "settings.window", "settings.format", "settings.effort", "settings.temperature", "settings.answer",
		"settings.price.in", "settings.price.out", "settings.price.cached", "settings.model.prompt",
		"settings.provider", "settings.address", "settings.key", "settings.key.save", "settings.model", "settings.look", "settings.steps", "settings.idle", "settings.prompt",
	} {
		if !slices.Contains(reached, id) {
			t.Errorf("%s is never reached; reached are %v", id, reached)
		}
	}
}

func TestNothingIsOfferedBeforeTheModelIsKnown(t *testing.T) {
	f := light(t)
	f.ShowPage(Assistant)
	early := append(newChooser(f.Screen, func() {}).rows.Objects, newCurrentModel(f.Screen, func() {}).test)
	for _, o := range early {
		if o.Visible() {
			t.Errorf("%T is shown while nothing is known yet", o)
		}
	}
	for _, name := range []string{"settings.key", "settings.model", "settings.test"} {
		walk(f.Content(), func(o fyne.CanvasObject) {
			if n, ok := o.(interface{ DumpName() string }); ok && n.DumpName() == name {
				t.Errorf("%s is shown, which the built-in assistant does not need", name)
			}
		})
	}
	if named(t, f.Content(), "settings.provider") == nil {
		t.Error("the provider cannot be chosen")
	}
}
