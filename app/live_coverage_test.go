package app

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"

	gonostr "github.com/nbd-wtf/go-nostr"
)

// The page of the relays and the tool that answers rest on are to say the same.
func TestThePageSaysAsOfWhenAndByWhoseWordLikeTheTool(t *testing.T) {
	c := newCircle("ada", "ben", "cleo")
	a := c.reading(t, config.Locate(t.TempDir(), ""), "ws://127.0.0.1:9")
	defer closeApp(t, a)
	const one, two = "ws://127.0.0.1:9", "ws://127.0.0.1:10"
	now := time.Now().Truncate(time.Second)
	follows, err := nostr.ParseEvent(c.follows(t, 3, 96*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	batch, asked := ndb.Batch{Relay: one, Events: []*nostr.Event{follows}}, map[nostr.PubKey][]string{}
	confirm := func(who int, relay string, from, to, at time.Duration) {
		pk := pubKey(t, c.people[who].PubKey)
		asked[pk] = []string{one, two}
		batch.Coverage = append(batch.Coverage, coverage.Row{Author: pk, Relay: relay, Purpose: coverage.Feed, Interval: coverage.Interval{
			From: now.Add(-from).Unix(), To: now.Add(-to).Unix(), VerifiedAt: now.Add(-at).Unix(), Proof: coverage.ProofEmpty,
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
	if err != nil || cov.Complete != 2 || cov.OneRelay != 1 || cov.Asked != 2 || !cov.AsOf.Equal(now.Add(-50*h)) {
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
	if asOf, _ := time.Parse(time.RFC3339, sum.AsOf); sum.OneRelay != cov.OneRelay || sum.RelaysAsked != cov.Asked || sum.Complete != cov.Complete || !asOf.Equal(cov.AsOf) {
		t.Errorf("the tool says %+v", sum)
	}

	// Whom one relay alone confirmed, and that leaves out a kind, is not complete by its word.
	if err := a.notes.Bucket("sync-kinds").Put(t.Context(), map[string][]byte{one: []byte(`{"refused":[7],"next":1}`)}); err != nil {
		t.Fatal(err)
	}
	if cov, err := a.Live().Coverage(t.Context()); err != nil || cov.Complete != 1 || cov.OneRelay != 0 {
		t.Errorf("%d complete, %d of them by one relay's word, %v", cov.Complete, cov.OneRelay, err)
	}
}

// TestAllSayWhichKindsAreLacking: the window, the coverage tool and the summary of a sync
// say the same of people whose relay gives reactions to members alone.
func TestAllSayWhichKindsAreLacking(t *testing.T) {
	c := newCircle("ada", "ben")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Refuse: func(f gonostr.Filter) string {
		if slices.Equal(f.Kinds, []int{7}) {
			return "auth-required: members alone"
		}
		return ""
	}}, append(c.notes(t, 5), c.follows(t, 2, time.Hour))...)
	a := c.reading(t, config.Locate(t.TempDir(), ""), server.URL)
	defer closeApp(t, a)
	sum, err := a.Live().Sync(t.Context(), live.SyncOptions{Once: true, AllowPrivate: true})
	if err != nil || sum.Complete != 0 || sum.Partly != 2 || !slices.Equal(sum.Relays[0].Missing, []uint16{7}) {
		t.Errorf("%+v, %v", sum, err)
	}
	cov, err := a.Live().Coverage(t.Context())
	if err != nil || cov.Complete != 0 || len(cov.People) != 2 {
		t.Fatalf("%+v, %v", cov, err)
	}
	for _, p := range cov.People {
		if p.State != coverage.Partly || p.Share != 1 || !slices.Equal(p.Lacking, []uint16{7}) {
			t.Errorf("%+v", p)
		}
	}
	env, err := a.Env(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tool, _ := tools.Builtin().Get("coverage")
	res := tooltest.Call(t, tool, env, `{"since":"3d"}`).(tools.CoverageResult)
	if s := res.Summary; s.Complete != 0 || s.Partly != 2 || !slices.Equal(s.Lacking, []uint16{7}) || len(res.People) != 2 || !slices.Equal(res.People[0].Lacking, []uint16{7}) {
		t.Errorf("%+v", res)
	}
}

// TestNobodyIsCompleteWhoseOwnRelaysNobodyAsked: of a person with relays of their own,
// none of which was asked, neither the summary of a sync, nor the page, nor the coverage
// tool says that their notes are complete, whatever another relay confirmed.
func TestNobodyIsCompleteWhoseOwnRelaysNobodyAsked(t *testing.T) {
	c := newCircle("ada", "ben")
	elsewhere := c.people[0].Event(t, 10002, time.Now().Unix()-500, "", []string{"r", "wss://hers.example"}, []string{"r", "wss://read.example", "read"})
	onlyReads := c.people[1].Event(t, 10002, time.Now().Unix()-500, "", []string{"r", "wss://read.example", "read"})
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.notes(t, 5), c.follows(t, 2, time.Hour), elsewhere, onlyReads)...)
	a := c.reading(t, config.Locate(t.TempDir(), ""), server.URL)
	defer closeApp(t, a)
	sum, err := a.Live().Sync(t.Context(), live.SyncOptions{Once: true, AllowPrivate: true, Relays: []string{server.URL}})
	if err != nil || sum.Complete != 1 || sum.Partly != 1 || sum.OwnLeftOut != 1 || sum.RelaysAsked != 1 {
		t.Errorf("%+v, %v", sum, err)
	}
	cov, err := a.Live().Coverage(t.Context())
	if err != nil || cov.Complete != 1 || len(cov.People) != 2 {
		t.Fatalf("%+v, %v", cov, err)
	}
	if ada := cov.People[0]; ada.PubKey != pubKey(t, c.people[0].PubKey) || ada.State != coverage.Partly || !ada.OwnLeftOut {
		t.Errorf("%+v", ada)
	}
	if ben := cov.People[1]; ben.State != coverage.Complete || ben.OwnLeftOut {
		t.Errorf("%+v", ben)
	}
	env, err := a.Env(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tool, _ := tools.Builtin().Get("coverage")
	res := tooltest.Call(t, tool, env, `{"since":"3d"}`).(tools.CoverageResult)
	if s := res.Summary; s.Complete != 1 || s.Partly != 1 || !strings.Contains(s.Note, "none of the relays that 1 person writes to was asked for the whole period") || len(res.People) != 1 || !res.People[0].OwnLeftOut {
		t.Errorf("%+v", res)
	}
}

// TestWhoFollowsNobodyElseSeesHowCompleteTheirOwnNotesAre, as the tool and a sync say it.
func TestWhoFollowsNobodyElseSeesHowCompleteTheirOwnNotesAre(t *testing.T) {
	c := newCircle()
	a := c.reading(t, config.Locate(t.TempDir(), ""), "ws://127.0.0.1:9")
	defer closeApp(t, a)
	store(t, a, nil, c.me.Event(t, 3, time.Now().Unix()-100, "", []string{"p", c.me.PubKey}))
	if cov, err := a.Live().Coverage(t.Context()); err != nil || len(cov.People) != 1 || cov.People[0].PubKey != a.Me() || cov.People[0].State != coverage.Nothing {
		t.Errorf("%+v, %v", cov, err)
	}
}

// TestNoMendingWaitsForRelaysThatNobodyAsks: of whom all was confirmed but by relays of
// their own, nothing more comes by waiting.
func TestNoMendingWaitsForRelaysThatNobodyAsks(t *testing.T) {
	c := newCircle("ada")
	a := c.reading(t, config.Locate(t.TempDir(), ""), "ws://127.0.0.1:9")
	defer closeApp(t, a)
	ada, now := pubKey(t, c.people[0].PubKey), time.Now().Unix()
	store(t, a, []coverage.Row{{
		Author: ada, Relay: "ws://127.0.0.1:9", Purpose: coverage.Feed,
		Interval: coverage.Interval{From: 0, To: now, VerifiedAt: now, Proof: coverage.ProofEmpty},
	}}, c.follows(t, 1, time.Hour), c.people[0].Event(t, 10002, now-500, "", []string{"r", "wss://hers.example"}))
	if err := notesync.SaveAsked(t.Context(), a.notes, map[nostr.PubKey][]string{ada: {"ws://127.0.0.1:9"}}); err != nil {
		t.Fatal(err)
	}
	if err := a.Upkeep().Recovered(t.Context(), ndb.SalvageReport{Lost: 1, LostFrom: now - 3600, LostTo: now - 1800}); err != nil {
		t.Fatal(err)
	}
	cov, err := a.Live().Coverage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	whole, partly := cov.Fetched()
	if err := a.Upkeep().EndRecovery(t.Context(), whole, partly); err != nil || a.Upkeep().Recovery().Pending() {
		t.Errorf("%v; it still waits: %+v", err, a.Upkeep().Recovery())
	}
}

// store puts rows of the ledger and events into the notes.
func store(t *testing.T, a *App, rows []coverage.Row, events ...[]byte) {
	t.Helper()
	batch := ndb.Batch{Coverage: rows}
	for _, raw := range events {
		e, err := nostr.ParseEvent(raw)
		if err != nil {
			t.Fatal(err)
		}
		batch.Events = append(batch.Events, e)
	}
	if _, err := a.notes.Put(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
}
