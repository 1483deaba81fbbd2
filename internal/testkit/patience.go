package testkit

import (
	"testing"
	"time"
)

// Patience is how long a test waits for what must come. It measures nothing: it only
// ends a test that hangs, so it is long enough for the race detector on a machine with
// thirty times as much to do as it can.
const Patience = 3 * time.Minute

// Eventually waits until something has become so by itself, and fails the test when
// that takes longer than Patience.
func Eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(Patience); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

// Receive returns what comes from a channel, or its zero value when that is closed,
// and fails the test when nothing does within Patience. It is for the goroutine of
// the test.
func Receive[T any](t testing.TB, what string, from <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(Patience):
		t.Fatalf("waited in vain for %s", what)
	}
	return v
}
