package answers_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/tools"
	"bowerbird/ui/answers"
)

func TestUnderAnAnswerItIsSaidAsOfWhenAndByWhoseWordItIsComplete(t *testing.T) {
	const (
		builtin = "builtin:digest"
		scope   = `"scope":{"context":"home","since":"2026-05-01T00:00:00Z","until":"2026-05-04T18:00:00Z"}`
		most    = `{"complete":97,"partly":2,"unreachable":6,"one_relay":3,"as_of":"2026-05-04T13:45:00Z"}`
		asOf    = " | Complete as of Mon 13:45. A note that reached its relay after that, with an older date, may be missing."
		alone   = " | For 3 people, only one relay confirms this: another that was asked did not."
		lacking = "Up to date for 97 of the 105 people you follow, according to the relays asked."
		rest    = " | 2 are confirmed only in part. | 6 could not be reached."
	)
	for name, tt := range map[string]struct{ model, tool, found, says string }{
		"some are missing":         {"ollama:m", "query", `"coverage":` + most, lacking + alone + rest + asOf},
		"as the tool says":         {"ollama:m", "coverage", `"summary":` + most, lacking + alone + rest + asOf},
		"nobody is":                {"ollama:m", "query", `"coverage":{"complete":97,"as_of":"2026-05-04T13:45:00Z"}`, "Up to date for all 97 people you follow, according to the relays asked." + asOf},
		"of the last minutes":      {"ollama:m", "query", `"coverage":{"complete":97,"as_of":"2026-05-04T13:45:00Z","known_until":"2026-05-04T13:45:00Z"}`, "Up to date for all 97 people you follow, according to the relays asked. | Known up to Mon 13:45; newer notes have not been requested yet." + asOf},
		"it is made up":            {"ollama:m", "query", `"coverage":{"complete":48,"sample":true}`, "This is the sample: its notes are made up, and no relay is asked."},
		"nothing is known":         {"ollama:m", "query", `"coverage":{}`, "Nothing has been fetched yet for the people you follow, so it is not known what is missing."},
		"before it was known when": {"ollama:m", "query", `"coverage":{"complete":97}`, "Up to date for all 97 people you follow, according to the relays asked."},
		"the digest says it":       {builtin, "coverage", `"summary":` + most, lacking + rest},
		"another answer of it":     {builtin, "query", `"coverage":` + most, lacking + alone + rest + asOf},
	} {
		t.Run(name, func(t *testing.T) {
			asm := answers.NewAssembler(answers.Turn{Number: 1, Question: "q", Asked: time.Date(2026, 5, 4, 18, 0, 0, 0, time.UTC), Model: tt.model}, nil)
			for _, e := range []agent.Event{
				{Step: 1, Type: agent.EventToolCall, ID: "c", Name: tt.tool, Arguments: json.RawMessage(`{}`)},
				{Step: 1, Type: agent.EventToolResult, ID: "c", Name: tt.tool, Result: agent.RawResult("{" + scope + "," + tt.found + "}")},
				{Step: 1, Type: agent.EventText, Delta: "Little."},
				{Step: 1, Type: agent.EventFinish, Finish: "stop"},
			} {
				asm.Add(t.Context(), e)
			}
			c := find[*answers.Coverage](asm.Turn())
			if c == nil || english(c.Words) != tt.says {
				t.Fatalf("it says\n%v\nwant\n%s", c, tt.says)
			}
			if copied := asm.Turn().Markdown(answers.English); !strings.Contains(copied, "\n*Bowerbird: ") || !strings.Contains(copied, tools.PlainMarkdown(c.Summary.Note)) {
				t.Errorf("copied without its coverage:\n%s", copied)
			}
		})
	}
}
