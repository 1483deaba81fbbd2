package notesync_test

import (
	"testing"
	"time"

	"bowerbird/internal/testkit"
)

func TestAFollowedAuthorWhoVanishesIsGoneAndStaysSo(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.lists, c.notes...)...)
	s := openStore(t)
	opt := options(s, c.reader(t), server.URL)
	mustRun(t, opt)
	adas, bens := parse(t, c.notes[:10]), parse(t, c.notes[10:])
	wantAll(t, s, adas)
	// One that names a relay is for that one alone: its notes may live on elsewhere.
	server.Publish(c.authors[0].Event(t, 62, time.Now().Unix()-1, "leaving", []string{"relay", server.URL + "/"}))
	mustRun(t, opt)
	wantAll(t, s, adas)
	server.Publish(c.authors[0].Event(t, 62, time.Now().Unix(), "bye", []string{"relay", "ALL_RELAYS"}))
	for range 2 { // the relay still has her notes
		mustRun(t, opt)
		if n := missing(t, s, adas); n != len(adas) {
			t.Errorf("%d of %d notes are there of somebody who vanished", len(adas)-n, len(adas))
		}
	}
	wantAll(t, s, bens)
}

func TestWhatAStrangerTakesBackIsNotShownAsContext(t *testing.T) {
	c := newCircle(t, "ada")
	now := time.Now().Unix()
	takes := now - 100
	stranger, other := testkit.NewKey("stranger"), testkit.NewKey("other")
	parent := stranger.Event(t, 1, now-5000, "the parent")
	id := parse(t, [][]byte{parent})[0].ID
	reply := c.authors[0].Event(t, 1, now-4000, "a reply", []string{"e", id.String(), "", "root"})
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.lists, parent, reply)...)
	s := openStore(t)
	opt := options(s, c.reader(t), server.URL)
	opt.Now = func() time.Time { return time.Unix(now, 0) }
	run := func() (asked int) {
		t.Helper()
		before := len(server.REQs())
		mustRun(t, opt)
		for _, f := range filters(t, server.REQs()[before:]) {
			if len(f.Tags['e']) > 0 {
				asked++
			}
		}
		return asked
	}
	run()
	wantAll(t, s, parse(t, [][]byte{parent}))
	server.Publish(other.Event(t, 5, takes, "", []string{"e", id.String()}))
	if asked := run(); asked > 0 {
		t.Errorf("it was asked again within the hour, %d times", asked)
	}
	now += 3700
	if asked := run(); asked != 1 {
		t.Errorf("asked %d times after an hour, want once", asked)
	}
	wantAll(t, s, parse(t, [][]byte{parent}))
	server.Publish(stranger.Event(t, 5, takes, "", []string{"e", id.String()}))
	now += 25 * 3600
	run()
	if n := missing(t, s, parse(t, [][]byte{parent})); n != 1 {
		t.Error("what its author took back is still there")
	}
	if asked := run(); asked > 0 {
		t.Errorf("asked %d times for what is gone", asked)
	}
}
