// Package wordstest lets tests see the window's words in English as a user does. Without
// them Fyne knows no plural forms, and each number in a sentence makes it log a block
// that buries what a test has to say.
package wordstest

import (
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/assets"
)

// Main runs the tests of a package (see testing.M) with the words in English, whatever
// the language of the machine.
func Main(m *testing.M) int {
	Load()
	return m.Run()
}

// Load adds the English words of all packages. It panics when they cannot be read.
func Load() { load("en", "en_GB.UTF-8") }

// German has the words of all packages in German until the test ends.
func German(t testing.TB) {
	t.Helper()
	load("de", "de_DE.UTF-8")
	t.Cleanup(Load)
}

func load(language, locale string) {
	if err := os.Setenv("LC_ALL", locale); err != nil { // Fyne asks for it each time
		panic(err)
	}
	files, err := assets.Translations.ReadDir("translations")
	if err != nil {
		panic(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), "."+language+".json") {
			continue
		}
		raw, err := assets.Translations.ReadFile("translations/" + f.Name())
		if err == nil {
			err = lang.AddTranslations(fyne.NewStaticResource(f.Name(), raw))
		}
		if err != nil {
			panic(f.Name() + ": " + err.Error())
		}
	}
}
