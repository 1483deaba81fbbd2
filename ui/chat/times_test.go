package chat

import (
	"testing"
	"time"

	"bowerbird/tools/chartspec"
)

// A bar that is a day is called by its day, also where clocks made one an hour shorter.
func TestABarIsCalledByWhatItStandsFor(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("no zone data")
	}
	now := time.Date(2026, 4, 2, 15, 0, 0, 0, zone)
	points := func(step func(i int) time.Time) (out []chartspec.Point) {
		for i := range 3 {
			out = append(out, chartspec.Point{X: chartspec.Value{Num: float64(step(i).UnixMilli())}})
		}
		return out
	}
	days := points(func(i int) time.Time { return time.Date(2026, 3, 29+i, 0, 0, 0, 0, zone) })
	hours := points(func(i int) time.Time { return time.Date(2026, 4, 1, 10+i, 0, 0, 0, zone) })
	if got := barTime(days, 0, now) + ", " + barTime(days, 2, now); got != "29 Mar, 31 Mar" {
		t.Errorf("days are called %s", got)
	}
	if got := barTime(hours, 1, now); got != "Wed 11:00" {
		t.Errorf("an hour is called %s", got)
	}
}
