package main

import (
	"fmt"
	"strings"

	"bowerbird/app/agent"
	"bowerbird/app/check"
	"bowerbird/ndb/clean"
	"bowerbird/tools"
	"bowerbird/ui/present"
)

// What the app says below a model's answer stands behind a bar that no text of others
// can hold.
const bar = "┃ "

// nothingRead stands above an answer.
const nothingRead = bar + "No note was read for this answer.\n\n"

// foreign makes a text of others safe to stand beside the app's lines: upright bars,
// of which there are many that look alike, become the one of the keyboard.
func foreign(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x2502 && r <= 0x2503, r >= 0x2506 && r <= 0x2507, r >= 0x250a && r <= 0x250b, r >= 0x251c && r <= 0x252b,
			r == 0x2551, r >= 0x255e && r <= 0x2563, r >= 0x2588 && r <= 0x2590, r >= 0x2758 && r <= 0x275a, r == 0x23b8, r == 0x23b9, r == 0xffe8:
			return '|'
		}
		return r
	}, s)
}

// inTerminal shows marks in a text, in words; what is struck out is so in Markdown, which
// a terminal draws.
var inTerminal = check.Style{
	Struck: func(ref string) string { return "~~" + ref + "~~" },
	Words:  func(m check.Mark) string { return " [? " + m.String() + "]" },
}

// checkedWords say what was looked at in an answer, and what was found.
func checkedWords(r *check.Report) []string {
	var out []string
	add := func(n int, one, many string) {
		switch n {
		case 0:
		case 1:
			out = append(out, one)
		default:
			out = append(out, fmt.Sprintf(many, n))
		}
	}
	kinds := map[check.Kind]int{}
	for _, m := range r.Marks {
		kinds[m.Kind]++
	}
	part := func(held, all int, words string) {
		if all > 0 {
			out = append(out, fmt.Sprintf("%d of %d ", held, all)+words)
		}
	}
	part(r.Cited, r.Sentences, "statements cite a note.")
	part(r.Found, r.Quotes, "quotations are in a cited note.")
	part(r.Given, r.Numbers, "counts of people or notes come from a tool or a cited note.")
	add(kinds[check.Dangling], "1 reference leads to no note and is struck out.", "%d references lead to no note and are struck out.")
	add(kinds[check.AppOnly], "1 sentence says what a model cannot know: how complete this is.", "%d sentences say what a model cannot know: how complete this is.")
	add(kinds[check.OwnSources], "1 list of sources by the model is left out.", "%d lists of sources by the model are left out.")
	return out
}

// checked ends an answer: the marks in what is not on the screen yet, and what was found.
func (t *terminal) checked(e agent.Event) {
	t.report, t.shown = e.Checked, 0
	if t.report.Read == 0 {
		t.write(nothingRead)
	}
	if t.held.Len() > 0 {
		t.shown = t.heldStep
		text := check.Show(t.held.String(), t.report.Of(t.shown), inTerminal)
		t.held.Reset()
		t.put(text)
	}
	t.endLine()
}

// box writes what the app says below a model's answer.
func (t *terminal) box() {
	lines := checkedWords(t.report)
	for _, m := range t.report.Marks {
		if m.Step != t.shown { // its words were on the screen before
			lines = append(lines, fmt.Sprintf("[?] “%s”: %s", present.ClipWidth(clean.Line(m.Text, 200), 60), clean.Line(m.String(), 200)))
		}
	}
	if len(lines)+len(t.presented) == 0 {
		return
	}
	t.write("\n" + bar + "Checked by Bowerbird. No model writes behind this bar.\n")
	for _, l := range lines {
		t.write(bar + foreign(l) + "\n")
	}
}

// readsNotes reports whether a tool gave the model notes.
func readsNotes(e agent.Event) bool {
	switch v := any(e.Result).(type) {
	case tools.QueryResult:
		return len(v.Notes) > 0
	case tools.NoteResult, tools.ThreadResult:
		return true
	}
	return false
}
