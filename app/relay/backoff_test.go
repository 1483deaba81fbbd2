package relay

import (
	"errors"
	"fmt"
	"net"
	"testing"
	"time"

	"bowerbird/netsafe"
)

func status(code int, after time.Duration) error {
	return fmt.Errorf("dial: %w", &netsafe.Error{Kind: netsafe.Status, Status: code, RetryAfter: after})
}

func TestEachFailureHasItsWait(t *testing.T) {
	tests := []struct {
		name  string
		err   error
		fails int // before this one
		alive time.Duration
		want  time.Duration // with no spread
	}{
		{"the first failure", &Error{Kind: Lost}, 0, 0, time.Second},
		{"the second", &Error{Kind: Silent}, 1, 0, 2 * time.Second},
		{"the eighth", &netsafe.Error{Kind: netsafe.Unreachable}, 7, 0, 128 * time.Second},
		{"the tenth", &netsafe.Error{Kind: netsafe.Timeout}, 9, 0, 5 * time.Minute},
		{"the thousandth", &Error{Kind: Frame}, 999, 0, 5 * time.Minute},
		{"the tenth, after a long life", &Error{Kind: Lost}, 9, time.Minute, time.Second},
		{"the tenth, after a short life", &Error{Kind: Lost}, 9, 59 * time.Second, 5 * time.Minute},
		{"a login wanted", status(401, 0), 0, 0, 24 * time.Hour},
		{"money wanted", status(402, 0), 0, 0, 24 * time.Hour},
		{"forbidden", status(403, 0), 0, 0, 24 * time.Hour},
		{"no relay there", status(404, 0), 0, 0, 24 * time.Hour},
		{"gone", status(410, 0), 0, 0, 24 * time.Hour},
		{"moved", status(301, 0), 0, 0, 24 * time.Hour},
		{"busy, with a time", status(429, 20*time.Minute), 0, 0, 20 * time.Minute},
		{"busy, without", status(503, 0), 1, 0, 2 * time.Second},
		{"a bad certificate", &netsafe.Error{Kind: netsafe.TLS}, 0, 0, time.Hour},
		{"an unknown name", &netsafe.Error{Kind: netsafe.DNS}, 0, 0, 10 * time.Minute},
		{"a name that was denied", &netsafe.Error{Kind: netsafe.DNS, Err: &net.DNSError{IsNotFound: true}}, 0, 0, 10 * time.Minute},
		{"a name that nobody could be asked for", &netsafe.Error{Kind: netsafe.DNS, Err: &net.DNSError{IsTimeout: true}}, 1, 0, 2 * time.Second},
		{"a name that leads home", &netsafe.Error{Kind: netsafe.Refused}, 0, 0, 24 * time.Hour},
		{"many lies", &Error{Kind: Misbehaved}, 0, 2 * time.Minute, time.Hour},
	}
	now := time.Unix(1_700_000_000, 0)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before := Backoff{Failures: test.fails}
			if got := before.Failed(test.err, now, test.alive, 0.5).Until.Sub(now); got < test.want || got > test.want*9/8 {
				t.Errorf("waits %v, want %v", got, test.want)
			}
			early := before.Failed(test.err, now, test.alive, 0).Until.Sub(now)
			late := before.Failed(test.err, now, test.alive, 0.999).Until.Sub(now)
			if early < test.want*3/4 || late <= early || late > test.want*5/4 {
				t.Errorf("spread from %v to %v, want a quarter around %v", early, late, test.want)
			}
		})
	}
}

func TestWhatIsNotTheRelaysFaultCostsItNothing(t *testing.T) {
	before := Backoff{Failures: 3, Until: time.Unix(5, 0)}
	for _, err := range []error{
		&netsafe.Error{Kind: netsafe.Cancelled}, &netsafe.Error{Kind: netsafe.Offline},
		&Error{Kind: Closed}, fmt.Errorf("x: %w", errors.Join(&Error{Kind: Closed})),
	} {
		if after := before.Failed(err, time.Unix(100, 0), 0, 0.5); after != before {
			t.Errorf("%v: %+v became %+v", err, before, after)
		}
	}
}
