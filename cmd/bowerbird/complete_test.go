package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/ui/present"
)

// TestWhatIsCompleteIsSaidByWhoseWord: sync and coverage call complete what a relay
// confirmed, say that it is its word, and name whose own relays were not asked.
func TestWhatIsCompleteIsSaidByWhoseWord(t *testing.T) {
	now := time.Now().Unix()
	me, ada, ben := testkit.NewKey("me"), testkit.NewKey("ada"), testkit.NewKey("ben")
	relay := testkit.StartGoRelay(t, testkit.GoRelayOptions{},
		me.Event(t, 3, now-100, "", []string{"p", ada.PubKey}, []string{"p", ben.PubKey}),
		ada.Event(t, 0, now-200, `{"name":"Ada"}`),
		ada.Event(t, 10002, now-200, "", []string{"r", "wss://hers.example"}),
		ada.Event(t, 1, now-3600, "hello"), ben.Event(t, 1, now-3600, "hello"))
	data := t.TempDir()
	sync := bowerbird(t, "", "--data", data, "sync", "--as", me.PubKey, "--relay", relay.URL, "--once", "--allow-private")
	coverage := bowerbird(t, "", "--data", data, "coverage")
	for name, r := range map[string]result{"sync": sync, "coverage": coverage} {
		const counts = "2 people: 1 complete (according to the one relay asked), 1 partly complete, 0 not reached"
		if r.code != exitDone || !strings.Contains(r.out, counts) || strings.Contains(r.out+r.err, "up to date") {
			t.Errorf("%s: exit %d\n%s%s", name, r.code, r.out, r.err)
		}
	}
	if !strings.Contains(sync.out, "For 1 of the people with partial coverage, none of their own relays was asked for the whole period.") {
		t.Errorf("sync:\n%s", sync.out)
	}
	if !strings.Contains(coverage.out, "none of the relays that 1 person writes to was asked for the whole period") || !strings.Contains(coverage.out, "Ada ") {
		t.Errorf("coverage:\n%s", coverage.out)
	}
}

// TestCoverageIsTheSameWhereverItIsSaid holds the text, the JSON, the tool and the
// window together on the same random ledgers.
func TestCoverageIsTheSameWhereverItIsSaid(t *testing.T) {
	met := map[string]bool{}
	for seed := range uint64(5) {
		data, me := t.TempDir(), testkit.NewKey("me").PubKey
		since := randomLedgers(t, rand.New(rand.NewPCG(seed, 0)), data)
		text := bowerbird(t, "", "--data", data, "coverage", "--as", me, "--since", since)
		said := decode[tools.CoverageResult](t, bowerbird(t, "", "--data", data, "--json", "coverage", "--as", me, "--since", since).out)
		tool := decode[tools.CoverageResult](t, bowerbird(t, "", "--data", data, "tool", "coverage", `{"since":"`+since+`"}`, "--as", me).out)
		for i := range said.People { // a second may have passed
			said.People[i].To, tool.People[i].To = "", ""
		}
		if fmt.Sprint(said) != fmt.Sprint(tool) {
			t.Fatalf("seed %d: coverage and the tool differ:\n%+v\n%+v", seed, said, tool)
		}
		s := said.Summary
		asOf, _ := time.Parse(time.RFC3339, s.AsOf)
		parts := []string{reachWords(s.Complete+s.Partly+s.Unreachable, s.Complete, s.Partly, s.Unreachable, s.RelaysAsked), s.Note}
		if s.OneRelay > 0 {
			parts = append(parts, fmt.Sprintf("\nOf the complete, %d confirmed by only one relay", s.OneRelay))
		}
		if !asOf.IsZero() {
			parts = append(parts, "Complete as of "+localTime(asOf.Unix()))
		}
		for _, p := range said.People {
			parts = append(parts, fmt.Sprintf("\n  %-24s %s: ", p.Name, p.State))
		}
		for _, part := range parts {
			if !strings.Contains(text.out, part) {
				t.Errorf("seed %d: the text lacks %q:\n%s", seed, part, text.out)
			}
		}
		window, board := windowCoverage(t, data)
		if window.Complete != s.Complete || len(window.People) != s.Complete+s.Partly+s.Unreachable || window.OneRelay != s.OneRelay ||
			window.Asked != s.RelaysAsked || window.AsOf.Unix() != asOf.Unix() {
			t.Errorf("seed %d: the window says %+v, the tool %+v", seed, window, s)
		}
		words := present.Words{}
		if s.Complete > 0 && (!strings.Contains(board.Text, words.AsFarAs(s.RelaysAsked)) || !strings.Contains(board.Text, "Complete as of ")) {
			t.Errorf("seed %d: the page says %q", seed, board.Text)
		}
		for _, p := range window.People {
			i := slices.IndexFunc(said.People, func(o tools.PersonCoverage) bool { return o.PubKey == p.PubKey.String() })
			other := tools.PersonCoverage{State: string(coverage.Complete)}
			if i >= 0 {
				other = said.People[i]
			}
			if string(p.State) != other.State || p.OwnLeftOut != other.OwnLeftOut || !slices.Equal(p.Lacking, other.Lacking) || !slices.Equal(p.By, other.Relays) && i >= 0 {
				t.Errorf("seed %d: the window says %+v, the tool %+v", seed, p, other)
			}
			met[other.State], met["own"], met["kinds"] = true, met["own"] || p.OwnLeftOut, met["kinds"] || len(p.Lacking) > 0
		}
	}
	for _, what := range []string{"complete", "partly", "unreachable", "own", "kinds"} {
		if !met[what] {
			t.Errorf("none was %s", what)
		}
	}
}

// randomLedgers makes a store in which relays confirmed this and that of fourteen people,
// and returns since when a window asks.
func randomLedgers(t *testing.T, rng *rand.Rand, data string) (since string) {
	t.Helper()
	me, now := testkit.NewKey("me"), time.Now().Unix()
	a, err := app.Open(t.Context(), app.Options{Places: config.Locate(data, ""), As: me.PubKey})
	if err != nil {
		t.Fatal(err)
	}
	from := now - int64(a.Settings().Sync.DaysBack())*24*3600
	relays := []string{"wss://own.example", "wss://base.example", "wss://other.example"}
	asked, follows, batch := map[nostr.PubKey][]string{}, [][]string{}, ndb.Batch{}
	put := func(raw []byte) *nostr.Event {
		e, err := nostr.ParseEvent(raw)
		if err != nil {
			t.Fatal(err)
		}
		batch.Events = append(batch.Events, e)
		return e
	}
	for i := range 14 {
		k := testkit.NewKey(fmt.Sprint("person ", i))
		follows = append(follows, []string{"p", k.PubKey})
		pk := put(k.Event(t, 0, now-500, fmt.Sprintf(`{"name":"Person %d"}`, i))).PubKey
		if rng.IntN(3) == 0 {
			put(k.Event(t, 10002, now-500, "", []string{"r", relays[0]}))
		}
		if rng.IntN(6) > 0 {
			asked[pk] = [][]string{{}, relays[:1], relays[:2], relays[1:], relays[1:]}[rng.IntN(5)]
		}
		for _, url := range relays {
			begin := from - 3600
			for rng.IntN(4) > 0 && begin < now-3600 {
				end := min(now, begin+(1+rng.Int64N(120))*3600)
				at := min(now, end+rng.Int64N(7200))
				batch.Coverage = append(batch.Coverage, coverage.Row{
					Author: pk, Relay: url, Purpose: coverage.Feed,
					Interval: coverage.Interval{From: begin, To: end, VerifiedAt: at, Proof: coverage.ProofEmpty},
				})
				begin = end + 1 + int64(rng.IntN(2))*3600
			}
		}
	}
	put(me.Event(t, 3, now-100, "", follows...))
	if _, err := a.Notes().Put(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	if err := notesync.SaveAsked(t.Context(), a.Notes(), asked); err != nil {
		t.Fatal(err)
	}
	if err := a.Notes().Bucket("sync-kinds").Put(t.Context(), map[string][]byte{relays[rng.IntN(3)]: []byte(`{"refused":[7],"next":1}`)}); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	return strconv.FormatInt(from, 10)
}

func windowCoverage(t *testing.T, data string) (live.Coverage, present.RelayBoard) {
	t.Helper()
	a, err := app.Open(t.Context(), app.Options{Places: config.Locate(data, ""), As: testkit.NewKey("me").PubKey})
	if err != nil {
		t.Fatal(err)
	}
	c, err := a.Live().Coverage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	return c, present.Words{}.Relays(present.RelaysAt{Coverage: c, Status: live.Status{Stage: live.StageLive, Connected: 1}, Now: time.Now()})
}
