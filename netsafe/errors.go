package netsafe

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"
)

// Kind is what went wrong, as far as a caller can act on it. A Kind is itself an
// error, so that errors.Is(err, netsafe.DNS) tells.
type Kind string

// The kinds.
const (
	Offline     Kind = "offline"     // this computer has no way to the network
	DNS         Kind = "dns"         // the name was not found, or nobody answered for names
	TLS         Kind = "tls"         // the server's certificate or its TLS is not acceptable
	Refused     Kind = "refused"     // our policy does not permit this address, port or redirect
	Unreachable Kind = "unreachable" // nobody listens there, or the connection was cut
	Timeout     Kind = "timeout"     // no answer in time
	Status      Kind = "status"      // an HTTP status that is no success
	TooLarge    Kind = "too large"   // the answer is longer than was permitted
	Cancelled   Kind = "cancelled"   // the caller's context ended
	Protocol    Kind = "protocol"    // the other side does not speak what was asked for
)

func (k Kind) Error() string { return string(k) }

// Error is the error of everything in this package that touches the network.
type Error struct {
	Kind       Kind
	Op         string        // what was tried: "dial", "get" …
	Host       string        // with whom: host, address or URL without its query
	Status     int           // the HTTP status, for kind Status
	RetryAfter time.Duration // what the server asked for, for kind Status; else 0
	Err        error
}

func (e *Error) Error() string {
	msg := e.Op
	if e.Host != "" {
		msg += " " + e.Host
	}
	msg += ": " + string(e.Kind)
	if e.Kind == Status {
		return fmt.Sprintf("%s %d", msg, e.Status)
	}
	var dns *net.DNSError
	switch {
	case errors.As(e.Err, &dns): // without the server that was asked for the address
		msg += ": " + dns.Err
	case e.Err != nil:
		msg += ": " + e.Err.Error()
	}
	return msg
}

func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the error's Kind.
func (e *Error) Is(target error) bool {
	kind, ok := target.(Kind)
	return ok && kind == e.Kind
}

// Classify makes an *Error of whatever a dial or an HTTP exchange returned. An
// *Error in its chain keeps its kind; nil stays nil.
func Classify(op, host string, err error) error {
	if err == nil {
		return nil
	}
	if known, ok := errors.AsType[*Error](err); ok {
		return &Error{Kind: known.Kind, Op: op, Host: host, Status: known.Status, RetryAfter: known.RetryAfter, Err: known.Err}
	}
	kind := kindOf(err)
	if wrapped, ok := errors.AsType[*url.Error](err); ok { // its text repeats the URL, query and all
		err = wrapped.Err
	}
	return &Error{Kind: kind, Op: op, Host: host, Err: err}
}

// isOffline reports whether the system says that it has no way to the network.
func isOffline(err error) bool {
	return errors.Is(err, NetUnreachable) || errors.Is(err, netDown)
}

func kindOf(err error) Kind {
	var (
		dns     *net.DNSError
		netErr  net.Error
		record  tls.RecordHeaderError
		alert   tls.AlertError
		cert    *tls.CertificateVerificationError
		unknown x509.UnknownAuthorityError
		invalid x509.CertificateInvalidError
		host    x509.HostnameError
		op      *net.OpError
	)
	switch {
	case errors.Is(err, context.Canceled):
		return Cancelled
	case isOffline(err):
		return Offline
	case errors.As(err, &dns):
		return DNS
	case errors.As(err, &record), errors.As(err, &alert), errors.As(err, &cert),
		errors.As(err, &unknown), errors.As(err, &invalid), errors.As(err, &host),
		errors.Is(err, http.ErrSchemeMismatch),
		errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error"): // crypto/tls says of an alert so by the Op alone
		return TLS
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return Timeout
	case errors.As(err, &netErr) && netErr.Timeout():
		return Timeout
	case errors.As(err, &op), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return Unreachable
	}
	return Protocol
}
