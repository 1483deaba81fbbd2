package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"bowerbird/app/agent"
	"bowerbird/app/check"
	"bowerbird/ndb/clean"
	"bowerbird/tools"
	"bowerbird/ui/present"
)

// bar begins every line that the program itself adds to a model's answer; foreign removes
// it from the text of others.
const bar = "┃ "

// nothingRead precedes an answer for which no note was read.
const nothingRead = bar + "No note was read for this answer.\n\n"

// foreign makes a text of others distinguishable from the program's lines: upright bars, of
// which many look alike, become that of the keyboard.
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

// inTerminal shows marks as words, and strikes out in Markdown.
var inTerminal = check.Style{
	Struck: func(ref string) string { return "~~" + ref + "~~" },
	Words:  func(m check.Mark) string { return " [? " + m.String() + "]" },
}

// checkedWords returns what was checked in an answer and what was found, in sentences.
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
	add(kinds[check.Dangling], "1 citation leads to no note and is struck out.", "%d citations lead to no note and are struck out.")
	add(kinds[check.AppOnly], "1 sentence claims what a model cannot know: how complete the notes are.", "%d sentences claim what a model cannot know: how complete the notes are.")
	add(kinds[check.OwnSources], "1 list of sources written by the model is left out.", "%d lists of sources written by the model are left out.")
	return out
}

// checked finishes an answer: it adds marks to what can still be changed.
func (t *terminal) checked(e agent.Event) {
	t.report = e.Checked
	if len(t.report.Marks) > 0 {
		t.takeBack() // to be shown with its marks
	}
	if t.report.Read == 0 {
		t.write(nothingRead)
	}
	t.release()
}

// box writes the program's own lines below a model's answer.
func (t *terminal) box() {
	lines := checkedWords(t.report)
	for _, m := range t.report.Marks {
		if !t.marked[m.Step] { // its sentence was written without the mark
			lines = append(lines, fmt.Sprintf("[?] “%s”: %s", present.ClipWidth(clean.Line(m.Text, 200), 60), clean.Line(m.String(), 200)))
		}
	}
	if t.coverage != nil {
		lines = append(lines, coverageWords(*t.coverage)...)
	}
	if len(lines)+len(t.presented) == 0 {
		return
	}
	t.write("\n" + bar + "Checked by Bowerbird. A model cannot write lines that begin with this bar.\n")
	for _, l := range lines {
		t.write(bar + foreign(l) + "\n")
	}
}

// learn keeps the coverage that a tool reports of the people followed: that of the coverage
// tool, otherwise of the first query.
func (t *terminal) learn(e agent.Event) {
	raw, err := json.Marshal(e.Result)
	var said struct {
		Scope             tools.Scope
		Coverage, Summary *tools.CoverageSummary
	}
	if err != nil || json.Unmarshal(raw, &said) != nil || said.Scope.Context != "home" {
		return
	}
	if c := cmp.Or(said.Summary, said.Coverage); c != nil && (t.coverage == nil || c == said.Summary) {
		t.coverage = c
	}
}

// readsNotes reports whether a tool returned notes to the model.
func readsNotes(e agent.Event) bool {
	switch v := any(e.Result).(type) {
	case tools.QueryResult:
		return len(v.Notes) > 0
	case tools.NoteResult, tools.ThreadResult:
		return true
	}
	return false
}
