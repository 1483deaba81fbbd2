package ndb

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// A search reads the rows of the segments that came last first, and the rest when it
// must: however the order of arrival and that of time differ, it finds what a look
// at every note finds.
func TestASearchOverManySegmentsFindsWhatALookAtEveryNoteFinds(t *testing.T) {
	if testing.Short() {
		t.Skip("one search after the other: not beside the race detector")
	}
	for _, arrival := range []string{"oldest first", "newest first", "shuffled"} {
		t.Run(arrival, func(t *testing.T) {
			s, _ := openTest(t)
			rng := rand.New(rand.NewPCG(7, 7))
			events := wordyNotes(t, rng, 40*5)
			switch arrival {
			case "newest first":
				slices.Reverse(events)
			case "shuffled":
				rng.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
			}
			for some := range slices.Chunk(events, 5) {
				put(t, s, some...)
				nextSegment(t, s)
			}
			slices.SortFunc(events, nostr.Compare)
			for range 400 {
				f := randomSearch(rng)
				var want []string
				for _, e := range events {
					if search.Passes(f, e, testNow) && len(want) < *f.Limit {
						want = append(want, e.Content)
					}
				}
				if got := contents(query(t, s, f)); !slices.Equal(got, want) {
					t.Fatalf("%q, limit %d:\ngot  %q\nwant %q", f.Search, *f.Limit, got, want)
				}
			}
		})
	}
}

// wordyNotes returns notes, oldest first, of words some of which are rare.
func wordyNotes(t *testing.T, rng *rand.Rand, n int) (events []*nostr.Event) {
	t.Helper()
	p := newPerson(1)
	for i := range n {
		text := fmt.Sprintf("note %d", i)
		for k, word := range []string{"heron", "egret", "stork", "https://reed.example/pond", "白鷺がいる"} {
			if rng.IntN([]int{2, 5, 20, 9, 6}[k]) == 0 {
				text += " " + word
			}
		}
		events = append(events, p.signs(t, 1, testNow-int64(n)+int64(i/2), text))
	}
	return events
}

func randomSearch(rng *rand.Rand) nostr.Filter {
	words := []string{"heron", "egret", "stork", "note", "reed.example", "her*", "s*", "鷺", `"note 1*"`, `"note 1"`, "-heron", "-stork", "heron OR stork", "nowhere"}
	rng.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	f := nostr.Filter{Search: strings.Join(words[:1+rng.IntN(3)], " "), Limit: ptr(1 + rng.IntN(60))}
	if rng.IntN(3) == 0 {
		f.Since = ptr(testNow - rng.Int64N(100))
	}
	if rng.IntN(3) == 0 {
		f.Until = ptr(testNow - rng.Int64N(100))
	}
	return f
}

func TestAPrefixThatMoreThanHalfAMillionRowsBeginWithIsAnsweredInFull(t *testing.T) {
	if testing.Short() {
		t.Skip("half a million rows are much")
	}
	s, _ := openTest(t)
	me := newPerson(1)
	put(t, s, me.signs(t, 1, testNow-1, "zebra"), me.signs(t, 1, testNow, "zz"))
	rows := s.db.NewWriteBatch() // words as of other notes that are not there any more
	row := newPostingRow(nil)
	row.add(100)
	for i := range 550_000 {
		if err := rows.Set(wordKey(fmt.Sprintf("zq%06d", i), 0), row.row); err != nil {
			t.Fatal(err)
		}
	}
	if err := rows.Flush(); err != nil {
		t.Fatal(err)
	}
	if have := contents(query(t, s, nostr.Filter{Search: "z*"})); !slices.Equal(have, []string{"zz", "zebra"}) {
		t.Errorf("got %q", have)
	}
}

func TestRowsThatAreOlderThanASearchAsksForAreNotRead(t *testing.T) {
	s, _ := openTest(t)
	put(t, s, newPerson(1).signs(t, 1, testNow, "x"))
	if err := s.times.with(t.Context(), &s.reads, func() {}); err != nil {
		t.Fatal(err)
	}
	s.times.newest = make([]uint32, 20)
	for i := range s.times.newest {
		s.times.newest[i] = 1000
	}
	h := &hits{scan: &scan{store: s}, last: 500}
	h.choose(segmentSpan{10, 20}, nil)
	h.postpone(segmentSpan{0, 10})
	if len(h.segments) > 0 {
		t.Errorf("%+v: rows of segments older than since: would be read", h.segments)
	}
}
