package main

import (
	"fmt"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/check"
	"bowerbird/llm"
	"bowerbird/tools"
)

// shownOn is what stands on a screen in the end, line by line.
func shownOn(written string) string {
	lines := []string{""}
	for written != "" {
		var up int
		if n, err := fmt.Sscanf(written, "\x1b[%dA", &up); n == 1 && err == nil {
			lines = append(lines[:len(lines)-1-up], "")
			_, written, _ = strings.Cut(written, "\x1b[J")
			continue
		}
		if written[0] == '\n' {
			lines = append(lines, "")
		} else {
			lines[len(lines)-1] += written[:1]
		}
		written = written[1:]
	}
	return escapes.ReplaceAllString(strings.Join(lines, "\n"), "")
}

// What was on the screen before it was checked stands there with its marks in the end, and
// without what is left out, as on a pipe; what no longer stands there is named below.
func TestTheScreenShowsTheMarksOfWhatItShowedAlready(t *testing.T) {
	const said = "It is **so** ^1. The mayor, who has been there for longer than anybody remembers, resigned ^7.\n\nSources:\n- The Gazette\n"
	report := check.Text(said, check.Facts{Notes: []check.Note{{Author: "a", Text: "so"}}})
	report.Read = 1
	for i := range report.Marks {
		report.Marks[i].Step = 2
	}
	chart := &tools.TableResult{Columns: []tools.Column{{Key: "a", Label: "A cell"}}, Rows: [][]string{{"x"}}}
	for height, want := range map[int]string{
		40: "The table:\n\nA cell\n──────\nx\n\nIt is so ^1. The mayor, who has been\nthere for longer than anybody remembers,\nresigned ^7.\n\n┃ Checked",
		5:  "Sources:\n- The Gazette\n\n┃ Checked",
	} {
		var out strings.Builder
		term := &terminal{out: &out, err: &out, line: &progressLine{}}
		term.onScreen(40, height)
		term.read = true
		events := []agent.Event{
			{Type: agent.EventText, Step: 1, Delta: "The table:"},
			{Type: agent.EventTable, Step: 1, Table: chart},
			{Type: agent.EventText, Step: 2, Delta: "Never said."},
			{Type: agent.EventRetrying, Step: 2, Retry: &llm.Retry{}},
		}
		for _, piece := range strings.SplitAfter(said, " ") {
			events = append(events, agent.Event{Type: agent.EventText, Step: 2, Delta: piece})
		}
		for _, e := range append(events, agent.Event{Type: agent.EventChecked, Checked: &report}) {
			term.draw(t.Context(), e)
		}
		term.box()
		got := shownOn(out.String())
		if !strings.Contains(got, want) || height == 40 && strings.Contains(got, "Never") || strings.Contains(got, "[?] “^7”") != (height == 5) {
			t.Errorf("height %d, want %q in\n%s", height, want, got)
		}
	}
}
