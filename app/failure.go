package app

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"syscall"
	"time"

	"bowerbird/app/llm"
	"bowerbird/app/netsafe"
)

// Cause is what is behind an error, where more is known than its kind.
type Cause string

// The causes.
const (
	CauseUnknown     Cause = ""
	CauseName        Cause = "name"        // no address is known for the server's name
	CauseNobody      Cause = "nobody"      // the computer is there, and no server listens
	CauseCertificate Cause = "certificate" // the server cannot prove who it is
	CauseRedirect    Cause = "redirect"    // the server sends on to another one
	CausePlainHTTP   Cause = "plain_http"  // http:// over the internet, where a key could be read
	CausePolicy      Cause = "policy"      // another address or way that is never used
)

// ModelFailure is what is known of an error between the program and a model's server.
type ModelFailure struct {
	Kind   string        // as docs/events.md names it; "" for an error of another making
	Cause  Cause         // what is behind it
	Said   string        // by the server, or by us; cut short, and a stranger's
	Status int           // of HTTP; 0 when none
	Wait   time.Duration // that the server asks for before the next question; 0: none
}

// FailureOf takes an error of a model apart.
func FailureOf(err error) ModelFailure {
	var e *llm.Error
	if !errors.As(err, &e) {
		return ModelFailure{Cause: causeOf(err)}
	}
	return ModelFailure{
		Kind: string(e.Kind), Cause: causeOf(err), Said: e.Message, Status: e.Status,
		Wait: time.Duration(e.RetryAfterSeconds * float64(time.Second)),
	}
}

// ModelTrouble returns what kind of error of a model err is, as docs/events.md names
// them, and what its server said, cut short; "" for an error of another making.
func ModelTrouble(err error) (kind, said string) {
	t := FailureOf(err)
	return t.Kind, t.Said
}

func causeOf(err error) Cause {
	var (
		refused     *netsafe.Error
		certificate *tls.CertificateVerificationError
		authority   x509.UnknownAuthorityError
		name        x509.HostnameError
		dns         *net.DNSError
	)
	switch {
	case errors.Is(err, llm.ErrElsewhere):
		return CauseRedirect
	case errors.Is(err, netsafe.ErrPlainHTTP):
		return CausePlainHTTP
	case errors.As(err, &refused) && refused.Kind == netsafe.Refused:
		return CausePolicy
	case errors.As(err, &certificate), errors.As(err, &authority), errors.As(err, &name):
		return CauseCertificate
	case errors.As(err, &dns) && dns.IsNotFound:
		return CauseName
	case errors.Is(err, syscall.ECONNREFUSED):
		return CauseNobody
	}
	return CauseUnknown
}
