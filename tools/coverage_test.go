package tools_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"
)

// cover says that a relay confirmed all that it has of p between two ages.
func (v village) cover(t testing.TB, p *tooltest.Person, from, to time.Duration) {
	t.Helper()
	if _, err := v.Store.Put(t.Context(), ndb.Batch{Coverage: []coverage.Row{{
		Author: p.Key, Relay: "wss://relay.example", Purpose: coverage.Feed,
		Interval: coverage.Interval{From: v.Now.Add(-from).Unix(), To: v.Now.Add(-to).Unix(), VerifiedAt: v.Now.Unix(), Proof: coverage.ProofEmpty},
	}}}); err != nil {
		t.Fatal(err)
	}
}

func TestAnEmptyAnswerSaysWhetherNothingHappenedOrNothingWasSynced(t *testing.T) {
	v := newVillage(t)
	if got := query(t, v.World, `{"since":"10m"}`).Coverage.Note; !strings.Contains(got, "nothing was synced") {
		t.Errorf("never synced: %q", got)
	}
	v.cover(t, v.ada, 48*time.Hour, 0)
	v.cover(t, v.me, 48*time.Hour, 0)
	v.cover(t, v.bo, 24*time.Hour, 12*time.Hour)
	res := query(t, v.World, `{"since":"40h","search":"nowhere"}`)
	if want := (tools.CoverageSummary{Complete: 1, Partly: 1}); res.Coverage.Complete != want.Complete || res.Coverage.Partly != want.Partly || res.Coverage.Unreachable != 0 {
		t.Errorf("got %+v", res.Coverage)
	}
	if !strings.Contains(res.Coverage.Note, "may just be missing here") {
		t.Errorf("partly synced: %q", res.Coverage.Note)
	}
	v.cover(t, v.bo, 48*time.Hour, 0)
	if got := query(t, v.World, `{"since":"40h","search":"nowhere"}`).Coverage.Note; !strings.Contains(got, "the queried relays report that they have no more") {
		t.Errorf("complete: %q", got)
	}
	list := tooltest.Call(t, builtin(t, "coverage"), v.Env(), `{"since":"7d"}`).(tools.CoverageResult)
	if list.Summary.Partly != 2 || len(list.People) != 2 || list.People[0].Relays[0] != "wss://relay.example" {
		t.Errorf("got %+v", list)
	}
}

// The ledger of the sample is made up like its notes: a model must not speak of relays.
func TestTheSampleIsCompleteWithoutARelay(t *testing.T) {
	v := newVillage(t)
	v.cover(t, v.ada, 24*time.Hour, 12*time.Hour)
	env := v.Env()
	env.Sample = true
	made := tooltest.Call(t, builtin(t, "coverage"), env, `{"since":"40h"}`).(tools.CoverageResult)
	if s := made.Summary; !s.Sample || s.Complete != 2 || s.Partly+s.Unreachable+s.RelaysAsked != 0 || s.AsOf != "" || len(made.People) > 0 || !strings.Contains(s.Note, "no relay is asked") {
		t.Errorf("coverage reports %+v", made)
	}
	none := tooltest.Call(t, builtin(t, "query"), env, `{"since":"40h","search":"nowhere"}`).(tools.QueryResult)
	if note := none.Coverage.Note; !strings.HasPrefix(note, "Nothing that matches is stored. This is the sample") {
		t.Errorf("nothing is found: %q", note)
	}
}

func TestCoverageTellsWhichRelaysAreAskedForWhom(t *testing.T) {
	v := newVillage(t)
	v.cover(t, v.ada, 48*time.Hour, 0)
	env := v.Env()
	env.Evidence = func(ctx context.Context, pk nostr.PubKey) (known coverage.Evidence, err error) {
		if pk == v.bo.Key {
			known.Asked = []string{"wss://down.example"}
		}
		known.Rows, err = v.Store.Confirmed(ctx, pk, coverage.Feed)
		return known, err
	}
	res := tooltest.Call(t, builtin(t, "coverage"), env, `{"since":"24h"}`).(tools.CoverageResult)
	if res.Summary.Complete != 1 || res.Summary.Unreachable != 1 || !strings.Contains(res.Summary.Note, "no relay confirmed any of it for 1 person") {
		t.Errorf("got %+v", res.Summary)
	}
	for _, p := range res.People {
		if (p.Name == "Bo") != (len(p.Asked) == 1) || p.State != "unreachable" {
			t.Errorf("got %+v", p)
		}
	}
}

func TestCoverageOfOneRelayIsNotFilledUpByAnother(t *testing.T) {
	// Each relay answers for what it holds: two halves do not make a whole.
	v := newVillage(t)
	v.Now = v.Now.Add(time.Hour)
	for i, relay := range []string{"wss://a.example", "wss://b.example"} {
		from, to := v.Now.Add(-48*time.Hour+time.Duration(i)*24*time.Hour), v.Now.Add(-24*time.Hour+time.Duration(i)*24*time.Hour)
		if _, err := v.Store.Put(t.Context(), ndb.Batch{Coverage: []coverage.Row{{
			Author: v.ada.Key, Relay: relay, Purpose: coverage.Feed,
			Interval: coverage.Interval{From: from.Unix(), To: to.Unix(), VerifiedAt: v.Now.Unix(), Proof: coverage.ProofEmpty},
		}}}); err != nil {
			t.Fatal(err)
		}
	}
	res := query(t, v.World, `{"author":"ada","since":"47h"}`)
	if res.Coverage.Complete != 0 || res.Coverage.Partly != 1 {
		t.Errorf("got %+v", res.Coverage)
	}
	if res := query(t, v.World, `{"author":"ada","since":"20h"}`); res.Coverage.Complete != 1 || res.Coverage.Note != "" {
		t.Errorf("got %+v", res.Coverage)
	}
}

func TestCoverageTellsAsOfWhenATimeIsComplete(t *testing.T) {
	v := newVillage(t)
	ago := func(d time.Duration) int64 { return v.Now.Add(-d).Unix() }
	confirm := func(p *tooltest.Person, relay string, from, to, at time.Duration) {
		t.Helper()
		if _, err := v.Store.Put(t.Context(), ndb.Batch{Coverage: []coverage.Row{{
			Author: p.Key, Relay: relay, Purpose: coverage.Feed,
			Interval: coverage.Interval{From: ago(from), To: ago(to), VerifiedAt: ago(at), Proof: coverage.ProofEmpty},
		}}}); err != nil {
			t.Fatal(err)
		}
	}
	asOf := func(since string) string {
		return tooltest.Call(t, builtin(t, "coverage"), v.Env(), `{"since":"`+since+`"}`).(tools.CoverageResult).Summary.AsOf
	}
	if got := asOf("24h"); got != "" {
		t.Errorf("nothing is confirmed: as of %q", got)
	}
	const h = time.Hour
	confirm(v.ada, "wss://a.example", 240*h, 48*h+time.Second, 50*h)
	confirm(v.ada, "wss://a.example", 48*h, 0, 7*h)
	confirm(v.bo, "wss://a.example", 240*h, 0, 9*h)
	confirm(v.bo, "wss://b.example", 240*h, 0, 2*h) // one relay's word is enough
	for since, want := range map[string]time.Duration{"24h": 7 * h, "72h": 50 * h} {
		if got, _ := time.Parse(time.RFC3339, asOf(since)); got.Unix() != ago(want) {
			t.Errorf("since %s: as of %s, want %s", since, got, time.Unix(ago(want), 0))
		}
	}
}

func TestCoverageNamesEverybodyWhoIsNotComplete(t *testing.T) {
	v := newVillage(t)
	follows := []*tooltest.Person{v.ada}
	for i := range 150 {
		follows = append(follows, v.Person(fmt.Sprint("person ", i), "Somebody"))
	}
	v.Now = v.Now.Add(time.Hour) // a newer list
	v.Read(v.me, follows...)
	v.cover(t, v.ada, 48*time.Hour, 0)
	res := tooltest.Call(t, builtin(t, "coverage"), v.Env(), `{"since":"24h"}`).(tools.CoverageResult)
	if res.Summary.Complete != 1 || res.Summary.Unreachable != 150 || len(res.People) != 150 {
		t.Errorf("%d people are named; %+v", len(res.People), res.Summary)
	}
}

// TestOfTheLastMinutesNoMoreIsSaidThanIsKnown: what nobody was asked about yet is not
// called complete.
func TestOfTheLastMinutesNoMoreIsSaidThanIsKnown(t *testing.T) {
	v := newVillage(t)
	for _, p := range []*tooltest.Person{v.ada, v.bo} {
		v.cover(t, p, 48*time.Hour, 9*time.Minute)
	}
	until := v.Now.Add(-9 * time.Minute).UTC()
	coverage := func(args string) tools.CoverageSummary {
		return tooltest.Call(t, builtin(t, "coverage"), v.Env(), args).(tools.CoverageResult).Summary
	}
	s := coverage(`{"since":"10m"}`)
	if at, _ := time.Parse(time.RFC3339, s.KnownUntil); s.Complete != 2 || !at.Equal(until) || !strings.Contains(s.Note, "Known up to "+s.KnownUntil+": nothing newer was requested yet.") {
		t.Errorf("of the last 10 minutes: %+v", s)
	}
	if note := query(t, v.World, `{"since":"10m","search":"nowhere"}`).Coverage.Note; !strings.Contains(note, "nothing newer was requested yet") {
		t.Errorf("where nothing is found: %q", note)
	}
	if s := coverage(`{"since":"8m"}`); s.Complete != 0 || s.Unreachable != 2 {
		t.Errorf("of the last 8 minutes: %+v", s)
	}
	if s := coverage(`{"since":"1h"}`); s.Complete != 2 || s.KnownUntil != "" || s.Note != "" {
		t.Errorf("of the last hour: %+v", s)
	}
	v.cover(t, v.ada, 48*time.Hour, -48*time.Hour) // as the sample's, which is complete by its making
	v.cover(t, v.bo, 48*time.Hour, -48*time.Hour)
	if s := coverage(fmt.Sprintf(`{"since":"%d"}`, v.Now.Add(time.Hour).Unix())); s.Complete != 0 {
		t.Errorf("of what is to come: %+v", s)
	}
	if s := coverage(`{"since":"8m"}`); s.Complete != 2 || s.KnownUntil != "" {
		t.Errorf("of the last 8 minutes of the sample: %+v", s)
	}
}
