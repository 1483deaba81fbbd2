package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"bowerbird/app"
	"bowerbird/app/instance"
	"bowerbird/ndb"
)

// How long a command, and a call of an MCP host, waits for another program that has the notes
// open: most only read them for a moment, but on a busy computer that takes long.
const (
	commandWait = 10 * time.Second
	hostWait    = 20 * time.Second
)

// whileInUse tries again while another program has the notes open, until wait is over. It
// does not wait for a window, which stays open: it returns once try has failed beside one. A
// window that opened during a try is there for the next.
func (p *program) whileInUse(ctx context.Context, wait time.Duration, try func() error) error {
	for end, beside := time.Now().Add(wait), false; ; {
		err := try()
		_, inUse := errors.AsType[*ndb.InUseError](err)
		closing := errors.Is(err, instance.ErrNoAnswer) // or so it may be: nothing was done
		if !inUse && !closing || time.Now().After(end) {
			return err
		}
		window := instance.Waits(ctx, p.windowFolder())
		if window && beside {
			return err
		}
		beside = window
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Calls that overlap may keep the stores open for sharedFor; then they let others in for
// restFor.
const (
	sharedFor = time.Second / 2
	restFor   = 100 * time.Millisecond
)

// sharedApp is an App that is open while somebody uses it.
type sharedApp struct {
	open func(context.Context) (*app.App, error)

	mu    sync.Mutex
	freed sync.Cond // mu; users became 0
	users int
	since time.Time // it was opened
	rest  time.Time // it is not opened before
	app   *app.App
}

func newSharedApp(open func(context.Context) (*app.App, error)) *sharedApp {
	s := &sharedApp{open: open}
	s.freed.L = &s.mu
	return s
}

// use calls do, beside other callers. The first opens the App, the last closes it.
func (s *sharedApp) use(ctx context.Context, do func(*app.App) error) (err error) {
	s.mu.Lock()
	for s.users > 0 && time.Since(s.since) > sharedFor {
		s.freed.Wait()
	}
	if s.users == 0 {
		time.Sleep(time.Until(s.rest))
		if s.app, err = s.open(ctx); err != nil {
			s.mu.Unlock()
			return err
		}
		s.since = time.Now()
	}
	s.users++
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.users--; s.users == 0 {
			err = errors.Join(err, s.app.Close())
			if time.Since(s.since) > sharedFor {
				s.rest = time.Now().Add(restFor)
			}
			s.freed.Broadcast()
		}
	}()
	return do(s.app)
}
