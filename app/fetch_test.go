package app

import (
	"errors"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
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

func TestWhatALinkNamesIsFoundHereOrWhereItSays(t *testing.T) {
	c := newCircle("ada")
	now, writer := time.Now().Unix(), testkit.NewKey("writer")
	who := pubKey(t, writer.PubKey)
	note := writer.Event(t, 1, now-9, "a note")
	e, err := nostr.ParseEvent(note)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, note, writer.Event(t, 0, now-9, `{"name":"far"}`),
		writer.Event(t, 30023, now-9, "old", []string{"d", "x"}), writer.Event(t, 30023, now-8, "an article", []string{"d", "x"}), writer.Event(t, 30023, now-7, "another", []string{"d", "y"}))
	home := testkit.StartGoRelay(t, testkit.GoRelayOptions{})
	a := c.reading(t, config.Locate(t.TempDir(), ""), home.URL)
	defer closeApp(t, a)
	hints := []string{elsewhere.URL}
	for _, tc := range []struct {
		code nostr.Code
		want string
	}{
		{nostr.Code{Prefix: nostr.CodeEvent, Event: e.ID, Relays: hints}, "a note"},
		{nostr.Code{Prefix: nostr.CodeAddress, PubKey: who, Kind: 30023, D: "x", Relays: hints}, "an article"},
		{nostr.Code{Prefix: nostr.CodeProfile, PubKey: who, Relays: hints}, `{"name":"far"}`},
	} {
		bare := tc.code
		bare.Relays = nil
		if _, err := a.Live().Linked(t.Context(), bare, func() {}); !errors.Is(err, ndb.ErrNotFound) {
			t.Errorf("%s where nobody has it: %v", bare.Prefix, err)
		}
		for i, asks := range []bool{true, false} { // the second time it is stored
			asked := false
			found, err := a.Live().Linked(t.Context(), tc.code, func() { asked = true })
			if err != nil || found.Content != tc.want || asked != asks {
				t.Errorf("%s, time %d: %+v, asked %v, %v", tc.code.Prefix, i, found, asked, err)
			}
		}
	}
}
