package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
)

// featureRows are the rows of features.md in the design that hold, by topic: each has a
// test that names it.
var featureRows = map[string]string{
	"a tool": "000-18 001-1 001-2 001-4 001-5 001-6 001-7 001-10 001-12 002-33 002-36 002-44 002-52",

	"the prompt and its cache":    "000-33 000-43 000-44 000-46 000-47 000-48 000-49 000-50 000-51 000-52 000-53 000-54 001-8 001-9 001-11",
	"the turn":                    "000-55 002-48 002-49 002-50 002-51 001-3 001-14",
	"models and their settings":   "000-56 002-1 002-2 002-4 002-46 002-47",
	"formats and names of calls":  "003-15 003-16 003-17 003-18 003-19 003-26 004-11 004-12 004-13",
	"what the window shows of it": "000-45 003-25 001-13",
}

// TestEveryFeatureRowIsNamedByATest keeps a row from losing its test unseen: the comment
// of some test names it.
func TestEveryFeatureRowIsNamedByATest(t *testing.T) {
	named := rowsInTests(t)
	for topic, rows := range featureRows {
		for row := range strings.FieldsSeq(rows) {
			if !named[row] {
				t.Errorf("%s: no test names row %s", topic, row)
			}
		}
	}
}

var rowNumber = regexp.MustCompile(`\b00[0-9]-[0-9]{1,2}\b`)

// rowsInTests returns the rows that comments of tests name.
func rowsInTests(t *testing.T) map[string]bool {
	t.Helper()
	named := map[string]bool{}
	err := filepath.WalkDir(testkit.Root(t), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(f.Name.Name, "Test") {
				continue
			}
			for _, row := range rowNumber.FindAllString(f.Doc.Text(), -1) {
				named[row] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return named
}
