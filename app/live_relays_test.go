package app

import (
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
)

func TestARelayThatDiesAndComesBackIsCaughtUpWith(t *testing.T) {
	c := newCircle("ada", "ben")
	steady := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.notes(t, 5), c.follows(t, 2, time.Hour))...)
	old := c.people[0].Event(t, 1, time.Now().Add(-26*time.Hour).Unix(), "only at the shaky one")
	shaky := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, old)
	shaky.Stop()
	a := c.reading(t, config.Locate(t.TempDir(), ""), steady.URL, shaky.URL)
	defer closeApp(t, a)
	a.Live().Start()
	testkit.Eventually(t, "it is live", a.isLive)
	state := func() live.RelayState {
		states, err := a.Live().Relays(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range states {
			if s.URL == shaky.URL {
				return s
			}
		}
		t.Fatalf("it is not among %+v", states)
		return live.RelayState{}
	}
	testkit.Eventually(t, "its state says so", func() bool {
		s := state()
		return s.Phase == notesync.Waiting && s.Trouble == notesync.NobodyThere && !s.Again.IsZero()
	})
	if s := a.Live().Status(); s.Offline || s.Connected != 1 {
		t.Errorf("one of two is there: %+v", s)
	}
	shaky.Start()
	a.Live().RetryRelay(shaky.URL)
	testkit.Eventually(t, "it is live again", func() bool { return state().Phase == notesync.Following })
	testkit.Eventually(t, "what it had all the time is fetched", func() bool { return stored(t, a, old) })
	written := c.people[1].Event(t, 1, time.Now().Unix(), "just now")
	shaky.Publish(written)
	testkit.Eventually(t, "what is new arrives", func() bool { return stored(t, a, written) })
	steady.Stop()
	shaky.Stop()
	testkit.Eventually(t, "it says that it is offline", func() bool { return a.Live().Status().Offline })
	shaky.Start()
	a.Live().Retry()
	testkit.Eventually(t, "it is online", func() bool { return !a.Live().Status().Offline })
}

func TestRelaysOfTheUsersChoice(t *testing.T) {
	c := newCircle("ada", "ben")
	first := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.notes(t, 5), c.follows(t, 2, time.Hour))...)
	second := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, c.people[0].Event(t, 1, time.Now().Add(-time.Hour).Unix(), "only here"))
	places := config.Locate(t.TempDir(), "")
	a := c.reading(t, places, first.URL)
	defer closeApp(t, a)
	a.Live().Start()
	testkit.Eventually(t, "it is live", a.isLive)
	url, err := a.Live().AddRelay(" " + second.URL + "/ ")
	if err != nil || url != second.URL {
		t.Fatalf("%q, %v", url, err)
	}
	testkit.Eventually(t, "the new relay's note is there", func() bool { return countNotes(t, a) == 11 })
	var d live.RelayDetails
	testkit.Eventually(t, "what it gave is counted", func() bool {
		d, err = a.Live().Relay(t.Context(), second.URL)
		return err != nil || len(d.Last) == 1
	})
	if err != nil || !d.Added || !d.Notes || d.People != 2 || len(d.For) != 2 || len(d.Last) != 1 || d.Today > 1 {
		t.Errorf("%+v, %v", d, err)
	}
	if err := a.Live().RemoveRelay(second.URL); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "nobody is connected to it", func() bool {
		open, _ := second.Open()
		return open == 0 && a.isLive()
	})
	if saved, err := config.Load(places.Settings); err != nil || len(saved.Sync.Relays) != 2 || len(saved.Sync.Without) != 1 {
		t.Errorf("%+v, %v", saved.Sync, err)
	}
	if url, trouble, err := a.Live().CheckRelay(t.Context(), second.URL); url != second.URL || trouble != notesync.NoTrouble || err != nil {
		t.Errorf("a relay that is there: %q, %q, %v", url, trouble, err)
	}
	second.Stop()
	if _, trouble, err := a.Live().CheckRelay(t.Context(), second.URL); trouble != notesync.NobodyThere || err != nil {
		t.Errorf("one that is not: %q, %v", trouble, err)
	}
	for _, bad := range []string{"", "not a relay", "http://relay.example", "wss://", "wss://user:pw@relay.example"} {
		if _, err := a.Live().AddRelay(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	if err := a.Live().SetOnlyOwn(true); err != nil || !a.Live().OnlyOwn() {
		t.Errorf("only own: %v", err)
	}
	testkit.Eventually(t, "it is live with its own relay only", a.isLive)
}

func TestWithOnlyOnesOwnRelaysAndNoneOfThemNobodyIsAsked(t *testing.T) {
	c := newCircle("ada")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.notes(t, 1), c.follows(t, 1, time.Hour))...)
	a := open(t, Options{
		Places: config.Locate(t.TempDir(), ""), As: c.me.PubKey, AllowPrivate: true,
		Settings: config.Settings{Sync: config.Sync{Indexers: []string{server.URL}, OnlyOwn: true}},
	})
	a.Live().Start()
	testkit.Eventually(t, "it says so", func() bool { return a.Live().Status().Trouble == live.TroubleRelay })
	if _, err := a.LookUp(t.Context(), testkit.NewKey("ada").PubKey); err != nil {
		t.Error(err)
	}
	if _, err := a.Live().FetchNotes(t.Context(), []nostr.ID{{1}}, []string{server.URL}); !live.Unreachable(err) {
		t.Errorf("looking further: %v", err)
	}
	if n := server.Dials(); n > 0 {
		t.Errorf("a relay of others was dialled %d times", n)
	}
}
