package netsafe

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// ErrPlainHTTP is the cause if an address is refused because plain http would expose a key.
var ErrPlainHTTP = errors.New("plain http to a public address would show the key: use https")

// ForServer returns the HTTP client for one server that the user chose, of a model or of
// tools, at base, a URL that the user typed.
// It permits loopback and private addresses, any port, and plain http to such addresses, but
// not plain http to a public address, which would expose the key. The client connects to the
// scheme, host and port of base only, and follows no redirects, so that the key reaches no
// other server. Once connected there is no timeout, because models may think for minutes:
// use the request's context.
//
// If base is [OnThisComputer], only loopback addresses are dialled, whatever localhost
// resolves to.
func ForServer(base string) (*http.Client, error) {
	return forServer(base, Policy{})
}

// idleServer is how long an idle connection to such a server is kept: for less time than
// most of them keep it, so that they do not close it during a request.
const idleServer = 50 * time.Second

func forServer(base string, p Policy) (*http.Client, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, &Error{Kind: Refused, Op: "use server", Err: errors.New("its base URL is not a URL")}
	}
	if u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" {
		return nil, &Error{Kind: Refused, Op: "use server", Host: u.Host, Err: errors.New("its base URL must start with https:// or http:// and name a host")}
	}
	if u.User != nil {
		return nil, &Error{Kind: Refused, Op: "use server", Host: u.Host, Err: errors.New("its base URL must hold no user name or password")}
	}
	p.AllowPrivate = true
	t := transport(p, anyPort)
	t.DisableKeepAlives = false
	t.MaxIdleConnsPerHost, t.MaxIdleConns = 2, 2
	t.IdleConnTimeout = idleServer
	switch {
	case OnThisComputer(u.Hostname()):
		t.DialContext = dialer(p, onlyLoopback(p.control(anyPort))).DialContext
	case u.Scheme == "http":
		t.DialContext = dialer(p, onlyPrivate(p.control(anyPort))).DialContext
	}
	return &http.Client{Transport: pinned{next: agent{t}, scheme: u.Scheme, host: u.Host}, CheckRedirect: stay}, nil
}

// onlyPrivate adds to a check that the address must not be public.
func onlyPrivate(check dialCheck) dialCheck {
	return func(network, address string, c syscall.RawConn) error {
		if err := check(network, address, c); err != nil {
			return err
		}
		target, err := netip.ParseAddrPort(address)
		if err != nil {
			return &Error{Kind: Refused, Op: "dial", Host: address, Err: err}
		}
		if public := (Policy{}); public.CheckAddr(target.Addr()) == nil {
			return &Error{Kind: Refused, Op: "dial", Host: address, Err: ErrPlainHTTP}
		}
		return nil
	}
}

// OnThisComputer reports whether a host, without its port, is a loopback address or a name
// reserved for it (RFC 6761, section 6.3).
func OnThisComputer(host string) bool {
	name := strings.TrimSuffix(strings.ToLower(host), ".")
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.Unmap().IsLoopback()
}

// onlyLoopback adds to a check that the address must be a loopback address.
func onlyLoopback(check dialCheck) dialCheck {
	return func(network, address string, c syscall.RawConn) error {
		target, err := netip.ParseAddrPort(address)
		if err != nil || !target.Addr().Unmap().IsLoopback() {
			return &Error{Kind: Refused, Op: "dial", Host: address, Err: errors.New("a name of this computer leads to another one")}
		}
		return check(network, address, c)
	}
}

// pinned refuses requests to any server but one.
type pinned struct {
	next         agent
	scheme, host string
}

// CloseIdleConnections is called by that of [http.Client].
func (p pinned) CloseIdleConnections() {
	if t, ok := p.next.next.(*http.Transport); ok {
		t.CloseIdleConnections()
	}
}

func (p pinned) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Scheme != p.scheme || req.URL.Host != p.host {
		return nil, &Error{Kind: Refused, Op: "call server", Host: req.URL.Host, Err: fmt.Errorf("the key belongs to %s", p.host)}
	}
	return p.next.RoundTrip(req)
}
