package archtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
)

// maxDirect is how many modules may be depended on directly.
const maxDirect = 30

func goList(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = testkit.Root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(lines)
	return slices.DeleteFunc(slices.Compact(lines), func(s string) bool { return strings.TrimSpace(s) == "" })
}

func TestEveryDependencyIsListedWithItsReasonAndItsLicence(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", "dependencies.md"))
	if err != nil {
		t.Fatal(err)
	}
	doc := string(raw)
	direct := goList(t, "-m", "-f", "{{if not (or .Main .Indirect)}}{{.Path}}{{end}}", "all")
	if len(direct) > maxDirect {
		t.Errorf("%d direct dependencies, at most %d", len(direct), maxDirect)
	}
	for _, path := range direct {
		if !strings.Contains(doc, "\n| "+path+" | ") {
			t.Errorf("docs/dependencies.md gives no reason for %s", path)
		}
	}
	for _, module := range goList(t, "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} | {{.Version}}{{end}}{{end}}", "./cmd/...") {
		if !strings.Contains(doc, "\n| "+module+" | ") {
			t.Errorf("docs/dependencies.md does not list %s with its licence", module)
		}
	}
}
