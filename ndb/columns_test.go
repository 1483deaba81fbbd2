package ndb

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"bowerbird/ndb/nostr"
)

// The feed of many people, or of everybody, is read from an index until the columns are
// in memory, and from then on from those: both must say the same, through replacements,
// deletions and a clock that goes on.
func TestTheFeedOfManyIsTheSameFromTheIndexAndFromMemory(t *testing.T) {
	const people, notes = mergedAuthors * 3, 600
	rng := rand.New(rand.NewPCG(4, 2))
	fromMemory, clockA := openTest(t)
	clockB := &clock{testNow}
	fromIndex := openDir(t, t.TempDir(), Options{Now: clockB.now})

	crowd := make([]person, people)
	for i := range crowd {
		crowd[i] = newPerson(i)
	}
	var sent []*nostr.Event
	for i := range notes {
		p, created := crowd[rng.IntN(people)], testNow-rng.Int64N(5000)
		switch rng.IntN(10) {
		case 0:
			sent = append(sent, p.signs(t, 0, created, `{"name":"`+strconv.Itoa(i)+`"}`))
		case 1:
			if len(sent) > 0 {
				victim := sent[rng.IntN(len(sent))]
				author := crowd[slices.IndexFunc(crowd, func(p person) bool { return p.key == victim.PubKey })]
				sent = append(sent, author.signs(t, 5, testNow, "", nostr.Tag{"e", victim.ID.String()}))
			}
		case 2:
			sent = append(sent, p.signs(t, 1, testNow+futureGrace+rng.Int64N(100), "soon "+strconv.Itoa(i)))
		default:
			sent = append(sent, p.signs(t, uint16(1+rng.IntN(3)*5), created, strconv.Itoa(i)))
		}
	}
	for batch := range slices.Chunk(sent, 50) {
		put(t, fromMemory, batch...)
		put(t, fromIndex, batch...)
		clockA.unix, clockB.unix = clockA.unix+10, clockB.unix+10
		for range 20 {
			f := randomFeed(rng, crowd)
			if fromIndex.times.ready() || !fromMemory.times.ready() {
				t.Fatal("the stores do not read what they are here for")
			}
			got, want := contents(query(t, fromMemory, f)), contents(query(t, fromIndex, f))
			if !slices.Equal(got, want) {
				t.Fatalf("%+v:\nfrom memory %q\nfrom the index %q", f, got, want)
			}
		}
	}
	mustBeSound(t, fromMemory)
	mustBeSound(t, fromIndex) // counts, and so loads the columns from disk
	for range 50 {
		f := randomFeed(rng, crowd)
		if got, want := contents(query(t, fromIndex, f)), contents(query(t, fromMemory, f)); !slices.Equal(got, want) {
			t.Fatalf("%+v:\nloaded %q\nkept up %q", f, got, want)
		}
	}
}

func randomFeed(rng *rand.Rand, crowd []person) nostr.Filter {
	var f nostr.Filter
	if rng.IntN(2) == 0 {
		for _, i := range rng.Perm(len(crowd))[:mergedAuthors+1+rng.IntN(len(crowd)-mergedAuthors)] {
			f.Authors = append(f.Authors, crowd[i].key)
		}
	}
	if rng.IntN(3) > 0 {
		f.Kinds = []uint16{1, 6, 11}[:1+rng.IntN(3)]
	}
	if rng.IntN(2) == 0 {
		f.Limit = ptr(rng.IntN(60))
	}
	if rng.IntN(2) == 0 {
		f.Until = ptr(testNow - rng.Int64N(5000))
	}
	if rng.IntN(3) == 0 {
		f.Since = ptr(testNow - rng.Int64N(5000))
	}
	return f
}

// A search is planned in one transaction and read on in others. What comes between
// stands in the columns and in no row of words, so a "-" says nothing of it.
func TestANoteThatComesWhileASearchIsReadIsNotTakenForOneWithoutTheWord(t *testing.T) {
	s, _ := openTest(t)
	p := newPerson(1)
	var events []*nostr.Event
	for i := range 3 * segmentNotes / 2 { // the segment being filled is opened last: its notes are old
		created := testNow - int64(i)
		events = append(events, p.signs(t, 1, created, "heron "+strconv.Itoa(i)))
	}
	for batch := range slices.Chunk(events, 500) {
		put(t, s, batch...)
	}
	late := p.signs(t, 1, testNow-10_000, "heron and egret")
	seen := 0
	for e, err := range s.Query(t.Context(), QueryOptions{}, nostr.Filter{Search: "-egret"}) {
		if err != nil {
			t.Fatal(err)
		}
		if seen == 0 {
			put(t, s, late)
		}
		seen++
		if e.ID == late.ID {
			t.Fatal("a note with the word is shown")
		}
	}
	if seen != len(events) {
		t.Errorf("%d of %d notes", seen, len(events))
	}
}
