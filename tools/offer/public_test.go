package offer

import (
	"os"
	"slices"
	"strings"
	"testing"

	"bowerbird/tools"
)

// publicFloor is how many of the 60 questions found their tool among the first five when they
// were asked for the first time.
const publicFloor = 47

// The index was not made for these questions, so how many it answers is how good it is. Who
// changes the index may raise the floor, but should not look at the questions.
func TestToolsOfPublicServersAreFoundByStrangersQuestions(t *testing.T) {
	lines := func(file string) []string {
		raw, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(strings.Split(strings.TrimSpace(string(raw)), "\n"), func(l string) bool { return strings.HasPrefix(l, "#") })
	}
	var public []tools.Spec
	for _, l := range lines("public_tools.txt") {
		tool, description, _ := strings.Cut(l, ": ")
		server, name, _ := strings.Cut(tool, " ")
		public = append(public, spec(server, name, description))
	}
	x := NewIndex(public)
	right, of := make(map[string]int), make(map[string]int)
	all := 0
	for _, l := range lines("public_questions.txt") {
		parts := strings.Split(l, " | ")
		of[parts[0]]++
		var got []string
		for _, h := range x.Search(parts[1], 5) {
			got = append(got, strings.Replace(strings.TrimPrefix(h.Spec.Name, "mcp__"), "__", "/", 1))
		}
		if slices.ContainsFunc(strings.Fields(parts[2]), func(want string) bool { return slices.Contains(got, want) }) {
			right[parts[0]]++
			all++
			continue
		}
		t.Logf("%s finds %v", l, got)
	}
	t.Logf("%d: %v of %v", all, right, of)
	if len(public) != 115 || all < publicFloor {
		t.Errorf("%d questions find their tool among %d, want %d among 115", all, len(public), publicFloor)
	}
}
