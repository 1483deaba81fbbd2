package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
)

// forbidden lists what must not be used, by "import path.Name" or by bare field
// name, and where it may stand all the same (design: security, "Held by tests").
var forbidden = map[string][]string{
	"net/http.Get":           nil,
	"net/http.Head":          nil,
	"net/http.Post":          nil,
	"net/http.PostForm":      nil,
	"net/http.DefaultClient": nil,
	"net.Dial":               {"netsafe"},
	"net.DialTimeout":        {"netsafe"},
	"net.Dialer":             {"netsafe", "app/instance"}, // to the first window of this computer
	"net.DialUnix":           nil,
	"crypto/tls.Dial":        nil,
	// Of the program itself, and of the MCP servers that the user set up.
	"os/exec.Command":                                {"internal", "cmd/bowerbird/crash.go", "app/mcp/client"},
	"os/exec.CommandContext":                         {"internal", "app/examine"},
	".InsecureSkipVerify":                            nil,
	"fyne.io/fyne/v2/widget.NewRichTextFromMarkdown": nil,
	"fyne.io/fyne/v2/canvas.NewImageFromURI":         nil,
	"fyne.io/fyne/v2.LoadResourceFromURLString":      nil,
}

// forbiddenImports must not be imported, but by the folders named.
var forbiddenImports = map[string][]string{
	"math/rand": nil,
	// Seeded worlds and jitter; nothing there makes a key that anybody would use.
	"math/rand/v2": {"app/sample", "llm", "app/relay", "app/notesync", "app/live/run.go", "internal"},
}

// opener is the one file that has an address opened by the system: it asks first. Others
// call it by one of these names.
const opener = "ui/shell/navigate.go"

var openers = []string{"Go", "nav", "o", "shell"}

// asksOpener reports whether the receiver of an OpenURL is the program's own.
func asksOpener(receiver ast.Expr) bool {
	switch x := receiver.(type) {
	case *ast.Ident:
		return slices.Contains(openers, x.Name)
	case *ast.SelectorExpr:
		return slices.Contains(openers, x.Sel.Name)
	}
	return false
}

func allowedIn(folders []string, rel string) bool {
	for _, f := range folders {
		if rel == f || strings.HasPrefix(rel, f+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

func TestForbiddenCallsStandNowhereButWhereTheyBelong(t *testing.T) {
	root := testkit.Root(t)
	files := 0
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		files++
		checkFile(t, file, rel)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Fatal("no files were looked at")
	}
}

func checkFile(t *testing.T, file, rel string) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{} // local name to import path
	for _, imp := range parsed.Imports {
		p, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if folders, bad := forbiddenImports[p]; bad && !allowedIn(folders, rel) {
			t.Errorf("%s imports %s", rel, p)
		}
		name := path.Base(p)
		if strings.HasPrefix(name, "v") && strings.Trim(name[1:], "0123456789") == "" {
			name = path.Base(path.Dir(p)) // a major version is not part of the name
		}
		if imp.Name != nil {
			name = imp.Name.Name
		}
		names[name] = p
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		var used string
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				used = names[x.Name] + "." + n.Sel.Name
			}
			if n.Sel.Name == "OpenURL" && filepath.ToSlash(rel) != opener && !asksOpener(n.X) {
				t.Errorf("%s: only %s opens addresses", fset.Position(n.Pos()), opener)
			}
			if folders, bad := forbidden["."+n.Sel.Name]; bad && !allowedIn(folders, rel) {
				t.Errorf("%s: %s", fset.Position(n.Pos()), n.Sel.Name)
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok {
				used = "." + key.Name
			}
		}
		if folders, bad := forbidden[used]; bad && used != "" && !allowedIn(folders, rel) {
			t.Errorf("%s: %s is forbidden here", fset.Position(n.Pos()), used)
		}
		return true
	})
}
