package builtin

import (
	"strings"
	"testing"
)

func TestShoutsTimesAndInitialsNameNoTopic(t *testing.T) {
	for phrase, want := range map[string]bool{
		"06Z": true, "DM": true, "BUY BTC": true, "WRITE": true, "1.234": true,
		"LMDB": false, "harbour bakery": false, "Lindqvist": false, "図書館": false, "Straße 7": false,
	} {
		if got := noisy(phrase); got != want {
			t.Errorf("%q: noisy is %v, not %v", phrase, got, want)
		}
	}
}

func TestAStoryIsNamedByTheOnlyHashtagOfItsNote(t *testing.T) {
	list := []item{
		{heading: "#bread"}, {}, {}, {}, {}, {},
	}
	for i, tags := range [][]string{{"x"}, {"bread"}, {"chess", "rook"}, {"comet"}, {"comet"}, {"ferry"}} {
		list[i].cites = []cite{{note: &note{hashtags: tags}}}
	}
	named(list, "#Ferry")
	for i, want := range []string{"#bread", "", "", "#comet", "", ""} {
		if list[i].heading != want {
			t.Errorf("story %d is called %q, not %q", i, list[i].heading, want)
		}
	}
}

func TestTheFiguresOfAnItemAreReadBehindWhatIsSaidOfItsNote(t *testing.T) {
	for _, it := range []Item{
		{Lines: []Line{{Text: "Ann: “x” ^1 (with a picture)"}}, Note: "2 notes, 4 took part"},
		{Lines: []Line{{Text: "Ann: “x” ^1 (with a picture)"}}},
		{Heading: "#comet", Lines: []Line{{Text: "Ann: “x” ^1"}}, Note: "4 took part"},
	} {
		got := readItem(strings.TrimPrefix(it.markdown(), itemMark))
		if got.Note != it.Note || got.Heading != it.Heading || got.Lines[0] != it.Lines[0] {
			t.Errorf("%+v is read as %+v", it, got)
		}
	}
}

func TestOnePlainWordHeadsATopicOnlyWhenThreePeopleUseIt(t *testing.T) {
	users := func(n int) map[*person]bool {
		m := map[*person]bool{}
		for range n {
			m[&person{}] = true
		}
		return m
	}
	for name, tt := range map[string]struct {
		h    heading
		want bool
	}{
		"a plain word of two":    {heading{users: users(2), terms: []string{"isnt"}}, false},
		"a plain word of three":  {heading{users: users(3), terms: []string{"bakery"}}, true},
		"two plain words of two": {heading{users: users(2), terms: []string{"harbour", "bakery"}}, true},
		"a name of two":          {heading{users: users(2), name: true, terms: []string{"lund"}}, true},
		"a name of one":          {heading{users: users(1), name: true, terms: []string{"lund"}}, false},
	} {
		if got := tt.h.usable(); got != tt.want {
			t.Errorf("%s: tells is %v", name, got)
		}
	}
}
