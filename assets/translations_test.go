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

	"fyne.io/fyne/v2/lang"

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

// TestEveryWordOfTheWindowIsTranslated reads the window's sources for what they say
// with lang.L and lang.N.
func TestEveryWordOfTheWindowIsTranslated(t *testing.T) {
	said := map[string]string{} // by the key: "L" or "N"
	root := testkit.Root(t)
	for _, dir := range []string{"ui", "cmd"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				wordsIn(t, path, said)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(said) < 100 {
		t.Fatalf("only %d words found in the sources", len(said))
	}
	for _, language := range []string{"en", "de"} {
		known := readWords(t, language)
		for key, kind := range said {
			forms, ok := known[key]
			switch {
			case !ok:
				t.Errorf("%s: %q is not translated", language, key)
			case kind == "N" && (forms["one"] == "" || forms["other"] == ""):
				t.Errorf("%s: %q has no form for one and for many", language, key)
			case kind == "L" && len(forms) != 1:
				t.Errorf("%s: %q is said without a count and has plural forms", language, key)
			}
		}
	}
}

func wordsIn(t *testing.T, path string, said map[string]string) {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		fun, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || fun.Sel.Name != "L" && fun.Sel.Name != "N" {
			return true
		}
		if of, ok := fun.X.(*ast.Ident); !ok || of.Name != "lang" {
			return true
		}
		if lit, ok := call.Args[0].(*ast.BasicLit); ok {
			if key, err := strconv.Unquote(lit.Value); err == nil {
				said[key] = fun.Sel.Name
			}
		}
		return true
	})
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
