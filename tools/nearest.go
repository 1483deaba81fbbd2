package tools

import (
	"maps"
	"slices"
	"strings"
)

// nearest returns the name that was probably meant, or "".
func nearest(name string, names []string) string {
	fold := func(s string) string {
		return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(s))
	}
	if len(name) > 64 {
		return ""
	}
	want, best, bestCost := fold(name), "", 1+len(name)/2
	for _, n := range names {
		have := fold(n)
		cost := Edits(want, have)
		if want != "" && (strings.Contains(have, want) || strings.Contains(want, have)) {
			cost = min(cost, 1)
		}
		if cost < bestCost {
			best, bestCost = n, cost
		}
	}
	return best
}

// Edits is the number of single-byte edits from a to b (Levenshtein).
func Edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
