package llm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// How long a server may be silent.
const (
	idleLimit       = 120 * time.Second
	localFirstLimit = 600 * time.Second     // before the first byte: it may have to load the model
	endLimit        = 10 * time.Second      // after the finish reason, when only usage and [DONE] follow
	overLimit       = 10 * time.Millisecond // after the end, when the body should end too
)

const maxErrorBody = 64 << 10 // bytes

// post sends a request and returns its answer, which is watched for silence: then cancel is
// called. Every failure is an [*Error].
func (a *attempt) post(ctx context.Context, cancel context.CancelCauseFunc, to *url.URL, body any) (*eventBody, error) {
	c := a.client
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, &Error{Kind: KindBadRequest, Message: "write the request: " + err.Error(), Err: err}
	}
	a.sent = raw
	r, err := c.newRequest(ctx, to, raw, "text/event-stream", c.row.KeyHeader)
	if err != nil {
		return nil, err
	}
	a.watch = c.watch(cancel)
	defer a.watch.timer.Stop()
	outcome := a.reportSent(r)
	resp, err := c.http.Do(r)
	if err != nil {
		failed := c.failure(r.Context(), err)
		outcome(Outcome{Failed: failed.Message})
		return nil, failed
	}
	if refused := c.checkResponse(resp); refused != nil {
		outcome(Outcome{Status: resp.StatusCode, Failed: refused.Message})
		return nil, refused
	}
	outcome(Outcome{Status: resp.StatusCode})
	answer := watched{resp.Body, a.watch}
	return &eventBody{Closer: answer, events: newSSEReader(answer)}, nil
}

// newRequest returns a signed request: a POST if it has a body of JSON, else a GET. The key
// is added for its own host only, in keyHeader or, if that is "", as a bearer token.
func (c *Client) newRequest(ctx context.Context, to *url.URL, body []byte, accept, keyHeader string) (*http.Request, error) {
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewReader(body))
	if err != nil {
		return nil, &Error{Kind: KindBadRequest, Message: err.Error(), Err: err}
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Accept", accept)
	r.Header.Set("User-Agent", "Bowerbird")
	for name, value := range c.row.headers {
		r.Header.Set(name, value)
	}
	switch {
	case !c.keyFits(r):
	case keyHeader != "":
		r.Header.Set(keyHeader, c.opt.Key.secret())
	default:
		r.Header.Set("Authorization", "Bearer "+c.opt.Key.secret())
	}
	return r, nil
}

// checkResponse returns an error, and closes the body, unless a stream follows.
func (c *Client) checkResponse(resp *http.Response) *Error {
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	success := resp.StatusCode >= 200 && resp.StatusCode < 300
	if success && (media != "text/html" || !isPage(resp)) {
		return nil
	}
	defer resp.Body.Close()
	// If the body breaks off, the message is shorter: that is not another error.
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	if success {
		return notSSE("a web page", resp.StatusCode)
	}
	e := statusError(resp, body, c.opt.Clock.Now())
	if e.Kind == KindAuth && !c.opt.Key.IsZero() && !c.keyFits(resp.Request) {
		e.Message += fmt.Sprintf(" (the key that is set belongs to %s, and was not sent)", c.opt.Key.host)
	}
	return c.clean(e)
}

// isPage reports whether a body declared as text/html begins like a web page: that is PHP's
// default for any body.
func isPage(resp *http.Response) bool {
	r := bufio.NewReader(resp.Body)
	resp.Body = struct {
		io.Reader
		io.Closer
	}{r, resp.Body}
	for n := 1; n <= r.Size(); n++ {
		start, err := r.Peek(n)
		if start = bytes.TrimSpace(start); len(start) > 0 {
			return start[0] == '<'
		}
		if err != nil {
			break
		}
	}
	return true
}

// notSSE returns the error for an answer that is not a stream.
func notSSE(what string, status int) *Error {
	return &Error{
		Kind: KindNotSSE, Status: status, final: true,
		Message: "the server answered with " + what + " instead of a stream; is the base URL right?",
	}
}

func (c *Client) keyFits(r *http.Request) bool {
	return !c.opt.Key.IsZero() && r != nil && strings.EqualFold(r.URL.Host, c.opt.Key.host)
}

// checkRedirect follows redirects only within the host of the first request: another one
// must get neither the request nor the key.
func checkRedirect(next func(*http.Request, []*http.Request) error) func(*http.Request, []*http.Request) error {
	return func(r *http.Request, via []*http.Request) error {
		first := via[0]
		if r.URL.Scheme != first.URL.Scheme || !strings.EqualFold(r.URL.Host, first.URL.Host) || r.Method != first.Method {
			return &Error{
				Kind: KindAPI, final: true, Cause: CauseRedirect, Err: errElsewhere,
				Message: fmt.Sprintf("%s sends requests on to %s; if that is right, set it as the base URL", first.URL.Host, r.URL.Host),
			}
		}
		if len(via) > 3 {
			return errors.New("more than 3 redirects")
		}
		if next != nil {
			return next(r, via)
		}
		return nil
	}
}

// watch ends a request if the server sends nothing while a read waits for it. The time that
// the caller takes between two events does not count.
type watch struct {
	timer Timer
	limit time.Duration // for the next byte
	then  time.Duration // for the bytes after it
}

func (c *Client) watch(cancel context.CancelCauseFunc) *watch {
	w := &watch{limit: idleLimit, then: idleLimit}
	if c.local {
		w.limit = localFirstLimit
	}
	w.timer = c.opt.Clock.AfterFunc(w.limit, func() {
		cancel(&Error{Kind: KindTimeout, Message: c.base.Host + " has sent nothing for too long"})
	})
	return w
}

// restrict sets both limits.
func (w *watch) restrict(limit time.Duration) { w.limit, w.then = limit, limit }

type watched struct {
	io.ReadCloser
	watch *watch
}

func (w watched) Read(p []byte) (int, error) {
	w.watch.timer.Reset(w.watch.limit)
	n, err := w.ReadCloser.Read(p)
	w.watch.timer.Stop()
	if n > 0 {
		w.watch.limit = w.watch.then
	}
	return n, err
}

// Close reads the last few bytes of a body whose answer is over, so that the connection can
// be reused.
func (w watched) Close() error {
	if w.watch.limit == overLimit {
		_, _ = io.CopyN(io.Discard, w, 4<<10) // if more follows, closing the body ends the connection
	}
	return w.ReadCloser.Close()
}

// SentRequest is a request to a model's server, as it was sent, so that the user can see
// what left the computer.
type SentRequest struct {
	Time     time.Time
	Provider string
	Model    string
	URL      string
	Header   http.Header // with "…" in place of the key
	Body     []byte      // as sent; must not be modified
	Try      int         // from 1
}

// keyHidden replaces the key in [SentRequest].Header.
const keyHidden = "…"

// Outcome is the outcome of a [SentRequest].
type Outcome struct {
	Status int    // the HTTP status; 0 if there was no response
	Failed string // why there was no response, or none with an answer; "" if there was
}

// reportSent reports a request to [Options].Sent, and returns the function that reports its
// outcome.
func (a *attempt) reportSent(r *http.Request) func(Outcome) {
	c, outcome := a.client, func(Outcome) {}
	if c.opt.Sent == nil {
		return outcome
	}
	header := r.Header.Clone()
	if c.keyFits(r) {
		for _, values := range header {
			for i := range values {
				values[i] = strings.ReplaceAll(values[i], c.opt.Key.secret(), keyHidden)
			}
		}
	}
	if report := c.opt.Sent(r.Context(), SentRequest{
		Time: c.opt.Clock.Now(), Provider: c.row.Name, Model: c.model, URL: r.URL.String(),
		Header: header, Body: a.sent, Try: a.nth,
	}); report != nil {
		outcome = report
	}
	return outcome
}

const defaultTries = 3

// maxRetryAfter is the longest wait that a server may ask for; beyond it, the request fails.
const maxRetryAfter = 60 * time.Second

// again decides whether a failed attempt is followed by another, and waits for it. If
// something is learned from the failure, there is no wait.
func (c *Client) again(a *attempt, try *int) bool {
	if a.learnsTools() {
		c.opt.Learned.put(c.lessonKey(), a.lesson())
		return !a.left
	}
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

// hold is until when a server wants no requests. It has asked one of them to wait; others,
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
