package builtin

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"bowerbird/app/builtin/question"
	"bowerbird/llm"
	"bowerbird/tools"
)

// Counting that runs out of time begins with the newest notes: what lies before them is
// asked for again, and the hour that was counted in part is counted once.
func TestCountingThatRunsOutOfTimeIsGoneOnWith(t *testing.T) {
	since := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	w := question.Window{Since: since, Until: since.Add(10*time.Hour - time.Second)}
	for _, atOnce := range []int{100, 5, 4, 3} { // hours that are counted within the time
		p := &plan{turn: &turn{offered: map[string]bool{"aggregate": true}, results: map[string]llm.Message{}}}
		args := filters{context: "home"}.args(postKinds, w)
		var got found[tools.AggregateResult]
		for got = p.buckets(args, w); got.waiting; got = p.buckets(args, w) {
			for _, c := range p.pending {
				p.results[callKey(c.Name, c.Arguments)] = llm.Message{Value: hoursCounted(t, c.Arguments, since, atOnce)}
			}
			p.pending = nil
		}
		if got.value == nil {
			t.Fatalf("%d hours at once: %s", atOnce, got.err)
		}
		seen, sum := map[string]int{}, 0
		for _, b := range got.value.Buckets {
			seen[b.Key] += b.Count
			sum += b.Count
		}
		least := min(10, maxCounts*(atOnce-1)) // hours
		if len(got.value.Buckets) != len(seen) || len(seen) < least || sum != got.value.Total || sum != 7*len(seen) {
			t.Errorf("%d hours at once: %d buckets of %d hours with %d of %d notes, want at least %d hours of 7 each",
				atOnce, len(got.value.Buckets), len(seen), sum, got.value.Total, least)
		}
	}
}

// hoursCounted answers as aggregate does where each hour has 7 notes and the time is up in
// the middle of the last of so many hours.
func hoursCounted(t *testing.T, arguments json.RawMessage, since time.Time, atOnce int) tools.AggregateResult {
	t.Helper()
	var args tools.AggregateArgs
	if err := json.Unmarshal(arguments, &args); err != nil {
		t.Fatal(err)
	}
	var until int64
	if _, err := fmt.Sscan(string(args.Until), &until); err != nil {
		t.Fatal(err)
	}
	var out tools.AggregateResult
	for at := time.Unix(until, 0).UTC().Truncate(time.Hour); !at.Before(since); at = at.Add(-time.Hour) {
		b := tools.AggregateBucket{Key: at.Format(time.RFC3339), Count: 7}
		if len(out.Buckets) == atOnce-1 && at.After(since) {
			b.Count, out.TotalAtLeast = 3, true
		}
		out.Buckets = append([]tools.AggregateBucket{b}, out.Buckets...)
		out.Total += b.Count
		if out.TotalAtLeast {
			break
		}
	}
	return out
}
