package notesync

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"bowerbird/app/netsafe"
	"bowerbird/app/relay"
	"bowerbird/ndb"
)

// askedBucket holds, per author, the relays whose word counts for them, so that
// the coverage statement can be made without a sync.
const askedBucket = "sync-asked"

// SaveAsked keeps which relays' word counts for whose coverage.
func SaveAsked(ctx context.Context, s *ndb.Store, asked map[ndb.PubKey][]string) error {
	values := make(map[string][]byte, len(asked))
	for a, urls := range asked {
		raw, err := json.Marshal(urls)
		if err != nil {
			return err
		}
		values[a.String()] = raw
	}
	if err := s.Bucket(askedBucket).Put(ctx, values); err != nil {
		return fmt.Errorf("saving the choice of relays: %w", err)
	}
	return nil
}

// RelaysAsked returns the relays whose word counts for an author's coverage;
// none when the author was never synced.
func RelaysAsked(ctx context.Context, s *ndb.Store, author ndb.PubKey) []string {
	raw, err := s.Bucket(askedBucket).Get(ctx, author.String())
	if err != nil {
		return nil
	}
	var urls []string
	if json.Unmarshal(raw, &urls) != nil {
		return nil
	}
	return urls
}

// OwnLeftOut reports whether an author names relays that they write to (NIP-65), and
// none of them is asked or confirmed all of this time before: what other relays confirm
// then says nothing of what the author wrote.
func OwnLeftOut(ctx context.Context, s *ndb.Store, author ndb.PubKey, from, to int64) bool {
	var own []string
	for _, url := range listedFor(ctx, s, author, "write") {
		if normal, err := relay.ParseURL(url, netsafe.Policy{AllowPrivate: true}); err == nil {
			own = append(own, normal)
		}
	}
	isOwn := func(url string) bool { return slices.Contains(own, url) }
	if len(own) == 0 || slices.ContainsFunc(RelaysAsked(ctx, s, author), isOwn) {
		return false
	}
	rows, err := s.Coverage(ctx, author, ndb.PurposeFeed)
	confirmed := map[string][]ndb.Interval{}
	for _, row := range rows {
		confirmed[row.Relay] = append(confirmed[row.Relay], row.Interval)
	}
	return err == nil && !slices.ContainsFunc(own, func(url string) bool {
		return len(gaps(span{from, to}, confirmed[url])) == 0
	})
}
