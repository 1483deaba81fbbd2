package main

import (
	"fmt"
	"path"
	"strings"

	"fyne.io/fyne/v2/lang"
	"golang.org/x/text/language"

	"bowerbird/assets"
)

// speak loads the window's translations: the chosen language, "en" or "de", or else the
// system's. It returns the language for numbers.
func speak(chosen string) (language.Tag, error) {
	if chosen == "" {
		err := lang.AddTranslationsFS(assets.Translations, "translations")
		return tagOf(lang.SystemLocale().LanguageString()), err
	}
	files, err := assets.Translations.ReadDir("translations")
	if err != nil {
		return language.English, err
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), "."+chosen+".json") {
			continue
		}
		raw, err := assets.Translations.ReadFile(path.Join("translations", f.Name()))
		if err == nil {
			// Fyne has no other way to use another language than the system's.
			err = lang.AddTranslationsForLocale(raw, lang.SystemLocale())
		}
		if err != nil {
			return language.English, fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
	return tagOf(chosen), nil
}

func tagOf(name string) language.Tag {
	tag, err := language.Parse(name)
	if err != nil {
		return language.English
	}
	return tag
}
