package tools

import (
	"encoding/json"
	"sort"
)

// MinForModel is the smallest limit that ForModel keeps, in bytes.
const MinForModel = 512

// The limits of how much of a text a model is shown, in runes. Below shortest a text is
// meaningless: then items are left out instead.
const (
	leanText     = 16 // with so little space, results also drop what is not about an item
	shortestText = 30
	longestText  = 20_000
)

// Fit encodes a result as JSON of at most limit bytes. The result has n items in a list
// and texts in them: build makes it with the first show items, every text cut to text
// runes. As many items as possible are shown, then as much of each text, so that all are
// cut alike; build says how many were left out.
//
// build must return less for less; with no items and leanText it must stay below
// MinForModel.
func Fit(limit, n int, build func(show, text int) any) string {
	limit = max(limit, MinForModel)
	try := func(show, text int) ([]byte, bool) {
		raw, err := json.Marshal(build(show, text))
		if err != nil {
			return nil, false
		}
		return raw, len(raw) <= limit
	}
	// A list that is too long is usually far too long: then encoding a part of it shows
	// that.
	most := n
	for part := 8; part < most; part *= 4 {
		if raw, _ := try(part, shortestText); len(raw) > 2*limit {
			most = part
		}
	}
	if most == n {
		if raw, ok := try(n, longestText); ok {
			return string(raw)
		}
		if _, ok := try(n, shortestText); ok {
			text := sort.Search(longestText-shortestText, func(i int) bool {
				_, ok := try(n, shortestText+i+1)
				return !ok
			})
			raw, _ := try(n, shortestText+text)
			return string(raw)
		}
	}
	// The list does not fit with its shortest texts: the first items that do.
	for _, text := range []int{shortestText, leanText} {
		if text == leanText {
			most = n
		}
		show := sort.Search(most, func(i int) bool {
			_, ok := try(i+1, text)
			return !ok
		})
		if raw, ok := try(show, text); ok && (show > 0 || text == leanText) {
			return string(raw)
		}
	}
	return `{"error":"the answer does not fit into what may be shown; ask for less"}`
}
