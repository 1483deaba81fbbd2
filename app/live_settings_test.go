package app

import (
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// byHand is an address as somebody may write it into the settings.
func byHand(url string) string { return strings.ToUpper(url[:5]) + url[5:] + "/" }

func TestARemovedRelayIsAskedByNobodyHoweverItIsWritten(t *testing.T) {
	removed := testkit.StartGoRelay(t, testkit.GoRelayOptions{})
	home := testkit.StartGoRelay(t, testkit.GoRelayOptions{})
	me := testkit.NewKey("reader")
	for name, sync := range map[string]config.Sync{
		"as people write it":          {Without: []string{byHand(removed.URL)}, Relays: []string{removed.URL, home.URL}, Indexers: []string{removed.URL, home.URL}},
		"and hinted at as they do":    {Without: []string{removed.URL}, Relays: []string{byHand(removed.URL), home.URL}, Indexers: []string{byHand(removed.URL), home.URL}},
		"among the reader's own only": {Without: []string{byHand(removed.URL)}, Relays: []string{removed.URL, home.URL}, OnlyOwn: true},
	} {
		before := home.Dials()
		a := open(t, Options{Places: config.Locate(t.TempDir(), ""), AllowPrivate: true, As: me.PubKey, Settings: config.Settings{Sync: sync}})
		hints := []string{removed.URL, byHand(removed.URL)}
		if _, err := a.Live().FetchNotes(t.Context(), []nostr.ID{{1}}, hints); err != nil {
			t.Errorf("%s: looking further: %v", name, err)
		}
		if _, err := a.Live().FetchThread(t.Context(), nostr.ID{1}, hints); err != nil {
			t.Errorf("%s: looking for a thread: %v", name, err)
		}
		if _, err := a.LookUp(t.Context(), testkit.NewKey("ada").PubKey); err != nil {
			t.Errorf("%s: looking somebody up: %v", name, err)
		}
		if n := removed.Dials(); n > 0 {
			t.Fatalf("%s: it was dialled %d times", name, n)
		}
		if home.Dials() == before {
			t.Errorf("%s: the other one was not asked", name)
		}
	}
}

func TestWhatTheReaderKeepsAwayFromIsNotAskedBesideASyncEither(t *testing.T) {
	unwanted := testkit.StartGoRelay(t, testkit.GoRelayOptions{})
	home := testkit.StartGoRelay(t, testkit.GoRelayOptions{})
	me := testkit.NewKey("reader")
	a := open(t, Options{
		Places: config.Locate(t.TempDir(), ""), AllowPrivate: true, As: me.PubKey,
		Settings: config.Settings{Sync: config.Sync{Relays: []string{home.URL}, Indexers: []string{home.URL}}},
	})
	e, err := nostr.ParseEvent(me.Event(t, 10006, time.Now().Unix()-100, "", []string{"relay", unwanted.URL}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Notes().Put(t.Context(), ndb.Batch{Events: []*nostr.Event{e}}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Live().FetchNotes(t.Context(), []nostr.ID{{1}}, []string{unwanted.URL}); err != nil {
		t.Error(err)
	}
	if unwanted.Dials() > 0 || home.Dials() == 0 {
		t.Errorf("%d connections to what is unwanted, %d to the other one", unwanted.Dials(), home.Dials())
	}
}

func TestARemovedRelayComesBackAsItWas(t *testing.T) {
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), AllowPrivate: true, Settings: config.Settings{
		Sync: config.Sync{Relays: []string{"wss://Own.example/"}, Without: []string{"wss://Noise.example/"}},
	}})
	l := a.Live()
	for _, url := range []string{"wss://own.example", "wss://hers.example", "wss://noise.example"} {
		if err := l.RemoveRelay(url); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := l.Removed(), []string{"wss://hers.example", "wss://noise.example", "wss://own.example"}; !slices.Equal(got, want) {
		t.Errorf("removed are %v, want %v", got, want)
	}
	if got := a.live.OwnRelays(t.Context()); len(got) > 0 {
		t.Errorf("one's own are %v", got)
	}
	for _, url := range l.Removed() {
		if err := l.RestoreRelay(url); err != nil {
			t.Fatal(err)
		}
	}
	if got := a.Settings().Sync; len(got.Without) > 0 || !slices.Equal(got.Relays, []string{"wss://Own.example/"}) {
		t.Errorf("after taking it back: %+v", got)
	}
	if _, err := l.AddRelay("own.example"); err != nil || len(a.Settings().Sync.Relays) != 1 {
		t.Errorf("added once more: %+v, %v", a.Settings().Sync, err)
	}
}
