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
	"strings"
	"time"
)

// How long a server may be silent.
const (
	idleLimit       = 120 * time.Second
	localFirstLimit = 600 * time.Second     // before the first byte: it may have to load the model
	endLimit        = 10 * time.Second      // behind the finish reason, where only usage and [DONE] follow
	overLimit       = 10 * time.Millisecond // behind the end, where the body ends
)

const maxErrorBody = 64 << 10

type exchange struct {
	client *Client
	cancel context.CancelCauseFunc // ends the request
	body   []byte                  // as sent
	try    int                     // from 1
	watch  *watch
}

// post sends a request and returns its answer, which is watched. Every failure is an
// *Error.
func (x *exchange) post(ctx context.Context, to *url.URL, body any) (*eventBody, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, &Error{Kind: KindBadRequest, Message: "write the request: " + err.Error(), Err: err}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), bytes.NewReader(raw))
	if err != nil {
		return nil, &Error{Kind: KindBadRequest, Message: err.Error(), Err: err}
	}
	x.body = raw
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	x.client.sign(r, x.client.row.KeyHeader)

	x.watch = x.client.watch(x.cancel)
	defer x.watch.stop()
	told := x.showSent(r)
	resp, err := x.client.http.Do(r)
	if err != nil {
		failed := x.client.failure(r.Context(), err)
		told(Outcome{Failed: failed.Message})
		return nil, failed
	}
	if refused := x.client.checkResponse(resp); refused != nil {
		told(Outcome{Status: resp.StatusCode, Failed: refused.Message})
		return nil, refused
	}
	told(Outcome{Status: resp.StatusCode})
	answer := watched{resp.Body, x.watch}
	return &eventBody{Closer: answer, events: newSSEReader(answer)}, nil
}

// checkResponse returns an error, and closes the body, where no stream follows.
func (c *Client) checkResponse(resp *http.Response) *Error {
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	success := resp.StatusCode >= 200 && resp.StatusCode < 300
	if success && (media != "text/html" || !isPage(resp)) {
		return nil
	}
	defer resp.Body.Close()
	// What is missing of a broken body is missing of the message, no more.
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

// isPage reports whether a body that is said to be a web page begins as one: PHP says
// so of everything, unless it is told.
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

func notSSE(what string, status int) *Error {
	return &Error{
		Kind: KindNotSSE, Status: status, final: true,
		Message: "the server answered with " + what + " instead of a stream; is the base URL right?",
	}
}

func (c *Client) sign(r *http.Request, header string) {
	r.Header.Set("User-Agent", "Bowerbird")
	for name, value := range c.row.headers {
		r.Header.Set(name, value)
	}
	if !c.keyFits(r) {
		return
	}
	if header != "" {
		r.Header.Set(header, c.opt.Key.secret())
		return
	}
	r.Header.Set("Authorization", "Bearer "+c.opt.Key.secret())
}

func (c *Client) keyFits(r *http.Request) bool {
	return !c.opt.Key.IsZero() && r != nil && strings.EqualFold(r.URL.Host, c.opt.Key.host)
}

// checkRedirect lets a request be sent on only within its own host.
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

// watch ends a request when the server is waited for and sends nothing. The time
// that the caller takes between two events does not count.
type watch struct {
	timer Timer
	limit time.Duration // for the next byte
	then  time.Duration // for those behind it
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

func (w *watch) stop() { w.timer.Stop() }

// ending says that the answer is all but over.
func (w *watch) ending() { w.limit, w.then = endLimit, endLimit }

// over says that the answer is over.
func (w *watch) over() { w.limit, w.then = overLimit, overLimit }

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

// Close reads the few bytes that end a body behind an answer that is over: only then
// can the connection be used again.
func (w watched) Close() error {
	if w.watch.limit == overLimit {
		_, _ = io.CopyN(io.Discard, w, 4<<10) // a body that goes on is closed with its connection
	}
	return w.ReadCloser.Close()
}

// SentRequest is one request as it went to a model's server. It is for showing to
// the user, who may want to know what left the computer.
type SentRequest struct {
	Time     time.Time
	Provider string
	Model    string
	URL      string
	Header   http.Header // with keyHidden where the key was sent
	Body     []byte      // the bytes that were sent; not to be changed
	Try      int         // from 1; a request that failed may be tried again
}

// keyHidden stands in SentRequest.Header for a key.
const keyHidden = "…"

// Outcome is what became of a SentRequest.
type Outcome struct {
	Status int    // of the HTTP answer; 0 when none came
	Failed string // why none came, or why it was no answer; "" else
}

func (x *exchange) showSent(r *http.Request) func(Outcome) {
	c := x.client
	if c.opt.Sent == nil {
		return func(Outcome) {}
	}
	header := r.Header.Clone()
	if c.keyFits(r) {
		for _, values := range header {
			for i := range values {
				values[i] = c.opt.Key.hide(values[i])
			}
		}
	}
	told := c.opt.Sent(r.Context(), SentRequest{
		Time: c.opt.Clock.Now(), Provider: c.row.Name, Model: c.model, URL: r.URL.String(),
		Header: header, Body: x.body, Try: x.try,
	})
	if told == nil {
		return func(Outcome) {}
	}
	return told
}
