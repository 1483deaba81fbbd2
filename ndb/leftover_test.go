package ndb

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

// hasPostings reports whether the text index has rows of a term.
func hasPostings(t *testing.T, s *Store, term string) (has bool) {
	t.Helper()
	err := s.view(context.Background(), func(txn *badger.Txn) error {
		has = hasAny(txn, wordPrefix(term))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return has
}

func TestThePostingsOfReplacedNotesAreLeftUntilCompaction(t *testing.T) {
	ctx := context.Background()
	ada, eve := newPerson(1), newPerson(2)
	s, _ := openTest(t)
	mustFind(t, s, "shared", 0)
	for i := range 3 { // in three segments
		text := fmt.Sprintf("title%d shared", i)
		put(t, s, ada.signs(t, 30023, testNow-100+int64(i), text, nostr.Tag{"d", "x"}, nostr.Tag{"t", fmt.Sprint("tag", i)}),
			eve.signs(t, 1, testNow-100+int64(i), "shared lasts"))
		if i < 2 {
			nextSegment(t, s)
		}
	}
	check := func() {
		t.Helper()
		mustBeSound(t, s)
		mustFind(t, s, "shared", 4)
		mustFind(t, s, "title0", 0)
		mustFind(t, s, "title*", 1)
		mustFind(t, s, "shared -lasts", 1)
		if n, of, err := s.TermFrequency(ctx, "shared"); n != 4 || of != 4 || err != nil {
			t.Errorf("%d of %d have the word, %v", n, of, err)
		}
		if tags, err := s.SuggestHashtags(ctx, "tag", 9); len(tags) != 1 || tags[0].Notes != 1 || err != nil {
			t.Errorf("hashtags %v, %v", tags, err)
		}
		page, err := s.Ranked(ctx, nostr.Filter{Search: "title*"}, RankOptions{Limit: 5})
		if err != nil || len(page.Hits) != 1 || page.state.Notes[0] != 1 {
			t.Errorf("ranked %+v, %v", page, err)
		}
	}
	check()
	if !hasPostings(t, s, "title0") {
		t.Error("the postings went at once: this test tests nothing")
	}
	if _, err := s.Compact(ctx, nil); err != nil {
		t.Fatal(err)
	}
	check()
	if hasPostings(t, s, "title0") || hasPostings(t, s, "title1") || !hasPostings(t, s, "title2") {
		t.Error("compaction dropped other postings than those of replaced notes")
	}
	last := ada.signs(t, 30023, testNow, "title3 shared", nostr.Tag{"d", "x"})
	put(t, s, last, ada.signs(t, 5, testNow, "", addressOf(last)))
	if !hasPostings(t, s, "title2") || hasPostings(t, s, "title3") {
		t.Error("what was deleted has postings, or what was replaced has none")
	}
	mustBeSound(t, s)
}

func TestCompactionDropsMorePostingsThanOneTransactionHolds(t *testing.T) {
	ada := newPerson(1)
	s, _ := openTest(t)
	var words strings.Builder
	for i := range 3 * migrationRows {
		fmt.Fprintf(&words, "w%d ", i)
	}
	put(t, s, ada.signs(t, 30023, testNow-1, words.String()), ada.signs(t, 30023, testNow, "brief w1"))
	if _, err := s.Compact(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if !hasPostings(t, s, "w1") || hasPostings(t, s, "w2") || hasPostings(t, s, fmt.Sprint("w", 3*migrationRows-1)) {
		t.Error("not all postings of the replaced note went, or too many")
	}
	mustBeSound(t, s)
}

func TestCheckFindsPostingsThatNoNoteAskedFor(t *testing.T) {
	ada := newPerson(1)
	for name, place := range map[string]uint16{"of a stored note": 1, "of a number that no note has had": 9} {
		s, _ := openTest(t)
		put(t, s, ada.signs(t, 0, testNow-1, `{"name":"old"}`), ada.signs(t, 0, testNow, `{"name":"ada"}`))
		mustBeSound(t, s)
		err := s.change(t.Context(), &change{1, 100, func(t *tx) {
			row := wordRow{"stray", 0}
			p := newPostingRow(nil)
			p.add(place)
			t.touch(row, p)
		}})
		if err != nil {
			t.Fatal(err)
		}
		if report, err := s.Check(t.Context(), nil); err != nil || report.BadCount != 1 {
			t.Errorf("%s: %v, %v", name, report, err)
		}
	}
}

// mustFind fails the test when a search does not find so many notes.
func mustFind(t *testing.T, s *Store, search string, want int) {
	t.Helper()
	if got := query(t, s, nostr.Filter{Search: search}); len(got) != want {
		t.Errorf("%q finds %q", search, contents(got))
	}
}
