package llm

import (
	"context"
	"sync"
	"time"
)

// hold is until when a server wants no requests. It asks one of them to wait; those
// that come meanwhile, of another chat maybe, wait as well instead of asking in vain.
type hold struct {
	mu    sync.Mutex
	until time.Time
}

func (h *hold) extend(until time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if until.After(h.until) {
		h.until = until
	}
}

// left returns how long to wait still; 0 for not at all.
func (h *hold) left(now time.Time) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return max(h.until.Sub(now), 0)
}

// queue waits for as long as the server asked an earlier request to, and says so. It
// reports whether the request is to be made.
func (c *Client) queue(ctx context.Context, yield func(Event, error) bool) bool {
	wait := c.hold.left(c.clock.Now())
	if wait == 0 {
		return true
	}
	reason := string(KindRateLimit) + ": the server asked to wait"
	if !yield(Event{Type: EventRetrying, Retry: &Retry{AfterSeconds: wait.Seconds(), Reason: reason}}, nil) {
		return false
	}
	if err := sleep(ctx, c.clock, wait); err != nil {
		yield(Event{}, cancelled(err))
		return false
	}
	return true
}
