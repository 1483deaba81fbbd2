package llm

import (
	"strings"
	"testing"
)

// Work that grows with the square of the text takes minutes here, and else no time.
func TestThinkingIsPartedInTimeThatGrowsWithTheText(t *testing.T) {
	const size = 4 << 20
	for _, test := range []struct {
		name, unit string
		opened     bool
		piece      int
	}{
		{"thinking that was opened and never closes, in pieces", "thinks ", true, 16},
		{"white space before it, in pieces", " \n", true, 16},
		{"white space in it", "<think> ", false, 16},
		{"messages of harmony at once", "<|channel|>final<|message|>a<|end|>", false, size},
		{"messages that end in other marks", "<|start|>assistant<|channel|>analysis<|message|>a<|return|>", false, size},
		{"headers without a body", "<|channel|>final<|start|>", false, size},
	} {
		t.Run(test.name, func(t *testing.T) {
			answer, thinking := split(test.opened, strings.Repeat(test.unit, size/len(test.unit)), test.piece)
			if answer+thinking == "" && strings.TrimSpace(test.unit) != "<think>" {
				t.Error("nothing was said")
			}
		})
	}
}

// What is found in an answer is put together once, however much comes in one piece.
func TestCallsAreTakenOutInTimeThatGrowsWithTheText(t *testing.T) {
	calls := newTextCalls([]Tool{{Name: "query"}}, chatFamily{}, "hermes")
	const message, times = "<|channel|>final<|message|>a<|end|><|channel|>analysis<|message|>b<|end|>", 50_000
	answer, thinking := calls.add(strings.Repeat(message, times))
	more, thought := calls.end()
	if len(answer+more) != times || len(thinking+thought) != times {
		t.Errorf("got %d and %d bytes", len(answer+more), len(thinking+thought))
	}
}
