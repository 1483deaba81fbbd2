package tools_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
)

// Row 001-1: a tool that is added by following docs/adding-a-tool.md to the letter has
// its schema, reads its arguments, runs, is shown in words, and passes the page's own test
// and those that look at every tool.
func TestAToolAddedByFollowingThePageWorks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the package anew: not beside the race detector")
	}
	root := testkit.Root(t)
	page, err := os.ReadFile(filepath.Join(root, "docs", "adding-a-tool.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := map[string][]string{} // by language
	for _, m := range regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```").FindAllStringSubmatch(string(page), -1) {
		blocks[m[1]] = append(blocks[m[1]], m[2])
	}
	if len(blocks["go"]) < 5 || len(blocks["markdown"]) != 1 {
		t.Fatalf("the page has %d pieces of Go", len(blocks["go"]))
	}
	rows := filepath.Join("..", "ui", "answers", "tools.go")
	files := map[string]string{
		"word_count.md":      blocks["markdown"][0],
		"word_count.go":      blocks["go"][0],
		"word_count_test.go": blocks["go"][3],
		"registry.go":        withLine(t, "registry.go", `New("get_note", `, blocks["go"][1]),
		"contract_test.go":   withLine(t, "contract_test.go", "clean := map[string]bool{", blocks["go"][4]),
		rows:                 withLine(t, rows, "var toolRows = ", blocks["go"][2]),
	}
	replace := map[string]string{}
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, "tools", name)] = path
	}
	raw, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-overlay", overlay, "-v", "-run",
		"^(TestWordsOfANoteAreCounted|TestEachToolNamesItsMissingExtraAndMistypedArguments|TestEverySchemaIs.*|TestToolsWithStrangersTextTaint|TestEachBuiltinToolHasItsRow)$", "./tools", "./ui/answers")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), "--- PASS: Test") != 6 {
		t.Errorf("%v:\n%s", err, out)
	}
}

// withLine returns a file with a line of the page in it: in the place of
// the line that begins like it, or behind the one that holds after.
func withLine(t *testing.T, name, after, line string) string {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(raw), "\n")
	for i, l := range lines {
		if strings.Contains(l, after) {
			if strings.Contains(line, after) {
				lines[i] = ""
			}
			lines[i] += line
			return strings.Join(lines, "")
		}
	}
	t.Fatalf("%s has no line with %q", name, after)
	return ""
}
