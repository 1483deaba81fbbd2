package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"bowerbird/ndb"
)

// The bucket of small state in the own store, and its keys.
const (
	stateBucket = "state"
	keyPerson   = "person" // whom the notes are read as, hex
	keyVisit    = "visit"
)

// visitGap is how long nothing must be asked until the next question opens a new
// visit: within a visit, "since I was last here" keeps meaning the one before.
const visitGap = 30 * time.Minute

// visit is when the user was here, in unix seconds.
type visit struct {
	Seen   int64 `json:"seen"`   // the latest sign of this visit
	Before int64 `json:"before"` // the end of the visit before; 0 for the first
}

// enter returns the visits after a sign of life at now.
func (v visit) enter(now time.Time) visit {
	if v.Seen != 0 && now.Sub(time.Unix(v.Seen, 0)) >= visitGap {
		v.Before = v.Seen
	}
	v.Seen = now.Unix()
	return v
}

// Visit records that the user is here now and returns when they were last here
// before this visit; the zero time on the first one.
func (a *App) Visit(ctx context.Context) (time.Time, error) {
	var v visit
	if err := a.loadState(ctx, keyVisit, &v); err != nil {
		return time.Time{}, err
	}
	v = v.enter(a.opt.Now())
	if err := a.saveState(ctx, keyVisit, v); err != nil {
		return time.Time{}, err
	}
	return v.last(), nil
}

// LastVisit returns what Visit would, and records nothing.
func (a *App) LastVisit(ctx context.Context) (time.Time, error) {
	var v visit
	err := a.loadState(ctx, keyVisit, &v)
	return v.enter(a.opt.Now()).last(), err
}

func (v visit) last() time.Time {
	if v.Before == 0 {
		return time.Time{}
	}
	return time.Unix(v.Before, 0)
}

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
