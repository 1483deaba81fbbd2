package chart

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"bowerbird/tools/chartspec"
)

// tick is a labelled position on an axis.
type tick struct {
	at    float64
	label string
}

// maxTicks bounds the ticks of an axis, whatever its ends are.
const maxTicks = 12

// numberTicks divides an axis at round numbers, which are 1, 2 or 5 times a power of ten;
// at most want of them. whole allows whole numbers only.
func numberTicks(low, high float64, want int, whole bool) []tick {
	span := high - low
	if !(span > 0) || math.IsInf(span, 0) {
		return nil
	}
	want = max(2, min(want, maxTicks))
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
		if at > high+span*1e-9 || step <= 0 || math.IsInf(at, 0) || math.IsNaN(at) {
			break
		}
		if math.Abs(at) < step*1e-9 {
			at = 0
		}
		ticks = append(ticks, tick{at, shortNumber(at, step)})
	}
	return ticks
}

// shortNumber formats a number of an axis that is divided by step: 2.1k, 88M, 1e-9.
func shortNumber(f, step float64) string {
	abs := math.Abs(f)
	switch {
	case f == 0:
		return "0"
	case abs >= 1e15 || abs < 1e-4:
		return exponent(f, step)
	}
	for _, unit := range []struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "k"}} {
		if abs >= unit.size {
			return decimal(f/unit.size, step/unit.size) + unit.name
		}
	}
	return decimal(f, step)
}

// decimal formats f with as many digits as a step needs.
func decimal(f, step float64) string {
	places := 0
	for scaled := step; places < 9 && math.Abs(scaled-math.Round(scaled)) > 1e-6*scaled; places++ {
		scaled *= 10
	}
	s := strconv.FormatFloat(f, 'f', places, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func exponent(f, step float64) string {
	digits := 0
	if step > 0 {
		digits = int(math.Max(0, math.Min(12, math.Floor(math.Log10(math.Abs(f)))-math.Floor(math.Log10(step)))))
	}
	mantissa, exp, _ := strings.Cut(strconv.FormatFloat(f, 'e', digits, 64), "e")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	sign := ""
	if exp[0] == '-' {
		sign = "-"
	}
	return mantissa + "e" + sign + strings.TrimLeft(exp[1:], "0")
}

// orderly matches labels that a reader can interpolate: numbers, times, dates.
var orderly = regexp.MustCompile(`^[-+]?[0-9][0-9.,:/ TZhm%+-]*$`)

// thinnable reports whether it is enough to write every second, third … label, because
// readers can interpolate.
func thinnable(ticks []tick) bool {
	if len(ticks) < 4 {
		return false
	}
	for _, t := range ticks {
		if !orderly.MatchString(t.label) {
			return false
		}
	}
	return true
}

// ticks divides an axis, with at most want labels if they are numbers.
func (f *frame) ticks(a *chartspec.Axis, want int, get func(chartspec.Point) chartspec.Value) []tick {
	switch a.Kind {
	case chartspec.Numbers:
		return numberTicks(a.Min, a.Max, want, f.whole(get))
	case chartspec.Categories:
		ticks := make([]tick, len(a.Categories))
		for i, c := range a.Categories {
			ticks[i] = tick{float64(i), c}
		}
		return ticks
	}
	return nil
}

// whole reports whether an axis has whole numbers only, and so no ticks between them.
func (f *frame) whole(get func(chartspec.Point) chartspec.Value) bool {
	for _, l := range f.spec.Layers {
		for _, p := range l.Points {
			if v := get(p); v.Kind == chartspec.Number && v.Num != math.Trunc(v.Num) {
				return false
			}
		}
	}
	return true
}
