package llm

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const defaultTries = 3

// maxRetryAfter is the longest wait that a server may ask for; beyond it, the request fails.
const maxRetryAfter = 60 * time.Second

// again decides whether a failed attempt is followed by another, and waits for it. If
// something is learned from the failure, there is no wait.
func (c *Client) again(a *attempt, try *int) bool {
	if a.learnsText() || c.row.family(a.set).learn(&a.set, a.err, c.row, a.sent) {
		c.opt.Learned.put(c.lessonKey(), a.lesson())
		if a.emitted {
			a.emit([]Event{{Type: EventRetrying, Retry: &Retry{Reason: a.err.reason()}}})
		}
		return !a.left
	}
	if *try >= c.opt.Tries || !a.err.mayPass() {
		return false
	}
	wait := c.pause(*try, a.err)
	if wait > maxRetryAfter {
		return false
	}
	*try++
	if a.err.RetryAfterSeconds > 0 {
		c.hold.extend(c.opt.Clock.Now().Add(wait))
	}
	retry := Event{Type: EventRetrying, Retry: &Retry{AfterSeconds: wait.Seconds(), Reason: a.err.reason()}}
	if a.emit([]Event{retry}); a.left {
		return false
	}
	if err := sleep(a.ctx, c.opt.Clock, wait); err != nil {
		a.tail, a.err = nil, cancelled(err)
		return false
	}
	return true
}

// lesson returns the settings to remember: without what comes from the options.
func (a *attempt) lesson() settings {
	s := a.set.clone()
	if a.unmarked {
		delete(s.drop, "cache_control")
	}
	if a.client.format != "" {
		s.format = a.inText
	}
	return s
}

// pause returns how long to wait after the given try, counted from 0: what the server asks
// for, else 1, 2, 4 s and so on, plus up to a quarter, so that many clients do not return
// at once.
func (c *Client) pause(try int, e *Error) time.Duration {
	if e.RetryAfterSeconds > 0 {
		return seconds(e.RetryAfterSeconds)
	}
	base := time.Second << min(try, 6)
	return base + time.Duration(float64(base)/4*float64(c.opt.Random()>>11)/(1<<53))
}

// mayPass reports whether the same request may succeed later.
func (e *Error) mayPass() bool {
	if e.final {
		return false
	}
	if e.Code == "tool_use_failed" {
		return true // Groq could not parse the model's call
	}
	if e.Kind == KindAPI {
		code, _ := strconv.Atoi(e.Code)
		return passing(e.inStream) || passing(code) || passingCode(e.Code)
	}
	return slices.Contains([]ErrorKind{
		KindRateLimit, KindOverloaded, KindServer, KindTransport, KindIncomplete,
		KindEmpty, KindBadChunk, KindMalformedCall, KindNamelessCall,
	}, e.Kind)
}

func passing(status int) bool { return status == 429 || status >= 500 && status < 600 }

// passingCode is passing for the codes that replace a status inside a stream.
func passingCode(code string) bool {
	return slices.Contains([]string{
		"server_error", "internal_server_error", "internal_error", "api_error", "service_unavailable",
		"overloaded", "overloaded_error", "engine_overloaded_error", "rate_limit_exceeded", "rate_limit_error",
	}, strings.ToLower(code))
}

func (e *Error) reason() string {
	if e.Message == "" {
		return string(e.Kind)
	}
	return fmt.Sprintf("%s: %s", e.Kind, e.Message)
}

// hold is until when a server wants no requests. It has told one of them to wait; others,
// perhaps of another chat, wait too instead of being refused.
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

func (h *hold) left(now time.Time) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return max(h.until.Sub(now), 0)
}

func (c *Client) queue(ctx context.Context, yield func(Event, error) bool) bool {
	wait := c.hold.left(c.opt.Clock.Now())
	if wait == 0 {
		return true
	}
	reason := string(KindRateLimit) + ": the server asked to wait"
	if !yield(Event{Type: EventRetrying, Retry: &Retry{AfterSeconds: wait.Seconds(), Reason: reason}}, nil) {
		return false
	}
	if err := sleep(ctx, c.opt.Clock, wait); err != nil {
		yield(Event{}, cancelled(err))
		return false
	}
	return true
}

// Clock is a [Client]'s source of time.
type Clock interface {
	Now() time.Time
	// AfterFunc calls f in its own goroutine after d, unless the timer is stopped.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is a pending call of a [Clock]; its methods are those of [time.Timer].
type Timer interface {
	Stop() bool
	Reset(d time.Duration) bool
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }

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
