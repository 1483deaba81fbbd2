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
	backoffReset = 60 * time.Second // a connection that lived so long was a success

	waitGone       = 24 * time.Hour // it wants a login or money, or is not a relay
	waitTLS        = time.Hour
	waitMisbehaved = time.Hour
	waitDNS        = 10 * time.Minute
)

// Backoff decides when a relay may be dialled again. It is a plain value: its
// fields may be stored and read back. The zero value permits a dial at once.
type Backoff struct {
	Failures int       // in a row
	Until    time.Time // no dial before
}

// Failed returns the state after a dial failed or a connection ended with err at
// now, having lived for alive (0 when the dial failed). random, from 0 up to 1,
// spreads the retries of many relays by a quarter.
//
// Ends that are not the relay's fault (Cancelled, Offline, Closed) change nothing.
func (b Backoff) Failed(err error, now time.Time, alive time.Duration, random float64) Backoff {
	if errors.Is(err, netsafe.Cancelled) || errors.Is(err, netsafe.Offline) || errors.Is(err, Closed) {
		return b
	}
	if alive >= backoffReset {
		b.Failures = 0
	}
	b.Failures++
	wait := backoffMost
	if b.Failures <= 9 { // 1 s doubled eight times is 256 s; once more passes the most
		wait = min(backoffMost, backoffFirst<<(b.Failures-1))
	}
	wait += time.Duration((random - 0.5) / 2 * float64(wait))
	least := leastWait(err) // never less than it asks for, so spread to one side only
	least += time.Duration(random / 4 * float64(least))
	b.Until = now.Add(max(wait, least))
	return b
}

// leastWait is what the kind of failure asks for, 0 for nothing.
func leastWait(err error) time.Duration {
	var failed *netsafe.Error
	switch {
	case errors.Is(err, Misbehaved):
		return waitMisbehaved
	case errors.Is(err, netsafe.Refused):
		return waitGone
	case errors.Is(err, netsafe.TLS):
		return waitTLS
	case errors.Is(err, netsafe.DNS) && !unanswered(err):
		return waitDNS
	case errors.As(err, &failed) && failed.Kind == netsafe.Status:
		return statusWait(failed)
	}
	return 0
}

// unanswered reports whether a name was not denied, but nobody could be asked: then
// it is more likely our network that fails than the relay.
func unanswered(err error) bool {
	dns, ok := errors.AsType[*net.DNSError](err)
	return ok && !dns.IsNotFound
}

func statusWait(err *netsafe.Error) time.Duration {
	switch {
	case err.Status == 429 || err.Status >= 500:
		return err.RetryAfter
	case err.Status >= 300:
		return waitGone
	}
	return 0
}
