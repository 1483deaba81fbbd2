package notesync_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/app/relay"
	"bowerbird/internal/testkit"
	"bowerbird/internal/testworld"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

// feedKinds are, from the outside, what a feed holds.
var feedKinds = []uint16{1, 5, 6, 7, 11, 16, 20, 62, 1068, 1111, 30023}

func private() *netsafe.Client { return netsafe.New(netsafe.Policy{AllowPrivate: true}) }

// openStore opens an empty store.
func openStore(t testing.TB) *ndb.Store {
	t.Helper()
	s, err := ndb.Open(t.TempDir(), ndb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// options are those of a run to its end at relays on loopback.
func options(s *ndb.Store, me nostr.PubKey, relays ...string) notesync.Options {
	return notesync.Options{Store: s, Client: private(), Me: me, Only: relays, Indexers: []string{}, Days: 10, Once: true, Sleep: hurry}
}

// mustRun runs a sync that is to succeed.
func mustRun(t testing.TB, opt notesync.Options) notesync.Summary {
	t.Helper()
	sum, err := notesync.Run(t.Context(), opt)
	if err != nil {
		t.Fatalf("sync: %v (%+v)", err, sum)
	}
	return sum
}

// smallWorld is 24 people of whom I follow 12. They name no relays: those that a made-up
// world names lead nowhere, and whose own relays nobody asked is not complete.
func smallWorld(t testing.TB, seed uint64) *testworld.World {
	t.Helper()
	w, err := testworld.Make(testworld.Options{Seed: seed, Now: time.Now(), Days: 5, People: 24, Followed: 12, Events: 400})
	if err != nil {
		t.Fatal(err)
	}
	w.Events = slices.DeleteFunc(w.Events, func(e *nostr.Event) bool { return e.Kind == 10002 })
	return w
}

func asJSON(events []*nostr.Event) [][]byte {
	out := make([][]byte, len(events))
	for i, e := range events {
		out[i] = e.AppendJSON(nil)
	}
	return out
}

// followed returns the people of a world whose notes I want, me among them.
func followed(w *testworld.World) []nostr.PubKey {
	people := []nostr.PubKey{w.Me}
	for _, p := range w.People {
		if p.Followed && p.PubKey != w.Me {
			people = append(people, p.PubKey)
		}
	}
	return people
}

// feedOf returns the events that a feed of the people is to hold: what a relay
// keeps of them, by ndb's own rules of replacing and deleting.
func feedOf(t testing.TB, events []*nostr.Event, people []nostr.PubKey, from, to int64) []*nostr.Event {
	t.Helper()
	s := openStore(t)
	if _, err := s.Put(t.Context(), ndb.Batch{Events: events}); err != nil {
		t.Fatal(err)
	}
	var out []*nostr.Event
	for e, err := range s.Query(t.Context(), ndb.QueryOptions{}, nostr.Filter{Authors: people, Kinds: feedKinds, Since: &from, Until: &to}) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// missing returns how many of the events are not stored.
func missing(t testing.TB, s *ndb.Store, events []*nostr.Event) (n int) {
	t.Helper()
	for _, e := range events {
		if _, err := s.Event(t.Context(), e.ID); err != nil {
			n++
		}
	}
	return n
}

// wantAll fails the test when one of the events is not stored.
func wantAll(t testing.TB, s *ndb.Store, events []*nostr.Event) {
	t.Helper()
	if len(events) == 0 {
		t.Fatal("there is nothing to find: the test has lost its meaning")
	}
	if n := missing(t, s, events); n > 0 {
		t.Errorf("%d of %d events are missing", n, len(events))
	}
}

// wantTrue fails the test when the ledger calls something complete that is not.
func wantTrue(t testing.TB, s *ndb.Store, relayURL string, events []*nostr.Event) {
	t.Helper()
	rows := map[nostr.PubKey][]coverage.Row{}
	for _, e := range events {
		if _, read := rows[e.PubKey]; !read {
			var err error
			if rows[e.PubKey], err = s.Coverage(t.Context(), e.PubKey, coverage.Feed); err != nil {
				t.Fatal(err)
			}
		}
		for _, row := range rows[e.PubKey] {
			if row.Relay != relayURL || e.CreatedAt < row.Interval.From || e.CreatedAt > row.Interval.To {
				continue
			}
			if _, err := s.Event(t.Context(), e.ID); err != nil {
				t.Errorf("%s is missing, though %d to %d is called complete", e.ID, row.Interval.From, row.Interval.To)
			}
		}
	}
}

// filters returns the filters of REQ messages.
func filters(t testing.TB, reqs []string) (all []nostr.Filter) {
	t.Helper()
	for _, req := range reqs {
		var parts []json.RawMessage
		if err := json.Unmarshal([]byte(req), &parts); err != nil {
			t.Fatal(err)
		}
		for _, raw := range parts[2:] {
			f, err := nostr.ParseFilter(raw)
			if err != nil {
				t.Fatalf("%s: %v", raw, err)
			}
			all = append(all, f)
		}
	}
	return all
}

// everything returns what a relay answers to a plain REQ of a filter, page by
// page down to the bottom.
func everything(t testing.TB, url string, f nostr.Filter) []*nostr.Event {
	t.Helper()
	conn, err := relay.Dial(t.Context(), url, relay.Options{Client: private()})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	seen := map[nostr.ID]bool{}
	var all []*nostr.Event
	for {
		page, err := conn.Fetch(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		fresh := 0
		for _, e := range page.Events {
			if !seen[e.ID] {
				seen[e.ID] = true
				fresh++
				all = append(all, e)
			}
			f.Until = &e.CreatedAt
		}
		if fresh == 0 {
			return all
		}
	}
}

// realNotes are the shared events, which are not here everywhere.
func realNotes(t testing.TB) (events [][]byte) {
	t.Helper()
	file, err := os.Open(testkit.Shared(t, "data", "real-notes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		events = append(events, bytes.Clone(lines.Bytes()))
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return events
}

func pubKey(t testing.TB, hex string) nostr.PubKey {
	t.Helper()
	pk, err := nostr.ParsePubKey(hex)
	if err != nil {
		t.Fatal(err)
	}
	return pk
}

func parse(t testing.TB, data [][]byte) (events []*nostr.Event) {
	t.Helper()
	for _, raw := range data {
		e, err := nostr.ParseEvent(raw)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

// reportOf finds the report of the relay whose URL has the given end.
func reportOf(t testing.TB, sum notesync.Summary, end string) notesync.RelayReport {
	t.Helper()
	for _, r := range sum.Relays {
		if strings.HasSuffix(r.URL, end) {
			return r
		}
	}
	t.Fatalf("the summary has no relay %s: %+v", end, sum.Relays)
	return notesync.RelayReport{}
}

// hurry sleeps a thousandth of what it should, but two seconds where more is waited for
// than that a moment has passed, and in full where other relays are, which ends when
// they have answered: on a slow machine a good one may take its time.
func hurry(ctx context.Context, d time.Duration) error {
	const forOthers = 10 * time.Second
	if d == forOthers {
		return sleepFor(ctx, d)
	}
	if d /= 1000; d >= 10*time.Millisecond {
		d = 2 * time.Second
	}
	return sleepFor(ctx, d)
}

func sleepFor(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
