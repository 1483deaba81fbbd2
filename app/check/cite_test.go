package check

import (
	"slices"
	"strings"
	"testing"
)

func TestReferencesOfATextAreFound(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []int
	}{
		{"one", "Ada wrote it ^1.", []int{1}},
		{"side by side", "both say so ^1^12 ^3", []int{1, 12, 3}},
		{"right behind a word", "the flood^2", []int{2}},
		{"behind other scripts", "洪水^2。", []int{2}},
		{"three digits at most", "^999 ^1000", []int{999}},
		{"zero names nothing, and is one all the same", "^0 and ^", []int{0}},
		{"powers are none", "10^8 sats, E = mc^2, km^2, $c^2$ and $$x^1$$", nil},
		{"money is no mathematics", "$5 ^1 or $6 ^2", []int{1, 2}},
		{"not in code", "`x^1` and ``a ` ^2`` but ^3", []int{3}},
		{"not in a code block", "```\n^1\n```\n^2", []int{2}},
		{"an open backtick is plain", "a ` b ^1", []int{1}},
		{"leading zeros are read", "^007", []int{7}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []int
			for _, r := range References(tt.text) {
				got = append(got, r.Index)
				if !strings.HasPrefix(tt.text[r.Start:r.End], "^") {
					t.Errorf("the range holds %q", tt.text[r.Start:r.End])
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func FuzzReferences(f *testing.F) {
	f.Add("`^1` ^2 ``")
	f.Add("^^^1``^2`")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, r := range References(text) {
			if r.Start < last || r.End <= r.Start+1 || r.End > len(text) || r.Index < 0 || r.Index > 999 {
				t.Fatalf("%q: %+v", text, r)
			}
			last = r.End
		}
	})
}
