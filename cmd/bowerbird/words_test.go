package main

import (
	"strings"
	"testing"

	"bowerbird/llm"
	"bowerbird/ui/present"
)

func TestATerminalSaysWhatIsBehindAnErrorAndWhatToDo(t *testing.T) {
	for name, tt := range map[string]struct {
		err  *llm.Error
		want string
	}{
		"a certificate that is over": {&llm.Error{Kind: llm.KindTransport, Cause: llm.CauseExpired, Message: "m"}, "Check this computer's date and time"},
		"a server that is not there": {&llm.Error{Kind: llm.KindOffline, Cause: llm.CauseNobody, Message: "m"}, "check that it is started"},
		"a cause without words":      {&llm.Error{Kind: llm.KindTransport, Cause: "moon"}, "broke; ask again"},
		"a kind without words":       {&llm.Error{Kind: "moon", Message: "tide\nhigh"}, "the model's server reports an error (tide high)"},
	} {
		if got := present.ErrorWords(tt.err); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q in it", name, got, tt.want)
		}
	}
	for reason, want := range map[string]string{
		"overloaded":              "the model's server is overloaded",
		"transport: EOF":          "the connection to the model's server broke (EOF)",
		"offline":                 "the model's server cannot be reached",
		"no_tool_support: no":     "this model gets its tools described as text (no)",
		"^3 is\tno note: really":  "^3 is no note: really",
		"tool_refused: mcp__x__y": "without mcp__x__y, which the model's provider does not accept",
	} {
		if got := present.WhyAgain(reason); got != want {
			t.Errorf("%q: %q, want %q", reason, got, want)
		}
	}
}

func TestATerminalSaysWhatAToolDoesAsTheWindowDoes(t *testing.T) {
	for tool, want := range map[string]string{
		"query": "searching the notes", "get_profile": "looking at a profile", "random_uuid": "creating an ID",
		"weather\u202e_at": "calling weather_at", // from elsewhere
	} {
		if got := toolLabel(tool); got != want {
			t.Errorf("%q is said as %q, want %q", tool, got, want)
		}
	}
}
