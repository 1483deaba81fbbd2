package app

import (
	"context"
	"time"
)

// The stores are looked after in the background while the program runs: backed up
// once a day, and pruned once a day where a budget is set.
const (
	keepAfter = 10 * time.Second // after the start, so that it holds nothing up
	keepEvery = 10 * time.Minute
)

// keep does what is due, now and then, until ctx ends.
func (l *Live) keep(ctx context.Context) {
	timer := time.NewTimer(keepAfter)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		if _, err := l.app.BackUpToday(ctx); err != nil && ctx.Err() == nil {
			l.app.opt.Logger.Warn("the daily backup", "error", err)
		}
		if err := l.app.pruneIfDue(ctx); err != nil && ctx.Err() == nil {
			l.app.opt.Logger.Warn("pruning the notes", "error", err)
		}
		timer.Reset(keepEvery)
	}
}

// lock is a mutex that is waited for no longer than a context lasts: what holds it may
// take minutes. It is made with room for one.
type lock chan struct{}

func (l lock) take(ctx context.Context) error {
	select {
	case l <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l lock) give() { <-l }
