package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"bowerbird/internal/testkit"
)

// TestTheWindowFetchesForSomebodyIsClosedInTheMiddleAndGoesOn reads as somebody for
// the first time, closes the window while notes arrive, and opens it again: all
// notes are there in the end.
func TestTheWindowFetchesForSomebodyIsClosedInTheMiddleAndGoesOn(t *testing.T) {
	world := aWorld(t, 17, 3000)
	relay := testkit.StartNPMRelay(t, 5) // small pages: time to close it in the middle
	relay.Publish(t, lines(world.Events, everything)...)
	p := installed(t)
	settings := fmt.Sprintf("[sync]\nrelays = [%q]\nindexers = [%q]\ndays = 10\n", relay.URL, relay.URL)
	if err := os.WriteFile(filepath.Join(p.data, "settings.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	d := newDisplay(t, "1300x900")
	w := d.openWindow(p, "--allow-private")
	w.click("welcome.entry")
	w.typeText(world.Me.Npub())
	w.wait("welcome.person")
	w.keep("sync-1-found")
	w.click("welcome.continue")
	w.wait("chat.entry")
	w.until("the first notes", func() bool { _, ok := w.find("note:*"); return ok })
	w.keep("sync-2-arriving")
	w.quit()
	w = d.openWindow(p, "--allow-private")
	w.wait("chat.entry")
	w.wait("status.age=Up to date*")
	w.wait("note:*")
	w.keep("sync-3-done")
	w.quit()
	want := wanted(t, world)
	if n := missing(want, p.events(t, authorsFilter(followed(world)))); n > 0 || len(want) < 300 {
		t.Errorf("%d of %d notes did not arrive", n, len(want))
	}
}
