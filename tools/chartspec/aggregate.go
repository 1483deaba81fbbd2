package chartspec

import (
	"math"
	"slices"
)

// aggregates are what is computed of a group's numbers; those that are no
// numbers are left out before.
var aggregates = map[string]func([]float64) float64{
	"count":   func(v []float64) float64 { return float64(len(v)) },
	"valid":   func(v []float64) float64 { return float64(len(v)) },
	"sum":     sum,
	"mean":    mean,
	"average": mean,
	"median":  median,
	"min":     func(v []float64) float64 { return fold(v, math.Min) },
	"max":     func(v []float64) float64 { return fold(v, math.Max) },
	"distinct": func(v []float64) float64 {
		return float64(len(slices.Compact(slices.Sorted(slices.Values(v)))))
	},
}

// summative reports whether amounts of an aggregate may be stacked: those of
// means may not, since their sum says nothing.
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

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	if n := len(s); n%2 == 0 && n > 0 {
		return (s[n/2-1] + s[n/2]) / 2
	} else if n > 0 {
		return s[n/2]
	}
	return math.NaN()
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
