package chartspec

import (
	"math"
	"slices"
)

// aggregates compute one number from the numbers of a group.
var aggregates = map[string]func([]float64) float64{
	"count":     func(v []float64) float64 { return float64(len(v)) },
	"valid":     func(v []float64) float64 { return float64(len(v)) },
	"sum":       sum,
	"mean":      mean,
	"average":   mean,
	"median":    func(v []float64) float64 { return quantile(v, 0.5) },
	"q1":        func(v []float64) float64 { return quantile(v, 0.25) },
	"q3":        func(v []float64) float64 { return quantile(v, 0.75) },
	"stdev":     func(v []float64) float64 { return math.Sqrt(variance(v, 1)) },
	"stdevp":    func(v []float64) float64 { return math.Sqrt(variance(v, 0)) },
	"variance":  func(v []float64) float64 { return variance(v, 1) },
	"variancep": func(v []float64) float64 { return variance(v, 0) },
	"min":       func(v []float64) float64 { return fold(v, math.Min) },
	"max":       func(v []float64) float64 { return fold(v, math.Max) },
	"distinct": func(v []float64) float64 {
		return float64(len(slices.Compact(slices.Sorted(slices.Values(v)))))
	},
}

// summative reports whether the results of an aggregate may be stacked: the sum of means,
// for instance, is meaningless.
func summative(aggregate string) bool {
	switch aggregate {
	case "", "count", "valid", "sum", "distinct":
		return true
	}
	return false
}

func sum(v []float64) float64 {
	total := 0.0
	for _, f := range v {
		total += f
	}
	return total
}

func mean(v []float64) float64 { return sum(v) / float64(len(v)) }

// quantile interpolates between the two sorted values around a part from 0 to 1.
func quantile(v []float64, part float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(v))
	at := part * float64(len(s)-1)
	low := int(at)
	if low+1 >= len(s) {
		return s[low]
	}
	return s[low] + (s[low+1]-s[low])*(at-float64(low))
}

// variance is the mean squared distance from the mean, divided by the number of values minus
// less; that of a single value is 0.
func variance(v []float64, less int) float64 {
	if len(v) <= less {
		return 0
	}
	m, total := mean(v), 0.0
	for _, f := range v {
		total += (f - m) * (f - m)
	}
	return total / float64(len(v)-less)
}

func fold(v []float64, f func(a, b float64) float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	out := v[0]
	for _, x := range v[1:] {
		out = f(out, x)
	}
	return out
}
