package relay_test

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"bowerbird/app/relay"
	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

// private is a client that may reach loopback.
func private() *netsafe.Client { return netsafe.New(netsafe.Policy{AllowPrivate: true}) }

func dial(t *testing.T, url string, opt relay.Options) *relay.Conn {
	t.Helper()
	if opt.Client == nil {
		opt.Client = private()
	}
	conn, err := relay.Dial(t.Context(), url, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

func parse(t *testing.T, events [][]byte) []*nostr.Event {
	t.Helper()
	var all []*nostr.Event
	for _, data := range events {
		e, err := nostr.ParseEvent(data)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

func by(t *testing.T, k testkit.Key) []nostr.PubKey {
	t.Helper()
	author, err := nostr.ParsePubKey(k.PubKey)
	if err != nil {
		t.Fatal(err)
	}
	return []nostr.PubKey{author}
}

func ptr[T any](v T) *T { return &v }

func TestARealRelayGivesAPageThenNewNotes(t *testing.T) {
	server := testkit.StartNPMRelay(t, 0)
	ada := testkit.NewKey("ada")
	data := ada.Notes(t, 40, 1_700_000_000)
	notes := parse(t, data)
	server.Publish(t, data[:30]...)
	conn := dial(t, server.URL, relay.Options{})

	page, err := conn.Fetch(t.Context(), nostr.Filter{Authors: by(t, ada), Kinds: []uint16{1}, Limit: ptr(20)})
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Events) != 20 || page.Refused != 0 || page.Finish {
		t.Fatalf("page: %d events, %d refused, finish %v", len(page.Events), page.Refused, page.Finish)
	}
	for i, e := range page.Events {
		if e.ID != notes[29-i].ID {
			t.Fatalf("event %d of the page is %s, want %s", i, e.ID, notes[29-i].ID)
		}
	}

	sub, err := conn.Subscribe(t.Context(), relay.Live, nostr.Filter{Authors: by(t, ada), Since: ptr(notes[28].CreatedAt)})
	if err != nil {
		t.Fatal(err)
	}
	stored := 0
	for {
		_, err := sub.Next(t.Context())
		if errors.Is(err, relay.EOSE) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		stored++
	}
	if stored != 2 {
		t.Errorf("%d stored events, want 2", stored)
	}
	server.Publish(t, data[30:]...)
	for _, want := range notes[30:] {
		got, err := sub.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got.ID != want.ID {
			t.Fatalf("live event %s, want %s", got.ID, want.ID)
		}
	}

	server.Kill()
	if _, err := sub.Next(t.Context()); !errors.Is(err, relay.Lost) {
		t.Errorf("after the relay was killed: %v, want lost", err)
	}
	if stats := conn.Stats(); stats.Events != 32 || len(stats.Dropped) != 0 {
		t.Errorf("stats: %+v", stats)
	}
}

func TestARealRelayTellsAboutItself(t *testing.T) {
	server := testkit.StartNPMRelay(t, 50)
	info, err := relay.FetchInfo(t.Context(), private(), server.URL)
	if err != nil {
		t.Fatal(err)
	}
	if info.MaxLimit != 500 || info.MaxSubscriptions != 20 || info.Compares {
		t.Errorf("info: %+v", info)
	}
}

// What the relay's package refuses or deletes is its own affair; what it took must
// come back whole, page by page, through a cap it does not speak of.
func TestRealNotesComeBackWholeFromARealRelay(t *testing.T) {
	data, err := os.ReadFile(testkit.Shared(t, "data", "real-notes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	server := testkit.StartNPMRelay(t, 20) // at most 200 a page
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	if testing.Short() {
		lines = lines[:len(lines)/4] // more than a page, all the same
	}
	taken := server.Publish(t, lines...)
	conn := dial(t, server.URL, relay.Options{})

	seen := make(map[nostr.ID]bool)
	var until *int64
	for {
		page, err := conn.Fetch(t.Context(), nostr.Filter{Until: until, Limit: ptr(500)})
		if err != nil {
			t.Fatal(err)
		}
		news := 0
		for _, e := range page.Events {
			if !seen[e.ID] {
				seen[e.ID] = true
				news++
			}
			if err := e.Verify(); err != nil {
				t.Errorf("event %s: %v", e.ID, err)
			}
			if until == nil || e.CreatedAt < *until {
				until = &e.CreatedAt
			}
		}
		if news == 0 {
			break
		}
	}
	t.Logf("%d notes, %d taken, %d came back", len(lines), taken, len(seen))
	if len(seen) < taken*9/10 || len(seen) > taken { // older versions and deleted ones are gone
		t.Errorf("%d came back of %d taken", len(seen), taken)
	}
	if stats := conn.Stats(); len(stats.Dropped) != 0 {
		t.Errorf("dropped %v", stats.Dropped)
	}
}
