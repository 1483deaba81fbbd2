package chart_test

import (
	"fmt"
	"strings"
	"testing"

	"bowerbird/tools/chartspec"
	"bowerbird/ui/chart"
)

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
	got := chart.Text(spec, 60)
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if len(lines) != 7 {
		t.Fatalf("%d lines:\n%s", len(lines), got)
	}
	foot := []rune(lines[4])
	if len(foot) != 24 || foot[5] != ' ' || foot[0] == ' ' || foot[7] != '█' {
		t.Errorf("the lowest line is %q", string(foot))
	}
	if !strings.Contains(lines[6], "8") {
		t.Errorf("the most is not told:\n%s", got)
	}
	if narrow := chart.Text(spec, 24); len(strings.Split(narrow, "\n")) > 8 {
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
		got := chart.Text(spec, 60)
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		if len(lines) != 13 {
			t.Fatalf("%s: %d lines:\n%s", mark, len(lines), got)
		}
		if lines[1] != "Bernd" || strings.TrimSpace(lines[5]) != "" || lines[6] != "Bex" || !strings.HasSuffix(lines[10], "█") {
			t.Errorf("%s: the series are not told apart:\n%s", mark, got)
		}
		if !strings.HasPrefix(lines[11], "2026-11-01") || !strings.HasSuffix(lines[11], "2026-11-28") || lines[12] != "max: 27" {
			t.Errorf("%s: the foot is wrong:\n%s", mark, got)
		}
	}
}
