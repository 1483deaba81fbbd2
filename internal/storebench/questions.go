package main

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// values is how many values a question has.
const values = 200

// recentWindows is how many windows are asked for: of the last days, as a window that
// is scrolled does, so that a warm question finds its notes in the store's cache.
const recentWindows = 8

// questions takes the values from what is stored: people I follow, hashtags and
// words that are usual but not the most usual.
func questions(ctx context.Context, p place, s *ndb.Store) ([]question, error) {
	follows, err := s.Contacts(ctx, p.me)
	if err != nil {
		return nil, err
	}
	words, hashtags, ids, err := usual(ctx, s)
	if err != nil {
		return nil, err
	}
	limit := func(n int) *int { return &n }
	end := worldEnds.Unix()
	q := map[string]*question{}
	add := func(name string, f nostr.Filter) {
		if q[name] == nil {
			q[name] = &question{name: name}
		}
		q[name].filters = append(q[name].filters, f)
	}
	for i := range values {
		add(byAuthor, nostr.Filter{Authors: []nostr.PubKey{follows[i%len(follows)]}, Kinds: []uint16{1}, Limit: limit(100)})
		until := end - int64(i%recentWindows)*3*3600
		add(inWindow, nostr.Filter{Kinds: []uint16{1}, Until: &until, Limit: limit(500)})
		add(ofFollows, nostr.Filter{Authors: follows, Kinds: []uint16{1}, Limit: limit(100)})
		add(byHashtag, nostr.Filter{Tags: map[byte][]string{'t': {hashtags[i%len(hashtags)]}}, Limit: limit(100)})
		add(oneWord, nostr.Filter{Search: words[i%len(words)], Limit: limit(50)})
		add(twoWords, nostr.Filter{Search: words[i%len(words)] + " " + words[(i*7+3)%len(words)], Limit: limit(50)})
		add(byID, nostr.Filter{IDs: ids[i*len(ids)/values : i*len(ids)/values+1]})
	}
	q[twoWords].p95 = twoWordsP95
	var all []question
	for _, name := range []string{byID, byAuthor, inWindow, ofFollows, byHashtag, oneWord, twoWords} {
		all = append(all, *q[name])
	}
	return all, nil
}

// usual returns the words and the hashtags of the newest notes, the most usual
// first and without the first ten words, and ids of those notes.
func usual(ctx context.Context, s *ndb.Store) (words, hashtags []string, ids []nostr.ID, err error) {
	terms, tags := make(map[string]int), make(map[string]int)
	newest := 20_000
	for e, err := range s.Query(ctx, ndb.QueryOptions{}, nostr.Filter{Kinds: []uint16{1}, Limit: &newest}) {
		if err != nil {
			return nil, nil, nil, err
		}
		ids = append(ids, e.ID)
		for token := range search.Tokens(e.Content) {
			terms[token.Term]++
		}
		if t, ok := e.Tags.Value("t"); ok {
			tags[t]++
		}
	}
	words = mostFirst(terms)
	return words[min(10, len(words)-1):min(10+values, len(words))], mostFirst(tags)[:min(50, len(tags))], ids, nil
}

func mostFirst(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}
