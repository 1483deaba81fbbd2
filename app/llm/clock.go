package llm

import (
	"context"
	"time"
)

// Clock is where a Client takes time from.
type Clock interface {
	Now() time.Time
	// AfterFunc calls f in its own goroutine after d, unless the timer is stopped.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is a call that a Clock has yet to make.
type Timer interface {
	Stop() bool
	Reset(d time.Duration) bool
}

// SystemClock returns the clock of this computer.
func SystemClock() Clock { return systemClock{} }

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }

// sleep waits for d, or returns ctx's error when that ends first.
func sleep(ctx context.Context, clock Clock, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	done := make(chan struct{})
	timer := clock.AfterFunc(d, func() { close(done) })
	defer timer.Stop()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
