package ndb

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

func ranked(t *testing.T, s *Store, search string, opt RankOptions) RankedPage {
	t.Helper()
	page, err := s.Ranked(context.Background(), nostr.Filter{Search: search}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func hitContents(page RankedPage) (names []string) {
	for _, h := range page.Hits {
		names = append(names, h.Event.Content)
	}
	return names
}

func TestWhatFitsBestComesFirst(t *testing.T) {
	const day = 24 * 3600
	s, _ := openTest(t)
	ada := newPerson(1)
	for i := range 40 {
		put(t, s, ada.signs(t, 1, testNow-int64(i)*3600, fmt.Sprintf("the weather of day number %d was fine for long walks", i)))
	}
	put(t, s,
		ada.signs(t, 1, testNow-5*day, "bowerbird bowerbird"),
		ada.signs(t, 1, testNow-5*day+1, "a bowerbird among many other words that say little about it and go on for a while"),
		ada.signs(t, 1, testNow-1, "the weather is fine, said the bowerbird while all of the others slept through the long night"),
		ada.signs(t, 1, testNow-400*day, "bowerbird"),
		ada.signs(t, 1, testNow-401*day, "the bowerbird"))
	for search, want := range map[string][]string{
		"bowerbird": {
			"bowerbird bowerbird",
			"the weather is fine, said the bowerbird while all of the others slept through the long night",
			"a bowerbird among many other words that say little about it and go on for a while",
			"bowerbird", "the bowerbird",
		},
		"bowerbird -weather -words": {"bowerbird bowerbird", "bowerbird", "the bowerbird"},
		`"the bowerbird"`:           {"the weather is fine, said the bowerbird while all of the others slept through the long night", "the bowerbird"},
		"cassowary":                 nil,
	} {
		page := ranked(t, s, search, RankOptions{Limit: 10})
		if got := hitContents(page); !slices.Equal(got, want) || page.More {
			t.Errorf("%s: %q, want %q (more %v)", search, got, want, page.More)
		}
	}
	// By hand: one of 45 texts has a length of 1; 5 have the word.
	page := ranked(t, s, "bowerbird", RankOptions{Limit: 10})
	words := 0
	for _, e := range query(t, s, nostr.Filter{}) {
		for range search.Tokens(e.Content) {
			words++
		}
	}
	idf := math.Log(1 + (45-5+0.5)/(5+0.5))
	want := idf * 2.2 / (1 + 1.2*(0.25+0.75*1/(float64(words)/45))) * (0.25 + 0.75*math.Exp2(-400.0/30))
	if got := page.Hits[3].Score; math.Abs(got-want) > 1e-9 {
		t.Errorf("score %v, want %v", got, want)
	}
}

func TestPagesOfARankedAnswerFitTogetherWhateverIsStoredMeanwhile(t *testing.T) {
	s, _ := openTest(t)
	rng := rand.New(rand.NewPCG(5, 5))
	ada := newPerson(1)
	words := strings.Fields("blue bower bird nest feather song")
	some := func(i int) *nostr.Event {
		var text []string
		for range 1 + rng.IntN(9) {
			text = append(text, words[rng.IntN(len(words))])
		}
		return ada.signs(t, 1, testNow-int64(rng.IntN(40))*24*3600, fmt.Sprint(strings.Join(text, " "), " n", i))
	}
	for i := range 150 {
		put(t, s, some(i))
	}
	for _, search := range []string{"blue OR bower", "bird", "nes*", "-blue", `"blue bower" OR song`} {
		whole := ranked(t, s, search, RankOptions{Limit: 1000})
		if !slices.IsSortedFunc(whole.Hits, compareHits) || whole.More {
			t.Fatalf("%s: the whole answer is out of order", search)
		}
		if n, err := s.Count(t.Context(), QueryOptions{}, nostr.Filter{Search: search}); err != nil || n != len(whole.Hits) {
			t.Errorf("%s: %d ranked, %d found", search, len(whole.Hits), n)
		}
		var got []SearchHit
		var after *RankCursor
		for pages := 0; ; pages++ {
			page := ranked(t, s, search, RankOptions{Limit: 7, After: after})
			got = append(got, page.Hits...)
			if !page.More || pages > 100 {
				break
			}
			raw, err := page.Cursor(len(page.Hits) - 1).MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			after = new(RankCursor)
			if err := after.UnmarshalBinary(raw); err != nil {
				t.Fatal(err)
			}
			put(t, s, some(1000+pages), some(2000+pages)) // what comes meanwhile is in none of the pages
		}
		if !slices.EqualFunc(got, whole.Hits, func(a, b SearchHit) bool { return a.Event.ID == b.Event.ID && a.Score == b.Score }) {
			t.Errorf("%s: %d hits in pages, %d at once, or another order", search, len(got), len(whole.Hits))
		}
	}
	page := ranked(t, s, "blue OR bird", RankOptions{Limit: 3})
	if _, err := s.Ranked(t.Context(), nostr.Filter{Search: "blue"}, RankOptions{After: page.Cursor(0)}); err == nil {
		t.Error("a place of another search is taken")
	}
	if err := new(RankCursor).UnmarshalBinary([]byte("short")); err == nil {
		t.Error("a place that is too short is taken")
	}
}

func TestHashtagsAreSuggestedByHowMuchTheyAreUsedNow(t *testing.T) {
	s, _ := openTest(t)
	ada := newPerson(1)
	tagged := func(n int, age int64, tag string) {
		for i := range n {
			put(t, s, ada.signs(t, 1, testNow-age-int64(i), fmt.Sprint(tag, i), nostr.Tag{"t", tag}))
		}
	}
	tagged(5, 100, "birds")
	tagged(3, 100, "Bird")
	tagged(1, 100, "birding")
	tagged(2, 100, "cats")
	one := ada.signs(t, 1, testNow, "x", nostr.Tag{"t", "bird"}, nostr.Tag{"t", "BIRD"}, nostr.Tag{"t", "été"})
	put(t, s, one)
	check := func(prefix string, limit int, want string) {
		t.Helper()
		got, err := s.SuggestHashtags(t.Context(), prefix, limit)
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q: %v, want %s (%v)", prefix, got, want, err)
		}
	}
	check("bir", 10, "[{birds 5} {bird 4} {birding 1}]")
	check("#BIRD", 2, "[{birds 5} {bird 4}]")
	check("ét", 10, "[{été 1}]")
	check("", 2, "[{birds 5} {bird 4}]")
	check("zebra", 10, "[]")
	check("x\x00", 10, "[]")
	put(t, s, ada.signs(t, 5, testNow, "", nostr.Tag{"e", one.ID.String()}))
	check("bird", 1, "[{birds 5}]")
	check("été", 10, "[]")
}

func TestAPlaceInARankedAnswerIsReadBackHoweverManyWordsWereLookedFor(t *testing.T) {
	s, _ := openTest(t)
	text := strings.Repeat("☀", 4_096/len("☀")) // each is looked for by itself
	put(t, s, newPerson(1).signs(t, 1, testNow, "☀"), newPerson(2).signs(t, 1, testNow-1, "☀"))
	f := nostr.Filter{Search: text}
	page, err := s.Ranked(t.Context(), f, RankOptions{Limit: 1})
	if err != nil || len(page.Hits) != 1 || !page.More {
		t.Fatalf("%d hits, %v", len(page.Hits), err)
	}
	raw, err := page.Cursor(0).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	after := new(RankCursor)
	if err := after.UnmarshalBinary(raw); err != nil {
		t.Fatalf("a place of %d bytes: %v", len(raw), err)
	}
	if page, err = s.Ranked(t.Context(), f, RankOptions{Limit: 1, After: after}); err != nil || len(page.Hits) != 1 || page.Hits[0].Event.CreatedAt != testNow-1 {
		t.Errorf("behind it: %+v, %v", page.Hits, err)
	}
}
