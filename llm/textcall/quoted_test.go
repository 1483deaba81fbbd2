package textcall_test

import (
	"slices"
	"strings"
	"testing"

	"bowerbird/llm/textcall"
)

// Whatever a model may write as a call, in any format, is none where it is thought,
// shown or quoted.
func TestNoCallOfAnyFixtureIsRunWhereItIsThoughtShownOrQuoted(t *testing.T) {
	lines := func(mark string) func(string) string {
		return func(body string) string { return mark + strings.ReplaceAll(body, "\n", "\n"+mark) + "\nSays Ada." }
	}
	for _, place := range []struct {
		name string
		not  string // what a body may not hold to stand there
		put  func(body string) string
	}{
		{"reasoning", "</think>", func(body string) string { return "<think>" + body + "</think>Done." }},
		{"reasoning that never ends", "</think>", func(body string) string { return "<think>" + body }},
		{"reasoning between marks of another kind", "[/THINK]", func(body string) string { return "[THINK]" + body + "[/THINK]Done." }},
		{"a block of code", "`````", func(body string) string { return "So:\n`````\n" + body + "\n`````\nis how." }},
		{"a block between tildes", "~~~", func(body string) string { return "~~~text\n" + body + "\n~~~\nis how." }},
		{"code in the line", "\n", func(body string) string { return "Say ```` " + body + " ```` for it." }},
		{"quoted lines", "\x00", lines("> ")},
		{"lines that are quoted twice", "\x00", lines(">> ")},
	} {
		t.Run(place.name, func(t *testing.T) {
			tried := 0
			for _, f := range slices.Concat(readFixtures(t, "textcalls"), readFixtures(t, "own")) {
				if f.Opened || strings.Contains(f.body, place.not) {
					continue
				}
				tried++
				for _, o := range []textcall.Options{f.options(t), {}} {
					for _, e := range scan(o, place.put(f.body)) {
						if e.Kind == textcall.Called {
							t.Errorf("%s: %.200q is run as %s", f.name, place.put(f.body), e.Call.Name)
						}
					}
				}
			}
			if tried < 100 {
				t.Errorf("only %d fixtures were tried", tried)
			}
		})
	}
}
