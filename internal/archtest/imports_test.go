package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
)

const module = "bowerbird"

// mayImport is the table of docs/architecture.md: for a package, the packages of
// ours that it may import. A trailing ... stands for all below. The longest row
// that fits counts.
var mayImport = map[string][]string{
	"assets":               {},
	"ndb":                  {"ndb/..."},
	"ndb/bech32":           {},
	"ndb/clean":            {},
	"ndb/coverage":         {"ndb/nostr"},
	"ndb/nostr":            {"ndb/bech32", "ndb/clean"},
	"ndb/rawread":          {},
	"ndb/search":           {"ndb/nostr"},
	"tools":                {"ndb", "ndb/coverage", "ndb/search", "ndb/nostr", "ndb/clean", "tools/chartspec"},
	"tools/chartspec":      {},
	"tools/tooltest":       {"ndb", "ndb/nostr", "tools"},
	"netsafe":              {},
	"app/pictures":         {"netsafe"},
	"app/relay":            {"netsafe", "ndb/nostr"},
	"app/notesync":         {"ndb", "ndb/coverage", "ndb/nostr", "app/relay", "netsafe"},
	"llm":                  {"netsafe", "llm/..."},
	"llm/internal/jsonfix": {},
	"llm/textcall":         {"llm/internal/jsonfix"},
	"app/sentence":         {},
	"app/check":            {"app/sentence"},
	"app/agent":            {"tools", "llm", "app/check"},
	"app/agent/agenttest":  {"app/agent", "llm", "tools"},
	"app/builtin":          {"llm", "tools", "ndb/search", "ndb/nostr", "ndb/clean", "app/sentence", "app/builtin/..."},
	"app/builtin/language": {"app/builtin/question", "app/builtin/words"},
	"app/builtin/question": {"tools"},
	"app/builtin/words":    {"app/builtin/question"},
	"app/chats":            {"ndb", "ndb/nostr", "ndb/clean", "llm", "app/agent", "app/check", "tools"},
	"app/account":          {"ndb/nostr", "app/relay", "netsafe"},
	"app/autostart":        {},
	"app/config":           {},
	"app/examine":          {"ndb"},
	"app/models":           {"app/agent", "app/config", "llm", "llm/textcall", "netsafe"},
	"app/state":            {"ndb", "ndb/nostr"},
	"app/upkeep":           {"app/account", "app/config", "app/examine", "app/models", "app/state", "ndb", "ndb/nostr", "ndb/clean"},
	"app/instance":         {"ndb/nostr"},
	"app/live":             {"app/account", "app/config", "app/notesync", "app/relay", "app/state", "app/upkeep", "ndb", "ndb/coverage", "ndb/nostr", "ndb/clean", "netsafe"},
	"app/sample":           {"assets", "ndb/nostr", "app/sample/actor"},
	"app/sample/actor":     {"ndb/nostr", "ndb/bech32"},
	"app":                  {"app/...", "llm", "netsafe", "tools/...", "ndb", "ndb/coverage", "ndb/nostr", "ndb/clean", "assets"},
	// Of the packages below app/ and of llm it is the types and what they hold that the
	// window names; all that is done, app does for it.
	"ui/...":                   {"ui/...", "app", "app/agent", "app/builtin", "app/chats", "app/check", "app/config", "app/live", "app/models", "app/notesync", "app/pictures", "app/upkeep", "llm", "tools", "tools/chartspec", "ndb", "ndb/coverage", "ndb/search", "ndb/nostr", "ndb/clean", "assets"},
	"ui/screen/screentest":     {"ui/...", "app", "app/config", "ndb/nostr", "internal/testkit"},
	"cmd/...":                  {"..."},
	"internal/testkit":         {},
	"internal/testworld":       {"app/sample", "app/sample/actor", "ndb/nostr"},
	"internal/worldgen":        {"internal/testworld"},
	"internal/storebench":      {"internal/testworld", "ndb", "ndb/search", "ndb/nostr"},
	"internal/storebench/draw": {"tools/chartspec", "ui/chart"},
	"internal/archtest":        {},
	"internal/benchtable":      {},
	"internal/e2e/...":         {"..."},
	"internal/shots":           {"..."},
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

func row(name string) ([]string, bool) {
	best, found := "", false
	for pattern := range mayImport {
		if matches(pattern, name) && len(pattern) >= len(best) {
			best, found = pattern, true
		}
	}
	return mayImport[best], found
}

func TestEachPackageImportsOnlyWhatTheTableAllows(t *testing.T) {
	for _, p := range list(t) {
		allowed, ok := row(p.name())
		if !ok {
			t.Errorf("%s has no row in the import table", p.name())
			continue
		}
		for _, imp := range p.Imports {
			name, ours := strings.CutPrefix(imp, module+"/")
			if ours && !slices.ContainsFunc(allowed, func(pattern string) bool { return matches(pattern, name) }) {
				t.Errorf("%s must not import %s", p.name(), name)
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
