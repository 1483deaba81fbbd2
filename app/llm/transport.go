package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
)

// How long a server may be silent.
const (
	idleLimit       = 120 * time.Second
	localFirstLimit = 600 * time.Second // before the first byte: it may have to load the model
	endLimit        = 10 * time.Second  // behind the finish reason, where only usage and [DONE] follow
)

// maxErrorBody limits, in bytes, what is read of a response that is an error.
const maxErrorBody = 64 << 10

// transport stands between go-openai and the network, for one request. On the way
// out it adds what go-openai left out, and the key; on the way in it turns every
// failure into an *Error and every body into SSE with one line of data an event.
type transport struct {
	client *Client
	req    *Request
	set    settings
	cancel context.CancelCauseFunc // ends the request
	body   []byte                  // as sent
	watch  *watch
}

// Do sends the request.
func (t *transport) Do(r *http.Request) (*http.Response, error) {
	sent, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	if t.body, err = rewrite(sent, t.req, t.client.row, t.set); err != nil {
		return nil, &Error{Kind: KindBadRequest, Message: err.Error(), Err: err}
	}
	r.Body = io.NopCloser(bytes.NewReader(t.body))
	r.ContentLength = int64(len(t.body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(t.body)), nil }
	t.client.sign(r)

	t.watch = t.client.watch(t.cancel)
	resp, err := t.client.http.Do(r)
	if err != nil {
		t.watch.stop()
		return nil, t.client.failure(r.Context(), err)
	}
	if refused := t.client.checkResponse(resp); refused != nil {
		t.watch.stop()
		return nil, refused
	}
	t.watch.stop()
	resp.Body = &cleanBody{body: resp.Body, events: newSSEReader(watched{resp.Body, t.watch})}
	return resp, nil
}

// checkResponse returns an error, and closes the body, where no stream follows.
func (c *Client) checkResponse(resp *http.Response) *Error {
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	success := resp.StatusCode >= 200 && resp.StatusCode < 300
	if success && media != "text/html" {
		return nil
	}
	defer resp.Body.Close()
	// What is missing of a broken body is missing of the message, no more.
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	if success {
		return notSSE("a web page", resp.StatusCode)
	}
	e := statusError(resp, body, c.clock.Now())
	if e.Kind == KindAuth && !c.key.IsZero() && !c.keyFits(resp.Request) {
		e.Message += fmt.Sprintf(" (the key that is set belongs to %s, and was not sent)", c.key.host)
	}
	return c.clean(e)
}

func notSSE(what string, status int) *Error {
	return &Error{
		Kind: KindNotSSE, Status: status, final: true,
		Message: "the server answered with " + what + " instead of a stream; is the base URL right?",
	}
}

// sign adds the key, if it belongs to the request's host.
func (c *Client) sign(r *http.Request) {
	r.Header.Set("User-Agent", "Bowerbird")
	if !c.keyFits(r) {
		return
	}
	if c.row.KeyHeader != "" {
		r.Header.Set(c.row.KeyHeader, c.key.secret())
		return
	}
	r.Header.Set("Authorization", "Bearer "+c.key.secret())
}

func (c *Client) keyFits(r *http.Request) bool {
	return !c.key.IsZero() && r != nil && strings.EqualFold(r.URL.Host, c.key.host)
}

// checkRedirect lets a request be sent on only within its own host.
func checkRedirect(next func(*http.Request, []*http.Request) error) func(*http.Request, []*http.Request) error {
	return func(r *http.Request, via []*http.Request) error {
		first := via[0]
		if r.URL.Scheme != first.URL.Scheme || !strings.EqualFold(r.URL.Host, first.URL.Host) || r.Method != first.Method {
			return &Error{
				Kind: KindAPI, final: true,
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
	w.timer = c.clock.AfterFunc(w.limit, func() {
		cancel(&Error{Kind: KindTimeout, Message: c.base.Host + " has sent nothing for too long"})
	})
	return w
}

func (w *watch) stop() { w.timer.Stop() }

// ending says that the answer is all but over.
func (w *watch) ending() { w.limit, w.then = endLimit, endLimit }

// watched is a body whose reads are watched.
type watched struct {
	io.Reader
	watch *watch
}

func (w watched) Read(p []byte) (int, error) {
	w.watch.timer.Reset(w.watch.limit)
	n, err := w.Reader.Read(p)
	w.watch.timer.Stop()
	if n > 0 {
		w.watch.limit = w.watch.then
	}
	return n, err
}

var errNoDone = errors.New("the stream ended without [DONE]")

// cleanBody is the body that go-openai reads: of each event one line of data,
// which never looks like an error to it, and [DONE]. Its Read ends with io.EOF
// after [DONE], with errNoDone where the body ended before, with *Error where it
// was no stream, and else with the error of the connection.
type cleanBody struct {
	body   io.ReadCloser
	events *sseReader
	out    []byte
	any    bool
	err    error
}

func (b *cleanBody) Read(p []byte) (int, error) {
	for len(b.out) == 0 {
		if b.err != nil {
			return 0, b.err
		}
		b.err = b.fill()
	}
	n := copy(p, b.out)
	b.out = b.out[n:]
	return n, nil
}

func (b *cleanBody) fill() error {
	e, err := b.events.next()
	switch {
	case err == nil:
		return b.write(e)
	case !errors.Is(err, io.EOF):
		return err
	case !b.any && len(b.events.foreign) > 0:
		return notSSE(fmt.Sprintf("%q", clip(string(b.events.foreign))), 0)
	}
	return errNoDone
}

func (b *cleanBody) write(e sseEvent) error {
	data := e.data
	switch {
	case bytes.EqualFold(data, doneMark):
		b.out = append(b.out, "data: [DONE]\n\n"...)
		return io.EOF
	case data[0] == ':':
		return nil // a comment that some gateway wrapped as data
	case data[0] != '{' && data[0] != '[' && e.name == "error":
		data = append([]byte(`{"error":`), quoted(string(data))...)
		data = append(data, '}')
	case data[0] != '{' && e.name != "" && e.name != "message":
		return nil // an event of some other kind, such as a ping
	}
	b.any = true
	b.out = append(b.out[:0], "data: "...)
	if data[0] == '{' {
		// With the space go-openai takes it for a chunk, also when it is an error.
		b.out = append(b.out, '{', ' ')
		data = data[1:]
	}
	for _, c := range data {
		if c == '\n' || c == '\r' {
			c = ' ' // only between JSON's tokens, if it is JSON
		}
		b.out = append(b.out, c)
	}
	b.out = append(b.out, "\n\n"...)
	return nil
}

func (b *cleanBody) Close() error { return b.body.Close() }
