package language_test

import (
	"reflect"
	"regexp"
	"slices"
	"testing"
	"time"

	"bowerbird/app/builtin/language"
	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
)

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
			if n, ok := f.Interface().(words.Noun); ok {
				out[name] = n.Many
			}
		}
	}
	return out
}

func TestEachExampleIsUnderstoodInItsOwnLanguage(t *testing.T) {
	p := question.New(language.Lexicons(language.All()))
	c := question.Calendar{Now: time.Date(2026, 11, 19, 15, 10, 0, 0, time.UTC)}
	for lang, w := range language.Answers(language.All()) {
		for _, ex := range slices.Concat(w.Examples, w.Patterns) {
			ex = regexp.MustCompile(`note1…`).ReplaceAllString(ex, "note1qqqsyrhqy2a0yy8gwh7p8ep9f5h9s7tkfe7zkl5cl0l5s9q6c5vqkx9lqu")
			if q := p.Read(ex, c, &question.Talk{}); q.Intent == question.Unknown || q.Lang != lang {
				t.Errorf("%s: %q is read as %v in %s", lang, ex, q.Intent, q.Lang)
			}
		}
	}
}

func TestNumbersAndTimesAreWrittenAsTheLanguageHasThem(t *testing.T) {
	now := time.Date(2026, 11, 19, 15, 10, 0, 0, time.UTC)
	for lang, want := range map[string][3]string{
		"en": {"1,234,567 notes", "Wed 00:05", "since 3 May 2025, 00:00"},
		"de": {"1.234.567 Notizen", "Mi., 00:05 Uhr", "seit 3. Mai 2025, 00:00 Uhr"},
		"ja": {"ノート1,234,567件", "水曜日 00:05", "2025年5月3日 00:00から"},
	} {
		w := language.Answers(language.All())[lang]
		got := [3]string{
			w.Of(w.Note, 1234567), w.When(time.Date(2026, 11, 18, 0, 5, 0, 0, time.UTC), now),
			w.Window(question.Window{Since: time.Date(2025, 5, 3, 0, 0, 0, 0, time.UTC), Until: now}, now),
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", lang, got, want)
		}
	}
}

// claims are, by language, the words that call notes complete, the words by which that is
// nobody's knowledge but the relays', the words for what somebody did not do, and those
// that make it a matter of what is stored.
var claims = map[string]struct{ complete, byRelays, absent, stored string }{
	"en": {`(?i)up to date|complete|all notes`, `relay|stored here`, `(?i)wrote nothing|posted nothing|nothing was (posted|written)|used no|had no|did not (write|post)|nobody you follow`, `known here`},
	"de": {`(?i)vollständig|auf dem neuesten|alle Notizen`, `Relay|hier gespeichert`, `(?i)nichts geschrieben|haben? .*(kein|nichts)|niemand, dem du`, `hier bekannt`},
	"fr": {`(?i)à jour|complet|toutes les notes`, `relais|stockées`, `(?i)n'ont (rien|utilisé|eu)|n'a (rien|utilisé|écrit)`, `sache ici`},
	"es": {`(?i)al día|completo|todas las notas`, `relay|guardadas`, `(?i)no (escribi|us|tuv)|nadie que sigas`, `aquí se sabe`},
	"pt": {`(?i)em dia|completo|todas as notas`, `relay|guardadas`, `(?i)não (escrever|usou|usar|tiver)|ninguém que segues`, `aqui se sabe`},
	"ja": {`そろって|すべてのノート`, `リレー|保存されて`, `(何も|誰も.*)書いていません|タグ(を|は)使っていません`, `ここでわかる`},
}

// TestNoTextClaimsWhatOnlyRelaysCanKnow: what is complete is so by the word of the relays
// asked, and that nothing is here is not that nothing was written.
func TestNoTextClaimsWhatOnlyRelaysCanKnow(t *testing.T) {
	for lang, w := range language.Answers(language.All()) {
		c, ok := claims[lang]
		if !ok {
			t.Fatalf("nobody said which words claim something in %s", lang)
		}
		matches := func(pattern, text string) bool { return regexp.MustCompile(pattern).MatchString(text) }
		all := texts(w)
		all["UpToDate"] = words.Fill(all["UpToDate"], "relays", w.Of(w.RelaysTell, 4))
		all["AllUpToDate"] = words.Fill(all["AllUpToDate"], "relays", w.Of(w.RelaysTell, 1))
		for name, text := range texts(w.Everyone) {
			all["everyone."+name] = text
		}
		for name, text := range texts(w.Asked) {
			all["asking."+name] = text
		}
		found := 0
		for name, text := range all {
			if matches(c.complete, text) {
				if found++; !matches(c.byRelays, text) {
					t.Errorf("%s: %s does not say by whose word: %q", lang, name, text)
				}
			}
			if matches(c.absent, text) && !matches(c.stored, text) {
				t.Errorf("%s: %s claims what nobody knows: %q", lang, name, text)
			}
		}
		if found < 4 {
			t.Errorf("%s: only %d texts are seen to call something complete", lang, found)
		}
	}
}

func TestEachOfferIsUnderstoodInItsOwnLanguage(t *testing.T) {
	p := question.New(language.Lexicons(language.All()))
	c := question.Calendar{Now: time.Date(2026, 11, 19, 15, 10, 0, 0, time.UTC)}
	inTalk := &question.Talk{Known: func(name string) bool { return question.Fold(name) == "annika" || question.Fold(name) == "bob weiss" }} // who is offered is known
	for lang, w := range language.Answers(language.All()) {
		for _, text := range w.Asked.Offers {
			text = words.Fill(text, "name", "Annika", "other", "Bob Weiss", "topic", "#bikes")
			if q := p.Read(text, c, inTalk); q.Intent == question.Unknown || q.Lang != lang {
				t.Errorf("%s: %q is read as %v in %s", lang, text, q.Intent, q.Lang)
			}
		}
	}
}
