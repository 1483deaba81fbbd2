package llm

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"

	"bowerbird/netsafe"
)

// Cause is why a connection to a server failed, where more is known than the [ErrorKind]:
// each has its own explanation and advice.
type Cause string

// The causes.
const (
	CauseUnknown     Cause = ""
	CauseName        Cause = "name"        // the server's name cannot be resolved
	CauseNobody      Cause = "nobody"      // connection refused: no server listens there
	CauseNoAnswer    Cause = "no_answer"   // no response: the computer is off, elsewhere or behind a firewall
	CauseUntrusted   Cause = "untrusted"   // the certificate is signed by an unknown authority
	CauseExpired     Cause = "expired"     // the certificate has expired or is not valid yet
	CauseOtherName   Cause = "other_name"  // the certificate is for another name
	CauseCertificate Cause = "certificate" // the certificate is invalid for another reason
	CauseNoTLS       Cause = "no_tls"      // the URL is https://, but the server speaks http
	CauseWantsTLS    Cause = "wants_tls"   // the URL is http://, but the server speaks https
	CauseTLS         Cause = "tls"         // the TLS handshake failed otherwise
	CauseCut         Cause = "cut"         // the connection was closed or reset
	CauseProxy       Cause = "proxy"       // a proxy requires authentication
	CauseRedirect    Cause = "redirect"    // the server redirects to another one
	CausePlainHTTP   Cause = "plain_http"  // http:// over the internet, which would expose the key
	CausePolicy      Cause = "policy"      // another address that [netsafe] refuses
)

// CauseOf returns the cause of an error, which may be an [*Error].
func CauseOf(err error) Cause {
	var (
		known   *Error
		refused *netsafe.Error
		dns     *net.DNSError
	)
	switch {
	case errors.As(err, &known) && known.Cause != CauseUnknown:
		return known.Cause
	case errors.Is(err, errElsewhere):
		return CauseRedirect
	case errors.Is(err, netsafe.ErrPlainHTTP):
		return CausePlainHTTP
	case errors.As(err, &refused) && refused.Kind == netsafe.Refused:
		return CausePolicy
	case errors.As(err, &dns):
		if dns.IsNotFound {
			return CauseName
		}
		return CauseUnknown // no name server answers: this computer is offline
	}
	if cause := causeOfTLS(err); cause != CauseUnknown {
		return cause
	}
	return causeOfConnection(err)
}

func causeOfTLS(err error) Cause {
	var (
		authority x509.UnknownAuthorityError
		invalid   x509.CertificateInvalidError
		name      x509.HostnameError
		other     *tls.CertificateVerificationError
		record    tls.RecordHeaderError
		alert     tls.AlertError
		op        *net.OpError
	)
	switch {
	case errors.As(err, &name):
		return CauseOtherName
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return CauseExpired
	case errors.As(err, &authority):
		return CauseUntrusted
	case errors.As(err, &invalid), errors.As(err, &other):
		return CauseCertificate
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &record):
		return CauseNoTLS
	case errors.As(err, &alert), errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error"):
		return CauseTLS // crypto/tls has no error type for it
	case err != nil && strings.Contains(err.Error(), `malformed HTTP response "\x15\x03`):
		return CauseWantsTLS // a TLS alert instead of a response; net/http has no error type for it
	}
	return CauseUnknown
}

func causeOfConnection(err error) Cause {
	var (
		op    *net.OpError
		limit net.Error
	)
	dialled := errors.As(err, &op) && op.Op == "dial"
	timedOut := errors.As(err, &limit) && limit.Timeout() || errors.Is(err, os.ErrDeadlineExceeded)
	switch {
	case errors.Is(err, context.Canceled):
		return CauseUnknown
	case errors.Is(err, netsafe.ConnRefused):
		return CauseNobody
	case errors.Is(err, netsafe.NetUnreachable):
		return CauseUnknown // this computer is offline
	case errors.Is(err, netsafe.HostUnreachable), dialled && timedOut,
		timedOut && !errors.Is(err, context.DeadlineExceeded): // which is the caller's own limit
		return CauseNoAnswer
	case dialled, timedOut:
		return CauseUnknown
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET),
		errors.Is(err, netsafe.ConnReset), errors.Is(err, netsafe.ConnAborted), errors.Is(err, syscall.EPIPE):
		return CauseCut
	}
	return CauseUnknown
}

func causeOfAnswer(status int, body string) Cause {
	low := strings.ToLower(body)
	switch {
	case status == http.StatusProxyAuthRequired:
		return CauseProxy
	case status == http.StatusBadRequest && containsAny(low,
		"http request to an https server",                    // Go
		"http request was sent to https port",                // nginx
		"speaking plain http to an ssl-enabled server port"): // Apache
		return CauseWantsTLS
	}
	return CauseUnknown
}

// passes reports whether a retry may succeed.
func (c Cause) passes() bool {
	switch c {
	case CauseUntrusted, CauseExpired, CauseOtherName, CauseCertificate, CauseNoTLS, CauseWantsTLS, CauseTLS,
		CauseProxy, CauseRedirect, CausePlainHTTP, CausePolicy:
		return false
	}
	return true
}
