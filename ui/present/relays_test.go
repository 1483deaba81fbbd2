package present

import (
	"strings"
	"testing"
	"time"

	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/app/upkeep"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

var relaysNow = time.Date(2026, 5, 4, 18, 2, 0, 0, time.UTC)

func TestHowLongAgoSomethingWasIsSaidAsPeopleSayIt(t *testing.T) {
	for _, tt := range []struct {
		ago  time.Duration
		want string
	}{
		{0, "just now"},
		{-time.Minute, "just now"},
		{9 * time.Second, "just now"},
		{10 * time.Second, "10 s ago"},
		{59 * time.Second, "50 s ago"},
		{2 * time.Minute, "2 min ago"},
		{18 * time.Hour, "18 h ago"},
		{19 * time.Hour, "yesterday"},
		{42 * time.Hour, "yesterday"},
		{43 * time.Hour, "2 days ago"},
		{9 * 24 * time.Hour, "9 days ago"},
		{40 * 24 * time.Hour, "25 Mar"},
		{400 * 24 * time.Hour, "30 Mar 2025"},
	} {
		if got := (Words{}).Since(relaysNow.Add(-tt.ago), relaysNow); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.ago, got, tt.want)
		}
	}
	if got := (Words{}).Since(time.Time{}, relaysNow); got != "never" {
		t.Errorf("no time: %q", got)
	}
}

func TestTheStateOfARelayIsSaidInWords(t *testing.T) {
	soon := relaysNow.Add(2 * time.Minute)
	for _, tt := range []struct {
		name   string
		state  live.RelayState
		want   string
		tone   Tone
		action relayAction
	}{
		{"live", live.RelayState{Phase: notesync.Following, Notes: true}, "Live", ToneGood, 0},
		{"catching up", live.RelayState{Phase: notesync.CatchingUp, Share: 0.647, Notes: true}, "Catching up, 64 %", ToneGood, 0},
		{"limits questions", live.RelayState{Phase: notesync.CatchingUp, Share: 0.5, Notes: true, PerMinute: 20, Left: 4 * time.Minute}, "Catching up, about 4 min left", ToneGood, 0},
		{"slow", live.RelayState{Phase: notesync.Following, Notes: true, Slow: true, Answer: 6 * time.Second}, "Slow to answer", ToneGood, 0},
		{"no answer", live.RelayState{Phase: notesync.Waiting, Trouble: notesync.NoAnswer, Again: soon}, "No answer, again in 2 min", ToneWarn, TryRelay},
		{"nobody there", live.RelayState{Phase: notesync.Waiting, Trouble: notesync.NobodyThere, Again: relaysNow.Add(20 * time.Second)}, "No answer, again in 20 s", ToneWarn, TryRelay},
		{"its time has come", live.RelayState{Phase: notesync.Waiting, Trouble: notesync.Lost, Again: relaysNow}, "Connection lost", ToneWarn, TryRelay},
		{"connected", live.RelayState{Phase: notesync.Reached, Notes: true}, "Connected", ToneGood, 0},
		{"login", live.RelayState{Phase: notesync.Waiting, Trouble: notesync.WantsLogin, Again: soon}, "Requires you to sign in", ToneWarn, 0},
		{"gone", live.RelayState{Phase: notesync.Waiting, Trouble: notesync.NameUnknown, Again: soon}, "Name not found", ToneBad, RemoveRelay},
		{"tried again at this moment", live.RelayState{Phase: notesync.Connecting, Trouble: notesync.NoAnswer}, "No answer", ToneWarn, TryRelay},
		{"first attempt", live.RelayState{Phase: notesync.Connecting}, "Connecting", ToneNone, 0},
		{"indexer", live.RelayState{Phase: notesync.Resting}, "Asked when names are looked up", ToneNone, 0},
		{"indexer at work", live.RelayState{Phase: notesync.Following}, "Being asked for names", ToneGood, 0},
		{"stopped", live.RelayState{Phase: notesync.Resting, Notes: true}, "Not asked now", ToneNone, 0},
		{"a trouble of a later version", live.RelayState{Phase: notesync.Waiting, Trouble: "new"}, "Does not work", ToneWarn, TryRelay},
	} {
		row := Words{}.relayRow(tt.state, relaysNow)
		if row.State != tt.want || row.Tone != tt.tone || row.Action != tt.action || (row.ActionText == "") != (tt.action == 0) {
			t.Errorf("%s: %+v, want %q", tt.name, row, tt.want)
		}
	}
}

func TestTheRelaysAsAPersonSeesThem(t *testing.T) {
	person := func(name string, state coverage.Reach, last time.Time, share float64) live.PersonCoverage {
		return live.PersonCoverage{PubKey: nostr.PubKey{1}, Name: name, Verdict: coverage.Verdict{State: state, Share: share}, Last: last}
	}
	elsewhere := person("Yuki", coverage.Nothing, time.Time{}, 0)
	elsewhere.Elsewhere = true
	if got := (Words{}).reach(elsewhere, relaysNow).Text; got != "their own relays do not answer" {
		t.Errorf("somebody whom only other relays know: %q", got)
	}
	people := []live.PersonCoverage{
		person("Sam", coverage.Nothing, time.Time{}, 0),
		person("Ines Duarte", coverage.Partly, relaysNow.Add(-26*time.Hour), 0.5),
		person("Mei", coverage.Partly, relaysNow.Add(-16*time.Minute), 0.42),
		person("Ada", coverage.Complete, relaysNow, 1),
	}
	at := RelaysAt{
		Status:   live.Status{Stage: live.StageLive, Connected: 1, Relays: 2},
		Coverage: live.Coverage{Days: 7, People: people, Complete: 1, Asked: 4},
		Relays: []live.RelayState{{
			URL: "wss://relay.one", Phase: notesync.Following, Notes: true, Write: true, People: 61, Today: 1204,
			Answer: 88 * time.Millisecond, LastSync: relaysNow.Add(-10 * time.Second),
		}},
		Now: relaysNow,
	}
	b := Words{}.Relays(at)
	if b.Title != "Up to date for 1 of 4 people" || b.Retry != "Try the others again" || b.Notice != "" {
		t.Errorf("%+v", b)
	}
	if !strings.HasPrefix(b.Text, "Complete for the last 7 days, according to the 4 relays asked.") {
		t.Errorf("%q", b.Text)
	}
	var chips []string
	for _, p := range b.People {
		chips = append(chips, p.Name+" "+p.Text)
	}
	if got := strings.Join(chips, "; "); got != "Sam never reached; Ines Duarte last reached yesterday; Mei 42 % of it" {
		t.Error(got)
	}
	want := RelayRow{URL: "wss://relay.one", Name: "relay.one", Use: "read · write", People: "61", Today: "1,204", Answer: "90 ms", LastSync: "10 s ago", State: "Live", Tone: ToneGood}
	if len(b.Rows) != 1 || b.Rows[0] != want {
		t.Errorf("%+v", b.Rows)
	}

	for name, tt := range map[string]struct {
		change        func(*RelaysAt)
		title, notice string
	}{
		"all are reached": {func(at *RelaysAt) { at.Coverage.People, at.Coverage.Complete = people[3:], 1 }, "Up to date for one person", ""},
		"the sample":      {func(at *RelaysAt) { at.Status.Stage = live.StageSample }, "This is the sample", ""},
		"nobody":          {func(at *RelaysAt) { at.Status.Stage = live.StageNobody }, "Nobody is chosen yet", ""},
		"not yet":         {func(at *RelaysAt) { at.Coverage = live.Coverage{} }, "Nothing was fetched yet", ""},
		"offline": {func(at *RelaysAt) {
			at.Status = live.Status{Stage: live.StageWaiting, Trouble: live.TroubleNet, Offline: true, NextTry: relaysNow.Add(40 * time.Second)}
		}, "Offline", ""},
		"no list": {func(at *RelaysAt) {
			at.Status, at.Coverage = live.Status{Stage: live.StageWaiting, Trouble: live.TroubleList}, live.Coverage{}
		}, "Nothing was fetched yet", "No relay knows whom you follow. Add a relay that you use, or choose another account."},
		"first": {func(at *RelaysAt) {
			at.Status = live.Status{Stage: live.StageNotes, First: true, People: 103, PeopleDone: 41, Left: 20 * time.Second}
		}, "Getting your notes", ""},
	} {
		changed := at
		tt.change(&changed)
		if b := (Words{}).Relays(changed); b.Title != tt.title || b.Notice != tt.notice {
			t.Errorf("%s: %q, %q", name, b.Title, b.Notice)
		}
	}
}

func TestWithoutANetworkOneTrueLineIsSaid(t *testing.T) {
	at := RelaysAt{
		Status:   live.Status{Stage: live.StageWaiting, Trouble: live.TroubleNet, Offline: true, LastSync: relaysNow.Add(-3 * time.Hour), NextTry: relaysNow.Add(40 * time.Second)},
		Coverage: live.Coverage{Days: 3, People: []live.PersonCoverage{{Name: "Ada"}, {Name: "Ben"}}},
		Now:      relaysNow,
	}
	b := (Words{}).Relays(at)
	if want := "Showing what was stored until " + (Words{}).Moment(at.Status.LastSync, relaysNow) + ". The next attempt is in 40 s."; b.Title != "Offline" || b.Text != want || b.Notice != "" {
		t.Errorf("%q, %q, %q", b.Title, b.Text, b.Notice)
	}
	if len(b.People) > 0 || b.More != "" || b.All == "" {
		t.Errorf("of all people who are not reached %v are named, and %q", b.People, b.More)
	}
	at.Coverage.Complete = 1
	if b = (Words{}).Relays(at); b.Retry != "Try again" || len(b.People) > 0 {
		t.Errorf("offer %q, and %v are named", b.Retry, b.People)
	}
	at.Coverage.Complete, at.Status = 0, live.Status{Stage: live.StageLive}
	if b = (Words{}).Relays(at); len(b.People) > 0 || strings.Contains(b.Title+b.Text, "Complete") {
		t.Errorf("of nobody reached it says %q, %q and names %v", b.Title, b.Text, b.People)
	}
}

func TestARelayThatLimitsQuestionsOrIsSlowIsCalledThat(t *testing.T) {
	at := RelaysAt{Status: live.Status{Stage: live.StageNotes, Connected: 1, Limited: "wss://relay.one", PerMinute: 19.7, Left: 4 * time.Minute}, Now: relaysNow}
	const limits = "wss://relay.one allows 20 requests a minute"
	if b := (Words{}).Relays(at); b.Notice != limits+"; about 4 min left." || b.Tone != ToneNone {
		t.Errorf("%q, %v", b.Notice, b.Tone)
	}
	at.Status.First, at.Status.People = true, 103
	if b := (Words{}).Relays(at); b.Notice != limits+"." || !strings.Contains(b.Text, "0 of 103 people, about 4 min left") {
		t.Errorf("the first time: %q, %q", b.Notice, b.Text)
	}
	relay := live.RelayState{URL: "wss://relay.one", Notes: true, People: 1, Slow: true, Answer: 6200 * time.Millisecond, PerMinute: 20}
	if why := strings.Join((Words{}).relayWhy(relay), " "); !strings.HasSuffix(why, " It is slow: answers take 6 s. "+limits+".") {
		t.Errorf("%q", why)
	}
}

func TestItIsSaidAsOfWhenAndByWhoseWordNotesAreComplete(t *testing.T) {
	at := RelaysAt{
		Coverage: live.Coverage{
			Days: 3, Complete: 2, OneRelay: 1, AsOf: relaysNow.Add(-7 * time.Hour),
			People: []live.PersonCoverage{{Name: "Ada", Verdict: coverage.Verdict{State: coverage.Complete, Alone: true}}, {Name: "Ben", Verdict: coverage.Verdict{State: coverage.Complete}}},
		},
		Now: relaysNow,
	}
	const ends = " For one person, only one relay confirms this: another that was asked did not." +
		" Complete as of 11:02. A note that reached its relay after that, with an older date, may be missing."
	if b := (Words{}).Relays(at); !strings.HasSuffix(b.Text, ends) {
		t.Errorf("%q", b.Text)
	}
	if all := (Words{}).Everybody(at.Coverage, relaysNow); all[0].Text != "complete at one relay" || all[1].Text != "complete at the relays asked" {
		t.Errorf("%+v", all)
	}
	at.Coverage = live.Coverage{Days: 3, People: at.Coverage.People[:1]}
	if b := (Words{}).Relays(at); strings.Contains(b.Text, "as of") || strings.Contains(b.Text, "alone") {
		t.Errorf("of nobody it is known: %q", b.Text)
	}
}

func TestManyWhoAreNotReachedAreCountedAndNotAllNamed(t *testing.T) {
	at := RelaysAt{Coverage: live.Coverage{Days: 1, People: make([]live.PersonCoverage, 200)}, Now: relaysNow}
	b := Words{}.Relays(at)
	if len(b.People) != 0 || b.Title != "Up to date for 0 of 200 people" || b.Retry != "Try again" {
		t.Errorf("%d people, %q, %q", len(b.People), b.Title, b.Retry)
	}
	some := at
	some.Coverage.Complete = 1
	some.Coverage.People = append([]live.PersonCoverage{{Verdict: coverage.Verdict{State: coverage.Complete}}}, at.Coverage.People[1:]...)
	if b := (Words{}).Relays(some); len(b.People) != mostReach || b.More != "and 194 more" {
		t.Errorf("%d people, %q", len(b.People), b.More)
	}
	if b.Text != "Nobody's notes of the last day are confirmed as complete." {
		t.Errorf("%q", b.Text)
	}
	at.Status = live.Status{Trouble: live.TroubleStore, Err: &upkeep.StoreError{Store: "notes", Err: ndb.ErrReadOnly}}
	if b := (Words{}).Relays(at); b.Retry != "" || b.Tone != ToneBad {
		t.Errorf("a store that can only be read: %q, %v", b.Retry, b.Tone)
	}
	for _, p := range b.People {
		if !strings.HasPrefix(p.Name, "npub1") {
			t.Errorf("without a name: %q", p.Name)
		}
	}
	if all := (Words{}).Everybody(at.Coverage, relaysNow); len(all) != 200 {
		t.Errorf("%d of everybody", len(all))
	}
}

func TestWhatARelaySaysIsCleanedAndShort(t *testing.T) {
	d := live.RelayDetails{
		RelayState: live.RelayState{URL: "wss://x", Notes: true, Phase: notesync.Waiting, Trouble: notesync.Refuses, Said: "go\u202e away\x07\n" + strings.Repeat("x", 5000)},
		Notices:    []live.Notice{{At: relaysNow, Text: strings.Repeat("y", 5000)}},
		Last:       []*nostr.Event{{Kind: 1, Content: "one\ntwo" + strings.Repeat("z", 5000)}, {Kind: 6}, {Kind: 30023, Tags: nostr.Tags{{"title", "An\u200b article"}}}, {Kind: 30023}, {Kind: 0}},
	}
	p := Words{}.Relay(d, relaysNow, func(nostr.PubKey) string { return "Ada" })
	for _, text := range []string{p.Said, p.Heard[0].Text, p.Last[0].Text} {
		if n := len([]rune(text)); n > relayText+2 || strings.ContainsAny(text, "\u202e\x07\n\u200b") {
			t.Errorf("%d characters: %.40q", n, text)
		}
	}
	var rest []string
	for _, e := range p.Last[1:] {
		rest = append(rest, strings.Trim(e.Text, "\u2068\u2069"))
	}
	if got := strings.Join(rest, "; "); got != "reposted a note; An article; Untitled; A profile" {
		t.Error(got)
	}
	if !p.Can.Try || !p.Can.Remove || len(p.Why) == 0 {
		t.Errorf("%+v", p)
	}
}

func TestWhatBecameOfDamagedNotesIsToldForAWeek(t *testing.T) {
	now := time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC)
	at := now.Add(-time.Hour).Unix()
	for name, c := range map[string]struct {
		m    upkeep.Recovery
		ends string
		tone Tone
	}{
		"none":                 {upkeep.Recovery{}, "", ToneNone},
		"under way":            {upkeep.Recovery{At: at, Lost: 9}, "The rest is being fetched again.", ToneWarn},
		"all of it":            {upkeep.Recovery{At: at, Lost: 9, Fetched: true}, "The rest was fetched again.", ToneGood},
		"but for one":          {upkeep.Recovery{At: at, Lost: 9, Fetched: true, Missing: 1}, "except for about one note that no relay has.", ToneWarn},
		"but for some":         {upkeep.Recovery{At: at, Lost: 9, Fetched: true, Missing: 4}, "except for about 4 notes that no relay has.", ToneWarn},
		"nobody knows":         {upkeep.Recovery{At: at, Unknown: true, Fetched: true}, "How much is missing is not known.", ToneWarn},
		"a while ago":          {upkeep.Recovery{At: now.Add(-8 * 24 * time.Hour).Unix(), Fetched: true}, "", ToneNone},
		"long and not fetched": {upkeep.Recovery{At: now.Add(-8 * 24 * time.Hour).Unix()}, "The rest is being fetched again.", ToneWarn},
	} {
		b := Words{}.Relays(RelaysAt{Status: live.Status{Recovery: c.m}, Now: now})
		if !strings.HasSuffix(b.Notice, c.ends) || (c.ends == "") != (b.Notice == "") || b.Tone != c.tone {
			t.Errorf("%s: %q, %v", name, b.Notice, b.Tone)
		}
	}
	b := Words{}.Relays(RelaysAt{Status: live.Status{Trouble: live.TroubleRelay, Recovery: upkeep.Recovery{At: at}}, Now: now})
	if !strings.Contains(b.Notice, "no relay to ask") || !strings.Contains(b.Notice, "found damaged") {
		t.Errorf("%q", b.Notice)
	}
}
