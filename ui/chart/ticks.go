package chart

import (
	"cmp"
	"math"
	"slices"
	"time"

	"bowerbird/tools/chartspec"
)

// tick is a labelled place on an axis.
type tick struct {
	at    float64
	label string
}

// maxTicks bounds the ticks of an axis, whatever its ends are.
const maxTicks = 12

// numberTicks divides an axis at round numbers: 1, 2 or 5 times a power of ten;
// whole keeps to whole numbers.
func numberTicks(low, high float64, want int, whole bool) []tick {
	span := high - low
	if !(span > 0) || math.IsInf(span, 0) {
		return nil
	}
	want = max(1, min(want, maxTicks))
	step := math.Pow(10, math.Floor(math.Log10(span/float64(want))))
	for _, factor := range []float64{2, 2.5, 2} { // 2, 5, 10
		if span/step <= float64(want) {
			break
		}
		step *= factor
	}
	if whole {
		step = math.Max(1, step)
	}
	first := math.Ceil(low/step - 1e-9)
	var ticks []tick
	for i := range maxTicks + 1 {
		at := (first + float64(i)) * step
		if at > high+span*1e-9 || step <= 0 {
			break
		}
		ticks = append(ticks, tick{at, chartspec.FormatNumber(at)})
	}
	return ticks
}

// timeTicks are labels at times where marks stand, at most want of them, evenly
// chosen.
func timeTicks(s *chartspec.Spec, get func(chartspec.Point) chartspec.Value, want int) []tick {
	seen := map[float64]bool{}
	var all []tick
	for _, l := range s.Layers {
		for _, p := range l.Points {
			if v := get(p); v.Kind == chartspec.Time && !seen[v.Num] {
				seen[v.Num] = true
				all = append(all, tick{v.Num, v.Text})
			}
		}
	}
	sortTicks(all)
	want = max(1, min(want, maxTicks))
	step := (len(all) + want - 1) / want
	if step <= 1 {
		return all
	}
	var ticks []tick
	for i := 0; i < len(all); i += step {
		ticks = append(ticks, all[i])
	}
	return ticks
}

// shortTime drops the date where all times are of one day, and the year where
// all are of one year.
func shortTime(ticks []tick) {
	day, year := true, true
	for _, t := range ticks {
		if len(t.label) < 10 || len(ticks[0].label) < 10 {
			return
		}
		day = day && t.label[:10] == ticks[0].label[:10] && len(t.label) > 10
		year = year && t.label[:4] == ticks[0].label[:4]
	}
	for i := range ticks {
		label := ticks[i].label
		date, err := time.Parse(time.DateOnly, label[:10])
		switch {
		case day:
			ticks[i].label = label[11:]
		case year && err == nil:
			ticks[i].label = date.Format("2 Jan") + label[10:]
		}
	}
}

func sortTicks(ticks []tick) {
	slices.SortFunc(ticks, func(a, b tick) int { return cmp.Compare(a.at, b.at) })
}
