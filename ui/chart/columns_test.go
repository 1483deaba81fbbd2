package chart_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"bowerbird/tools/chartspec"
	"bowerbird/ui/chart"
)

// when writes times in English.
func when(at time.Time, day bool) string {
	if day {
		return at.Format("Mon 2 Jan")
	}
	return at.Format("Mon 15:04")
}

func TestManyHoursStandSideBySideInATerminal(t *testing.T) {
	var values []string
	for h := range 24 {
		if h == 5 {
			continue // an hour without notes
		}
		values = append(values, fmt.Sprintf(`{"t":"2026-11-20T%02d:00:00Z","n":%d}`, h, 1+h%8))
	}
	spec, err := chartspec.Parse([]byte(`{"title":"notes per hour","mark":"bar","data":{"values":[` + strings.Join(values, ",") + `]},
		"encoding":{"x":{"field":"t","type":"temporal","timeUnit":"yearmonthdatehours"},"y":{"field":"n","type":"quantitative"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	got := chart.Text(spec, 60, when)
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if len(lines) != 7 {
		t.Fatalf("%d lines:\n%s", len(lines), got)
	}
	foot := []rune(lines[5])
	if len(foot) != 24 || foot[5] != ' ' || foot[0] == ' ' || foot[7] != '█' {
		t.Errorf("the lowest line is %q", string(foot))
	}
	if lines[1] != strings.Repeat(" ", 7)+"8" {
		t.Errorf("the most is not over its column:\n%s", got)
	}
	if lines[6] != "Fri 00:00      Fri 23:00" {
		t.Errorf("the axis says %q", lines[6])
	}
	if narrow := chart.Text(spec, 24, when); len(strings.Split(narrow, "\n")) > 8 {
		t.Errorf("at 24 cells:\n%s", narrow)
	}
}

// Two people compared over weeks take two lines a day and a heading otherwise.
func TestTwoSeriesOverManyDaysTakeFewLinesInATerminal(t *testing.T) {
	var values []string
	for d := range 28 {
		for i, who := range []string{"Bernd", "Bex"} {
			values = append(values, fmt.Sprintf(`{"t":"2026-11-%02d","n":%d,"who":%q}`, 1+d, d*i, who))
		}
	}
	for mark, offset := range map[string]string{"bar": `,"xOffset":{"field":"who"}`, "line": ""} {
		spec, err := chartspec.Parse([]byte(`{"title":"Bernd and Bex","mark":"` + mark + `","data":{"values":[` + strings.Join(values, ",") + `]},
		"encoding":{"x":{"field":"t","type":"temporal","timeUnit":"yearmonthdate"},"y":{"field":"n","type":"quantitative"},
		"color":{"field":"who"}` + offset + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		got := chart.Text(spec, 60, when)
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		if len(lines) != 12 {
			t.Fatalf("%s: %d lines:\n%s", mark, len(lines), got)
		}
		if lines[1] != "Bernd 0" || strings.TrimSpace(lines[5]) != "" || lines[6] != "Bex"+strings.Repeat(" ", 23)+"27" || !strings.HasSuffix(lines[10], "█") {
			t.Errorf("%s: the series are not told apart:\n%s", mark, got)
		}
		if !strings.HasPrefix(lines[11], "Sun 1 Nov ") || !strings.HasSuffix(lines[11], " Sat 28 Nov") {
			t.Errorf("%s: the foot is wrong:\n%s", mark, got)
		}
	}
}
