package main

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"fyne.io/fyne/v2/lang"
	"golang.org/x/text/language"

	"bowerbird/assets"
	"bowerbird/llm"
	"bowerbird/ui/answers"
	"bowerbird/ui/present"
)

// toolLabel returns what a tool is doing, in words.
func toolLabel(name string) string {
	p := answers.Doing(name)
	words := strings.ToLower(p.Text[:1]) + p.Text[1:]
	for name, value := range p.Data {
		words = strings.ReplaceAll(words, "{{."+name+"}}", fmt.Sprint(value))
	}
	return words
}

// inWords returns the error of a model's server in plain words, and others as they are.
func inWords(err error) error {
	var why *llm.Error
	if errors.As(err, &why) {
		return errors.New(present.ErrorWords(why))
	}
	return err
}

func localTime(unix int64) string { return time.Unix(unix, 0).Format("2 January 2006 15:04") }

// sizeWords writes a size as the window does.
func sizeWords(bytes int64) string { return present.Words{}.Bytes(bytes) }

// reachWords returns for how many people the notes are complete, and according to how many
// relays.
func reachWords(people, complete, partly, not, relays int) string {
	by := ""
	switch {
	case complete == 0:
	case relays == 1:
		by = " (according to the one relay asked)"
	default:
		by = fmt.Sprintf(" (according to the %d relays asked)", relays)
	}
	return fmt.Sprintf("%s: %d complete%s, %d partly complete, %d not reached", peopleWords(people), complete, by, partly, not)
}

func peopleWords(n int) string {
	if n == 1 {
		return "1 person"
	}
	return fmt.Sprintf("%d people", n)
}

// numberWords counts things in English.
func numberWords(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// speak loads the window's translations: the chosen language, "en" or "de", or else the
// system's. It returns the language for numbers.
func speak(chosen string) (language.Tag, error) {
	tag := tagOf(chosen)
	if chosen == "" {
		if err := lang.AddTranslationsFS(assets.Translations, "translations"); err != nil {
			return language.English, err
		}
		tag = tagOf(lang.SystemLocale().LanguageString())
		base, _ := tag.Base()
		if chosen = base.String(); chosen != "en" && chosen != "de" {
			return tag, nil
		}
		// Another language may have been loaded in place of it.
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
	return tag, nil
}

func tagOf(name string) language.Tag {
	tag, err := language.Parse(name)
	if err != nil {
		return language.English
	}
	return tag
}
