package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/notesync"
	"bowerbird/app/sample"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// sampleSeed makes everybody's sample the same.
const sampleSeed = 1

// sampleAge is how old the sample's newest note may be: it is about the last days.
const sampleAge = 12 * time.Hour

// openSample opens the sample's note store, made again if it is too old.
func openSample(ctx context.Context, places config.Places, opt ndb.Options, now time.Time) (*ndb.Store, error) {
	s, err := ndb.Open(places.Notes, opt)
	if err != nil {
		return nil, err
	}
	fresh, err := isFresh(ctx, s, now)
	if err == nil && !fresh {
		s, err = remakeSample(ctx, s, places, opt, now)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func isFresh(ctx context.Context, s *ndb.Store, now time.Time) (bool, error) {
	if _, err := sampleReader(ctx, s); errors.Is(err, ndb.ErrNotFound) {
		return false, nil // never made, or only half
	} else if err != nil {
		return false, err
	}
	for e, err := range s.Query(ctx, ndb.QueryOptions{}, nostr.Filter{Kinds: []uint16{1}, Limit: new(1)}) {
		return err == nil && now.Sub(time.Unix(e.CreatedAt, 0)) <= sampleAge, err
	}
	return false, nil
}

// A complete sample records its own account.
const (
	sampleBucket = "sample"
	sampleMe     = "me"
)

// sampleReader returns the sample's own account, or ndb.ErrNotFound for a store that is
// not a complete sample.
func sampleReader(ctx context.Context, s *ndb.Store) (nostr.PubKey, error) {
	hex, err := s.Bucket(sampleBucket).Get(ctx, sampleMe)
	if err != nil {
		return nostr.PubKey{}, err
	}
	return nostr.ParsePubKey(string(hex))
}

func remakeSample(ctx context.Context, old *ndb.Store, places config.Places, opt ndb.Options, now time.Time) (*ndb.Store, error) {
	if err := old.Close(); err != nil {
		return old, err
	}
	if err := os.RemoveAll(places.Notes); err != nil {
		return old, err
	}
	s, err := ndb.Open(places.Notes, opt)
	if err != nil {
		return old, err
	}
	world, err := sample.Make(sample.Options{Now: now, Seed: sampleSeed})
	if err != nil {
		return s, err
	}
	results, err := s.Put(ctx, ndb.Batch{Events: world.Events, Coverage: sampleCoverage(world, now)})
	if err != nil {
		return s, err
	}
	for i, r := range results {
		if r.Outcome == ndb.Invalid {
			return s, fmt.Errorf("event %s of the sample: %w", world.Events[i].ID, r.Err)
		}
	}
	if err := notesync.SaveAsked(ctx, s, everybodyAsked(world)); err != nil {
		return s, err
	}
	return s, s.Bucket(sampleBucket).Put(ctx, map[string][]byte{sampleMe: []byte(world.Me.String())})
}

// sampleRelay represents in the sample's ledger the relays that a sync would have asked:
// all of the sample's people write to it. Names under .example lead nowhere.
const sampleRelay = "wss://hub.bower.example"

// sampleCoverage returns what is true of the sample by construction: it holds all notes
// of its people.
func sampleCoverage(w *sample.World, now time.Time) []coverage.Row {
	whole := coverage.Interval{From: 0, To: now.Unix() + int64(sampleAge/time.Second), VerifiedAt: now.Unix(), Proof: coverage.ProofFinish}
	rows := make([]coverage.Row, 0, len(w.People)+1)
	for pk := range everybodyAsked(w) {
		rows = append(rows, coverage.Row{Author: pk, Relay: sampleRelay, Purpose: coverage.Feed, Interval: whole})
	}
	return rows
}

func everybodyAsked(w *sample.World) map[nostr.PubKey][]string {
	asked := map[nostr.PubKey][]string{w.Me: {sampleRelay}}
	for _, p := range w.People {
		asked[p.PubKey] = []string{sampleRelay}
	}
	return asked
}
