package notesync

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// silentCaps are ways in which a relay cuts its pages without a word: to two events or
// more, see experience.meager.
var silentCaps = map[string]func(rng *rand.Rand) func(nostr.Filter) int{
	"the same for all": func(rng *rand.Rand) func(nostr.Filter) int {
		most := 2 + rng.IntN(40)
		return func(nostr.Filter) int { return most }
	},
	// A relay whose store takes a limit above its own for none at all, and then gives a
	// quarter of its own; for lists of which there is one each it gives all.
	"a quarter of what is too much": func(rng *rand.Rand) func(nostr.Filter) int {
		most := 8 + rng.IntN(160)
		return func(f nostr.Filter) int {
			switch {
			case slices.Equal(f.Kinds, profileKinds()):
				return len(f.Authors) * len(f.Kinds)
			case *f.Limit <= most:
				return *f.Limit
			}
			return most / 4
		}
	},
	"another for each number of authors": func(rng *rand.Rand) func(nostr.Filter) int {
		each := 2 + rng.IntN(12)
		return func(f nostr.Filter) int { return each * max(1, len(f.Authors)) }
	},
	"another for each kind of question": func(rng *rand.Rand) func(nostr.Filter) int {
		feed, other := 2+rng.IntN(20), 100
		return func(f nostr.Filter) int {
			if slices.Equal(f.Kinds, feedKinds()) {
				return feed
			}
			return other
		}
	},
	"another for each question": func(rng *rand.Rand) func(nostr.Filter) int {
		salt, least := rng.Uint64(), 2+rng.IntN(6)
		return func(f nostr.Filter) int {
			raw, _ := json.Marshal(f) // a filter has a JSON form
			h := fnv.New64a()
			fmt.Fprint(h, salt)
			_, _ = h.Write(raw) // a hash takes all
			return least + int(h.Sum64()%30)
		}
	},
}

// crowded is a world of which much lies in few seconds: floods of many people and of
// one, lists of everybody, a past before the windows or none.
func crowded(rng *rand.Rand) (authors []nostr.PubKey, events []*nostr.Event, windows []span) {
	authors = make([]nostr.PubKey, 1+rng.IntN(20))
	add := func(author nostr.PubKey, kind uint16, at int64) {
		e := &nostr.Event{PubKey: author, Kind: kind, CreatedAt: at}
		copy(e.ID[:], fmt.Sprintf("%04x-%016x", len(events), rng.Uint64()))
		events = append(events, e)
	}
	for i := range authors {
		authors[i][0] = byte(i + 1)
		for _, kind := range profileKinds() {
			add(authors[i], kind, 100)
		}
	}
	from := int64(1000)
	if rng.IntN(2) == 0 {
		from = 0 // some notes are older than what is asked for
	}
	for range 1 + rng.IntN(6) {
		at := from + rng.Int64N(3000-from)
		switch n := rng.IntN(60); rng.IntN(3) {
		case 0:
			for range n {
				add(authors[rng.IntN(len(authors))], 1, at)
			}
		case 1:
			one := authors[rng.IntN(len(authors))]
			for range n {
				add(one, 5, at)
			}
		default:
			for range n {
				add(authors[rng.IntN(len(authors))], 7, from+rng.Int64N(3000-from))
			}
		}
	}
	return authors, events, []span{{2500, 3100}, {2000, 2499}, {1000, 1999}}
}

// TestWhateverIsCalledCompleteIsComplete is the ledger's promise at relays that cut
// their pages as they like: what it claims, the store has.
func TestWhateverIsCalledCompleteIsComplete(t *testing.T) {
	t.Parallel()
	for name, caps := range silentCaps {
		t.Run(name, func(t *testing.T) {
			claimed, notes := 0, 0
			for seed := range uint64(3000) {
				rng := rand.New(rand.NewPCG(seed, 7))
				authors, events, windows := crowded(rng)
				r := &madeUpRelay{rng: rng, events: events, caps: caps(rng), order: "newest"}
				l := &ledger{events: map[nostr.ID]bool{}}
				f := &filler{relay: "wss://made.up", source: r, sink: l, limit: 500, perFilter: 100, learned: new(experience), now: time.Now}
				tasks := []task{{span: span{0, 3100}, authors: authors, purpose: coverage.Profile}}
				for _, w := range windows {
					tasks = append(tasks, task{span: w, authors: authors, purpose: coverage.Feed})
				}
				for _, task := range tasks {
					if err := f.fill(t.Context(), task); err != nil && !errors.Is(err, errGivenUp) {
						t.Fatal(err)
					}
				}
				for _, e := range events {
					if slices.Contains(profileKinds(), e.Kind) {
						continue
					}
					if e.CreatedAt < 1000 {
						if l.events[e.ID] {
							t.Fatalf("seed %d: a note of %d was kept, which nobody wanted", seed, e.CreatedAt)
						}
						continue
					}
					notes++
					if !l.covers(coverage.Feed, e.PubKey, e.CreatedAt) {
						continue
					}
					claimed++
					if !l.events[e.ID] {
						t.Fatalf("seed %d: %d is called complete, but a note of author %d is missing", seed, e.CreatedAt, e.PubKey[0])
					}
				}
			}
			t.Logf("%d of %d notes lie in what is called complete", claimed, notes)
			if claimed < notes/2 {
				t.Error("too little is called complete: the test has lost its meaning")
			}
		})
	}
}

// TestAnHonestRelayIsAskedNoMoreThanItTakes counts the questions for ten days of some
// people's notes, and for one note of one person: each page with notes costs one, and
// one more shows that nothing is left.
func TestAnHonestRelayIsAskedNoMoreThanItTakes(t *testing.T) {
	asked := func(notes, together int, each time.Duration) int {
		rng := rand.New(rand.NewPCG(1, 1))
		authors := make([]nostr.PubKey, 60)
		for i := range authors {
			authors[i][0] = byte(i + 1)
		}
		r := &madeUpRelay{rng: rng, cap: 500, order: "newest"}
		now := int64(20 * day)
		for i := range notes {
			e := &nostr.Event{PubKey: authors[rng.IntN(len(authors))], Kind: 1, CreatedAt: now - int64(i/together)*int64(each/time.Second)}
			copy(e.ID[:], fmt.Sprint(i))
			r.events = append(r.events, e)
		}
		l := &ledger{events: map[nostr.ID]bool{}}
		f := &filler{relay: "wss://made.up", source: r, sink: l, limit: 500, perFilter: 100, learned: new(experience), now: time.Now}
		for _, task := range plan(windows(span{now - 10*day, now}), coverage.Feed, authors, func(nostr.PubKey) []coverage.Interval { return nil }) {
			if err := f.fill(t.Context(), task); err != nil {
				t.Fatal(err)
			}
		}
		for _, e := range r.events {
			if e.CreatedAt >= now-10*day && (!l.events[e.ID] || !l.covers(coverage.Feed, e.PubKey, e.CreatedAt)) {
				t.Fatalf("%d of %d notes came", len(l.events), notes)
			}
		}
		return r.asked
	}
	for _, tt := range []struct {
		name            string
		notes, together int // in all, in one second
		each            time.Duration
		most            int
	}{
		{"nothing", 0, 1, time.Hour, 6},
		{"one note", 1, 1, time.Hour, 8},
		{"a note an hour", 400, 1, time.Hour, 18},
		{"a note each ten minutes", 2000, 1, 10 * time.Minute, 19},
		{"always three in one second", 1200, 3, time.Hour, 24},
	} {
		got := asked(tt.notes, tt.together, tt.each)
		t.Logf("%s: %d questions", tt.name, got)
		if got > tt.most {
			t.Errorf("%s: %d questions, want at most %d", tt.name, got, tt.most)
		}
	}
}
