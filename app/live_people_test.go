package app

import (
	"context"
	"errors"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

func TestANewFollowIsTakenUpWhenTheListArrives(t *testing.T) {
	c := newCircle("ada", "ben")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.notes(t, 5), c.follows(t, 1, time.Hour))...)
	a := c.reading(t, config.Locate(t.TempDir(), ""), server.URL)
	defer closeApp(t, a)
	a.Live().Start()
	testkit.Eventually(t, "it is live", a.isLive)
	if n := countNotes(t, a); n != 5 {
		t.Fatalf("%d notes of one person", n)
	}
	dials := server.Dials()
	server.Publish(c.follows(t, 2, 0))
	testkit.Eventually(t, "the second person's notes are there", func() bool { return countNotes(t, a) == 10 })
	testkit.Eventually(t, "they are counted", func() bool {
		cov, err := a.Live().Coverage(t.Context())
		return err == nil && len(cov.People) == 2 && cov.Complete == 2
	})
	if server.Dials() != dials {
		t.Errorf("%d new connections; the standing one is to be used", server.Dials()-dials)
	}
}

func TestAnotherReaderIsTakenUpAndNothingIsLost(t *testing.T) {
	c, d := newCircle("ada"), newCircle("ben")
	d.me = testkit.NewKey("another")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.notes(t, 5), c.follows(t, 1, time.Hour))...)
	server.Publish(append(d.notes(t, 7), d.follows(t, 1, time.Hour))...)
	places := config.Locate(t.TempDir(), "")
	a := open(t, Options{Places: places, AllowPrivate: true, Settings: config.Settings{
		Person: config.Person{Key: pubKey(t, c.me.PubKey).Npub()}, Sync: config.Sync{Relays: []string{server.URL}, Indexers: []string{server.URL}},
	}})
	a.Live().Start()
	testkit.Eventually(t, "the first reader's notes are there", func() bool { return a.isLive() && countNotes(t, a) == 5 })
	other := pubKey(t, d.me.PubKey)
	if err := a.ReadAs(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "the second reader's notes are there", func() bool { return a.isLive() && countNotes(t, a) == 12 })
	if a.Me() != other {
		t.Error("the reader is still the first")
	}
	if saved, err := config.Load(places.Settings); err != nil || saved.Person.Key != other.Npub() {
		t.Errorf("the settings name %q, %v", saved.Person.Key, err)
	}
}

func TestWhenNobodyIsChosenItWaitsForSomebody(t *testing.T) {
	c := newCircle("ada")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.notes(t, 5), c.follows(t, 1, time.Hour))...)
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), AllowPrivate: true, Settings: config.Settings{Sync: config.Sync{Relays: []string{server.URL}, Indexers: []string{server.URL}}}})
	a.Live().Start()
	testkit.Eventually(t, "it says so", func() bool { return a.Live().Status().Stage == live.StageNobody })
	if err := a.ReadAs(t.Context(), pubKey(t, c.me.PubKey)); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "it is live", func() bool { return a.isLive() && countNotes(t, a) == 5 })
}

func TestASyncThatGoesOnSeesNewFollowsAndProfiles(t *testing.T) {
	c := newCircle("ada", "ben")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.notes(t, 5), c.follows(t, 1, time.Hour))...)
	a := c.reading(t, config.Locate(t.TempDir(), ""), server.URL)
	defer a.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done, upToDate := make(chan error, 1), make(chan struct{}, 100)
	go func() {
		_, err := a.Live().Sync(ctx, live.SyncOptions{AllowPrivate: true, Progress: func(p notesync.Progress) {
			if p.Stage == "live" {
				select {
				case upToDate <- struct{}{}:
				default:
				}
			}
		}})
		done <- err
	}()
	<-upToDate
	server.Publish(c.follows(t, 2, 0))
	ben := pubKey(t, c.people[1].PubKey)
	testkit.Eventually(t, "the notes of whom the reader follows from now on are there, and his name", func() bool {
		most, notes := 100, 0
		for range a.notes.Query(t.Context(), ndb.QueryOptions{}, nostr.Filter{Authors: []nostr.PubKey{ben}, Kinds: []uint16{0, 1}, Limit: &most}) {
			notes++
		}
		return notes == 6
	})
	cancel()
	if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
