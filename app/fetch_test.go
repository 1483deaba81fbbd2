package app

import (
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
)

func TestNotesThatAreMissingAreLookedFor(t *testing.T) {
	c := newCircle("ada", "ben")
	root := c.people[0].Event(t, 1, time.Now().Add(-999*time.Hour).Unix(), "long ago")
	e, err := nostr.ParseEvent(root)
	if err != nil {
		t.Fatal(err)
	}
	reply := c.people[1].Event(t, 1, time.Now().Add(-998*time.Hour).Unix(), "yes", []string{"e", e.ID.String(), "", "root"})
	stranger := testkit.NewKey("stranger")
	other := stranger.Event(t, 1, time.Now().Add(-997*time.Hour).Unix(), "no", []string{"e", e.ID.String(), "", "root"})
	elsewhere := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, root, reply, other)
	home := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, stranger.Event(t, 0, time.Now().Add(-999*time.Hour).Unix(), `{"name":"far"}`))
	a := c.reading(t, config.Locate(t.TempDir(), ""), home.URL)
	defer closeApp(t, a)
	if n, err := a.Live().FetchNotes(t.Context(), []nostr.ID{e.ID}, nil); n != 0 || err != nil {
		t.Errorf("%d found where it is not, %v", n, err)
	}
	if n, err := a.Live().FetchNotes(t.Context(), []nostr.ID{e.ID, {9}}, []string{"not a relay", elsewhere.URL}); n != 1 || err != nil {
		t.Errorf("%d found, %v", n, err)
	}
	if n, err := a.Live().FetchThread(t.Context(), e.ID, []string{elsewhere.URL}); n != 2 || err != nil {
		t.Errorf("%d new notes of the thread, %v", n, err)
	}
	if p, err := a.Notes().Profile(t.Context(), pubKey(t, stranger.PubKey)); p.Name != "far" || err != nil {
		t.Errorf("who answered has the name %q, %v", p.Name, err)
	}
	elsewhere.Stop()
	home.Stop()
	if _, err := a.Live().FetchNotes(t.Context(), []nostr.ID{{7}}, nil); !live.Unreachable(err) {
		t.Errorf("with no relay there: %v", err)
	}
}
