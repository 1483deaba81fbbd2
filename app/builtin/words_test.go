package builtin

import (
	"reflect"
	"regexp"
	"slices"
	"testing"
	"time"
)

var blank = regexp.MustCompile(`\{[a-z]+\}`)

// texts lists the texts of a language by the name of their field.
func texts(w any) map[string]string {
	out := map[string]string{}
	v := reflect.Indirect(reflect.ValueOf(w))
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			out[name] = f.String()
		case reflect.Struct:
			out[name] = f.Field(1).String()
		}
	}
	return out
}

func TestEachLanguageSaysEverythingWithTheSameBlanks(t *testing.T) {
	all := allWords()
	english := texts(all["en"])
	for _, lx := range lexicons() {
		if lx.lang == "zh" {
			continue // read, and answered in the window's language
		}
		if all[lx.lang] == nil {
			t.Fatalf("questions are read in %s, but not answered", lx.lang)
		}
		for name, text := range texts(all[lx.lang]) {
			if text == "" {
				t.Errorf("%s: %s is missing", lx.lang, name)
			}
			got, want := blank.FindAllString(text, -1), blank.FindAllString(english[name], -1)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s has %v, in English it has %v", lx.lang, name, got, want)
			}
		}
	}
}

func TestEachLanguageSpeaksOfEveryoneWithTheBlanksOfItsOtherWords(t *testing.T) {
	for lang, w := range allWords() {
		own := texts(w)
		for name, text := range texts(everyoneIn(lang)) {
			if text == "" || lang != "en" && text == texts(everyoneIn("en"))[name] {
				t.Errorf("%s: %s is missing", lang, name)
			}
			got, want := blank.FindAllString(text, -1), blank.FindAllString(own[name], -1)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s has %v, elsewhere it has %v", lang, name, got, want)
			}
		}
	}
}

func TestEachExampleIsUnderstoodInItsOwnLanguage(t *testing.T) {
	p := newParser()
	c := calendar{now: time.Date(2026, 11, 19, 15, 10, 0, 0, time.UTC)}
	for lang, w := range allWords() {
		for _, ex := range slices.Concat(w.examples, w.patterns) {
			ex = regexp.MustCompile(`note1…`).ReplaceAllString(ex, "note1qqqsyrhqy2a0yy8gwh7p8ep9f5h9s7tkfe7zkl5cl0l5s9q6c5vqkx9lqu")
			if q := p.parse(ex, c); q.intent == unknown || q.lang != lang {
				t.Errorf("%s: %q is read as %v in %s", lang, ex, q.intent, q.lang)
			}
		}
	}
}

func TestNumbersAndTimesAreWrittenAsTheLanguageHasThem(t *testing.T) {
	now := time.Date(2026, 11, 19, 15, 10, 0, 0, time.UTC)
	for lang, want := range map[string][3]string{
		"en": {"1,234,567 notes", "Wed 18 Nov, 0:05", "since Sat 3 May 2025, 0:00"},
		"de": {"1.234.567 Notizen", "Mi., 18. Nov., 0:05 Uhr", "seit Sa., 3. Mai 2025, 0:00 Uhr"},
		"ja": {"ノート1,234,567件", "11月18日(水) 0:05", "2025年5月3日(土) 0:00から"},
	} {
		w := allWords()[lang]
		got := [3]string{
			w.of(w.note, 1234567), w.when(time.Date(2026, 11, 18, 0, 5, 0, 0, time.UTC), now),
			w.window(window{since: time.Date(2025, 5, 3, 0, 0, 0, 0, time.UTC), until: now}, now),
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", lang, got, want)
		}
	}
}
