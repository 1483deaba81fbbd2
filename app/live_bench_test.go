package app

import (
	"fmt"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// BenchmarkRelaysAndCoverage reads what the screen of the relays shows for a reader
// of 600 people at 20 relays, with 2,000 notes of today.
func BenchmarkRelaysAndCoverage(b *testing.B) {
	me := testkit.NewKey("reader")
	now := time.Now()
	c := &clock{now}
	a, err := Open(b.Context(), Options{Places: config.Locate(b.TempDir(), ""), As: me.PubKey, Now: c.time})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = a.Close() }()
	var tags [][]string
	var rows []coverage.Row
	asked := map[nostr.PubKey][]string{}
	for i := range 600 {
		pk := nostr.PubKey{byte(i), byte(i >> 8), 7}
		tags = append(tags, []string{"p", pk.String()})
		for j := range 2 {
			url := fmt.Sprintf("wss://relay-%d.example", (i+j)%20)
			asked[pk] = append(asked[pk], url)
			rows = append(rows, coverage.Row{Author: pk, Relay: url, Purpose: coverage.Feed, Interval: coverage.Interval{From: now.Unix() - 5*86400, To: now.Unix() - 60, VerifiedAt: now.Unix(), Proof: coverage.ProofEmpty}})
		}
	}
	if err := notesync.SaveAsked(b.Context(), a.Notes(), asked); err != nil {
		b.Fatal(err)
	}
	put := func(batch ndb.Batch) {
		if _, err := a.Notes().Put(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
	}
	events := []*nostr.Event{parsed(b, me.Event(b, 3, now.Unix()-100, "", tags...))}
	y, m, d := now.Date()
	midnight := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	for i := range 2000 {
		at := midnight.Add(time.Duration(i) * now.Sub(midnight) / 2000)
		events = append(events, parsed(b, me.Event(b, 1, at.Unix(), fmt.Sprint(i))))
	}
	put(ndb.Batch{Events: events, Relay: "wss://relay-0.example", Coverage: rows})
	put(ndb.Batch{Events: events, Relay: "wss://relay-1.example"})

	b.Run("coverage", func(b *testing.B) {
		for b.Loop() {
			if c, err := a.Live().Coverage(b.Context()); err != nil || c.Complete != 600 || len(c.People) != 601 {
				b.Fatal(c.Complete, len(c.People), err)
			}
		}
	})
	b.Run("relays", func(b *testing.B) {
		for b.Loop() {
			if r, err := a.Live().Relays(b.Context()); err != nil || len(r) != 20 || r[0].Today == 0 && r[1].Today == 0 {
				b.Fatal(len(r), err)
			}
		}
	})
	b.Run("relays, today counted anew", func(b *testing.B) {
		for b.Loop() {
			c.now = c.now.Add(time.Minute)
			if _, err := a.Live().Relays(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("details", func(b *testing.B) {
		for b.Loop() {
			if d, err := a.Live().Relay(b.Context(), "wss://relay-7.example"); err != nil || len(d.For) != 60 {
				b.Fatal(len(d.For), err)
			}
		}
	})
}

func parsed(t testing.TB, raw []byte) *nostr.Event {
	t.Helper()
	e, err := nostr.ParseEvent(raw)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
