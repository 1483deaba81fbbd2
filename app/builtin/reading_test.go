package builtin

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"bowerbird/tools"
)

// counted makes what aggregate answers for hours with these numbers of notes, of
// which it left out the oldest ones.
func counted(w window, leftOut int, counts ...int) *tools.AggregateResult {
	a := &tools.AggregateResult{Total: leftOut}
	start := w.until.Add(time.Second).Add(-time.Duration(len(counts)) * time.Hour)
	for i, n := range counts {
		a.Buckets = append(a.Buckets, tools.AggregateBucket{Key: start.Add(time.Duration(i) * time.Hour).Format(time.RFC3339), Count: n})
		a.Total += n
	}
	return a
}

func TestPagesCoverEveryHourThatHasNotesOnceAndHoldNoMoreThanAQueryAnswers(t *testing.T) {
	until := time.Date(2026, 11, 19, 15, 0, 0, 0, time.UTC).Add(-time.Second)
	for _, tt := range []struct {
		name    string
		leftOut int
		counts  []int
		pages   int
	}{
		{"nothing", 0, []int{0, 0, 0}, 0},
		{"little", 0, []int{3, 0, 5}, 1},
		{"just a page", 0, []int{100, 100}, 1},
		{"one more", 0, []int{100, 101}, 2},
		{"a busy hour", 0, []int{10, 450, 10}, 4},
		{"quiet hours around", 0, []int{0, 0, 7, 0, 0, 9, 0}, 1},
		{"older ones", 12, []int{150, 150}, 2},
		{"many older ones", 60, []int{150, 150}, 3},
		{"many", 0, slices.Repeat([]int{90}, 60), 30},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := window{since: until.Add(-100 * time.Hour), until: until}
			pages, left := pagesOf(counted(w, tt.leftOut, tt.counts...), w, 100)
			if len(pages) != tt.pages || left != 0 {
				t.Errorf("%d pages and %d notes left, want %d pages: %v", len(pages), left, tt.pages, pages)
			}
			for i, n := range tt.counts {
				start := until.Add(time.Second).Add(-time.Duration(len(tt.counts)-i) * time.Hour).Unix()
				covered := int64(0)
				for _, p := range pages {
					covered += max(0, min(p.until, start+3599)-max(p.since, start)+1)
				}
				if n > 0 && covered != 3600 {
					t.Errorf("hour %d with %d notes is covered for %d seconds", i, n, covered)
				}
			}
			for i, p := range pages {
				if p.since > p.until || i > 0 && p.until >= pages[i-1].since {
					t.Errorf("page %d is %v behind %v", i, p, pages[max(i-1, 0)])
				}
			}
		})
	}
}

func TestTooManyPagesKeepTheNewestAndSayWhatIsLeft(t *testing.T) {
	until := time.Date(2026, 11, 19, 15, 0, 0, 0, time.UTC).Add(-time.Second)
	w := window{since: until.Add(-100 * time.Hour), until: until}
	pages, left := pagesOf(counted(w, 0, slices.Repeat([]int{200}, 40)...), w, 10)
	if len(pages) != 10 || left != 6000 || pages[0].until != until.Unix() {
		t.Errorf("%d pages, %d notes left, the first until %d", len(pages), left, pages[0].until)
	}
}

func ExampleModel_Info() {
	info := New(Options{}).Info()
	fmt.Println(info.Provider, info.Name, info.Host == "", info.Typed)
	// Output: builtin digest true true
}
