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

// Kind classifies errors by what a caller can do about them. It is an error itself, for use
// with [errors.Is]: errors.Is(err, netsafe.DNS).
type Kind string

// The kinds.
const (
	Offline     Kind = "offline"     // this computer has no network
	DNS         Kind = "dns"         // the name was not found, or no name server answered
	TLS         Kind = "tls"         // the certificate or the TLS handshake is not acceptable
	Refused     Kind = "refused"     // the policy does not permit this address, port or redirect
	Unreachable Kind = "unreachable" // connection refused, reset or closed
	Timeout     Kind = "timeout"     // no response in time
	Status      Kind = "status"      // an HTTP status other than success
	TooLarge    Kind = "too large"   // the response exceeds the limit
	Cancelled   Kind = "cancelled"   // the caller's context ended
	Protocol    Kind = "protocol"    // the server speaks another protocol
)

func (k Kind) Error() string { return string(k) }

// Error is the error of everything in this package that touches the network.
type Error struct {
	Kind       Kind
	Op         string        // "dial", "get", …
	Host       string        // a host, an address, or a URL without its query
	Status     int           // the HTTP status, for kind Status
	RetryAfter time.Duration // for kind Status, if the server asks for it
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
	case errors.As(e.Err, &dns): // without the address of the name server
		msg += ": " + dns.Err
	case e.Err != nil:
		msg += ": " + e.Err.Error()
	}
	return msg
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the error's Kind.
func (e *Error) Is(target error) bool {
	kind, ok := target.(Kind)
	return ok && kind == e.Kind
}

// Classify wraps the error of a dial or an HTTP request in an [*Error]. An *Error in its chain
// keeps its kind; nil remains nil.
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
	case errors.Is(err, NetUnreachable), errors.Is(err, netDown):
		return Offline
	case errors.As(err, &dns):
		return DNS
	case errors.As(err, &record), errors.As(err, &alert), errors.As(err, &cert),
		errors.As(err, &unknown), errors.As(err, &invalid), errors.As(err, &host),
		errors.Is(err, http.ErrSchemeMismatch),
		errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error"): // a TLS alert; crypto/tls has no type for it
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
