package assets_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/app/pictures"
	"bowerbird/assets"
	"bowerbird/internal/testkit"
)

// words are the translations of one language, from all files: a text, or the texts
// of its plural forms.
type words map[string]map[string]string

func readWords(t *testing.T, language string) words {
	t.Helper()
	files, err := fs.Glob(assets.Translations, "translations/*."+language+".json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	all, from := words{}, map[string]string{}
	for _, file := range files {
		raw, err := assets.Translations.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var one map[string]json.RawMessage
		if err := json.Unmarshal(raw, &one); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for key, value := range one {
			forms := map[string]string{}
			var text string
			if json.Unmarshal(value, &text) == nil {
				forms["other"] = text
			} else if err := json.Unmarshal(value, &forms); err != nil {
				t.Errorf("%s: %q is neither a text nor plural forms: %v", file, key, err)
			}
			for form, text := range forms {
				if had, twice := all[key][form]; twice && had != text {
					t.Errorf("%q is %q in %s and %q in %s", key, text, file, had, from[key])
				}
			}
			all[key], from[key] = forms, file
		}
	}
	return all
}

var place = regexp.MustCompile(`\{\{\.\w+\}\}`)

func TestEveryTranslationHasThePlacesOfItsKey(t *testing.T) {
	for _, language := range []string{"en", "de"} {
		for key, forms := range readWords(t, language) {
			want := place.FindAllString(key, -1)
			slices.Sort(want)
			for form, text := range forms {
				got := place.FindAllString(text, -1)
				slices.Sort(got)
				// A form for one thing may leave its count out.
				if form == "other" && !slices.Equal(got, want) || form != "other" && len(got) > len(want) {
					t.Errorf("%s, %s: %q has the places %v, %q has %v", language, form, key, want, text, got)
				}
				if strings.TrimSpace(text) == "" {
					t.Errorf("%s, %s: %q is empty", language, form, key)
				}
			}
		}
	}
}

// TestEveryWordOfTheWindowIsTranslated reads the sources for what the window says,
// and the translations for it; and for what nobody says any more.
func TestEveryWordOfTheWindowIsTranslated(t *testing.T) {
	src := readSources(t, "ui", "app", "cmd/bowerbird/graphics.go")
	for _, key := range saidByValue() {
		src.said[key] = "L"
	}
	if len(src.said) < 400 {
		t.Fatalf("only %d words found in the sources", len(src.said))
	}
	for _, language := range []string{"en", "de"} {
		known := readWords(t, language)
		for key, kind := range src.said {
			forms, ok := known[key]
			switch {
			case !ok:
				t.Errorf("%s: %q is not translated", language, key)
			case kind == "N" && (forms["one"] == "" || forms["other"] == ""):
				t.Errorf("%s: %q has no form for one and for many", language, key)
			case kind != "N" && len(forms) != 1:
				t.Errorf("%s: %q is said without a count and has plural forms", language, key)
			case language == "en" && kind != "N" && forms["other"] != key:
				t.Errorf("en: %q is said as %q", key, forms["other"])
			}
		}
		for key := range known {
			if src.said[key] == "" && !src.literals[key] {
				t.Errorf("%s: nobody says %q", language, key)
			}
		}
	}
}

// saidByValue are words that the window says of values: no source hands them over
// as they are.
func saidByValue() []string {
	var keys []string
	for m := time.January; m <= time.December; m++ {
		keys = append(keys, m.String(), m.String()[:3])
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		keys = append(keys, d.String(), d.String()[:3])
	}
	for _, trouble := range []pictures.Trouble{
		pictures.BadAddress, pictures.NotFound, pictures.NoAnswer, pictures.Offline,
		pictures.TooLarge, pictures.NotAPicture, pictures.Damaged, pictures.TooSlow,
	} {
		keys = append(keys, string(trouble))
	}
	for _, trouble := range []app.LookUpTrouble{
		app.LookUpEmpty, app.LookUpSecret, app.LookUpNote, app.LookUpMistyped,
		app.LookUpNoName, app.LookUpUnknown, app.LookUpNoAnswer, app.LookUpOffline,
	} {
		keys = append(keys, (&app.LookUpError{Trouble: trouble, Domain: "{{.Domain}}"}).Error())
	}
	return keys
}

// sources are the texts in the program's sources.
type sources struct {
	said     map[string]string // what is handed to lang.L, lang.N or to Words of ui/present: by what
	literals map[string]bool   // all constants
}

func readSources(t *testing.T, dirs ...string) sources {
	t.Helper()
	src := sources{said: map[string]string{}, literals: map[string]bool{}}
	for _, dir := range dirs {
		err := filepath.WalkDir(filepath.Join(testkit.Root(t), dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				src.read(t, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return src
}

func (src sources) read(t *testing.T, path string) {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if text, ok := constant(n); ok {
				src.literals[text] = true
			}
		case *ast.CallExpr:
			by, words := wordsOf(n)
			for _, word := range words {
				if text, ok := constant(word); ok {
					src.said[text] = by
				}
			}
		}
		return true
	})
}

// wordsOf returns the arguments of a call that are said, and by what.
func wordsOf(call *ast.CallExpr) (by string, words []ast.Expr) {
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 {
		return "", nil
	}
	of, _ := fun.X.(*ast.Ident)
	switch name := fun.Sel.Name; {
	case (name == "L" || name == "N") && of != nil && of.Name == "lang":
		return name, call.Args[:1]
	case name == "say":
		return name, call.Args[:1]
	case name == "count" && len(call.Args) == 3: // a number, the words for one, those for more
		return name, call.Args[1:]
	}
	return "", nil
}

func constant(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil && text != ""
}

// reserved are keys that Fyne's translator takes for parts of a message, in any case:
// one of them alone makes it refuse the whole file.
var reserved = []string{"id", "description", "hash", "leftdelim", "rightdelim", "zero", "one", "two", "few", "many", "other"}

func TestFyneTakesAllTranslationsUp(t *testing.T) {
	if err := lang.AddTranslationsFS(assets.Translations, "translations"); err != nil {
		t.Error(err)
	}
	for _, language := range []string{"en", "de"} {
		for key := range readWords(t, language) {
			if slices.Contains(reserved, strings.ToLower(key)) {
				t.Errorf("%s: the key %q is reserved", language, key)
			}
		}
	}
}

func TestEnglishAndGermanSayTheSame(t *testing.T) {
	en, de := readWords(t, "en"), readWords(t, "de")
	for key, forms := range en {
		if len(de[key]) != len(forms) {
			t.Errorf("%q has %d forms in English and %d in German", key, len(forms), len(de[key]))
		}
	}
	for key := range de {
		if en[key] == nil {
			t.Errorf("%q is in German only", key)
		}
	}
}

// claims are, by language, the words that call notes complete and those that say that
// somebody wrote nothing.
var claims = map[string]struct{ complete, absent *regexp.Regexp }{
	"en": {regexp.MustCompile(`(?i)up to date|\bcomplete\b`), regexp.MustCompile(`(?i)(wrote|posted) nothing|nothing was (posted|written)|did not (write|post)`)},
	"de": {regexp.MustCompile(`(?i)neuesten stand|aktuell für|aktuell,|vollständig`), regexp.MustCompile(`(?i)(hat|haben) .*nichts (geschrieben|gepostet)`)},
}

// unclaimed are texts with such words that call no notes complete, or say by whose word in
// what stands with them.
var unclaimed = map[string]string{
	"Checked how complete the notes are":                                                                            "names a step",
	"Checking how complete the notes are":                                                                           "names a step",
	"Could not check how complete the notes are":                                                                    "names a step",
	"The answer is incomplete: the model did not finish.":                                                           "is of an answer",
	"It often ends in /v1. Press Enter when it is complete.":                                                        "is of an address",
	"This key has a typing error. Copy all of it again.":                                                            "is of a key",
	"Upgrading your notes":                                                                                          "is of the format of the store",
	"Not confirmed as complete for anybody":                                                                         "denies it",
	"Nobody's notes of the last day are confirmed as complete.":                                                     "denies it",
	"Nobody's notes of the last {{.N}} days are confirmed as complete.":                                             "denies it",
	"When it is known whom you follow, you see here how complete their notes are.":                                  "promises it",
	"Bowerbird makes a backup on each day that it runs, and found no intact one. Nothing was changed. ({{.Error}})": "is of a backup",
	// The headings of the page of relays: Words.Relays says by whose word below them.
	"Up to date for one person":                 "is a heading",
	"Up to date for all {{.N}} people":          "is a heading",
	"Up to date for {{.Done}} of {{.N}} people": "is a heading",
}

// TestTheWindowClaimsOnlyWhatTheRelaysAskedTell: what it calls complete is so by their
// word, and that nothing is here is not that nothing was written.
func TestTheWindowClaimsOnlyWhatTheRelaysAskedTell(t *testing.T) {
	byWord := regexp.MustCompile(`(?i)relay|\{\{\.AsFar\}\}`)
	for language, c := range claims {
		seen := 0
		for key, forms := range readWords(t, language) {
			for _, text := range forms {
				if c.absent.MatchString(text) {
					t.Errorf("%s: nobody knows that: %q", language, text)
				}
				if !c.complete.MatchString(text) || unclaimed[key] != "" {
					continue
				}
				if seen++; !byWord.MatchString(text) {
					t.Errorf("%s: it is not said by whose word: %q", language, text)
				}
			}
		}
		if seen < 8 {
			t.Errorf("%s: only %d texts are seen to claim anything", language, seen)
		}
	}
}
