package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
)

const module = "bowerbird"

// everything stands for all packages in a row of the import table.
const everything = "everything"

// importTable is the table of docs/architecture.md: for a package, the packages of ours
// that it may import. A trailing ... stands for all below.
type importTable map[string][]string

func readImportTable(t *testing.T) importTable {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rows, found := strings.Cut(string(raw), "| folder | what it holds | may import (our packages) |\n|---|---|---|\n")
	if !found {
		t.Fatal("docs/architecture.md has no import table")
	}
	rows, _, _ = strings.Cut(rows, "\n\n")
	table := importTable{}
	for line := range strings.Lines(rows) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if len(cells) != 3 {
			t.Fatalf("docs/architecture.md: not three cells: %s", line)
		}
		var allowed []string
		if cells[2] != "–" {
			allowed = strings.Split(cells[2], ", ")
		}
		for name := range strings.SplitSeq(cells[0], ", ") {
			table[strings.Trim(name, "`")] = allowed
		}
	}
	return table
}

type pkg struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func (p pkg) name() string { return strings.TrimPrefix(p.ImportPath, module+"/") }

func list(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", "./...")
	cmd.Dir = testkit.Root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func matches(pattern, name string) bool {
	if below, ok := strings.CutSuffix(pattern, "..."); ok {
		return strings.HasPrefix(name+"/", below)
	}
	return pattern == name
}

// row returns the row of a package, and what it may import: the longest row that fits
// counts.
func (t importTable) row(name string) (folder string, allowed []string, found bool) {
	for pattern := range t {
		if matches(pattern, name) && len(pattern) >= len(folder) {
			folder, found = pattern, true
		}
	}
	return folder, t[folder], found
}

func TestEachPackageImportsOnlyWhatTheTableAllows(t *testing.T) {
	table := readImportTable(t)
	for _, p := range list(t) {
		_, allowed, ok := table.row(p.name())
		if !ok {
			t.Errorf("%s has no row in the import table", p.name())
			continue
		}
		for _, imp := range p.Imports {
			name, ours := strings.CutPrefix(imp, module+"/")
			if ours && !slices.ContainsFunc(allowed, func(pattern string) bool { return pattern == everything || matches(pattern, name) }) {
				t.Errorf("%s must not import %s", p.name(), name)
			}
		}
	}
}

func TestTheImportTableAllowsNothingThatIsNotUsed(t *testing.T) {
	table, used := readImportTable(t), map[string][]string{}
	for _, p := range list(t) {
		folder, _, _ := table.row(p.name())
		for _, imp := range p.Imports {
			used[folder] = append(used[folder], strings.TrimPrefix(imp, module+"/"))
		}
	}
	for folder, allowed := range table {
		if _, err := os.Stat(filepath.Join(testkit.Root(t), strings.TrimSuffix(folder, "..."))); err != nil {
			t.Errorf("there is no folder %s", folder)
		}
		for _, pattern := range allowed {
			if pattern != everything && !slices.ContainsFunc(used[folder], func(name string) bool { return matches(pattern, name) }) {
				t.Errorf("%s may import %s and does not", folder, pattern)
			}
		}
	}
}

// Badger links net/http for reasons of its own, so "no network" under ndb and
// tools means: none of our packages that dial, no WebSocket library, and no
// import of net or net/http in the files there.
func TestTheLowRoomsReachNoWindowAndNoNetwork(t *testing.T) {
	for _, p := range list(t) {
		low := matches("ndb/...", p.name()) || matches("tools/...", p.name())
		for _, dep := range p.Deps {
			if strings.HasPrefix(dep, "fyne.io/") && (low || matches("app/...", p.name()) || matches("llm/...", p.name()) || p.name() == "netsafe") {
				t.Errorf("%s reaches the window through %s", p.name(), dep)
			}
			if low && (strings.Contains(dep, "websocket") || dep == module+"/netsafe" || dep == module+"/app/relay") {
				t.Errorf("%s reaches the network through %s", p.name(), dep)
			}
		}
		for _, imp := range p.Imports {
			if low && (imp == "net" || imp == "net/http") {
				t.Errorf("%s imports %s", p.name(), imp)
			}
		}
	}
}

func TestOnlyTheProgramStartsFyne(t *testing.T) {
	for _, p := range list(t) {
		if slices.Contains(p.Imports, "fyne.io/fyne/v2/app") && !matches("cmd/...", p.name()) && p.name() != "internal/e2e/offthread" {
			t.Errorf("%s imports fyne/v2/app: only cmd/ may, and the test of the thread check", p.name())
		}
	}
}
