package app

import (
	"encoding/json"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/notesync"
	"bowerbird/ndb"
	"bowerbird/tools"
)

// The page of the relays and the tool that answers rest on are to say the same.
func TestThePageSaysAsOfWhenAndByWhoseWordLikeTheTool(t *testing.T) {
	c := newCircle("ada", "ben", "cleo")
	a := c.reading(t, config.Locate(t.TempDir(), ""), "ws://127.0.0.1:9")
	defer closeApp(t, a)
	const one, two = "ws://127.0.0.1:9", "ws://127.0.0.1:10"
	now := time.Now().Truncate(time.Second)
	follows, err := ndb.ParseEvent(c.follows(t, 3, 96*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	batch, asked := ndb.Batch{Relay: one, Events: []*ndb.Event{follows}}, map[ndb.PubKey][]string{}
	confirm := func(who int, relay string, from, to, at time.Duration) {
		pk := pubKey(t, c.people[who].PubKey)
		asked[pk] = []string{one, two}
		batch.Coverage = append(batch.Coverage, ndb.Coverage{Author: pk, Relay: relay, Purpose: ndb.PurposeFeed, Interval: ndb.Interval{
			From: now.Add(-from).Unix(), To: now.Add(-to).Unix(), VerifiedAt: now.Add(-at).Unix(), Proof: ndb.ProofEmpty,
		}})
	}
	const h = time.Hour
	confirm(0, one, 200*h, 48*h+time.Second, 50*h) // looked through in two parts
	confirm(0, one, 48*h, 0, 2*h)
	confirm(1, one, 200*h, 0, 30*h)
	confirm(1, two, 200*h, 0, 7*h) // the later of two counts
	confirm(2, one, 20*h, 0, 90*h) // not complete: no word on that
	if _, err := a.notes.Put(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	if err := notesync.SaveAsked(t.Context(), a.notes, asked); err != nil {
		t.Fatal(err)
	}
	cov, err := a.Live().Coverage(t.Context())
	if err != nil || cov.Complete != 2 || cov.OneRelay != 1 || !cov.AsOf.Equal(now.Add(-50*h)) {
		t.Errorf("%+v, %v", cov, err)
	}
	for _, p := range cov.People {
		if p.Alone != (p.PubKey == pubKey(t, c.people[0].PubKey)) {
			t.Errorf("by one relay's word: %+v", p)
		}
	}
	env, err := a.Env(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tool, _ := a.Tools().Get("coverage")
	res, err := tool.Call(t.Context(), env, json.RawMessage(`{"since":"72h"}`))
	if err != nil {
		t.Fatal(err)
	}
	sum := res.(tools.CoverageResult).Summary
	if asOf, _ := time.Parse(time.RFC3339, sum.AsOf); sum.OneRelay != cov.OneRelay || sum.Complete != cov.Complete || !asOf.Equal(cov.AsOf) {
		t.Errorf("the tool says %+v", sum)
	}
}
