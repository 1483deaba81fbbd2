package main

import (
	"strings"

	"bowerbird/ndb/clean"
	"bowerbird/tools"
	"bowerbird/ui/present"
)

// The limits of a table in a terminal; the window and --json show all of it.
const (
	tableRows = 40
	cellWidth = 40 // cells of the terminal
)

// tableText formats a table with aligned columns, numbers to the right.
func tableText(t *tools.TableResult, width int) string {
	rows := [][]string{make([]string, len(t.Columns))}
	for i, c := range t.Columns {
		rows[0][i] = cell(c.Label, c.Key)
	}
	for _, r := range t.Rows[:min(len(t.Rows), tableRows)] {
		line := make([]string, len(t.Columns))
		for i := range line {
			if i < len(r) {
				line[i] = cell(r[i], "")
			}
		}
		rows = append(rows, line)
	}
	widths := make([]int, len(t.Columns))
	for _, r := range rows {
		for i, s := range r {
			widths[i] = max(widths[i], present.Width(s))
		}
	}
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(clean.Line(t.Title, 120) + "\n")
	}
	for i, r := range rows {
		writeRow(&b, r, widths, t.Numeric)
		if i == 0 {
			total := 2 * (len(widths) - 1)
			for _, w := range widths {
				total += w
			}
			b.WriteString(strings.Repeat("─", min(width, total)) + "\n")
		}
	}
	if left := len(t.Rows) - tableRows; left > 0 {
		b.WriteString("… and " + numberWords(left, "more row") + "\n")
	}
	return b.String()
}

func cell(s, otherwise string) string {
	if s == "" {
		s = otherwise
	}
	return present.ClipWidth(clean.Line(s, 2*cellWidth), cellWidth)
}

func writeRow(b *strings.Builder, row []string, widths []int, numeric []bool) {
	for i, s := range row {
		if i > 0 {
			b.WriteString("  ")
		}
		switch {
		case i < len(numeric) && numeric[i]:
			b.WriteString(present.PadLeft(s, widths[i]))
		case i == len(row)-1:
			b.WriteString(s)
		default:
			b.WriteString(present.PadRight(s, widths[i]))
		}
	}
	b.WriteByte('\n')
}
