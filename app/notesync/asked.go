package notesync

import (
	"context"
	"encoding/json"
	"fmt"

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
