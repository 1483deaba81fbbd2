package textcall

import (
	"strings"
	"testing"
)

// parted reads a text without calls in pieces of a size.
func parted(o Options, text string, size int) (answer, thinking string) {
	o.NoCalls = true
	s := New(o)
	defer s.Close()
	var said [2]strings.Builder
	take := func(events []Event) {
		for _, e := range events {
			said[e.Kind].WriteString(e.Delta)
		}
	}
	for len(text) > 0 {
		n := min(size, len(text))
		take(s.Add(text[:n]))
		text = text[n:]
	}
	take(s.End(true))
	return said[Text].String(), said[Reasoning].String()
}

func TestThinkingAtTheStartIsPartedFromTheAnswer(t *testing.T) {
	for _, test := range []struct {
		name, text, answer, thinking string
		opened                       bool
	}{
		{"between tags", "<think>\nhm\n\nwell\n</think>\n\nYes.", "Yes.", "hm\n\nwell", false},
		{"between other tags", " <thinking>hm</thinking>Yes.", "Yes.", "hm", false},
		{"between tags in other letters", "<Think>hm</think>Yes.", "Yes.", "hm", false},
		{"between marks in other letters", "[think]hm[/THINK]Yes.", "Yes.", "hm", false},
		{"with a part of the end tag inside", "<think>a </thin b</think>c", "c", "a </thin b", false},
		{"empty", "<think>\n\n</think>\n\nYes.", "Yes.", "", false},
		{"never closed", "<think>hm ", "", "hm", false},
		{"not at the start", "Use <think>x</think>.", "Use <think>x</think>.", "", false},
		{"almost a tag", "<thin air>", "<thin air>", "", false},
		{"a cut tag", "<thi", "<thi", "", false},
		{"white space is kept where there is no tag", "\n  a \n", "\n  a \n", "", false},
		{"opened by the template", "hm\n</think>\n\nYes.", "Yes.", "hm", true},
		{"opened by the template and once more by the model", "<think>hm</think>Yes.", "Yes.", "hm", true},
		{"opened by the template, but never closed, is an answer", "Yes.", "Yes.", "", true},
		{"such an answer keeps its white space", "\n Yes, in <think> or </thin air \n", "\n Yes, in <think> or </thin air \n", "", true},
		{"opened by the template, with white space around", "\n\n hm, well \n</think>\n\n Yes.", "Yes.", "hm, well", true},
		{"opened twice, with white space", " \n<think> hm</think>Yes.", "Yes.", "hm", true},
		{"much white space", "<think>a" + strings.Repeat(" ", 10_000) + "b</think>c", "c", "a" + strings.Repeat(" ", 10_000) + "b", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, size := range []int{1, 2, 3, 5, 1 << 20} {
				if answer, thinking := parted(Options{ThinkingOpen: test.opened}, test.text, size); answer != test.answer || thinking != test.thinking {
					t.Errorf("in pieces of %d: got %.60q and %.60q", size, answer, thinking)
				}
			}
		})
	}
}

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
			answer, thinking := parted(Options{ThinkingOpen: test.opened}, strings.Repeat(test.unit, size/len(test.unit)), test.piece)
			if answer+thinking == "" && strings.TrimSpace(test.unit) != "<think>" {
				t.Error("nothing was said")
			}
		})
	}
}

func FuzzThink(f *testing.F) {
	f.Add("<think>a</think> b", false, uint8(1))
	f.Add("a</thinking>b", true, uint8(2))
	f.Add("<|channel|>analysis<|message|>a<|end|>\n<|start|>assistant<|channel|>final<|message|>b<|return|> c", false, uint8(3))
	f.Add("[THINK]a[/THINK]b", false, uint8(1))
	f.Add("<|start|>"+strings.Repeat("a", 300)+"<|message|>b", false, uint8(7))
	f.Fuzz(func(t *testing.T, text string, opened bool, size uint8) {
		answer, thinking := parted(Options{ThinkingOpen: opened}, text, 1<<20)
		a, th := parted(Options{ThinkingOpen: opened}, text, int(size)+1)
		if a != answer || th != thinking {
			t.Fatalf("whole %q %q, cut %q %q", answer, thinking, a, th)
		}
	})
}
