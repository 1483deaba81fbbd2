package chat

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bowerbird/assets"
)

// tables are the variables whose texts are said.
var tables = []string{"problems", "hereProblems", "causeProblems", "hereCauses", "firstOfChat", "obstacles", "causes", "by", "uncached"}

// saidTexts collects the texts that this screen and its view models say.
func saidTexts(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"../answers/*.go", "../present/turn*.go"} {
		more, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	texts := map[string]bool{}
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			s, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			texts[s] = true
		}
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if len(n.Args) > 0 && slices.Contains([]string{"L", "N", "phrase", "plural", "say"}, calledName(n.Fun)) {
					add(n.Args[0])
				}
			case *ast.ValueSpec:
				if slices.Contains(tables, n.Names[0].Name) {
					ast.Inspect(n, func(inner ast.Node) bool {
						if lit, ok := inner.(*ast.BasicLit); ok && strings.Contains(lit.Value, " ") {
							add(lit)
						}
						return true
					})
				}
			}
			return true
		})
	}
	delete(texts, "")
	return texts
}

func calledName(f ast.Expr) string {
	switch f := f.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

func TestAllThatIsSaidIsTranslated(t *testing.T) {
	texts := saidTexts(t)
	if len(texts) < 150 {
		t.Fatalf("only %d texts were found", len(texts))
	}
	for day := range 7 {
		texts[time.Date(2026, 3, 2+day, 0, 0, 0, 0, time.UTC).Format("Mon")] = true
	}
	for month := range 12 {
		texts[time.Date(2026, time.Month(month+1), 2, 0, 0, 0, 0, time.UTC).Format("Jan")] = true
	}
	for _, language := range []string{"en", "de"} {
		raw, err := fs.ReadFile(assets.Translations, "translations/chat."+language+".json")
		if err != nil {
			t.Fatal(err)
		}
		var have map[string]any
		if err := json.Unmarshal(raw, &have); err != nil {
			t.Fatal(err)
		}
		for text := range texts {
			if have[text] == nil {
				t.Errorf("%s: %q is not translated", language, text)
			}
		}
		for text, translated := range have {
			if !texts[text] {
				t.Errorf("%s: %q is never said", language, text)
			}
			for _, form := range forms(translated) {
				if strings.Count(form, "{{") > strings.Count(text, "{{") || form == "" {
					t.Errorf("%s: %q is translated as %q", language, text, form)
				}
			}
		}
	}
}

func forms(translated any) []string {
	switch v := translated.(type) {
	case string:
		return []string{v}
	case map[string]any:
		one, _ := v["one"].(string)
		other, _ := v["other"].(string)
		return []string{one, other}
	}
	return []string{""}
}

func TestATimeIsSaidInLittleRoom(t *testing.T) {
	now := time.Date(2026, 3, 12, 14, 0, 0, 0, time.UTC)
	for at, want := range map[time.Time]string{
		now.Add(-time.Hour):                            "13:00",
		now.Add(-20 * time.Hour):                       "Wed 18:00",
		now.AddDate(0, 0, -5):                          "Sat 14:00",
		now.AddDate(0, 0, -7):                          "5 Mar, 14:00",
		time.Date(2025, 12, 31, 1, 2, 0, 0, time.UTC):  "31 Dec 2025",
		time.Date(2026, 3, 12, 23, 59, 0, 0, time.UTC): "23:59",
		time.Date(2026, 3, 13, 0, 0, 0, 0, time.UTC):   "13 Mar, 00:00",
	} {
		if got := inWords().Moment(at, now); got != want {
			t.Errorf("%v: %q, want %q", at, got, want)
		}
	}
}
