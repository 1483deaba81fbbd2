package notesync_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/app/relay"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
)

// short are limits that make a stalled relay's time pass quickly.
func short() relay.Limits {
	return relay.Limits{
		Dial: 2 * time.Second, Write: time.Second, FirstByte: 4 * time.Second, Idle: time.Second, Page: 5 * time.Second,
		Ping: time.Second, Dead: 5 * time.Second, Message: 2 * time.Second, Grace: time.Second,
	}
}

// bad are relays that misbehave, and what the summary says of them; "" where
// nothing need be wrong with what they gave.
var bad = map[string]string{
	// A note that is stored already costs no signature check, so a forged copy is
	// noticed only where it came before the true one: see the test of it alone.
	"bad-sig":      "",
	"wrong-id":     "it sent too many invalid messages",
	"wrong-key":    "it sent too many invalid messages",
	"bad-json":     "it sent too many invalid messages",
	"wrong-sub":    "it sent too many invalid messages",
	"off-filter":   "it sent too many invalid messages",
	"no-tags":      "it sent too many invalid messages",
	"bad-time":     "it ",
	"no-reply":     "it did not answer in time",
	"never-eose":   "it stopped answering",
	"silent":       "it stopped answering",
	"half-frame":   "it sent an invalid message",
	"closed":       "it refused to answer: error: cannot do that",
	"closed-odd":   "it refused to answer",
	"closed-mid":   "it refused to answer: error: shutting down",
	"auth":         "it requires a login, which Bowerbird does not support yet",
	"too-many":     "it asked for fewer requests",
	"flood":        "it sent ",
	"closed-flood": "it did not answer in time",
	"eose-first":   "it sent more than was asked for",
	"drop-mid":     "the connection was lost",
	"goodbye":      "the connection was lost",
	"binary":       "it sent an invalid message",
	"bad-frame":    "it sent an invalid message",
	"bad-deflate":  "it sent an invalid message",
	"huge-length":  "it sent an invalid message",
	"fragments":    "it sent an invalid message",
	"http-403":     "it answered with HTTP status 403",
	"http-503":     "it answered with HTTP status 503",
	"redirect":     "it answered with HTTP status 302",
	"bad-accept":   "it does not speak the relay protocol",
	"header-flood": "it does not speak the relay protocol",
	"no-read":      "it stopped answering",
	"honest":       "",
	"finish":       "",
	"dupes":        "",
	"cap-7":        "",
	"random-order": "",
	"rising":       "",
	"unsolicited":  "",
	"notices":      "",
	"odd-notices":  "",
	"drop-first":   "the connection was lost",
	"max-subs-1":   "",
	"no-pong":      "",
}

// TestBadRelaysHoldUpNoGoodOne runs all bad relays beside an honest one: all notes
// of the honest one arrive, the run ends, nothing false is claimed, and the
// summary has a reason for each bad one.
func TestBadRelaysHoldUpNoGoodOne(t *testing.T) {
	c := newCircle(t, "ada", "ben", "cleo", "dora")
	all := append(append([][]byte{}, c.lists...), c.notes...)
	want := parse(t, c.notes)
	hostile := testkit.StartHostile(t, all...)
	honest := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, all...)
	urls := []string{honest.URL}
	for way := range bad {
		urls = append(urls, hostile.At(way))
	}
	s := openStore(t)
	opt := options(s, c.reader(t), urls...)
	opt.Limits, opt.Days = short(), 2
	sum := mustRun(t, opt)
	wantAll(t, s, want)
	if sum.Complete != 4 {
		t.Errorf("%+v, want all 4 people complete by the honest relay", sum)
	}
	if r := reportOf(t, sum, honest.URL); r.State != "done" || r.Error != "" {
		t.Errorf("the honest relay: %+v", r)
	}
	for way, reason := range bad {
		t.Run(way, func(t *testing.T) {
			wantTrue(t, s, hostile.At(way), want)
			r := reportOf(t, sum, "/"+way)
			t.Logf("%+v", r)
			if !strings.HasPrefix(r.Error, reason) || (r.State == "done") != (r.Error == "") {
				t.Errorf("%+v, want the reason %q", r, reason)
			}
		})
	}
}

func TestARelayThatForgesSignaturesGivesNothingAndIsNamed(t *testing.T) {
	c := newCircle(t, "ada")
	hostile := testkit.StartHostile(t, append(append([][]byte{}, c.lists...), c.notes...)...)
	s := openStore(t)
	lists := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, c.lists...)
	opt := options(s, c.reader(t), lists.URL, hostile.At("bad-sig"))
	opt.Limits, opt.Days = short(), 2
	sum := mustRun(t, opt)
	if r := reportOf(t, sum, "/bad-sig"); r.State == "done" || !strings.Contains(r.Error, "refused") && !strings.Contains(r.Error, "not valid") {
		t.Errorf("%+v", r)
	}
	wantTrue(t, s, hostile.At("bad-sig"), parse(t, c.notes))
}

func TestARunWithNothingToDoSaysWhy(t *testing.T) {
	me := testkit.NewKey("reader")
	nobody := me.Event(t, 3, time.Now().Unix()-100, "")
	away := testkit.StartGoRelay(t, testkit.GoRelayOptions{})
	away.Stop()
	c := newCircle(t, "ada")
	tests := []struct {
		name   string
		events [][]byte // at the relay
		stored [][]byte // before
		urls   []string // nil: the relay
		want   error
		words  string
	}{
		{"there is no contact list", nil, nil, nil, notesync.ErrNoContacts, "no contact list was found"},
		{"nobody is followed", [][]byte{nobody}, nil, nil, notesync.ErrNobody, "the contact list is empty"},
		{"no relay is there", nil, nil, []string{away.URL}, notesync.ErrNoNetwork, "no relay could be reached: nothing answers at its address"},
		{"no relay is there, but a list is stored", nil, c.lists, []string{away.URL}, notesync.ErrNoNetwork, "no relay could be reached: nothing answers"},
		{"no relay is named", nil, nil, []string{}, notesync.ErrNoRelays, "no relay to ask"},
		{"no relay may be asked", nil, nil, []string{"wss://127.1/"}, notesync.ErrNoRelays, "no relay to ask"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := openStore(t)
			if _, err := s.Put(t.Context(), ndb.Batch{Events: parse(t, tt.stored)}); err != nil {
				t.Fatal(err)
			}
			if tt.urls == nil {
				tt.urls = []string{testkit.StartGoRelay(t, testkit.GoRelayOptions{}, tt.events...).URL}
			}
			sum, err := notesync.Run(t.Context(), options(s, pubKey(t, me.PubKey), tt.urls...))
			if !errors.Is(err, tt.want) || !strings.HasPrefix(err.Error(), tt.words) {
				t.Errorf("%v, want %q", err, tt.words)
			}
			if sum.Relays == nil {
				t.Error("the summary has no list of relays")
			}
		})
	}
}

// Nobody's relays are known, since those that know them cannot be reached: there is nothing
// for the user to add.
func TestARunWithoutANetworkDoesNotSayThatRelaysAreMissing(t *testing.T) {
	c := newCircle(t, "ada")
	away := testkit.StartGoRelay(t, testkit.GoRelayOptions{})
	away.Stop()
	s := openStore(t)
	if _, err := s.Put(t.Context(), ndb.Batch{Events: parse(t, c.lists)}); err != nil {
		t.Fatal(err)
	}
	opt := options(s, c.reader(t))
	opt.Only, opt.Base, opt.Indexers = nil, nil, []string{away.URL}
	if _, err := notesync.Run(t.Context(), opt); !errors.Is(err, notesync.ErrNoNetwork) {
		t.Errorf("%v, want %v", err, notesync.ErrNoNetwork)
	}
}

func TestARunWithoutANetworkLeavesWhatIsKnown(t *testing.T) {
	c := newCircle(t, "ada")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.lists, c.notes...)...)
	s := openStore(t)
	opt := options(s, c.reader(t), server.URL)
	mustRun(t, opt)
	server.Stop()
	away := testkit.StartGoRelay(t, testkit.GoRelayOptions{})
	away.Stop()
	for _, url := range []string{server.URL, away.URL} {
		opt.Only = []string{url}
		if _, err := notesync.Run(t.Context(), opt); !errors.Is(err, notesync.ErrNoNetwork) {
			t.Fatalf("%v, want that there is no network", err)
		}
		if got := notesync.RelaysAsked(t.Context(), s, opt.Me); len(got) != 1 || got[0] != server.URL {
			t.Errorf("after a run at %s, %q count", url, got)
		}
		if got := stated(t, s, opt.Me, "2d"); got.Partly+got.Unreachable > 0 {
			t.Errorf("after a run at %s the tool says %+v", url, got)
		}
	}
}
