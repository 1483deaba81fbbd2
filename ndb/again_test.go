package ndb

import (
	"bytes"
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

// forge breaks an event's signature.
func forge(e *nostr.Event) *nostr.Event {
	forged := *e
	forged.Sig[0] ^= 1
	return &forged
}

func TestWhatIsNotKeptAnywayIsNotVerified(t *testing.T) {
	ada, me := newPerson(1), newPerson(2)
	old := ada.signs(t, 30023, testNow-30, "old", nostr.Tag{"d", "x"})
	current := ada.signs(t, 30023, testNow-20, "current", nostr.Tag{"d", "x"})
	newest := ada.signs(t, 30023, testNow-10, "newest", nostr.Tag{"d", "x"})
	mine, mineBefore := me.signs(t, 3, testNow-10, "mine"), me.signs(t, 3, testNow-20, "mine before")
	gone := ada.signs(t, 1, testNow-50, "gone")
	goneArticle := ada.signs(t, 30023, testNow-50, "gone", nostr.Tag{"d", "y"})
	goneAddress := ada.signs(t, 30023, testNow-50, "gone", nostr.Tag{"d", "z"})
	deletion := ada.signs(t, 5, testNow-40, "", nostr.Tag{"e", gone.ID.String()}, nostr.Tag{"e", goneArticle.ID.String()}, addressOf(goneAddress))
	s, _ := openTest(t)
	s.KeepVersionsOf(me.key)
	put(t, s, current, mine, deletion)

	known := []*nostr.Event{current, mine, deletion} // most of what is sent is stored
	for name, tt := range map[string]struct {
		sent *nostr.Event
		want Outcome
	}{
		"an older version":                          {old, Replaced},
		"an older version of an own list":           {mineBefore, Invalid}, // it would be kept
		"a newer version":                           {newest, Invalid},
		"a deleted note":                            {gone, Deleted},
		"a version deleted by its address":          {goneAddress, Deleted},
		"a version deleted by its id, not yet seen": {goneArticle, Invalid}, // older ones would be blocked
	} {
		before := everyRow(t, s)
		if got := put(t, s, append(slices.Clone(known), forge(tt.sent))...); got[len(known)] != tt.want {
			t.Errorf("%s: %d, want %d", name, got[len(known)], tt.want)
		}
		if !reflect.DeepEqual(everyRow(t, s), before) {
			t.Errorf("%s: a forged event changed the store", name)
		}
	}
	for sent, want := range map[*nostr.Event]Outcome{gone: Invalid, old: Replaced} {
		if got := put(t, s, forge(sent)); got[0] != want {
			t.Errorf("%q alone: %d, want %d", sent.Content, got[0], want)
		}
	}
	if got := put(t, s, mineBefore, goneArticle, newest); !slices.Equal(got, []Outcome{Replaced, Deleted, Stored}) {
		t.Errorf("well signed: %v", got)
	}
	mustBeSound(t, s)
}

// everyRow returns all rows of the database but the count of transactions.
func everyRow(t *testing.T, s *Store) map[string]string {
	t.Helper()
	rows := make(map[string]string)
	for family := range 256 {
		if err := s.view(context.Background(), func(txn *badger.Txn) error {
			return eachRow(context.Background(), txn, []byte{byte(family)}, func(key, value []byte) error {
				rows[string(key)] = string(value)
				return nil
			})
		}); err != nil {
			t.Fatal(err)
		}
	}
	delete(rows, string(metaKey(metaLedger, ledgerSeq)))
	return rows
}

func TestAnImportFindsAgainWhatIsStoredInAnyOrder(t *testing.T) {
	ada := newPerson(1)
	var lines []string
	for i := range 300 {
		kind, tags := uint16(1), []nostr.Tag{}
		if i%7 == 3 {
			kind = 0 // of which only the newest stays
		}
		e := ada.signs(t, kind, testNow-1000+int64(i), strings.Repeat("\"\\", i%5)+"note", tags...)
		lines = append(lines, string(e.AppendJSON(nil)))
	}
	s, _ := openTest(t)
	load := func(lines []string) ImportReport {
		t.Helper()
		report, err := s.Import(context.Background(), strings.NewReader(strings.Join(lines, "\n")), ImportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	first := load(lines)
	if first.Stored != 300 {
		t.Fatalf("stored %+v", first)
	}
	before := everyRow(t, s)
	shuffled := slices.Clone(lines)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	backwards := slices.Clone(lines)
	slices.Reverse(backwards)
	for name, order := range map[string][]string{"the same": lines, "backwards": backwards, "shuffled": shuffled, "every third": everyThird(lines)} {
		report := load(order)
		if report.Read != len(order) || report.Stored != 0 || report.Duplicate+report.Replaced != len(order) || report.Duplicate == 0 {
			t.Errorf("%s: %+v", name, report)
		}
	}
	if !reflect.DeepEqual(everyRow(t, s), before) {
		t.Error("what was imported again changed the store")
	}

	// A stored id makes a line a duplicate, whatever else it says; only the id of the
	// event itself does.
	stored := lines[0][:len(lines[0])-1]
	fresh := string(ada.signs(t, 1, testNow, "fresh").AppendJSON(nil))
	report := load([]string{
		stored + `,"x":`, // not JSON
		`{"x":` + lines[0] + "," + fresh[1:],
		strings.Replace(lines[1], `"id":"`, `"id":"0`, 1),
	})
	if report.Duplicate != 1 || report.Stored != 1 || report.Invalid[nostr.ReasonShape] != 1 {
		t.Errorf("strange lines: %+v", report)
	}
	if got := query(t, s, nostr.Filter{Authors: []nostr.PubKey{ada.key}, Limit: ptr(1)}); len(got) != 1 || got[0].Content != "fresh" {
		t.Errorf("the newest is %v", contents(got))
	}
	mustBeSound(t, s)
}

func everyThird(lines []string) (third []string) {
	for some := range slices.Chunk(lines, 3) {
		third = append(third, some[len(some)-1])
	}
	return third
}

func TestPeekedIDsAreThoseOfTheEvents(t *testing.T) {
	e := newPerson(1).signs(t, 1, testNow, "quote \" and backslash \\ at the end \\", nostr.Tag{"id", "x"})
	raw := e.AppendJSON(nil)
	if id, ok := nostr.PeekID(raw); !ok || id != e.ID {
		t.Errorf("%s, %v", id, ok)
	}
	for _, bad := range [][]byte{nil, []byte("{}"), []byte(`{"content":"\`), []byte(`{"id":7}`), bytes.Replace(raw, []byte(`"id":"`), []byte(`"id":"G`), 1)} {
		if id, ok := nostr.PeekID(bad); ok {
			t.Errorf("%q has the id %s", bad, id)
		}
	}
}
