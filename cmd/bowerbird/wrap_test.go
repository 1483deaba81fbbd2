package main

import (
	"strings"
	"testing"

	"bowerbird/ui/present"
)

func wrapped(width int, pieces ...string) string {
	var b strings.Builder
	w := &wrapper{out: &b, width: width}
	for _, p := range pieces {
		w.text(p)
	}
	w.flush()
	return b.String()
}

func TestTextIsWrappedBetweenWords(t *testing.T) {
	tests := []struct {
		name  string
		width int
		text  string
		want  string
	}{
		{"a paragraph", 12, "one two three four\nfive", "one two\nthree four\nfive"},
		{"an item's lines are indented", 12, "- one two three four", "- one two\n  three four"},
		{"an item's further lines too", 12, "- one  \n  two three four\n- five", "- one\n  two three\n  four\n- five"},
		{"a title is bold", 20, "## For you\n\n- a", "\x1b[1mFor you\x1b[22m\n\n- a"},
		{"bold", 20, "- **Lanterns** — Ada", "- \x1b[1mLanterns\x1b[22m — Ada"},
		{"bold ends with its line", 20, "**open\nnext", "\x1b[1mopen\x1b[22m\nnext"},
		{"a long word", 5, "a verylongword b", "a\nverylongword\nb"},
		{"Japanese breaks anywhere but before a full stop", 6, "日本語のノート。", "日本語\nのノー\nト。"},
		{"an empty line stays", 20, "a\n\nb", "a\n\nb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := wrapped(tt.width, tt.text); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if got := wrapped(tt.width, strings.Split(tt.text, "")...); got != tt.want {
				t.Errorf("rune by rune: got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestNoLineIsWiderThanTheTerminal(t *testing.T) {
	text := strings.Repeat("the 日本語 quick (brown) fox **jumps** over; ", 40)
	plain := strings.NewReplacer(boldOn, "", boldOff, "").Replace(wrapped(30, text))
	for line := range strings.Lines(plain) {
		if w := present.Width(strings.TrimRight(line, "\n")); w > 32 { // closing marks may hang
			t.Errorf("%d cells: %q", w, line)
		}
	}
}
