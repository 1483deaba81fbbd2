package chart

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"bowerbird/tools/chartspec"
)

func TestNumbersOfAnAxisAreShort(t *testing.T) {
	for _, tt := range []struct {
		low, high float64
		want      string
	}{
		{0, 21, "0 5 10 15 20"},
		{0, 2100, "0 500 1k 1.5k 2k"},
		{0, 88e6, "0 20M 40M 60M 80M"},
		{0, 4e-9, "0 1e-9 2e-9 3e-9 4e-9"},
		{-5, 10, "-5 0 5 10"},
		{-1e12, 1e12, "-1T -500B 0 500B 1T"},
		{0, 3e18, "0 5e17 1e18 1.5e18 2e18 2.5e18 3e18"},
		{1e6, 1e6 + 4, "1M 1.000001M 1.000002M 1.000003M 1.000004M"},
		{0, 0.5, "0 0.1 0.2 0.3 0.4 0.5"},
	} {
		var got []string
		for _, tick := range numberTicks(tt.low, tt.high, 6, false) {
			got = append(got, tick.label)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%g to %g: %q, want %q", tt.low, tt.high, got, tt.want)
		}
	}
}

func TestNoTickStandsBetweenWholeNumbers(t *testing.T) {
	for _, tick := range numberTicks(0, 3, 12, true) {
		if strings.Contains(tick.label, ".") {
			t.Errorf("a tick at %s", tick.label)
		}
	}
}

// over makes a chart of a bar at each time.
func over(t *testing.T, times ...time.Time) *chartspec.Spec {
	t.Helper()
	var rows []string
	for _, at := range times {
		rows = append(rows, fmt.Sprintf(`{"t":%q,"n":1}`, at.Format(time.RFC3339)))
	}
	return parse(t, `{"mark":"bar","data":{"values":[`+strings.Join(rows, ",")+`]},"encoding":{"x":{"field":"t","type":"temporal"},"y":{"field":"n"}}}`)
}

func TestTimesAreLabelledAtHoursDaysAndMonthsOfTheirOwnClock(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	every := func(n int, start time.Time, next func(time.Time) time.Time) []time.Time {
		var out []time.Time
		for range n {
			out = append(out, start)
			start = next(start)
		}
		return out
	}
	hour := func(t time.Time) time.Time { return t.Add(time.Hour) }
	for _, tt := range []struct {
		name  string
		times []time.Time
		want  string
	}{
		{"an evening", every(6, time.Date(2026, 5, 3, 18, 0, 0, 0, zone), hour), "18:00 19:00 20:00 21:00 22:00 23:00"},
		{"two days", every(48, time.Date(2026, 5, 3, 0, 0, 0, 0, zone), hour), "3 May 12:00 4 May 12:00"},
		{"the hour that comes twice", every(5, time.Date(2026, 10, 25, 0, 0, 0, 0, zone), hour), "00:00 01:00 02:00 03:00"},
		{"a week", every(7, time.Date(2026, 5, 28, 0, 0, 0, 0, zone), func(t time.Time) time.Time { return t.AddDate(0, 0, 1) }), "28 May 29 May 30 May 31 May 1 Jun 2 Jun 3 Jun"},
		{"a quarter", every(90, time.Date(2026, 3, 1, 0, 0, 0, 0, zone), func(t time.Time) time.Time { return t.AddDate(0, 0, 1) }), "9 Mar 23 Mar 6 Apr 20 Apr 4 May 18 May"},
		{"eighteen months", every(18, time.Date(2025, 7, 1, 0, 0, 0, 0, zone), func(t time.Time) time.Time { return t.AddDate(0, 1, 0) }), "Jul Sep Nov 2026 Mar May Jul Sep Nov"},
		{"thirty years", every(30, time.Date(1997, 1, 1, 0, 0, 0, 0, zone), func(t time.Time) time.Time { return t.AddDate(1, 0, 0) }), "2000 2005 2010 2015 2020 2025"},
		{"one moment", every(1, time.Date(2026, 5, 3, 18, 0, 0, 0, zone), hour), "3 May 18:00"},
	} {
		s := widened(over(t, tt.times...))
		var got []string
		for _, tick := range timeTicks(s.X, clockOf(s, func(p chartspec.Point) chartspec.Value { return p.X }), 560, plainLook()) {
			got = append(got, tick.label)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, strings.Join(got, " "), tt.want)
		}
	}
}

func TestAColourThatRepeatsTheAxisNeedsNoLegend(t *testing.T) {
	s := parse(t, `{"mark":"bar","data":`+week+`,"encoding":{"x":{"field":"day"},"y":{"field":"n","aggregate":"sum"},"color":{"field":"day"}}}`)
	for _, sh := range sceneOf(s, 500).shapes {
		if sh.kind == caption && sh.text == "Mon" && sh.anchor == atStart {
			t.Error("the legend says what the axis says")
		}
	}
}
