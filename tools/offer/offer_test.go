package offer

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"bowerbird/tools"
)

// Row 004-17.
func TestHowManyToolsAreDescribedAtOnce(t *testing.T) {
	for _, c := range []struct {
		model string
		local bool
		want  int
	}{
		{"qwen3:4b", true, 2},
		{"gemma3:1b", true, 2},
		{"phi-3.5-mini-3.8b-instruct", true, 2},
		{"llama3.2:6.9b", true, 2},
		{"mistral:7b", true, 5},
		{"mistral-7b-instruct-v0.3", true, 5},
		{"qwen3:8b-q4_K_M", true, 5},
		{"gpt-oss:20b", true, 5},
		{"qwen3-30b-a3b", true, 5},
		{"Qwen3-30B-A3B-Instruct", false, 5},
		{"qwen3:32b", true, 10},
		{"mixtral-8x7b", true, 10},
		{"llama-3.3-70b-versatile", false, 10},
		{"gpt-oss-120b", false, 10},
		{"claude-sonnet-4-5", false, 10},
		{"gpt-4o", false, 10},
		{"my-model", true, 2},
		{"", false, 10},
	} {
		if got := AtOnce(c.model, c.local); got != c.want {
			t.Errorf("%s: %d, want %d", c.model, got, c.want)
		}
	}
}

func spec(server, name, description string, args ...string) tools.Spec {
	props := map[string]any{}
	for _, a := range args {
		props[a] = map[string]string{"type": "string"}
	}
	schema, _ := json.Marshal(map[string]any{"type": "object", "properties": props})
	return tools.Spec{Name: "mcp__" + server + "__" + name, Source: "mcp:" + server, Description: description, Schema: schema}
}

var all = []tools.Spec{
	spec("files", "read_text_file", "Read the complete contents of a file from the file system as text.", "path", "head", "tail"),
	spec("files", "write_file", "Create a new file or completely overwrite an existing file with new content.", "path", "content"),
	spec("files", "search_files", "Recursively search for files and directories matching a pattern.", "path", "pattern"),
	spec("files", "move_file", "Move or rename files and directories.", "source", "destination"),
	spec("weather", "get_forecast", "Weather forecast for a place.", "city", "days"),
	spec("weather", "get_alerts", "Warnings of storms and floods that are in force.", "state"),
	spec("calendar", "createEvent", "Puts an appointment into the calendar.", "title", "start", "end"),
	spec("memory", "create_entities", "Create multiple new entities in the knowledge graph.", "entities"),
}

// Each part of what is said about a tool finds it: its name, a part of its name, its
// description, an argument, its server.
func TestToolsAreFound(t *testing.T) {
	x := NewIndex(all)
	for question, want := range map[string]string{
		"what will the weather be in Lisbon":     "mcp__weather__get_forecast",
		"are there storm warnings":               "mcp__weather__get_alerts",
		"read the file notes.txt":                "mcp__files__read_text_file",
		"rename my old files":                    "mcp__files__move_file",
		"make an appointment for Tuesday":        "mcp__calendar__createEvent",
		"event":                                  "mcp__calendar__createEvent",
		"put something into the knowledge graph": "mcp__memory__create_entities",
		"overwrite":                              "mcp__files__write_file",
		"fore":                                   "mcp__weather__get_forecast",
		"destination":                            "mcp__files__move_file",
	} {
		found := x.Search(question, 3)
		if len(found) == 0 || found[0].Spec.Name != want {
			t.Errorf("%q finds %v, want %s", question, found, want)
		}
	}
	for _, question := range []string{"", "the a of", "Who follows whom?", "xyzzy"} {
		if found := x.Search(question, 3); len(found) > 0 {
			t.Errorf("%q finds %s (%.1f)", question, found[0].Spec.Name, found[0].Score)
		}
	}
	if n := len(x.Search("file", 2)); n != 2 {
		t.Errorf("%d found, want 2", n)
	}
}

// manyTools are 500 tools of public and of made-up servers.
func manyTools(tb testing.TB) []tools.Spec {
	tb.Helper()
	raw, err := os.ReadFile("testdata/tools.txt")
	if err != nil {
		tb.Fatal(err)
	}
	var many []tools.Spec
	for line := range strings.Lines(string(raw)) {
		before, after, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if server, name, one := strings.Cut(before, " "); one {
			many = append(many, spec(server, name, after, "path"))
			continue
		}
		for _, thing := range strings.Split(after, ", ") {
			for verb, does := range map[string]string{
				"create": "Create a new %s.", "list": "List every %s.", "get": "Get one %s with all its details.", "search": "Search for a %s by its text.",
				"update": "Update a %s that exists.", "delete": "Delete a %s for good.",
			} {
				many = append(many, spec(before, verb+"_"+thing, fmt.Sprintf(does, strings.ReplaceAll(thing, "_", " ")), "id", "limit"))
			}
		}
	}
	for i := range 500 - len(many) {
		many = append(many, spec(fmt.Sprint("lab", i%4), fmt.Sprintf("probe_%c%c", 'a'+i%26, 'a'+i/26), "Takes a probe and reports its figures.", "sample"))
	}
	return many
}

// The right tool is among the first five, in each of six languages. The questions in even
// lines are counted apart: look at those in odd lines only when the index is changed.
func TestTheRightToolIsFoundInSixLanguages(t *testing.T) {
	raw, err := os.ReadFile("testdata/questions.txt")
	if err != nil {
		t.Fatal(err)
	}
	x := NewIndex(manyTools(t))
	var right, of [2]int
	line := 0
	for l := range strings.Lines(string(raw)) {
		parts := strings.Split(strings.TrimSpace(l), " | ")
		if len(parts) != 7 {
			continue
		}
		line++
		for _, q := range parts[1:] {
			hits := x.Search(q, 5)
			of[line%2]++
			if slices.ContainsFunc(hits, func(h Hit) bool { return h.Spec.Name == "mcp__"+parts[0] }) {
				right[line%2]++
				continue
			}
			var got []string
			for _, h := range hits {
				got = append(got, h.Spec.Name)
			}
			t.Logf("line %d, %s: %s finds %v", line, parts[0], q, got)
		}
	}
	t.Logf("seen: %d of %d; unseen: %d of %d", right[1], of[1], right[0], of[0])
	if all := of[0] + of[1]; all != 120 || (right[0]+right[1])*100 < 95*all {
		t.Errorf("%d of %d", right[0]+right[1], all)
	}
}

// Row 003-23: each thing that is said about a tool finds it.
func TestEachFieldIsSearched(t *testing.T) {
	x := NewIndex(append(manyTools(t), tools.Spec{
		Name: "mcp__owlery__hoot", Title: "Nightcall", Description: "Summons birds.", Source: "mcp:owlery", Effect: tools.Publishes,
		Category: "woodland", Aliases: []string{"hululer"}, Schema: json.RawMessage(`{"properties":{"plumage":{}}}`),
	}))
	for _, word := range []string{"owlery", "hoot", "nightcall", "summons", "publishes", "woodland", "hululer", "plumage"} {
		if hits := x.Search(word, 1); len(hits) == 0 || hits[0].Spec.Name != "mcp__owlery__hoot" {
			t.Errorf("%s finds %v", word, hits)
		}
	}
}

func BenchmarkIndexFiveHundredTools(b *testing.B) {
	many := manyTools(b)
	for b.Loop() {
		NewIndex(many)
	}
}

func BenchmarkSearchFiveHundredTools(b *testing.B) {
	x := NewIndex(manyTools(b))
	for b.Loop() {
		x.Search("which files changed in my notes folder since yesterday", 10)
	}
}
