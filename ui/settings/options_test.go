package settings

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/app/config"
)

// Row 002-2: what is set of a model, in its place in the settings.
func TestWhatIsSetOfAModelHoldsForItAlone(t *testing.T) {
	s := reader(t, true)
	f := light(t)
	f.chooseOwn(t, s, "owl")
	if got := f.fact(t, "window"); !strings.Contains(got, "131,072 tokens (about 98,000 words)") || !strings.Contains(got, "From its server's list.") {
		t.Errorf("the window is said as %q", got)
	}
	if f.pages[Assistant].(*assistant).current.advanced.open() {
		t.Error("what few people need stands open")
	}
	named(t, f.Content(), "settings.advanced").(fyne.Focusable).TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})

	f.typed(t, "settings.window", "16k")
	f.typed(t, "settings.answer", "2,000")
	f.typed(t, "settings.temperature", "0,5")
	f.typed(t, "settings.price.in", "$0.5")
	f.typed(t, "settings.price.out", "2")
	f.typed(t, "settings.model.prompt", "Answer in Welsh.")
	got := f.host.Settings().Models["custom:owl"]
	if got.Context != 16000 || got.MaxTokens != 2000 || got.Temperature == nil || *got.Temperature != 0.5 || got.Prompt != "Answer in Welsh." {
		t.Errorf("saved: %+v", got)
	}
	if got := f.fact(t, "price"); !strings.Contains(got, "$0.50 per million tokens of input, $2 per million of output. Your setting.") {
		t.Errorf("then the price is said as %q", got)
	}
	if got := f.fact(t, "window"); !strings.Contains(got, "16,000 tokens") || !strings.Contains(got, "Your setting.") {
		t.Errorf("then the window is said as %q", got)
	}
	if got := f.entry(t, "settings.window").Text; got != "16,000" {
		t.Errorf("the field says %q", got)
	}

	for _, id := range []string{"settings.window", "settings.answer", "settings.temperature", "settings.price.in", "settings.price.out", "settings.model.prompt"} {
		f.typed(t, id, "")
	}
	if got, there := f.host.Settings().Models["custom:owl"]; there {
		t.Errorf("after emptying all: %+v", got)
	}
	if got := f.fact(t, "window"); !strings.Contains(got, "131,072") {
		t.Errorf("after emptying it the window is said as %q", got)
	}
}

func TestWhatMakesNoSenseIsToldAtItsFieldAndStays(t *testing.T) {
	s := reader(t, true)
	f := light(t)
	f.chooseOwn(t, s, "owl")
	f.tap(t, "settings.advanced")
	f.typed(t, "settings.window", "a lot")
	f.typed(t, "settings.steps", "99")
	for _, want := range []string{"Type a number from 1,024 to 16,777,216", "Type a number from 1 to 50, such as 8"} {
		if !strings.Contains(f.words(), want) {
			t.Errorf("%q is missing in\n%s", want, f.words())
		}
	}
	f.Shown()
	f.ShowPage(Storage)
	f.ShowPage(Assistant)
	if window, steps := f.entry(t, "settings.window").Text, f.entry(t, "settings.steps").Text; window != "a lot" || steps != "99" {
		t.Errorf("what was typed is %q and %q", window, steps)
	}
	if set := f.host.Settings(); len(set.Models["custom:owl"].Format) > 0 || set.Models["custom:owl"].Context != 0 || set.Assistant.Steps != 0 {
		t.Errorf("saved: %+v", set)
	}
	f.typed(t, "settings.steps", "12")
	if got := f.host.Settings().Assistant.Steps; got != 12 || strings.Contains(f.words(), "such as 8") {
		t.Errorf("%d steps:\n%s", got, f.words())
	}
}

func TestWhatIsTypedIsTakenWhenThePageIsLeft(t *testing.T) {
	for what, leave := range map[string]func(*fixture){
		"another page": func(f *fixture) { f.ShowPage(Storage) }, "another screen": func(f *fixture) { f.Hidden() }, "the window closes": func(f *fixture) { f.Close() },
	} {
		f := light(t)
		f.ShowPage(Assistant)
		f.window.Canvas().Focus(f.entry(t, "settings.prompt"))
		f.entry(t, "settings.prompt").SetText("Be brief.")
		leave(f)
		if got := f.host.Settings().Assistant.Prompt; got != "Be brief." {
			t.Errorf("%s: %q is kept", what, got)
		}
	}
}

// Rows 000-46, 000-52 to 000-56: how answers are made.
func TestHowAnswersAreMadeIsSet(t *testing.T) {
	f := light(t)
	f.ShowPage(Assistant)
	f.segment(t, "settings.tables", "Off")
	f.segment(t, "settings.keep-chats", "Off")
	f.segment(t, "settings.caching", "Off")
	f.typed(t, "settings.steps", "12")
	f.typed(t, "settings.idle", "90")
	f.typed(t, "settings.prompt", "Answer in three sentences.\nIn Welsh.")
	want := config.Assistant{PlainText: true, ForgetChats: true, NoPromptCaching: true, Steps: 12, IdleMinutes: 90, Prompt: "Answer in three sentences.\nIn Welsh."}
	if got := f.host.Settings().Assistant; got != want {
		t.Errorf("saved: %+v", got)
	}
	f.host.Change(func(set *config.Settings) { set.Assistant = config.Assistant{} })
	f.Shown()
	if got := f.entry(t, "settings.steps").Text + f.entry(t, "settings.idle").Text + f.entry(t, "settings.prompt").Text; got != "" {
		t.Errorf("the fields keep %q", got)
	}
	f.segment(t, "settings.tables", "Off") // which was taken back to On
	if !f.host.Settings().Assistant.PlainText {
		t.Error("the switch kept its old place")
	}
}

func TestOwnWordsThatTheFieldCannotTakeWholeAreLeftAlone(t *testing.T) {
	f := light(t)
	long := strings.Repeat("Be brief. ", 600)
	f.host.Change(func(set *config.Settings) { set.Assistant.Prompt = strings.TrimSpace(long) })
	f.ShowPage(Assistant)
	if !f.entry(t, "settings.prompt").Disabled() || !strings.Contains(f.words(), "too long for this field") {
		t.Error("they can be cut off unseen")
	}
	f.ShowPage(Storage)
	if got := f.host.Settings().Assistant.Prompt; got != strings.TrimSpace(long) {
		t.Errorf("%d bytes are left of %d", len(got), len(long))
	}
}

func TestEachWayToAskForNotesIsInTheMenu(t *testing.T) {
	s := reader(t, true)
	f := light(t)
	f.chooseOwn(t, s, "owl")
	f.tap(t, "settings.advanced")
	f.host.Change(func(set *config.Settings) { set.SetOptions("custom:owl", config.ModelOptions{Effort: "minimal"}) })
	f.tap(t, "settings.format")
	words := said(f.dialog(t))
	for _, want := range []string{"Automatic", "Directly", "In the text, in the format of Hermes", "In the text, in the format of Mistral", "In the text, in the format of Python", "In the text, in the format of JSON", "Not at all"} {
		if !strings.Contains(words, want) {
			t.Errorf("%q is missing in\n%s", want, words)
		}
	}
	f.dialog(t).(fyne.Focusable).TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	f.tap(t, "settings.effort")
	if words := said(f.dialog(t)); !strings.Contains(words, "minimal") || !strings.Contains(words, "A while") {
		t.Errorf("what the settings file has is missing:\n%s", words)
	}
}
