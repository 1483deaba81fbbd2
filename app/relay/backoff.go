package relay

import (
	"errors"
	"net"
	"time"

	"bowerbird/netsafe"
)

const (
	backoffFirst = time.Second
	backoffMost  = 5 * time.Minute
	backoffReset = 60 * time.Second // a connection that lasted so long was a success

	waitGone       = 24 * time.Hour // it wants a login or money, or is not a relay
	waitTLS        = time.Hour
	waitMisbehaved = time.Hour
	waitDNS        = 10 * time.Minute
)

// Backoff decides when a relay may be dialled again. It is a plain value whose fields may
// be stored. The zero value permits dialling at once.
type Backoff struct {
	Failures int       // in a row
	Until    time.Time // no dial before
}

// Failed returns the state after a dial failed, or a connection ended, with err at now.
// alive is how long the connection lasted; 0 if the dial failed. random, from 0 up to 1,
// spreads the retries of many relays by a quarter.
//
// Failures that are not the relay's (Cancelled, Offline, Closed) change nothing.
func (b Backoff) Failed(err error, now time.Time, alive time.Duration, random float64) Backoff {
	if errors.Is(err, netsafe.Cancelled) || errors.Is(err, netsafe.Offline) || errors.Is(err, Closed) {
		return b
	}
	if alive >= backoffReset {
		b.Failures = 0
	}
	b.Failures++
	wait := backoffMost
	if b.Failures <= 9 { // doubling further would exceed backoffMost, and in the end overflow
		wait = min(backoffMost, backoffFirst<<(b.Failures-1))
	}
	wait += time.Duration((random - 0.5) / 2 * float64(wait))
	least := leastWait(err) // spread upwards only, since the relay may have asked for it
	least += time.Duration(random / 4 * float64(least))
	b.Until = now.Add(max(wait, least))
	return b
}

// leastWait is the minimum wait after a kind of failure; 0 for none.
func leastWait(err error) time.Duration {
	var failed *netsafe.Error
	switch {
	case errors.Is(err, Misbehaved):
		return waitMisbehaved
	case errors.Is(err, netsafe.Refused):
		return waitGone
	case errors.Is(err, netsafe.TLS):
		return waitTLS
	case errors.Is(err, netsafe.DNS):
		// If no server answered, rather the network than the relay has failed.
		if dns, ok := errors.AsType[*net.DNSError](err); !ok || dns.IsNotFound {
			return waitDNS
		}
	case errors.As(err, &failed) && (failed.Status == 429 || failed.Status >= 500):
		return failed.RetryAfter
	case failed != nil && failed.Status >= 300: // 403 and other refusals
		return waitGone
	}
	return 0
}
