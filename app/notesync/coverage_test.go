package notesync_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"
)

// stated is what the assistant is told of the ledger for a time.
func stated(t *testing.T, s *ndb.Store, me nostr.PubKey, since string) tools.CoverageSummary {
	t.Helper()
	tool, ok := tools.Builtin().Get("coverage")
	if !ok {
		t.Fatal("there is no coverage tool")
	}
	env := &tools.Env{
		Store: s, Me: me, Now: time.Now, Zone: time.UTC, Presented: &tools.Presented{}, Timeout: time.Minute,
		Evidence: func(ctx context.Context, pk nostr.PubKey) (coverage.Evidence, error) {
			return notesync.Evidence(ctx, s, pk)
		},
	}
	res, ok := tooltest.Call(t, tool, env, fmt.Sprintf(`{"since":%q}`, since)).(tools.CoverageResult)
	if !ok {
		t.Fatal("the coverage tool answers with another type")
	}
	return res.Summary
}

// judged says how complete somebody's notes are from a time on.
func judged(t *testing.T, s *ndb.Store, pk nostr.PubKey, from int64) coverage.Verdict {
	t.Helper()
	known, err := notesync.Evidence(t.Context(), s, pk)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().Unix()
	return known.Judge(from, now, now)
}

// TestTheAssistantReadsTheLedgerAsTheSyncDoes holds the two statements of what
// is complete together: the summary of a sync, and the tool's right after it.
func TestTheAssistantReadsTheLedgerAsTheSyncDoes(t *testing.T) {
	t.Parallel()
	c := newCircle(t, "ada", "ben", "cleo")
	all := append(append([][]byte{}, c.lists...), c.notes...)
	tests := []struct {
		name  string
		relay func(t *testing.T) string
		ok    bool
	}{
		{"a good relay", func(t *testing.T) string { return testkit.StartGoRelay(t, testkit.GoRelayOptions{}, all...).URL }, true},
		{"a relay with small pages", func(t *testing.T) string { return testkit.StartGoRelay(t, testkit.GoRelayOptions{Page: 6}, all...).URL }, true},
		{"a relay that ends no page", func(t *testing.T) string { return testkit.StartHostile(t, all...).At("never-eose") }, false},
		{"a relay that breaks off", func(t *testing.T) string {
			r := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, all...)
			r.BreakAfter(10)
			return r.URL
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := openStore(t)
			opt := options(s, c.reader(t), tt.relay(t))
			opt.Days, opt.Limits = 3, short()
			sum := mustRun(t, opt)
			got := stated(t, s, opt.Me, "2d")
			if tt.ok && (sum.People != 3 || sum.Complete != got.Complete) {
				t.Errorf("%+v of the sync, %+v of the tool: they count others", sum, got)
			}
			if (sum.Complete == sum.People) != tt.ok {
				t.Errorf("%+v of the sync, want all complete: %v", sum, tt.ok)
			}
			if all := got.Partly+got.Unreachable == 0 && got.Complete >= 3; all != tt.ok {
				t.Errorf("%+v of the tool, want all complete: %v", got, tt.ok)
			}
		})
	}
}

func TestWhatARelaySaysOfItsLimitsIsObeyed(t *testing.T) {
	t.Parallel()
	w := smallWorld(t, 6)
	now := time.Now().Unix()
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{
		Page: 15, MaxSubs: 3, MaxMessage: 1000,
		Info: `{"limitation":{"max_limit":15,"max_subscriptions":3,"max_message_length":1000}}`,
	}, asJSON(w.Events)...)
	s := openStore(t)
	sum := mustRun(t, options(s, w.Me, server.URL))
	wantAll(t, s, feedOf(t, w.Events, followed(w), now-10*24*3600, now))
	if r := reportOf(t, sum, strings.TrimPrefix(server.URL, "ws://")); r.State != "done" {
		t.Errorf("%+v: it refused something", r)
	}
	if n := server.Refused(); n != 0 {
		t.Errorf("%d questions were too many or too long", n)
	}
}

// TestManyPeopleLeaveRoomForTheBackfill: the live subscriptions of a thousand
// people must not take all places that a connection has.
func TestManyPeopleLeaveRoomForTheBackfill(t *testing.T) {
	now := time.Now().Unix()
	me, ada := testkit.NewKey("reader"), testkit.NewKey("ada")
	follows := [][]string{{"p", ada.PubKey}}
	for i := range 1200 {
		follows = append(follows, []string{"p", fmt.Sprintf("%064x", i+1)})
	}
	note := ada.Event(t, 1, now-3600, "hello")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, me.Event(t, 3, now-100, "", follows...), note)
	s := openStore(t)
	opt := options(s, pubKey(t, me.PubKey), server.URL)
	opt.Days = 1
	stage, stop := background(t, opt)
	testkit.Eventually(t, "the run gets to its live stage", func() bool { return stage() == "live" })
	wantAll(t, s, parse(t, [][]byte{note}))
	later := ada.Event(t, 1, time.Now().Unix(), "later")
	server.Publish(later)
	testkit.Eventually(t, "what is new arrives", func() bool { return missing(t, s, parse(t, [][]byte{later})) == 0 })
	stop()
	most := 0
	for _, req := range server.REQs() {
		most = max(most, len(req))
	}
	if most > 64<<10 {
		t.Errorf("a question of %d bytes", most)
	}
}

// TestARelayThatRefusesForAWhileIsAskedMoreSlowly: it says so by CLOSED for some
// time, and then answers.
func TestARelayThatRefusesForAWhileIsAskedMoreSlowly(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	for range 20 { // whether it comes to a refusal is a matter of moments
		server := testkit.StartGoRelay(t, testkit.GoRelayOptions{MaxSubs: 2}, append(c.lists, c.notes...)...)
		s := openStore(t)
		sum := mustRun(t, options(s, c.reader(t), server.URL)) // it does not know of the limit
		wantAll(t, s, parse(t, c.notes))
		if sum.Complete != 2 {
			t.Errorf("%+v, want both complete", sum)
		}
		if server.Refused() > 0 {
			return
		}
	}
	t.Error("nothing was refused: the test has lost its meaning")
}
