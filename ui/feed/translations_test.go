package feed

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
)

// TestEveryWordIsThereInEnglishAndGerman reads the sources for what they say, and
// the translations for it.
func TestEveryWordIsThereInEnglishAndGerman(t *testing.T) {
	root := testkit.Root(t)
	keys := said(t, filepath.Join(root, "ui", "feed"))
	if len(keys) < 80 {
		t.Fatalf("only %d words found in the sources", len(keys))
	}
	place := regexp.MustCompile(`\{\{\.\w+\}\}`)
	for _, language := range []string{"en", "de"} {
		raw, err := os.ReadFile(filepath.Join(root, "assets", "translations", "feed."+language+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var words map[string]any
		if err := json.Unmarshal(raw, &words); err != nil {
			t.Fatal(err)
		}
		for key, plural := range keys {
			text, single := words[key].(string)
			if forms, ok := words[key].(map[string]any); ok && plural {
				text, single = forms["other"].(string)
				if forms["one"] == nil || forms["one"] == "" {
					t.Errorf("%s: %q has no form for one", language, key)
				}
			} else if plural {
				single = false
			}
			if !single || text == "" {
				t.Errorf("%s: %q is not translated", language, key)
				continue
			}
			a, b := place.FindAllString(key, -1), place.FindAllString(text, -1)
			slices.Sort(a)
			slices.Sort(b)
			if !slices.Equal(a, b) {
				t.Errorf("%s: %q has the places %q, %q has %q", language, key, a, text, b)
			}
			if language == "en" && text != key {
				t.Errorf("en: %q is said as %q", key, text)
			}
		}
		for key := range words {
			if _, ok := keys[key]; !ok {
				t.Errorf("%s: nobody says %q", language, key)
			}
		}
	}
}

// said returns the texts that the sources of a folder hand to lang.L and lang.N,
// and which of them have plural forms.
func said(t *testing.T, dir string) map[string]bool {
	t.Helper()
	keys := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			fun, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := fun.X.(*ast.Ident)
			if !ok || pkg.Name != "lang" || fun.Sel.Name != "L" && fun.Sel.Name != "N" {
				return true
			}
			lit, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				t.Errorf("%s: words that are no constant", name)
				return true
			}
			key, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			keys[key] = keys[key] || fun.Sel.Name == "N"
			return true
		})
	}
	return keys
}
