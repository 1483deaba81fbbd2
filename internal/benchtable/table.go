package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// goal is a figure of the project: the most that a metric of a benchmark may be.
type goal struct {
	unit string
	most float64
}

// goals are those of the table of figures in docs/performance.md which a benchmark
// measures, by package and name.
var goals = map[string]goal{
	"ui/feed ScrollHundredThousand":     {"p99-ms", 2},
	"ui/widgets ScrollStep":             {"p99-µs", 2000},
	"ui/chat StreamedUpdate":            {"p99-µs", 6000},
	"ui/markdown StreamAnUpdateAt10000": {"ns/op", 6e6},
	"ui/markdown ViewUpdateAt10000":     {"ns/op", 6e6},
	"ui/chat AnswerWith200Notes":        {"ns/op", 150e6},
	"app/builtin DigestOfAWeek/itself":  {"cpu-ms/op", 300},
}

// table is a package's benchmarks.
type table struct {
	name string
	rows []row
}

var heads = []string{"benchmark", "time/op", "B/op", "allocs/op", "goal", "other"}

// write prints the table; a package without benchmarks prints nothing.
func (t table) write(out io.Writer) error {
	if len(t.rows) == 0 {
		return nil
	}
	lines := [][]string{append([]string{t.name}, heads[1:]...)}
	for _, r := range t.rows {
		lines = append(lines, t.cells(r))
	}
	widths := make([]int, len(heads))
	for _, cells := range lines {
		for i, c := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	var b strings.Builder
	for _, cells := range lines {
		var l strings.Builder
		for i, c := range cells {
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))
			switch {
			case i == 0 || i >= 4: // words, and what has units of many kinds
				l.WriteString(c + space + "  ")
			default:
				l.WriteString(space + c + "  ")
			}
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	_, err := fmt.Fprintln(out, b.String())
	return err
}

func (t table) cells(r row) []string {
	cells := make([]string, len(heads))
	cells[0] = "  " + strings.ReplaceAll(r.name, "_", " ")
	var other []string
	for _, m := range r.metrics {
		switch m.unit {
		case "ns/op":
			cells[1] = duration(m.value)
		case "B/op":
			cells[2] = bytes(m.value)
		case "allocs/op":
			cells[3] = thousands(m.value)
		default:
			other = append(other, m.String())
		}
	}
	if g, ok := goals[t.name+" "+r.name]; ok {
		cells[4] = g.beside(r)
	}
	cells[5] = strings.Join(other, ", ")
	return cells
}

// beside says the goal, and whether the row reaches it.
func (g goal) beside(r row) string {
	value, ok := r.metric(g.unit)
	if !ok {
		return fmt.Sprintf("%s is missing", g.unit)
	}
	verdict := "reached"
	if value > g.most {
		verdict = "missed"
	}
	return fmt.Sprintf("%s <= %s", metric{value, g.unit}, strings.TrimPrefix(metric{g.most, g.unit}.String(), g.label())) + ": " + verdict
}

// label is the part of a metric that says which of several times it is.
func (g goal) label() string {
	if name, _, ok := strings.Cut(g.unit, "-"); ok {
		return name + " "
	}
	return ""
}

// String says "p99 1.7 ms" for 1.7 p99-ms, and "12 notes" for 12 notes.
func (m metric) String() string {
	if m.unit == "ns/op" {
		return duration(m.value)
	}
	name, unit, ok := strings.Cut(m.unit, "-")
	if !ok {
		return thousands(m.value) + " " + m.unit
	}
	switch unit {
	case "ns":
		return name + " " + duration(m.value)
	case "µs":
		return name + " " + duration(m.value*1e3)
	case "ms":
		return name + " " + duration(m.value*1e6)
	}
	return name + " " + thousands(m.value) + " " + unit
}

// duration says nanoseconds in the unit that fits, with three digits.
func duration(ns float64) string { return scaled(ns, 1000, "ns", "µs", "ms", "s") }

// bytes says a number of bytes in the unit that fits.
func bytes(n float64) string { return scaled(n, 1024, "B", "kB", "MB", "GB") }

func scaled(value, step float64, units ...string) string {
	for value >= step && len(units) > 1 {
		value, units = value/step, units[1:]
	}
	digits := 0
	if value != float64(int(value)) {
		switch {
		case value < 10:
			digits = 2
		case value < 100:
			digits = 1
		}
	}
	return fmt.Sprintf("%.*f %s", digits, value, units[0])
}

// thousands groups the digits of a number; of a small one it keeps two more.
func thousands(n float64) string {
	if n < 100 && n != float64(int(n)) {
		return fmt.Sprintf("%.2f", n)
	}
	digits := fmt.Sprintf("%.0f", n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
