package notesync

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

func intervals(spans ...span) (list []coverage.Interval) {
	for _, s := range spans {
		list = append(list, coverage.Interval{From: s.from, To: s.to})
	}
	return list
}

func TestGapsAreWhatTheLedgerLacks(t *testing.T) {
	tests := []struct {
		name string
		want span
		have []span
		open []span
	}{
		{"nothing is known", span{10, 20}, nil, []span{{10, 20}}},
		{"all is known", span{10, 20}, []span{{10, 20}}, nil},
		{"more than all is known", span{10, 20}, []span{{1, 50}}, nil},
		{"the middle is known", span{10, 20}, []span{{13, 15}}, []span{{16, 20}, {10, 12}}},
		{"both ends are known", span{10, 20}, []span{{5, 10}, {20, 25}}, []span{{11, 19}}},
		{"neighbours leave no gap", span{10, 20}, []span{{10, 14}, {15, 20}}, nil},
		{"overlaps count once", span{10, 20}, []span{{12, 16}, {14, 18}}, []span{{19, 20}, {10, 11}}},
		{"one second is asked for", span{10, 10}, []span{{11, 12}}, []span{{10, 10}}},
		{"what lies outside does not matter", span{10, 20}, []span{{1, 9}, {21, 30}}, []span{{10, 20}}},
		{"an empty span has none", span{10, 9}, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := gaps(tt.want, intervals(tt.have...)); !slices.Equal(got, tt.open) {
				t.Errorf("%v, want %v", got, tt.open)
			}
		})
	}
}

// TestGapsAndLedgerMakeUpTheSpan checks each second of random cases by itself.
func TestGapsAndLedgerMakeUpTheSpan(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		want := span{rng.Int64N(60), 0}
		want.to = want.from + rng.Int64N(60)
		var have []span
		for range rng.IntN(6) {
			from := rng.Int64N(120)
			have = append(have, span{from, from + rng.Int64N(30)})
		}
		open := gaps(want, intervals(have...))
		for at := int64(0); at < 160; at++ {
			in := func(s span) bool { return s.from <= at && at <= s.to }
			known := slices.ContainsFunc(have, in)
			if got := slices.ContainsFunc(open, in); got != (in(want) && !known) {
				t.Fatalf("%v without %v is %v: wrong at %d", want, have, open, at)
			}
		}
		for i := 1; i < len(open); i++ {
			if open[i].to >= open[i-1].from {
				t.Fatalf("%v: not newest first", open)
			}
		}
	}
}

func TestWindowsMakeUpTheSpanNewestFirst(t *testing.T) {
	for _, days := range []int64{1, 2, 3, 4, 7, 30, 365, 3650} {
		all := span{1_700_000_000 - days*day, 1_700_000_000}
		ws := windows(all)
		next := all.to
		for _, w := range ws {
			if w.to != next || w.empty() {
				t.Fatalf("%d days: window %v, want one that ends at %d", days, w, next)
			}
			next = w.from - 1
		}
		if next != all.from-1 {
			t.Errorf("%d days: the windows end at %d, the span at %d", days, next+1, all.from)
		}
		if first := ws[0]; first.to-first.from >= day {
			t.Errorf("%d days: the first window is %d s long", days, first.to-first.from)
		}
		if len(ws) > 15 {
			t.Errorf("%d days: %d windows", days, len(ws))
		}
	}
}

func TestTheNewestMinutesOfALedgerAreAskedForAgain(t *testing.T) {
	tests := []struct{ have, want []span }{
		{nil, nil},
		{[]span{{0, 10_000}}, []span{{0, 10_000 - clockSkew}}},
		{[]span{{9000, 10_000}, {0, 5000}}, []span{{9000, 10_000 - clockSkew}, {0, 5000}}},
		{[]span{{9500, 10_000}, {0, 5000}}, []span{{0, 5000}}},
		{[]span{{9900, 10_000}}, nil},
	}
	for _, tt := range tests {
		have := intervals(tt.have...)
		before := slices.Clone(have)
		if got := settled(have, 1<<40); !slices.Equal(got, intervals(tt.want...)) {
			t.Errorf("%v of %v, want %v", got, tt.have, tt.want)
		}
		if !slices.Equal(have, before) {
			t.Error("the caller's list was changed")
		}
	}
}

func TestWhatAClockThatWasAheadConfirmedIsAskedForAgain(t *testing.T) {
	const now = 100_000
	for name, tt := range map[string]struct {
		have coverage.Interval
		want []coverage.Interval
	}{
		"confirmed in time":            {coverage.Interval{From: 1, To: 90_000, VerifiedAt: 90_000}, []coverage.Interval{{From: 1, To: 90_000 - clockSkew, VerifiedAt: 90_000}}},
		"confirmed years from now":     {coverage.Interval{From: 1, To: now * 3, VerifiedAt: now * 3}, nil},
		"of old times, years from now": {coverage.Interval{From: 1, To: 50, VerifiedAt: now * 3}, nil},
		"its oldest part in time":      {coverage.Interval{From: 1, To: now * 3, VerifiedAt: 80_000}, []coverage.Interval{{From: 1, To: 80_000 - clockSkew, VerifiedAt: 80_000}}},
	} {
		if got := settled([]coverage.Interval{tt.have}, now); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func TestAPlanAsksTogetherForThoseWhoLackTheSame(t *testing.T) {
	var authors []nostr.PubKey
	for i := range 250 {
		authors = append(authors, nostr.PubKey{byte(i), byte(i >> 8), 1})
	}
	known := map[nostr.PubKey][]coverage.Interval{
		authors[7]: intervals(span{0, 100}),              // all
		authors[8]: intervals(span{0, 49}),               // the older half
		authors[9]: intervals(span{40, 60}, span{0, 10}), // parts of both
	}
	tasks := plan([]span{{50, 100}, {0, 49}}, coverage.Feed, authors, func(a nostr.PubKey) []coverage.Interval { return known[a] })
	var got []string
	asked := map[nostr.PubKey]int64{}
	for _, task := range tasks {
		got = append(got, fmt.Sprintf("%d-%d for %d", task.span.from, task.span.to, len(task.authors)))
		for _, a := range task.authors {
			asked[a] += task.span.to - task.span.from + 1
		}
	}
	want := []string{"61-100 for 1", "50-100 for 100", "50-100 for 100", "50-100 for 48", "0-49 for 100", "0-49 for 100", "0-49 for 47", "11-39 for 1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for i, a := range authors {
		want := int64(101)
		switch i {
		case 7:
			want = 0
		case 8:
			want = 51
		case 9:
			want = 40 + 29
		}
		if asked[a] != want {
			t.Errorf("author %d is asked for %d s, want %d", i, asked[a], want)
		}
	}
}
