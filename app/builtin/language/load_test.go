package language_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"bowerbird/app/builtin/language"

	"github.com/pelletier/go-toml/v2"
)

// folder returns copies of the files, for a test to change.
func folder(t *testing.T) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	names, err := fs.Glob(os.DirFS("."), "*.toml")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d files: %v", len(names), err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = &fstest.MapFile{Data: data}
	}
	return out
}

// TestEachFileHasTheSameKeys: what may differ is which words a table has that are its keys.
func TestEachFileHasTheSameKeys(t *testing.T) {
	open := []string{"question.short", "question.habits", "question.time.parts", "question.time.numbers"}
	optional := []string{"notes.script", "notes.inside"}
	keys := func(data []byte) []string {
		var tree map[string]any
		if err := toml.Unmarshal(data, &tree); err != nil {
			t.Fatal(err)
		}
		var out []string
		var walk func(prefix string, table map[string]any)
		walk = func(prefix string, table map[string]any) {
			for key, v := range table {
				out = append(out, prefix+key)
				if sub, ok := v.(map[string]any); ok && !slices.Contains(open, prefix+key) {
					delete(sub, "one") // a language may count in one form
					walk(prefix+key+".", sub)
				}
			}
		}
		walk("", tree)
		slices.Sort(out)
		return out
	}
	files := folder(t)
	want := keys(files["en.toml"].Data)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		want := want
		got := slices.DeleteFunc(keys(files[name].Data), func(key string) bool { return slices.Contains(optional, key) })
		for _, table := range []string{"answer", "question"} { // of some, questions are read, but not answered; of others, only notes
			if !slices.Contains(got, table) && name != "en.toml" {
				want = slices.DeleteFunc(slices.Clone(want), func(key string) bool { return strings.HasPrefix(key, table) })
			}
		}
		for _, key := range want {
			if !slices.Contains(got, key) {
				t.Errorf("%s: %s is missing", name, key)
			}
		}
		for _, key := range got {
			if !slices.Contains(want, key) {
				t.Errorf("%s: English has no %s", name, key)
			}
		}
	}
}

// TestALanguageCountsInOneFormOrInTwo everywhere.
func TestALanguageCountsInOneFormOrInTwo(t *testing.T) {
	for lang, w := range language.Answers(language.All()) {
		if one := w.Note.One == ""; one != (w.Person.One == "") || one != (w.Repost.One == "") || one != (w.Asked.Answer.One == "") {
			t.Errorf("%s counts some things in one form, others in two", lang)
		}
	}
}

func TestAMistakeInAFileIsReportedWithItsLine(t *testing.T) {
	for _, tt := range []struct {
		name, file, old, new string
		at, want             string // the text of the line, and what is said
	}{
		{"an unknown key", "es.toml", "how = ", "hwo = ", "hwo = ", "unknown key question.hwo"},
		{"a key that is missing", "es.toml", "items = ", "# items = ", "[question]", "question.items: is missing"},
		{"an unknown list of words", "es.toml", "\nmost = ", "\nmots = ", "mots = ", "question.words.mots: unknown list of words"},
		{"a list of words that is missing", "es.toml", "\ngot = ", "\n# got = ", "[question.words]", "got is missing"},
		{"a comma too many", "de.toml", `how = "wie"`, `how = "wie,"`, `how = "wie,"`, "empty entry between two commas"},
		{"no text", "fr.toml", `sources = "`, `sources = "" # "`, `sources = ""`, "answer.sources: is missing"},
		{"a placeholder that English does not have", "fr.toml", "since = \"depuis {from}\"", "since = \"depuis {form}\"", "since = \"depuis {form}\"", "has the placeholders [{form}], English has [{from}]"},
		{"a form for one that says more", "de.toml", `one = "{n} Notiz"`, `one = "{n} Notiz {sats}"`, `{n} Notiz {sats}`, "answer.note.one"},
		{"an unknown meaning", "pt.toml", `"ontem = day -1"`, `"ontem = yesterday"`, "ontem = yesterday", `unknown meaning "yesterday"; known are`},
		{"an unknown placeholder", "pt.toml", `{weekday} passada`, `{wekday} passada`, "{wekday}", "unknown placeholder {wekday}; known are"},
		{"a meaning without its placeholder", "pt.toml", `"{date} = date"`, `"{clock} = date"`, `"{clock} = date"`, `needs {date}`},
		{"hours in the wrong order", "de.toml", `abend = "18-24"`, `abend = "24-18"`, `abend = "24-18"`, "not a range of hours"},
		{"a wrong name", "ja.toml", `language = "ja"`, `language = "jp"`, "", "the file is named otherwise"},
		{"no file", "ja.toml", "[question]", "[question", "[question", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := folder(t)
			text := string(files[tt.file].Data)
			if !strings.Contains(text, tt.old) {
				t.Fatalf("%s has no %s", tt.file, tt.old)
			}
			text = strings.Replace(text, tt.old, tt.new, 1)
			files[tt.file] = &fstest.MapFile{Data: []byte(text)}
			place := tt.file
			if tt.at != "" {
				place = fmt.Sprintf("%s:%d: ", tt.file, 1+strings.Count(text[:strings.Index(text, tt.at)], "\n"))
			}
			_, err := language.Load(files)
			if err == nil || !strings.HasPrefix(err.Error(), place) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s … %s", err, place, tt.want)
			}
		})
	}
}

func TestThePageOnLanguagesMentionsEachListOfWords(t *testing.T) {
	page, err := os.ReadFile("../../../docs/languages.md")
	if err != nil {
		t.Fatal(err)
	}
	for list := range language.All()[0].Question.Words {
		if !strings.Contains(string(page), "`"+list+"`") {
			t.Errorf("docs/languages.md does not mention %s", list)
		}
	}
}
