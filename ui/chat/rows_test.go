package chat

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEveryBlockIsShownByAKindOfRow(t *testing.T) {
	rows, err := os.ReadFile("rows.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../answers/*.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "Key" {
				continue
			}
			star, ok := f.Recv.List[0].Type.(*ast.StarExpr)
			if !ok {
				continue
			}
			blocks++
			if block := star.X.(*ast.Ident).Name; strings.Count(string(rows), "(*answers."+block+")(nil),") != 1 {
				t.Errorf("no kind of rows, or more than one, shows a %s", block)
			}
		}
	}
	if blocks < 14 {
		t.Errorf("only %d blocks were found", blocks)
	}
}
