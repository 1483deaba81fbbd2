package note

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
	"time"

	"bowerbird/app/pictures"
	"bowerbird/internal/testkit"
)

// TestEveryWordIsThereInEnglishAndGerman reads the sources of the card and of its
// values for what they say, and the translations for it.
func TestEveryWordIsThereInEnglishAndGerman(t *testing.T) {
	root := testkit.Root(t)
	notes, err := filepath.Glob(filepath.Join(root, "ui", "note", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ago", "article", "build", "content", "kinds", "media", "profile", "words"} {
		notes = append(notes, filepath.Join(root, "ui", "present", name+".go"))
	}
	keys := said(t, notes)
	for m := time.January; m <= time.December; m++ {
		keys = append(keys, m.String(), m.String()[:3])
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		keys = append(keys, d.String())
	}
	for _, trouble := range []pictures.Trouble{
		pictures.BadAddress, pictures.NotFound, pictures.NoAnswer, pictures.Offline,
		pictures.TooLarge, pictures.NotAPicture, pictures.Damaged, pictures.TooSlow,
	} {
		keys = append(keys, string(trouble))
	}
	if len(keys) < 90 {
		t.Fatalf("only %d words found in the sources", len(keys))
	}
	place := regexp.MustCompile(`\{\{\.\w+\}\}`)
	for _, language := range []string{"en", "de"} {
		raw, err := os.ReadFile(filepath.Join(root, "assets", "translations", "note."+language+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var words map[string]string
		if err := json.Unmarshal(raw, &words); err != nil {
			t.Fatal(err)
		}
		for _, key := range keys {
			got, ok := words[key]
			if !ok {
				t.Errorf("%s: %q is not translated", language, key)
				continue
			}
			if a, b := place.FindAllString(key, -1), place.FindAllString(got, -1); !slices.Equal(a, b) {
				t.Errorf("%s: %q has the places %q, %q has %q", language, key, a, got, b)
			}
			if language == "en" && got != key {
				t.Errorf("en: %q is said as %q", key, got)
			}
		}
		for key := range words {
			if !slices.Contains(keys, key) {
				t.Errorf("%s: nobody says %q", language, key)
			}
		}
	}
}

// said returns the texts that sources hand to say.
func said(t *testing.T, files []string) []string {
	t.Helper()
	var keys []string
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
			if !ok || len(call.Args) == 0 || !isSay(call.Fun) {
				return true
			}
			if lit, ok := call.Args[0].(*ast.BasicLit); ok {
				if key, err := strconv.Unquote(lit.Value); err == nil && !slices.Contains(keys, key) {
					keys = append(keys, key)
				}
			}
			return true
		})
	}
	return keys
}

func isSay(f ast.Expr) bool {
	switch f := f.(type) {
	case *ast.Ident:
		return f.Name == "say"
	case *ast.SelectorExpr:
		return f.Sel.Name == "say"
	}
	return false
}
