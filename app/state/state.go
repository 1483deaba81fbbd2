// Package state keeps small values of the program, each under a name, in the store of the
// user's own data:
//
//	s := state.New(own.Bucket(state.Bucket), true)
//	var visit Visit
//	if err := s.Load(ctx, "visit", &visit); err != nil { // without a value, visit stays as it is
//		return err
//	}
//	return s.Save(ctx, "visit", visit)
package state

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"bowerbird/ndb"
)

// Bucket is the bucket that holds the values.
const Bucket = "state"

// Store holds the values. Its methods may be called from any goroutine.
type Store struct {
	bucket *ndb.Bucket
	keep   bool
	mu     sync.Mutex
	values map[string][]byte // what cannot be stored, until the program ends
}

// New returns the Store of a bucket. If it cannot be written (keep is false), values last
// until the program ends.
func New(bucket *ndb.Bucket, keep bool) *Store {
	return &Store{bucket: bucket, keep: keep, values: map[string][]byte{}}
}

// Load reads a value; if there is none, v stays as it is.
func (s *Store) Load(ctx context.Context, key string, v any) error {
	s.mu.Lock()
	raw, ok := s.values[key]
	s.mu.Unlock()
	var err error
	if !ok {
		raw, err = s.bucket.Get(ctx, key)
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

// Save stores a value under its name, replacing the previous one.
func (s *Store) Save(ctx context.Context, key string, v any) error {
	raw, err := json.Marshal(v)
	if err == nil && !s.keep {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.values[key] = raw
		return nil
	}
	if err == nil {
		err = s.bucket.Put(ctx, map[string][]byte{key: raw})
	}
	if err != nil {
		return fmt.Errorf("saving the %s: %w", key, err)
	}
	return nil
}
