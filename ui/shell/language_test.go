package shell

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"
	"golang.org/x/text/language"

	"bowerbird/app/config"
	"bowerbird/assets"
	"bowerbird/ui/widgets"
)

func TestTheLanguageChangesAtOnceAndKeepsWhatWasTyped(t *testing.T) {
	t.Cleanup(func() { speak(t, "en") }) // the last to run: once nothing reads the texts any more
	st := startReader(t)
	st.opt.Speak = func(chosen string) (language.Tag, error) { return speak(t, chosen), nil }
	st.typeText("half a question")
	st.Search("relay from:ada")
	st.OpenSettings("appearance")
	st.Change(func(set *config.Settings) { set.Appearance.Language = "de" })
	st.wait("settings.language")
	st.pump(quietly)
	if st.route.at != settings || lang.L("Home") != "Start" {
		t.Errorf("at %s, Home is called %q", st.route.at, lang.L("Home"))
	}
	if !strings.Contains(test.RenderToMarkup(st.window.Canvas()), "Darstellung") {
		t.Error("the settings are not in German")
	}
	if got := st.query(); got != "from:ada relay" {
		t.Errorf("looked for is %q", got)
	}
	st.enter(assistant)
	st.wait("chat.entry")
	entry, _ := st.window.Canvas().Focused().(*widgets.Entry)
	if entry == nil || entry.Text != "half a question" {
		t.Errorf("the field has lost what was typed: %v", entry)
	}
	st.Change(func(set *config.Settings) { set.Appearance.Language = "en" })
	st.until("English", func() bool { return st.ready() && st.has("chat.entry") && lang.L("Home") == "Home" })
}

// speak loads the texts of a language in place of those of the system's.
func speak(t *testing.T, chosen string) language.Tag {
	t.Helper()
	files, err := assets.Translations.ReadDir("translations")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), "."+chosen+".json") {
			continue
		}
		raw, err := assets.Translations.ReadFile("translations/" + f.Name())
		if err == nil {
			err = lang.AddTranslationsForLocale(raw, lang.SystemLocale())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return language.Make(chosen)
}
