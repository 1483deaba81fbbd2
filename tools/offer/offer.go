// Package offer decides which tools a model is shown, when there are more than it can well
// choose from, and finds those that fit a question.
//
//	strategy, decisions := offer.Plan(tools, model, wish)
//	hits := offer.NewIndex(specs).Search(question, offer.AtOnce(name, local))
//
// It is pure: what it decides depends on its arguments alone.
package offer

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	experts = regexp.MustCompile(`(?i)(?:^|[^a-z0-9.])(\d+)x(\d+(?:\.\d+)?)b(?:$|[^a-z0-9])`)
	weights = regexp.MustCompile(`(?i)(?:^|[^a-z0-9.])(\d+(?:\.\d+)?)b(?:$|[^a-z0-9])`)
)

// AtOnce is how many tools are described at once to a model that has not asked for them: 2
// below 7 billion parameters, 5 up to 30 billion, else 10. The size is read from the model's
// name. Without one, a model on this computer counts as small and others as large.
func AtOnce(model string, local bool) int {
	size, known := billions(model)
	switch {
	case !known && local, known && size < 7:
		return 2
	case known && size <= 30:
		return 5
	}
	return 10
}

// billions reads the number of parameters in a model's name: "qwen3:4b", "mixtral-8x7b".
func billions(model string) (float64, bool) {
	if m := experts.FindStringSubmatch(model); m != nil {
		n, _ := strconv.ParseFloat(m[1], 64)
		each, _ := strconv.ParseFloat(m[2], 64)
		return n * each, true
	}
	if m := weights.FindStringSubmatch(strings.ReplaceAll(model, "-a", "/a")); m != nil {
		size, _ := strconv.ParseFloat(m[1], 64)
		return size, true
	}
	return 0, false
}
