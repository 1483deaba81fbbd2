package app

import (
	"context"
	"errors"
	"slices"
	"time"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// keyDigest is the name under which it is saved when digests were made.
const keyDigest = "digest"

// digestGap is how long after a digest none is due: one that was made late in the morning
// is not followed by another at breakfast.
const digestGap = 12 * time.Hour

// digests is what is saved of daily digests, in unix seconds.
type digests struct {
	Made int64 `json:"made"` // the last one
	From int64 `json:"from"` // when it was switched on: nothing due before that is owed
}

// DigestDue reports whether the daily digest of the settings is to be made now: its time
// of day has come, and none has been made since. One that was missed because the program
// did not run is due at the next start, once for all the days in between. Call it at the
// start and every minute.
func (a *App) DigestDue(ctx context.Context, now time.Time) (bool, error) {
	digest := a.Settings().Digest
	if !digest.Daily {
		return false, nil
	}
	var d digests
	if err := a.state.Load(ctx, keyDigest, &d); err != nil {
		return false, err
	}
	hour, minute := digest.Clock()
	due := dueSince(now.In(a.opt.Zone), hour, minute)
	made, from := time.Unix(d.Made, 0), time.Unix(d.From, 0)
	return due.After(made) && due.After(from) && now.Sub(made) >= digestGap, nil
}

// HasNotes reports whether there is anything for a digest: the account follows somebody
// else of whom a note is stored.
func (a *App) HasNotes(ctx context.Context) (bool, error) {
	people, err := a.notes.Contacts(ctx, a.Me())
	if errors.Is(err, ndb.ErrNotFound) {
		return false, nil
	}
	others := slices.DeleteFunc(slices.Clone(people), func(pk nostr.PubKey) bool { return pk == a.Me() })
	if err != nil || len(others) == 0 {
		return false, err
	}
	for _, err := range a.notes.Query(ctx, ndb.QueryOptions{}, nostr.Filter{Authors: others, Limit: new(1), Kinds: []uint16{
		1, 6, 30023, // notes, reposts, articles
	}}) {
		return err == nil, err
	}
	return false, nil
}

// DigestMade records that the daily digest was made.
func (a *App) DigestMade(ctx context.Context) error {
	return a.changeDigests(ctx, func(d *digests, now int64) { d.Made = now })
}

// digestAskedFor records that it was switched on.
func (a *App) digestAskedFor(ctx context.Context) error {
	return a.changeDigests(ctx, func(d *digests, now int64) { d.From = now })
}

func (a *App) changeDigests(ctx context.Context, change func(d *digests, now int64)) error {
	a.visiting.Lock()
	defer a.visiting.Unlock()
	var d digests
	if err := a.state.Load(ctx, keyDigest, &d); err != nil {
		return err
	}
	change(&d, a.opt.Now().Unix())
	return a.state.Save(ctx, keyDigest, d)
}

// dueSince returns the latest time at or before now at which a clock in now's zone showed
// hour and minute. If the clock was put forward over that time, it is the same moment by
// the clock before or after; if it was put back, it is one of the two. So every day has
// such a moment.
func dueSince(now time.Time, hour, minute int) time.Time {
	y, m, d := now.Date()
	due := time.Date(y, m, d, hour, minute, 0, 0, now.Location())
	if due.After(now) {
		due = time.Date(y, m, d-1, hour, minute, 0, 0, now.Location())
	}
	return due
}
