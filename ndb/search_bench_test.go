package ndb_test

import (
	"testing"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// BenchmarkSearch asks the whole language of a store of benchEvents; the 50 newest
// notes, but for what counts or ranks all.
func BenchmarkSearch(b *testing.B) {
	w := benchWorld(b, benchEvents)
	s := benchStore(b)
	mustPut(b, s, w.Events)
	word, other, hashtag := usualWords(w)
	begin := string([]rune(word)[:2])
	for name, text := range map[string]string{
		"one word":         word,
		"two words":        word + " " + other,
		"either":           word + " OR " + other,
		"phrase":           `"` + word + " " + other + `"`,
		"without":          "-" + word,
		"prefix":           begin + "*",
		"letter":           begin[:1] + "*",
		"hashtag":          "#" + hashtag,
		"replies and word": "is:reply " + word,
		"brackets":         "has:link (" + word + " OR " + other + ") -is:reply",
	} {
		b.Run(name, func(b *testing.B) {
			limit, found := 50, 0
			for b.Loop() {
				n, err := s.Count(b.Context(), ndb.QueryOptions{}, nostr.Filter{Search: text, Limit: &limit})
				if err != nil {
					b.Fatal(err)
				}
				found = n
			}
			b.ReportMetric(float64(found), "notes")
		})
	}
	b.Run("best of one word", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Ranked(b.Context(), nostr.Filter{Search: word}, ndb.RankOptions{Limit: 50}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("hashtags for two letters", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.SuggestHashtags(b.Context(), hashtag[:2], 8); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			if _, err := search.Parse(`blue "green birds" -red (from:ada OR #tag) since:24h has:image`); err != nil {
				b.Fatal(err)
			}
		}
	})
}
