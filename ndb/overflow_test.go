package ndb

import (
	"fmt"
	"testing"

	"bowerbird/ndb/nostr"
)

// A note with more tags than have rows is found by each of them, by the kinds and after
// an opening alike, though a query looks for such notes only where there are some.
func TestANoteIsFoundByTagsThatHaveNoRow(t *testing.T) {
	dir, c := t.TempDir(), &clock{testNow}
	s := openDir(t, dir, Options{Now: c.now})
	ada := newPerson(1)
	var tags nostr.Tags
	for i := range maxTagRows + 2 {
		tags = append(tags, nostr.Tag{"t", fmt.Sprint("topic", i)})
	}
	last := map[byte][]string{'t': {fmt.Sprint("topic", maxTagRows+1)}}
	note := ada.signs(t, nostr.KindNote, testNow-2, "few", nostr.Tag{"t", last['t'][0]})
	put(t, s, note)
	streams := func(f nostr.Filter) int {
		t.Helper()
		sc, err := s.newScan(f, QueryOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sc.next(t.Context()); err != nil {
			t.Fatal(err)
		}
		return len(sc.streams)
	}
	if got := streams(nostr.Filter{Tags: last}); got != 1 {
		t.Errorf("%d streams are read where every tag has a row, want 1", got)
	}
	put(t, s, ada.signs(t, nostr.KindArticle, testNow-1, "many", append(tags, nostr.Tag{"d", "x"})...))
	for _, state := range []string{"stored", "opened again"} {
		if got := contents(query(t, s, nostr.Filter{Tags: last})); fmt.Sprint(got) != "[many few]" {
			t.Errorf("%s: %q, want both", state, got)
		}
		if got := contents(query(t, s, nostr.Filter{Tags: last, Kinds: []uint16{nostr.KindArticle}})); fmt.Sprint(got) != "[many]" {
			t.Errorf("%s: %q, want the article", state, got)
		}
		if got := streams(nostr.Filter{Tags: last, Kinds: []uint16{nostr.KindNote}}); got != 1 {
			t.Errorf("%s: %d streams are read for a kind whose tags all have rows, want 1", state, got)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = openDir(t, dir, Options{Now: c.now})
	}
}
