package offer

import (
	"os"
	"slices"
	"strings"
	"testing"

	"bowerbird/tools"
)

// Strangers wrote these questions, so how many find their tool among the first five is how
// good the index is. The first time, 47 of the public ones did; synonyms were added after
// that, and the fresh ones were asked when that was done: 88, and 81 without the change. Whoever
// changes the index may raise the floors, but should not look at the fresh questions.
func TestToolsOfPublicServersAreFoundByStrangersQuestions(t *testing.T) {
	for _, set := range []struct {
		name             string
		tools, of, floor int
	}{
		{"public", 115, 60, 58},
		{"fresh", 181, 120, 88},
	} {
		x, n := publicIndex(t, set.name)
		right := make(map[string]int)
		all, asked := 0, 0
		for _, l := range linesOf(t, set.name+"_questions.txt") {
			parts := strings.Split(l, " | ")
			asked++
			found := slices.ContainsFunc(x.Search(parts[1], 5), func(h Hit) bool {
				tool := strings.Replace(strings.TrimPrefix(h.Spec.Name, "mcp__"), "__", "/", 1)
				return slices.Contains(strings.Fields(parts[2]), tool)
			})
			if found {
				right[parts[0]]++
				all++
			}
		}
		t.Logf("%s: %d of %d: %v", set.name, all, asked, right)
		if n != set.tools || asked != set.of || all < set.floor {
			t.Errorf("%s: %d of %d questions find their tool among %d, want %d of %d among %d", set.name, all, asked, n, set.floor, set.of, set.tools)
		}
	}
}

func publicIndex(t *testing.T, set string) (x *Index, n int) {
	t.Helper()
	var public []tools.Spec
	for _, l := range linesOf(t, set+"_tools.txt") {
		tool, description, _ := strings.Cut(l, ": ")
		server, name, _ := strings.Cut(tool, " ")
		public = append(public, spec(server, name, description))
	}
	return NewIndex(public), len(public)
}

// linesOf returns the lines of a test file that are no comments.
func linesOf(t *testing.T, file string) []string {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(string(raw)), "\n"), func(l string) bool { return strings.HasPrefix(l, "#") })
}
