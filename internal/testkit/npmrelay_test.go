package testkit_test

import (
	"testing"

	"bowerbird/internal/testkit"
)

func TestARelayKeepsItsEventsWhenKilledAndStartedAgain(t *testing.T) {
	relay := testkit.StartNPMRelay(t, 0)
	if got := relay.Publish(t, testkit.NewKey("ada").Notes(t, 30, 1_700_000_000)...); got != 30 {
		t.Fatalf("the relay took %d events of 30", got)
	}
	address := relay.URL
	relay.Kill()
	relay.Start(t)
	if relay.URL != address {
		t.Errorf("the relay came back at %s, was at %s", relay.URL, address)
	}
	if got := relay.Count(t, `{"kinds":[1]}`); got != 30 {
		t.Errorf("the relay holds %d events, want 30", got)
	}
	relay.Stop()
}
