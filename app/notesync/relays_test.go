package notesync_test

import (
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/ndb"
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
	if len(follows) < 300 || sum.People < 300 || sum.Complete != sum.People {
		t.Errorf("%d people followed; %d people, %d complete", len(follows), sum.People, sum.Complete)
	}
	from := time.Now().Unix() - 3650*24*3600
	to := time.Now().Unix()
	limit := 500
	for from100 := 0; from100 < len(follows); from100 += 100 {
		authors := follows[from100:min(from100+100, len(follows))]
		for _, kinds := range [][]uint16{feedKinds, {0, 10002}} {
			f := ndb.Filter{Authors: authors, Kinds: kinds, Until: &to, Limit: &limit}
			if kinds[0] != 0 {
				f.Since = &from
			}
			if held := everything(t, server.URL, f); len(held) > 0 {
				wantAll(t, s, held)
			}
		}
	}
	t.Logf("%+v", sum)

	again := mustRun(t, opt)
	if again.Stored != 0 {
		t.Errorf("a second run stored %d events", again.Stored)
	}
}

func TestEverythingOfAMadeUpWorldArrives(t *testing.T) {
	w := smallWorld(t, 1)
	server := testkit.StartNPMRelay(t, 20)
	server.Publish(t, asJSON(w.Events)...)
	s := openStore(t)
	sum := mustRun(t, options(s, w.Me, server.URL))
	if sum.Complete != sum.People || sum.People != 13 {
		t.Errorf("%d of %d people are complete, want all of 13", sum.Complete, sum.People)
	}
	now := time.Now().Unix()
	want := feedOf(t, w.Events, followed(w), now-10*24*3600, now)
	for _, e := range want { if missing(t, s, []*ndb.Event{e})>0 { t.Logf("%s", e.AppendJSON(nil)) } }
	wantAll(t, s, want)
	wantTrue(t, s, server.URL, want)
	for _, pk := range followed(w) {
		if _, err := s.Profile(t.Context(), pk); err != nil {
			t.Errorf("the profile of %s: %v", pk, err)
		}
	}
}
