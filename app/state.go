package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"bowerbird/ndb"
)

// The bucket of small state in the own store, and its keys.
const (
	stateBucket = "state"
	keyPerson   = "person" // whom the notes are read as, hex
	keyVisit    = "visit"
	keyDigest   = "digest"
)

// loadState reads a value; one that is not there leaves v as it is.
func (a *App) loadState(ctx context.Context, key string, v any) error {
	raw, err := a.own.Bucket(stateBucket).Get(ctx, key)
	if errors.Is(err, ndb.ErrNotFound) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(raw, v)
	}
	if err != nil {
		return fmt.Errorf("reading the saved %s: %w", key, err)
	}
	return nil
}

func (a *App) saveState(ctx context.Context, key string, v any) error {
	raw, err := json.Marshal(v)
	if err == nil {
		err = a.own.Bucket(stateBucket).Put(ctx, map[string][]byte{key: raw})
	}
	if err != nil {
		return fmt.Errorf("saving the %s: %w", key, err)
	}
	return nil
}
