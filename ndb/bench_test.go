package ndb_test

import (
	"context"
	"testing"
	"time"

	"bowerbird/internal/testworld"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// benchWorld is the mix of events that the generator makes, up to benchNow.
func benchWorld(b *testing.B, events int) *testworld.World {
	b.Helper()
	w, err := testworld.Make(testworld.Options{
		Seed: 1, Now: time.Unix(benchNow, 0), Days: 30, People: 700, Followed: 300, Events: events,
	})
	if err != nil {
		b.Fatal(err)
	}
	return w
}

const (
	benchNow    = 1_750_000_000
	benchEvents = 10_000
)

func benchStore(b *testing.B) *ndb.Store {
	b.Helper()
	s, err := ndb.Open(b.TempDir(), ndb.Options{Now: func() time.Time { return time.Unix(benchNow, 0) }})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	return s
}

// BenchmarkPut stores batches of 250: an operation is one event.
func BenchmarkPut(b *testing.B) {
	events := benchWorld(b, benchEvents).Events
	for _, name := range []string{"new", "again"} {
		b.Run(name, func(b *testing.B) {
			s := benchStore(b)
			if name == "again" {
				mustPut(b, s, events)
				b.ResetTimer()
			}
			for done := 0; done < b.N; {
				if name == "new" && done > 0 && done%len(events) == 0 {
					b.StopTimer()
					s = benchStore(b)
					b.StartTimer()
				}
				at := done % len(events)
				n := min(250, b.N-done, len(events)-at)
				mustPut(b, s, events[at:at+n])
				done += n
			}
		})
	}
}

func mustPut(b *testing.B, s *ndb.Store, events []*nostr.Event) {
	b.Helper()
	if _, err := s.Put(context.Background(), ndb.Batch{Events: events}); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkQuery asks a store of benchEvents whose notes are in memory.
func BenchmarkQuery(b *testing.B) {
	w := benchWorld(b, benchEvents)
	s := benchStore(b)
	mustPut(b, s, w.Events)
	word, other, hashtag := usualWords(w)
	var follows []nostr.PubKey
	for _, p := range w.People {
		if p.Followed {
			follows = append(follows, p.PubKey)
		}
	}
	since, until := int64(benchNow-20*24*3600), int64(benchNow-10*24*3600)
	limit := func(n int) *int { return &n }
	for name, f := range map[string]nostr.Filter{
		"author and kind, latest 100": {Authors: follows[:1], Kinds: []uint16{1}, Limit: limit(100)},
		"kind 1 in a window, 500":     {Kinds: []uint16{1}, Since: &since, Until: &until, Limit: limit(500)},
		"300 follows, latest 100":     {Authors: follows, Kinds: []uint16{1}, Limit: limit(100)},
		"hashtag, 100":                {Tags: map[byte][]string{'t': {hashtag}}, Limit: limit(100)},
		"one word, 50":                {Search: word, Limit: limit(50)},
		"two words, 50":               {Search: word + " " + other, Limit: limit(50)},
	} {
		b.Run(name, func(b *testing.B) {
			found := 0
			for b.Loop() {
				n, err := s.Count(context.Background(), ndb.QueryOptions{}, f)
				if err != nil {
					b.Fatal(err)
				}
				found = n
			}
			b.ReportMetric(float64(found), "notes")
		})
	}
}

// usualWords returns the two terms and the hashtag that most notes have.
func usualWords(w *testworld.World) (first, second, hashtag string) {
	terms, tags := make(map[string]int), make(map[string]int)
	for _, e := range w.Events {
		if e.Kind != 1 {
			continue
		}
		for token := range search.Tokens(e.Content) {
			terms[token.Term]++
		}
		if t, ok := e.Tags.Value("t"); ok {
			tags[t]++
		}
	}
	first = most(terms, "")
	return first, most(terms, first), most(tags, "")
}

func most(counts map[string]int, but string) (best string) {
	for word, n := range counts {
		if word != but && (n > counts[best] || n == counts[best] && word < best) {
			best = word
		}
	}
	return best
}
