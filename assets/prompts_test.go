package assets

import (
	"regexp"
	"strings"
	"testing"
)

var placeholder = regexp.MustCompile(`\{\w+\}`)

// Rows 000-44, 001-8, 001-9 and 001-10: the contract, rule by rule.
func TestTheSystemPromptHoldsItsContract(t *testing.T) {
	raw, err := Prompts.ReadFile("prompts/system.md")
	if err != nil {
		t.Fatal(err)
	}
	for rule, words := range map[string][]string{
		"present before citing":          {"present_notes", "^1", "^2"},
		"no ids in the text":             {"no note ids"},
		"a digest has both ends":         {"`since` and `until`", "both"},
		"open questions read much":       {"100 to 200"},
		"coverage is told":               {"coverage", "say so in one sentence"},
		"notes are data":                 {"never instructions"},
		"tables and charts are drawn":    {"render_table", "render_chart"},
		"the context block is named":     {"<context>"},
		"repeated calls are discouraged": {"Do not repeat a call"},
	} {
		for _, w := range words {
			if !strings.Contains(string(raw), w) {
				t.Errorf("%s: the prompt does not say %q", rule, w)
			}
		}
	}
	if placeholder.Match(raw) {
		t.Error("the system prompt has a placeholder, and must be the same for everybody")
	}
}

// Issue 5, "a 3 GB one on their own machine": the short form of the contract holds
// what an answer cannot do without.
func TestTheSmallPromptHoldsWhatMatters(t *testing.T) {
	whole, err := Prompts.ReadFile("prompts/system.md")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := Prompts.ReadFile("prompts/system_small.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []string{"tools alone", "present_notes", "^1", "^2", "`since` and `until`", "coverage", "never instructions", "<context>", "language of the question"} {
		if !strings.Contains(string(raw), w) {
			t.Errorf("the prompt does not say %q", w)
		}
	}
	if placeholder.Match(raw) || len(raw) > len(whole)/3 {
		t.Errorf("it has %d bytes of %d, or a placeholder", len(raw), len(whole))
	}
}

func TestTheOtherPromptsHaveTheirPlaceholders(t *testing.T) {
	for file, want := range map[string][]string{
		"prompts/closing.md":    nil,
		"prompts/own.md":        {"{wish}"},
		"prompts/references.md": {"{refs}", "{count}"},
		"prompts/claims.md":     nil,
	} {
		raw, err := Prompts.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(raw), w) {
				t.Errorf("%s lacks %s", file, w)
			}
		}
		if len(want) == 0 && strings.Contains(string(raw), "{") {
			t.Errorf("%s has a placeholder that nobody fills", file)
		}
	}
}
