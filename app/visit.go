package app

import (
	"context"
	"time"
)

// The names under which the App remembers things.
const (
	keyPerson = "person" // whom the notes are read as, hex
	keyVisit  = "visit"
	keyDigest = "digest"
)

// visitGap is how long nothing must be asked until the next question opens a new
// visit: within a visit, "since I was last here" keeps meaning the one before.
const visitGap = 30 * time.Minute

// visit is when the user was here, in unix seconds.
type visit struct {
	Seen   int64 `json:"seen"`   // the latest sign of this visit
	Before int64 `json:"before"` // the end of the visit before; 0 for the first
}

// enter returns the visits after a sign of life at now. sitting is when the window
// was opened, zero in a terminal: a visit that ended before is one before this, also
// when it was a moment ago, as long as no earlier one is known.
func (v visit) enter(now, sitting time.Time) visit {
	seen := time.Unix(v.Seen, 0)
	if v.Seen != 0 && (now.Sub(seen) >= visitGap || v.Before == 0 && seen.Before(sitting.Truncate(time.Second))) {
		v.Before = v.Seen
	}
	v.Seen = now.Unix()
	return v
}

// Visit records that the user is here now and returns when they were last here
// before this visit; the zero time on the first one.
func (a *App) Visit(ctx context.Context) (time.Time, error) {
	a.visiting.Lock()
	defer a.visiting.Unlock()
	var v visit
	if err := a.state.Load(ctx, keyVisit, &v); err != nil {
		return time.Time{}, err
	}
	v = v.enter(a.opt.Now(), a.sitting)
	if err := a.state.Save(ctx, keyVisit, v); err != nil {
		return time.Time{}, err
	}
	return v.last(), nil
}

// LastVisit returns what Visit would, and records nothing.
func (a *App) LastVisit(ctx context.Context) (time.Time, error) {
	var v visit
	err := a.state.Load(ctx, keyVisit, &v)
	return v.enter(a.opt.Now(), a.sitting).last(), err
}

func (v visit) last() time.Time {
	if v.Before == 0 {
		return time.Time{}
	}
	return time.Unix(v.Before, 0)
}

// Since returns the mark from which news count: the end of the visit before this
// one, or when the user last said to be caught up, whichever is later. It is zero
// on the first visit.
func (a *App) Since(ctx context.Context) (time.Time, error) { return a.LastVisit(ctx) }

// CaughtUp moves the mark to now: the user has seen what there is.
func (a *App) CaughtUp(ctx context.Context) error {
	now := a.opt.Now().Unix()
	a.visiting.Lock()
	defer a.visiting.Unlock()
	return a.state.Save(ctx, keyVisit, visit{Seen: now, Before: now})
}
