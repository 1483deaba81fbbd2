package main

import (
	"strings"
	"testing"
	"time"

	"bowerbird/internal/testkit"
)

// TestWhatIsCompleteIsSaidByWhoseWord: sync and coverage call complete what a relay
// confirmed, say that it is its word, and name whose own relays were not asked.
func TestWhatIsCompleteIsSaidByWhoseWord(t *testing.T) {
	now := time.Now().Unix()
	me, ada, ben := testkit.NewKey("me"), testkit.NewKey("ada"), testkit.NewKey("ben")
	relay := testkit.StartGoRelay(t, testkit.GoRelayOptions{},
		me.Event(t, 3, now-100, "", []string{"p", ada.PubKey}, []string{"p", ben.PubKey}),
		ada.Event(t, 0, now-200, `{"name":"Ada"}`),
		ada.Event(t, 10002, now-200, "", []string{"r", "wss://hers.example"}),
		ada.Event(t, 1, now-3600, "hello"), ben.Event(t, 1, now-3600, "hello"))
	data := t.TempDir()
	sync := bowerbird(t, "", "--data", data, "sync", "--as", me.PubKey, "--relay", relay.URL, "--once", "--allow-private")
	coverage := bowerbird(t, "", "--data", data, "coverage")
	for name, r := range map[string]result{"sync": sync, "coverage": coverage} {
		const counts = "2 people: 1 complete as far as the one relay asked tells, 1 partly, 0 not reached"
		if r.code != exitDone || !strings.Contains(r.out, counts) || strings.Contains(r.out+r.err, "up to date") {
			t.Errorf("%s: exit %d\n%s%s", name, r.code, r.out, r.err)
		}
	}
	if !strings.Contains(sync.out, "1 of the partly writes to relays of their own, and none of these was asked.") {
		t.Errorf("sync:\n%s", sync.out)
	}
	if !strings.Contains(coverage.out, "none of their own relays was asked for 1 person") || !strings.Contains(coverage.out, "Ada ") {
		t.Errorf("coverage:\n%s", coverage.out)
	}
}
