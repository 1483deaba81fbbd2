package agent

import (
	"encoding/json"
	"slices"
	"testing"
)

// What a count is of is what was searched for, or the bucket that it stands in; one that is
// of nothing alone is of all.
func TestWhatACountIsOfIsKept(t *testing.T) {
	var f found
	f.take(json.RawMessage(`{"search":"ferry","limit":5}`), `{"total":41,"created_at_unix":99}`)
	f.take(json.RawMessage(`{"by":"hashtag"}`), `{"total":300,"buckets":[{"key":"bikes","count":42,"authors":300}]}`)
	f.take(json.RawMessage(`{"by":"day"}`), `{"buckets":[{"key":"2026-11-17T00:00:00+01:00","label":"Tuesday","count":71},{"key":"30023","count":43}]}`)
	for n, want := range map[int][]string{71: {""}, 43: {""}, 41: {"ferry"}, 42: {"bikes"}, 300: {"", "bikes"}, 99: nil} {
		if got := f.of[n]; !slices.Equal(got, want) && !(len(got) == len(want) && slices.Contains(got, "bikes") && slices.Contains(got, "")) {
			t.Errorf("%d is of %q, want %q", n, got, want)
		}
	}
	if slices.Contains(f.counts, 99) {
		t.Error("a time is a count")
	}
}
