package notesync_test

import (
	"slices"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
)

func TestEverythingThatARealRelayHoldsOfThePeopleFollowedArrives(t *testing.T) {
	data := realNotes(t)
	server := testkit.StartNPMRelay(t, 0)
	server.Publish(t, data...)
	me := pubKey(t, "7f0e64b52ef56bec2b588d460fc63125f567db2c014d1ecce806d8d5b4209e2e")
	s := openStore(t)
	opt := options(s, me, server.URL)
	opt.Days = 3650
	sum := mustRun(t, opt)

	follows, err := s.Contacts(t.Context(), me)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := 0 // they write to relays that nobody asked
	for _, pk := range follows {
		if judged(t, s, pk, time.Now().Unix()-3650*24*3600).OwnLeftOut {
			elsewhere++
		}
	}
	if len(follows) < 300 || sum.People < 300 || sum.Partly != elsewhere || sum.Complete+elsewhere != sum.People {
		t.Errorf("%d people followed, %d of them write elsewhere; %+v", len(follows), elsewhere, sum)
	}
	wantAll(t, s, heldBy(t, server.URL, follows, feedKinds, 3650))
	wantAll(t, s, heldBy(t, server.URL, follows, []uint16{0, 10002}, 100*365))

	again := mustRun(t, opt)
	if again.Stored != 0 {
		t.Errorf("a second run stored %d events", again.Stored)
	}
}

// heldBy returns what a relay gives of people's last days, by plain REQs.
func heldBy(t *testing.T, url string, people []nostr.PubKey, kinds []uint16, days int64) (held []*nostr.Event) {
	t.Helper()
	now, limit := time.Now().Unix(), 500
	from := max(0, now-days*24*3600)
	for part := range slices.Chunk(people, 100) {
		f := nostr.Filter{Authors: part, Kinds: kinds, Since: &from, Until: &now, Limit: &limit}
		held = append(held, everything(t, url, f)...)
	}
	return held
}

func TestEverythingOfAMadeUpWorldArrives(t *testing.T) {
	w := smallWorld(t, 1)
	server := testkit.StartNPMRelay(t, 20)
	server.Publish(t, asJSON(w.Events)...)
	s := openStore(t)
	sum := mustRun(t, options(s, w.Me, server.URL))
	if sum.Complete != sum.People || sum.People != 12 {
		t.Errorf("%d of %d people are complete, want all of 12", sum.Complete, sum.People)
	}
	// Not what was published: this relay keeps deletions to itself.
	held := heldBy(t, server.URL, followed(w), feedKinds, 10)
	wantAll(t, s, held)
	wantTrue(t, s, server.URL, held)
	for _, pk := range followed(w) {
		if _, err := s.Profile(t.Context(), pk); err != nil {
			t.Errorf("the profile of %s: %v", pk, err)
		}
	}
}
