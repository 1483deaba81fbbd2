package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

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
	raw, err := a.unsaved.get(key)
	if err != nil {
		raw, err = a.own.Bucket(stateBucket).Get(ctx, key)
	}
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
	if err == nil && a.cannotWrite != nil {
		a.unsaved.put(key, raw)
		return nil
	}
	if err == nil {
		err = a.own.Bucket(stateBucket).Put(ctx, map[string][]byte{key: raw})
	}
	if err != nil {
		return fmt.Errorf("saving the %s: %w", key, err)
	}
	return nil
}

// unsaved holds state for as long as the program runs, where it cannot be kept. The
// zero value is ready.
type unsaved struct {
	mu     sync.Mutex
	values map[string][]byte
}

func (u *unsaved) put(key string, raw []byte) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.values == nil {
		u.values = map[string][]byte{}
	}
	u.values[key] = raw
}

// get returns ndb.ErrNotFound for what was not put.
func (u *unsaved) get(key string) ([]byte, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if raw, ok := u.values[key]; ok {
		return raw, nil
	}
	return nil, ndb.ErrNotFound
}
