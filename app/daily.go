package app

import (
	"context"
	"time"
)

// DigestDue reports whether the daily digest of the settings is to be made now: its
// time of the day has come, and none was made since. One that was missed, because
// the program did not run, is due at the next start, once for all the days that
// went by. Ask at the start and every minute.
func (a *App) DigestDue(ctx context.Context, now time.Time) (bool, error) {
	digest := a.Settings().Digest
	if !digest.Daily {
		return false, nil
	}
	var made int64
	if err := a.loadState(ctx, keyDigest, &made); err != nil {
		return false, err
	}
	hour, minute := digest.Clock()
	return dueSince(now.In(a.opt.Zone), hour, minute).After(time.Unix(made, 0)), nil
}

// DigestMade says that the daily digest was made, or need not be any more, until
// its next time.
func (a *App) DigestMade(ctx context.Context) error {
	return a.saveState(ctx, keyDigest, a.opt.Now().Unix())
}

// dueSince returns the latest time at or before now at which a clock in now's zone
// showed hour and minute. Where the clock is put forward over that time it is the
// same moment by the clock before or behind; where it is put back it is one of the
// two: a moment in any case, so that a day has one.
func dueSince(now time.Time, hour, minute int) time.Time {
	y, m, d := now.Date()
	due := time.Date(y, m, d, hour, minute, 0, 0, now.Location())
	if due.After(now) {
		due = time.Date(y, m, d-1, hour, minute, 0, 0, now.Location())
	}
	return due
}
