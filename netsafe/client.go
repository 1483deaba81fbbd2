// Package netsafe has the only dialer and HTTP client of the program that may reach the
// network.
//
//	client := netsafe.New(netsafe.Policy{})
//	doc, err := client.Fetch(ctx, netsafe.Request{URL: url, MaxBytes: 1 << 20})
//
// No connection is made to an address that the [Policy] refuses. The check comes after name
// resolution and at each redirect, so a name that resolves to a private address reaches
// nothing. Requests have no cookies and no Referer, ignore the environment's proxies, and
// need TLS 1.2 or later. Headers and bodies are read up to a limit. Every failure is an
// [*Error], whose Kind a caller can act on.
//
// Whom to ask, and when to retry, is up to the callers.
package netsafe

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"syscall"
	"time"
)

// userAgent is the User-Agent of every request. Without a version or a system, it reveals
// nothing about the user.
const userAgent = "Bowerbird"

const (
	maxHeaderBytes = 64 << 10
	maxRedirects   = 3
	dialTimeout    = 10 * time.Second
	headerTimeout  = 5 * time.Second
	fetchTimeout   = 10 * time.Second
	maxRetryAfter  = 30 * time.Minute
)

// Client fetches documents and opens WebSockets under one [Policy]. It is safe for
// concurrent use, and keeps no connections between calls.
type Client struct {
	policy Policy
	web    *http.Transport
	relay  *http.Transport
}

// New returns a [Client] that reaches what the policy permits.
func New(p Policy) *Client {
	c := &Client{policy: p, web: transport(p, webPorts), relay: transport(p, relayPorts)}
	c.web.ResponseHeaderTimeout = headerTimeout
	return c
}

// Policy returns the client's policy.
func (c *Client) Policy() Policy { return c.policy }

type dialCheck = func(network, address string, _ syscall.RawConn) error

// dialer is the only place in the program where a dialer is made.
func dialer(p Policy, check dialCheck) *net.Dialer {
	return &net.Dialer{Timeout: dialTimeout, Control: check, Resolver: p.Resolver}
}

func transport(p Policy, ports portRule) *http.Transport {
	return &http.Transport{
		Proxy:                  nil, // a proxy would see every address
		DialContext:            dialer(p, p.control(ports)).DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: p.RootCAs},
		TLSHandshakeTimeout:    dialTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		DisableKeepAlives:      true,
		// A WebSocket handshake needs HTTP/1.1, and no other caller benefits from HTTP/2.
		TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{},
	}
}

// WebSocket returns the HTTP client for a WebSocket handshake with a relay. It follows no
// redirects; the caller's context limits the handshake.
func (c *Client) WebSocket() *http.Client {
	return &http.Client{Transport: agent{c.relay}, CheckRedirect: stay}
}

// stay returns a redirect as the response instead of following it.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// agent sets the User-Agent, also for libraries that send their own.
type agent struct{ next http.RoundTripper }

func (a agent) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("User-Agent", userAgent)
	return a.next.RoundTrip(req)
}

// Request is a document to fetch.
type Request struct {
	URL      string
	Accept   string        // the Accept header; "" for none
	MaxBytes int64         // of the decompressed body; required
	Timeout  time.Duration // of the whole request; 0 means 10 s
	// Redirects is how many to follow, at most 3, each from https to https. NIP-05 permits
	// none.
	Redirects int
	// Relay permits the ports that relays use, for NIP-11 documents.
	Relay bool
}

// Fetch returns the body of a document. A status other than 200 is an [*Error] of kind [Status], a body over
// MaxBytes one of kind [TooLarge]. Plain http needs Policy.AllowPrivate.
func (c *Client) Fetch(ctx context.Context, r Request) ([]byte, error) {
	target, err := url.Parse(r.URL)
	if err != nil {
		return nil, &Error{Kind: Refused, Op: "get", Err: errors.New("not a URL")}
	}
	host := target.Host
	if err := c.checkURL(target); err != nil {
		return nil, Classify("get", host, err)
	}
	timeout := r.Timeout
	if timeout <= 0 {
		timeout = fetchTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return nil, &Error{Kind: Refused, Op: "get", Host: host, Err: err}
	}
	if r.Accept != "" {
		req.Header.Set("Accept", r.Accept)
	}
	resp, err := c.fetcher(r).Do(req)
	if err != nil {
		return nil, Classify("get", host, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, StatusError("get", host, resp)
	}
	body, err := readBody(resp.Body, r.MaxBytes)
	return body, Classify("get", host, err)
}

func (c *Client) fetcher(r Request) *http.Client {
	rt := c.web
	if r.Relay {
		rt = c.relay
	}
	limit := min(r.Redirects, maxRedirects)
	return &http.Client{Transport: agent{rt}, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		if limit <= 0 {
			return http.ErrUseLastResponse
		}
		if len(via) > limit {
			return &Error{Kind: Refused, Op: "redirect", Err: fmt.Errorf("more than %d redirects", limit)}
		}
		if req.URL.Scheme != "https" {
			return &Error{Kind: Refused, Op: "redirect", Err: errors.New("a redirect away from https")}
		}
		req.Header.Del("Referer")
		return c.checkURL(req.URL)
	}}
}

func (c *Client) checkURL(u *url.URL) error {
	switch {
	case u.Scheme == "https":
	case u.Scheme == "http" && c.policy.AllowPrivate:
	default:
		return &Error{Kind: Refused, Op: "check URL", Err: fmt.Errorf("scheme %q is not permitted", u.Scheme)}
	}
	if u.Hostname() == "" {
		return &Error{Kind: Refused, Op: "check URL", Err: errors.New("no host")}
	}
	if u.User != nil {
		return &Error{Kind: Refused, Op: "check URL", Err: errors.New("a user name or password in the URL")}
	}
	return nil
}

// readBody reads to the end, or fails with an [*Error] of kind [TooLarge] if there are more
// than limit bytes. Pass a decompressed body, so that a decompression bomb is limited too.
func readBody(r io.Reader, limit int64) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, Classify("read body", "", err)
	}
	if int64(len(body)) > limit {
		return nil, &Error{Kind: TooLarge, Op: "read body", Err: fmt.Errorf("more than %d bytes", limit)}
	}
	return body, nil
}

// StatusError returns the [*Error] of kind [Status] for a response that is not a success. Its
// RetryAfter is from the response's header, and at most 30 minutes.
func StatusError(op, host string, resp *http.Response) error {
	return &Error{Kind: Status, Op: op, Host: host, Status: resp.StatusCode, RetryAfter: retryAfter(resp.Header)}
}

// retryAfter reads the header in both forms of RFC 9110, section 10.2.3. A date is compared
// with the server's own Date, so that this computer's clock does not matter.
func retryAfter(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	until, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return max(0, min(until.Sub(now), maxRetryAfter))
}
