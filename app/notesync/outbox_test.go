package notesync_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"

	gonostr "github.com/nbd-wtf/go-nostr"
)

// circle is a reader and whom they follow, with all that is published of them.
type circle struct {
	me      testkit.Key
	authors []testkit.Key
	lists   [][]byte // contact list, profiles
	notes   [][]byte
}

// newCircle makes authors with ten notes each, an hour apart up to now.
func newCircle(t testing.TB, names ...string) circle {
	t.Helper()
	now := time.Now().Unix()
	c := circle{me: testkit.NewKey("reader")}
	var follows [][]string
	for _, name := range names {
		k := testkit.NewKey(name)
		c.authors = append(c.authors, k)
		follows = append(follows, []string{"p", k.PubKey})
		c.lists = append(c.lists, k.Event(t, 0, now-1000, `{"name":"`+name+`"}`))
		for i := range int64(10) {
			c.notes = append(c.notes, k.Event(t, 1, now-i*3600-7, name+" says so"))
		}
	}
	c.lists = append(c.lists, c.me.Event(t, 3, now-2000, "", follows...))
	return c
}

// writeTo makes everybody's relay list name the relays.
func (c circle) writeTo(t testing.TB, urls ...string) (lists [][]byte) {
	t.Helper()
	for _, k := range c.authors {
		var tags [][]string
		for _, url := range urls {
			tags = append(tags, []string{"r", url, "write"})
		}
		lists = append(lists, k.Event(t, 10002, time.Now().Unix()-500, "", tags...))
	}
	return lists
}

func (c circle) reader(t testing.TB) nostr.PubKey { return pubKey(t, c.me.PubKey) }

func TestNotesArriveFromTheRelaysThatTheirAuthorsName(t *testing.T) {
	home, theirs := testkit.StartNPMRelay(t, 0), testkit.StartNPMRelay(t, 0)
	c := newCircle(t, "ada", "ben", "cleo")
	home.Publish(t, c.lists...)
	home.Publish(t, c.writeTo(t, theirs.URL)...)
	theirs.Publish(t, c.notes...)
	s := openStore(t)
	opt := options(s, c.reader(t))
	opt.Only, opt.Base = nil, []string{home.URL}
	sum := mustRun(t, opt)
	wantAll(t, s, parse(t, c.notes))
	if sum.Complete != 3 {
		t.Errorf("%+v, want all 3 complete", sum)
	}
	for _, k := range c.authors {
		if got := notesync.RelaysAsked(t.Context(), s, pubKey(t, k.PubKey)); len(got) != 1 || got[0] != theirs.URL {
			t.Errorf("%q count for an author, want only %s", got, theirs.URL)
		}
	}
}

func TestAnAuthorIsNotCompleteWhileTheirOwnRelayIsAway(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	theirs := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, c.notes...)
	home := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.lists, c.writeTo(t, theirs.URL)...)...)
	theirs.Stop()
	s := openStore(t)
	opt := options(s, c.reader(t))
	opt.Only, opt.Base = nil, []string{home.URL}
	sum := mustRun(t, opt)
	if sum.Unreachable != 2 || sum.Complete != 0 {
		t.Errorf("%+v, want the 2 authors unreachable", sum)
	}
	if r := reportOf(t, sum, strings.TrimPrefix(theirs.URL, "ws://")); r.State != "failed" || r.Error != "nothing answers at its address" {
		t.Errorf("%+v of a relay that is away", r)
	}
	if got := stated(t, s, opt.Me, "2d"); got.Unreachable != 2 {
		t.Errorf("%+v of the coverage tool, want the 2 authors unreachable", got)
	}
	theirs.Start()
	if sum := mustRun(t, opt); sum.Complete != 2 {
		t.Errorf("%+v after it came back, want all complete", sum)
	}
	wantAll(t, s, parse(t, c.notes))
}

// TestOneRelaysWordIsCalledThat: one of the two relays that people write to says that
// there is nothing, while the other, which has their notes, is away.
func TestOneRelaysWordIsCalledThat(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	withholds := testkit.StartGoRelay(t, testkit.GoRelayOptions{})
	theirs := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, c.notes...)
	home := testkit.StartGoRelay(t, testkit.GoRelayOptions{Refuse: func(f gonostr.Filter) string {
		if slices.Contains(f.Kinds, 1) {
			return "restricted: lists only"
		}
		return ""
	}}, append(c.lists, c.writeTo(t, withholds.URL, theirs.URL)...)...)
	theirs.Stop()
	s := openStore(t)
	opt := options(s, c.reader(t))
	opt.Only, opt.Base = nil, []string{home.URL}
	mustRun(t, opt)
	if got := stated(t, s, opt.Me, "2d"); got.Complete != 2 || got.OneRelay != 2 {
		t.Errorf("%+v, want 2 people by one relay's word", got)
	}
	theirs.Start()
	mustRun(t, opt)
	wantAll(t, s, parse(t, c.notes))
	if got := stated(t, s, opt.Me, "2d"); got.Complete != 2 || got.OneRelay != 0 {
		t.Errorf("%+v, want 2 people by the word of two relays", got)
	}
}

// TestOnesOwnRelayIsLeftOutUntilItConfirmedAll: two seconds of a fortnight are not all,
// nor is all but one.
func TestOnesOwnRelayIsLeftOutUntilItConfirmedAll(t *testing.T) {
	s := openStore(t)
	now := time.Now().Unix()
	list := parse(t, [][]byte{testkit.NewKey("ada").Event(t, 10002, now-500, "", []string{"r", "wss://hers.example"})})
	if _, err := s.Put(t.Context(), ndb.Batch{Events: list}); err != nil {
		t.Fatal(err)
	}
	ada := list[0].PubKey
	if err := notesync.SaveAsked(t.Context(), s, map[nostr.PubKey][]string{ada: {"wss://other.example"}}); err != nil {
		t.Fatal(err)
	}
	from, to := now-14*24*3600, now
	confirm := func(relay string, from, to int64) {
		t.Helper()
		row := coverage.Row{Author: ada, Relay: relay, Purpose: coverage.Feed, Interval: coverage.Interval{From: from, To: to, VerifiedAt: now, Proof: coverage.ProofFinish}}
		if _, err := s.Put(t.Context(), ndb.Batch{Coverage: []coverage.Row{row}, Epoch: s.Epoch()}); err != nil {
			t.Fatal(err)
		}
	}
	confirm("wss://other.example", from, to)
	for _, tt := range []struct {
		confirmed [2]int64
		left      bool
	}{
		{[2]int64{from, from + 1}, true},
		{[2]int64{from + 3, to}, true},
		{[2]int64{from + 2, from + 2}, false},
	} {
		confirm("wss://hers.example", tt.confirmed[0], tt.confirmed[1])
		if got := judged(t, s, ada, from); got.OwnLeftOut != tt.left || !got.Whole() || (got.State == coverage.Complete) == tt.left {
			t.Errorf("after %v of %d to %d it is %+v", tt.confirmed, from, to, got)
		}
	}
}

func TestPeopleAreFetchedWithoutAReader(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.lists, c.notes...)...)
	s := openStore(t)
	opt := options(s, nostr.PubKey{}, server.URL)
	opt.Authors = []nostr.PubKey{pubKey(t, c.authors[0].PubKey)}
	if sum := mustRun(t, opt); sum.People != 1 || sum.Complete != 1 {
		t.Errorf("%+v, want 1 person, complete", sum)
	}
	wantAll(t, s, parse(t, c.notes[:10]))
	if n := missing(t, s, parse(t, c.notes[10:])); n != 10 {
		t.Errorf("%d notes of somebody else arrived", 10-n)
	}
	if p, err := s.Profile(t.Context(), opt.Authors[0]); err != nil || p.Name != "ada" {
		t.Errorf("profile %+v, %v", p, err)
	}
}

func TestWhatOthersSayToTheReaderArrives(t *testing.T) {
	c := newCircle(t, "ada")
	stranger := testkit.NewKey("stranger")
	now := time.Now().Unix()
	to := stranger.Event(t, 1, now-500, "hello you", []string{"p", c.me.PubKey})
	other := stranger.Event(t, 1, now-500, "hello somebody")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.lists, to, other)...)
	s := openStore(t)
	mustRun(t, options(s, c.reader(t), server.URL))
	wantAll(t, s, parse(t, [][]byte{to}))
	if missing(t, s, parse(t, [][]byte{other})) != 1 {
		t.Error("a stranger's note to nobody arrived")
	}
}

func TestNotesThatAreSpokenOfArrive(t *testing.T) {
	c := newCircle(t, "ada")
	now := time.Now().Unix()
	old := testkit.NewKey("stranger").Event(t, 1, now-900*24*3600, "said long ago")
	root := parse(t, [][]byte{old})[0]
	answer := c.authors[0].Event(t, 1, now-100, "still true", []string{"e", root.ID.String(), "", "root"})
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.lists, old, answer)...)
	s := openStore(t)
	mustRun(t, options(s, c.reader(t), server.URL))
	wantAll(t, s, []*nostr.Event{root})
}
