package tools_test

import (
	"encoding/json"
	"strings"
	"testing"

	"bowerbird/tools"
)

type fitted struct {
	Items   []string `json:"items"`
	LeftOut int      `json:"left_out,omitempty"`
}

// fitting builds lists of n texts of a length, and counts the items that it writes.
func fitting(n, length int, written *int) func(show, text int) any {
	return func(show, text int) any {
		*written += show
		f := fitted{Items: []string{}, LeftOut: n - show}
		for range show {
			f.Items = append(f.Items, strings.Repeat("x", min(length, text)))
		}
		return f
	}
}

func TestFitShowsAsManyItemsAsThereIsRoomFor(t *testing.T) {
	const limit, length = 600, 25
	for n := range 300 {
		written, most := 0, 0
		build := fitting(n, length, &written)
		for show := range n + 1 {
			if raw, err := json.Marshal(build(show, length)); err == nil && len(raw) <= limit {
				most = show
			}
		}
		var got fitted
		if err := json.Unmarshal([]byte(tools.Fit(limit, n, build)), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Items) != most || got.LeftOut != n-most {
			t.Errorf("of %d items %d are shown, %d have room", n, len(got.Items), most)
		}
	}
}

func TestFitWritesNotAllOfWhatIsFarTooLong(t *testing.T) {
	const n = 5000
	written := 0
	if got := tools.Fit(2<<10, n, fitting(n, 25, &written)); len(got) > 2<<10 {
		t.Errorf("%d bytes are too many", len(got))
	}
	if written >= n {
		t.Errorf("%d items were written to find out how many of %d have room", written, n)
	}
}
