package llm

import (
	"strings"
	"testing"
)

// split runs text through a splitter in pieces of a size.
func split(opened bool, text string, size int) (answer, thinking string) {
	var s thinkSplitter
	if opened {
		s.state = thinkOpened
	}
	var said, thought strings.Builder
	for len(text) > 0 {
		n := min(size, len(text))
		a, th := s.add(text[:n])
		said.WriteString(a)
		thought.WriteString(th)
		text = text[n:]
	}
	a, th := s.end()
	return said.String() + a, thought.String() + th
}

func TestThinkingAtTheStartIsPartedFromTheAnswer(t *testing.T) {
	for _, test := range []struct {
		name, text, answer, thinking string
		opened                       bool
	}{
		{"between tags", "<think>\nhm\n\nwell\n</think>\n\nYes.", "Yes.", "hm\n\nwell", false},
		{"between other tags", " <thinking>hm</thinking>Yes.", "Yes.", "hm", false},
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
		{"much white space", "<think>a" + strings.Repeat(" ", 3*maxHeld) + "b</think>c", "c", "a" + strings.Repeat(" ", 3*maxHeld) + "b", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, size := range []int{1, 2, 3, 5, 1 << 20} {
				if answer, thinking := split(test.opened, test.text, size); answer != test.answer || thinking != test.thinking {
					t.Errorf("in pieces of %d: got %.60q and %.60q", size, answer, thinking)
				}
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
		if len(text) > maxHeld {
			t.Skip("beyond the limit of what is held back, the white space may fall on either side")
		}
		answer, thinking := split(opened, text, 1<<20)
		a, th := split(opened, text, int(size)+1)
		if a != answer || th != thinking {
			t.Fatalf("whole %q %q, cut %q %q", answer, thinking, a, th)
		}
	})
}
