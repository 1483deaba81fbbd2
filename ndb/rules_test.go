package ndb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

func addressOf(e *nostr.Event) nostr.Tag {
	d, _ := e.Tags.Value("d")
	return nostr.Tag{"a", fmt.Sprintf("%d:%s:%s", e.Kind, e.PubKey, d)}
}

func TestVersionsAndDeletionsInOneBatchGiveTheSameInAnyOrder(t *testing.T) {
	ada, eve := newPerson(1), newPerson(2)
	old := ada.signs(t, 30023, testNow-30, "old", nostr.Tag{"d", "x"})
	newer := ada.signs(t, 30023, testNow-20, "newer", nostr.Tag{"d", "x"})
	other := ada.signs(t, 30023, testNow-30, "other", nostr.Tag{"d", "y"})
	note := ada.signs(t, 1, testNow-10, "note")
	for name, tt := range map[string]struct {
		events []*nostr.Event
		want   []string // contents of what remains, but for deletions
	}{
		"the newest of two versions": {[]*nostr.Event{old, newer, other}, []string{"newer", "other"}},
		"a deletion by id":           {[]*nostr.Event{note, ada.signs(t, 5, testNow, "", nostr.Tag{"e", note.ID.String()})}, nil},
		"a stranger's deletion":      {[]*nostr.Event{note, eve.signs(t, 5, testNow, "", nostr.Tag{"e", note.ID.String()})}, []string{"note"}},
		"a stranger's deletion of an address": {
			[]*nostr.Event{newer, eve.signs(t, 5, testNow, "", addressOf(newer))}, []string{"newer"},
		},
		"a deletion of an address up to its time": {
			[]*nostr.Event{old, newer, other, ada.signs(t, 5, testNow-25, "", addressOf(old))}, []string{"newer", "other"},
		},
		"a deletion of an address after both": {
			[]*nostr.Event{old, newer, other, ada.signs(t, 5, testNow, "", addressOf(old))}, []string{"other"},
		},
		"the newest deleted by id, the older stays away": {
			[]*nostr.Event{old, newer, ada.signs(t, 5, testNow, "", nostr.Tag{"e", newer.ID.String()})}, nil,
		},
		"a request to vanish": {
			[]*nostr.Event{old, newer, note, ada.signs(t, 62, testNow-20, "bye", nostr.Tag{"relay", "ALL_RELAYS"})}, []string{"note", "bye"},
		},
		"a request to vanish from some relay": {
			[]*nostr.Event{note, ada.signs(t, 62, testNow, "bye", nostr.Tag{"relay", "wss://relay.example"})}, []string{"bye", "note"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			orders := permutations(tt.events)
			for i := 0; i < len(orders); i += 1 + len(orders)/8 {
				order := orders[i]
				s, _ := openTest(t)
				put(t, s, order...)
				put(t, s, order...)
				var got []string
				for _, e := range query(t, s, nostr.Filter{}) {
					if e.Kind != 5 {
						got = append(got, e.Content)
					}
				}
				if !slices.Equal(got, tt.want) {
					t.Errorf("%v: got %q, want %q", contents(order), got, tt.want)
				}
				mustBeSound(t, s)
			}
		})
	}
}

func permutations(events []*nostr.Event) [][]*nostr.Event {
	if len(events) < 2 {
		return [][]*nostr.Event{events}
	}
	var all [][]*nostr.Event
	for i := range events {
		rest := slices.Delete(slices.Clone(events), i, i+1)
		for _, p := range permutations(rest) {
			all = append(all, append([]*nostr.Event{events[i]}, p...))
		}
	}
	return all
}

func TestOfTwoVersionsOfOneSecondTheLowerIDWins(t *testing.T) {
	ada := newPerson(1)
	a, b := ada.signs(t, 0, testNow, `{"name":"a"}`), ada.signs(t, 0, testNow, `{"name":"b"}`)
	winner, loser := a, b
	if bytes.Compare(b.ID[:], a.ID[:]) < 0 {
		winner, loser = b, a
	}
	for _, order := range [][]*nostr.Event{{winner, loser}, {loser, winner}} {
		s, _ := openTest(t)
		put(t, s, order...)
		if got, err := s.Latest(context.Background(), 0, ada.key, ""); err != nil || got.ID != winner.ID {
			t.Errorf("got %v, %v", got, err)
		}
		if outcomes := put(t, s, loser); outcomes[0] != Replaced {
			t.Errorf("outcome %v", outcomes)
		}
	}
}

func TestADeletionOfADeletionHasNoEffect(t *testing.T) {
	s, _ := openTest(t)
	ada := newPerson(1)
	note := ada.signs(t, 1, testNow, "note")
	del := ada.signs(t, 5, testNow, "", nostr.Tag{"e", note.ID.String()})
	undo := ada.signs(t, 5, testNow, "", nostr.Tag{"e", del.ID.String()})
	put(t, s, undo, del)
	if got := put(t, s, note); got[0] != Deleted {
		t.Errorf("outcome %v", got)
	}
	if got := query(t, s, nostr.Filter{Kinds: []uint16{5}}); len(got) != 2 {
		t.Errorf("%d deletions are stored", len(got))
	}
}

func TestADeletionOfThousandsIsDoneWhenPutReturns(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of signatures: not beside the race detector")
	}
	s, _ := openTest(t)
	ada := newPerson(1)
	var notes []*nostr.Event
	var tags nostr.Tags
	for i := range maxDeletionTags {
		e := ada.signs(t, 1, testNow-int64(i), strings.Repeat(fmt.Sprintf("word%d ", i), 3), nostr.Tag{"t", "many"})
		notes = append(notes, e)
		tags = append(tags, nostr.Tag{"e", e.ID.String()})
	}
	put(t, s, notes...)
	if n := len(query(t, s, nostr.Filter{Kinds: []uint16{1}})); n != maxDeletionTags {
		t.Fatalf("%d notes stored", n)
	}
	put(t, s, ada.signs(t, 5, testNow, "", tags...))
	if n := len(query(t, s, nostr.Filter{Kinds: []uint16{1}})); n != 0 {
		t.Errorf("%d notes are left", n)
	}
	mustBeSound(t, s)

	tags = append(tags, nostr.Tag{"e", notes[0].ID.String()})
	results, err := s.Put(context.Background(), Batch{Events: []*nostr.Event{ada.signs(t, 5, testNow, "", tags...)}})
	if err != nil || results[0].Outcome != Invalid || results[0].Err.Reason != nostr.ReasonTags {
		t.Errorf("one tag more: %+v, %v", results, err)
	}
}

func TestTheLargestEventsFitInOneTransaction(t *testing.T) {
	s, _ := openTest(t)
	ada := newPerson(1)
	var text strings.Builder
	for i := 0; text.Len() < 250<<10; i++ {
		fmt.Fprintf(&text, "%s%06d ", strings.Repeat("w", 50), i)
	}
	var events []*nostr.Event
	for i := range 12 { // the rows of their words get longer with each
		events = append(events, ada.signs(t, 30023, testNow, text.String(), nostr.Tag{"d", fmt.Sprint(i)}))
	}
	var tags nostr.Tags
	for i := range 10_000 {
		tags = append(tags, nostr.Tag{"p", newPersonKey(i)})
	}
	events = append(events, ada.signs(t, 3, testNow, "", tags...), ada.signs(t, 30000, testNow, "", tags...))
	for i, o := range put(t, s, events...) {
		if o != Stored {
			t.Errorf("event %d: outcome %v", i, o)
		}
	}
	last := newPersonKey(9_999)
	if got := query(t, s, nostr.Filter{Tags: map[byte][]string{'p': {last}}}); len(got) != 2 {
		t.Errorf("the last of 10,000 p tags leads to %d lists, want 2", len(got))
	}
	mustBeSound(t, s)
}

func TestTheRowsOfAnyEventFitInAnEmptyTransaction(t *testing.T) {
	s, _ := openTest(t)
	const words, rows = search.MaxTokens, maxTagRows + 52 + 100
	bytes := nostr.MaxBytes(nostr.KindArticle) + words*(64+6+bitmapLen+2+rowOverhead) + rows*(maxTagValue+20+rowOverhead)
	if tx := newWriter(s).begin(); !tx.fits(words+rows, bytes) {
		t.Errorf("%d rows of %d bytes do not fit", words+rows, bytes)
	} else {
		tx.txn.Discard()
	}
}

// newPersonKey is a key of which nobody has the secret, in hex.
func newPersonKey(i int) string { return fmt.Sprintf("%064x", i+1) }

func TestWhatExpiresIsRefusedHiddenAndSweptAway(t *testing.T) {
	ctx := context.Background()
	s, c := openTest(t)
	ada := newPerson(1)
	note := ada.signs(t, 1, testNow-5, "soon gone", nostr.Tag{"expiration", fmt.Sprint(testNow + 10)})
	gone := ada.signs(t, 1, testNow-5, "gone", nostr.Tag{"expiration", fmt.Sprint(testNow)})
	odd := ada.signs(t, 1, testNow-5, "odd", nostr.Tag{"expiration", "tomorrow"})
	if got := put(t, s, note, gone, odd); !slices.Equal(got, []Outcome{Stored, Expired, Stored}) {
		t.Errorf("outcomes %v", got)
	}
	c.unix = testNow + 10
	if got := contents(query(t, s, nostr.Filter{})); !slices.Equal(got, []string{"odd"}) {
		t.Errorf("shown in the second of expiry: %q", got)
	}
	if _, err := s.Event(ctx, note.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("by id: %v", err)
	}
	if err := s.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	if st, err := s.Stats(ctx); err != nil || st.Events != 1 {
		t.Errorf("stats after sweep %+v, %v", st, err)
	}
	mustBeSound(t, s)
}

func TestAVersionThatHasExpiredSupersedesNothing(t *testing.T) {
	for _, swept := range []bool{true, false} {
		s, c := openTest(t)
		ada := newPerson(1)
		d := nostr.Tag{"d", "x"}
		put(t, s, ada.signs(t, 30023, testNow-10, "short-lived", d, nostr.Tag{"expiration", fmt.Sprint(testNow + 10)}))
		c.unix = testNow + 10
		if swept {
			if err := s.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if got := put(t, s, ada.signs(t, 30023, testNow-20, "lasting", d)); !slices.Equal(got, []Outcome{Stored}) {
			t.Errorf("swept %v: %v", swept, got)
		}
	}
}

func TestAVersionFromTheFutureCannotWinBeforeItsTime(t *testing.T) {
	ctx := context.Background()
	s, c := openTest(t)
	ada := newPerson(1)
	bad := ada.signs(t, 3, testNow+futureGrace+100, "from the future")
	results, err := s.Put(ctx, Batch{Events: []*nostr.Event{bad, ada.signs(t, 3, testNow, "now")}})
	if err != nil || !results[0].Hidden || results[1].Hidden {
		t.Fatalf("%+v, %v", results, err)
	}
	latest := func() string {
		e, err := s.Latest(ctx, 3, ada.key, "")
		if err != nil {
			t.Fatal(err)
		}
		return e.Content
	}
	if got := latest(); got != "now" {
		t.Errorf("latest is %q", got)
	}
	hidden := queryWith(t, s, QueryOptions{Hidden: true}, nostr.Filter{})
	if got := contents(hidden); !slices.Equal(got, []string{"from the future", "now"}) {
		t.Errorf("hidden ones asked for: %q", got)
	}
	c.unix = testNow + 100
	for _, when := range []string{"before a sweep", "after it"} {
		if got := latest(); got != "from the future" {
			t.Errorf("%s, in its time, latest is %q", when, got)
		}
		if got := contents(query(t, s, nostr.Filter{})); !slices.Equal(got, []string{"from the future"}) {
			t.Errorf("%s, in its time, shown is %q", when, got)
		}
		if err := s.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
	}
	mustBeSound(t, s)
}

func TestOwnListsKeepTheirLastTwentyVersions(t *testing.T) {
	ctx := context.Background()
	ada, bob := newPerson(1), newPerson(2)
	s := openDir(t, t.TempDir(), Options{Own: []nostr.PubKey{ada.key}})
	for _, p := range []person{ada, bob} {
		for i := range 25 {
			place := (i * 7) % 25 // they come in any order
			put(t, s, p.signs(t, 3, testNow+int64(place), fmt.Sprint(place)))
		}
	}
	versions, err := s.Versions(ctx, 3, ada.key)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]string, 0, 20)
	for i := 24; i >= 5; i-- {
		want = append(want, fmt.Sprint(i))
	}
	if got := contents(versions); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if others, err := s.Versions(ctx, 3, bob.key); err != nil || len(others) != 1 {
		t.Errorf("of a stranger %d versions are kept, %v", len(others), err)
	}
	if got := contents(query(t, s, nostr.Filter{Authors: []nostr.PubKey{ada.key}})); !slices.Equal(got, []string{"24"}) {
		t.Errorf("queries show %q", got)
	}
	put(t, s, ada.signs(t, 5, testNow+30, "", nostr.Tag{"a", "3:" + ada.key.String() + ":"}))
	if left, err := s.Versions(ctx, 3, ada.key); err != nil || len(left) != 0 {
		t.Errorf("after a deletion %d are left, %v", len(left), err)
	}
}

func TestLiesAndBrokenEventsAreNeverStored(t *testing.T) {
	s, _ := openTest(t)
	ada, eve := newPerson(1), newPerson(2)
	good := ada.signs(t, 1, testNow, "good")
	forged := *good
	forged.Content = "forged"
	foreign := *good
	foreign.PubKey = eve.key
	foreign.ID = foreign.ComputeID()
	results, err := s.Put(context.Background(), Batch{Events: []*nostr.Event{&forged, &foreign, nil, good}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []nostr.Reason{nostr.ReasonID, nostr.ReasonSignature, nostr.ReasonShape} {
		if results[i].Outcome != Invalid || results[i].Err == nil || results[i].Err.Reason != want {
			t.Errorf("event %d: %+v, want %s", i, results[i], want)
		}
	}
	if results[3].Outcome != Stored {
		t.Errorf("the true event after a lie about its id: %+v", results[3])
	}
}

func TestEphemeralEventsAreNotKept(t *testing.T) {
	s, _ := openTest(t)
	if got := put(t, s, newPerson(1).signs(t, 20001, testNow, "hush")); got[0] != Ephemeral {
		t.Errorf("outcome %v", got)
	}
	if got := query(t, s, nostr.Filter{}); len(got) != 0 {
		t.Errorf("%d are stored", len(got))
	}
}
