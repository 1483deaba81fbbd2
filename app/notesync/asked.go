package notesync

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"bowerbird/app/relay"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

// askedBucket holds, per author, the relays whose word counts for them, so that
// the coverage statement can be made without a sync.
const askedBucket = "sync-asked"

// SaveAsked keeps which relays' word counts for whose coverage.
func SaveAsked(ctx context.Context, s *ndb.Store, asked map[nostr.PubKey][]string) error {
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
func RelaysAsked(ctx context.Context, s *ndb.Store, author nostr.PubKey) []string {
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

// Evidence returns what is known of how complete an author's notes are.
func Evidence(ctx context.Context, s *ndb.Store, author nostr.PubKey) (coverage.Evidence, error) {
	rows, err := s.Confirmed(ctx, author, coverage.Feed)
	if err != nil {
		return coverage.Evidence{}, fmt.Errorf("reading how complete notes are: %w", err)
	}
	e := coverage.Evidence{Rows: rows, Asked: RelaysAsked(ctx, s, author)}
	for _, url := range ListedRelays(ctx, s, author, "write") {
		if normal, err := relay.ParseURL(url, netsafe.Policy{AllowPrivate: true}); err == nil {
			e.Own = append(e.Own, normal)
		}
	}
	kinds := map[string]keptKinds{}
	for _, row := range rows {
		if _, read := kinds[row.Relay]; !read {
			kinds[row.Relay] = readKinds(ctx, s, row.Relay)
		}
	}
	e.Kinds = func(relay string) (lacking, unseen []uint16) {
		k := kinds[relay]
		return k.lacking(), slices.Concat(k.Silent, k.Refused)
	}
	return e, ctx.Err() // what was to be read after its end counts as not there
}
