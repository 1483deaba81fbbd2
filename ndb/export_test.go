package ndb

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
)

func exported(t *testing.T, s *Store, f nostr.Filter) (lines []byte) {
	t.Helper()
	for e, err := range s.Export(context.Background(), f) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(e.AppendJSON(lines), '\n')
	}
	return lines
}

// mustGoRound imports a store's export into an empty one and compares the exports.
func mustGoRound(t *testing.T, name string, s *Store, opt Options) {
	t.Helper()
	first := exported(t, s, nostr.Filter{})
	again := openDir(t, t.TempDir(), opt)
	report, err := again.Import(context.Background(), bytes.NewReader(first), ImportOptions{})
	if err != nil || report.Read != bytes.Count(first, []byte{'\n'}) {
		t.Fatalf("%s: import: %+v, %v", name, report, err)
	}
	second := exported(t, again, nostr.Filter{})
	if bytes.Equal(first, second) {
		return
	}
	a, b := strings.Split(string(first), "\n"), strings.Split(string(second), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Errorf("%s: line %d of %d and %d:\n%.300s\n%.300s", name, i, len(a), len(b), a[i], b[i])
			return
		}
	}
	t.Errorf("%s: %d lines became %d", name, len(a), len(b))
}

func TestAnExportImportedAndExportedAgainIsTheSame(t *testing.T) {
	c := &clock{testNow}
	ada, ben := newPerson(1), newPerson(2)
	opt := Options{Now: c.now, Own: []nostr.PubKey{ada.key}}
	s := openDir(t, t.TempDir(), opt)
	gone := ben.signs(t, 1, testNow-3, "is deleted")
	early := ada.signs(t, 3, testNow+futureGrace+50, "deleted before its time")
	all := []*nostr.Event{
		gone,
		ben.signs(t, 5, testNow-2, "", nostr.Tag{"e", gone.ID.String()}, nostr.Tag{"a", "30023:" + ben.key.String() + ":x"}),
		ben.signs(t, 30023, testNow-9, "an article that is deleted", nostr.Tag{"d", "x"}),
		ben.signs(t, 30023, testNow-1, "the same one, written anew", nostr.Tag{"d", "x"}),
		ada.signs(t, 1, testNow, "\x00\x01\u2028 \u007f猫が好き кот é e\u0301 🤷🏽‍♀️ \u202Eabc\\\"\b\f\n\r\t</script>"),
		ada.signs(t, 1, testNow, "", nostr.Tag{}, nostr.Tag{""}, nostr.Tag{"e"}, nostr.Tag{"p", ben.key.String(), "", "x"}),
		ada.signs(t, 1, testNow-5, "empty tags"),
		ada.signs(t, 1, testNow+futureGrace+100, "from the future"),
		ada.signs(t, 0, testNow+futureGrace+100, `{"name":"from the future"}`),
		ada.signs(t, 0, testNow, `{"name":"now"}`),
		early,
		ada.signs(t, 5, testNow, "", nostr.Tag{"e", early.ID.String()}),
		ben.signs(t, 62, testNow-100, "", nostr.Tag{"relay", "ALL_RELAYS"}),
	}
	for i := range 25 { // more than are kept
		all = append(all, ada.signs(t, 3, testNow-int64(i*7%25), fmt.Sprint(i)), ada.signs(t, 10002, testNow-int64(i%3), fmt.Sprint(i)))
	}
	put(t, s, all...)
	mustGoRound(t, "as it was put", s, opt)
	lines := exported(t, s, nostr.Filter{Authors: []nostr.PubKey{ada.key}, Kinds: []uint16{3}})
	if n := bytes.Count(lines, []byte{'\n'}); n != 20 {
		t.Errorf("the export has %d versions of the contact list", n)
	}
	if n := bytes.Count(exported(t, s, nostr.Filter{Kinds: []uint16{3}, Limit: ptr(7)}), []byte{'\n'}); n != 7 {
		t.Errorf("with a limit of 7 the export has %d", n)
	}
	c.unix += 200
	mustGoRound(t, "when the future has come", s, opt)
}

func TestRandomWorldsGoRound(t *testing.T) {
	if testing.Short() {
		t.Skip("one world after the other: not beside the race detector")
	}
	for seed := range 6 {
		w := &world{t: t, rng: rand.New(rand.NewPCG(uint64(seed), 5)), laterDeletions: seed%2 == 0}
		for i := range 5 {
			w.people = append(w.people, newPerson(i))
		}
		for range 120 {
			w.made = append(w.made, w.event())
		}
		c := &clock{testNow}
		opt := Options{Now: c.now, Own: []nostr.PubKey{w.people[0].key, w.people[1].key}}
		s := openDir(t, t.TempDir(), opt)
		for part := range slices.Chunk(w.made, 25) {
			put(t, s, part...)
		}
		for _, later := range []int64{0, 30, 70} {
			c.unix = testNow + later
			mustGoRound(t, fmt.Sprintf("seed %d, %d s later", seed, later), s, opt)
		}
	}
}
