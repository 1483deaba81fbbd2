package ndb

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
)

func TestWhatIsStoredIsThereAfterReopening(t *testing.T) {
	ctx := context.Background()
	dir, ada := t.TempDir(), newPerson(1)
	e := ada.signs(t, 1, testNow, "first", nostr.Tag{"t", "ndb"})
	s := openDir(t, dir, Options{})
	results, err := s.Put(ctx, Batch{Events: []*nostr.Event{e}, Relay: "wss://relay.example"})
	if err != nil || results[0].Outcome != Stored {
		t.Fatal(results, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openDir(t, dir, Options{})
	got, err := s.Event(ctx, e.ID)
	if err != nil || !sameEvent(got, e) {
		t.Fatalf("got %v, %v", got, err)
	}
	if urls, err := s.SeenOn(ctx, e.ID); err != nil || !slices.Equal(urls, []string{"wss://relay.example"}) {
		t.Errorf("seen on %v, %v", urls, err)
	}
	if outcomes := put(t, s, e); outcomes[0] != Duplicate {
		t.Errorf("outcome %v for a stored event", outcomes)
	}
	for name, f := range map[string]nostr.Filter{
		"ids":     {IDs: []nostr.ID{e.ID}},
		"authors": {Authors: []nostr.PubKey{ada.key}},
		"kinds":   {Kinds: []uint16{1}},
		"both":    {Authors: []nostr.PubKey{ada.key}, Kinds: []uint16{1}},
		"tags":    {Tags: map[byte][]string{'t': {"ndb"}}},
		"all":     {},
		"times":   {Since: ptr(int64(testNow)), Until: ptr(int64(testNow))},
	} {
		if got := contents(query(t, s, f)); !slices.Equal(got, []string{"first"}) {
			t.Errorf("by %s: %v", name, got)
		}
	}
}

func sameEvent(a, b *nostr.Event) bool {
	return string(a.AppendJSON(nil)) == string(b.AppendJSON(nil))
}

func TestEveryRealEventIsAccountedFor(t *testing.T) {
	path := testkit.Shared(t, "data", "real-notes.jsonl")
	s := openDir(t, t.TempDir(), Options{})
	for run := range 2 {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		report, err := s.Import(context.Background(), file, ImportOptions{})
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		sum := report.Stored + report.Duplicate + report.Replaced + report.Deleted + report.Expired + report.Ephemeral
		for _, n := range report.Invalid {
			sum += n
		}
		if report.Read != 2275 || sum != report.Read || len(report.Invalid) != 0 {
			t.Errorf("run %d: %+v", run, report)
		}
		if run == 1 && report.Stored != 0 {
			t.Errorf("a second import stored %d", report.Stored)
		}
		mustBeSound(t, s)
	}
}

func TestAClosedStoreSaysSo(t *testing.T) {
	s := openDir(t, t.TempDir(), Options{})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error("second close:", err)
	}
	if _, err := s.Event(context.Background(), nostr.ID{}); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if _, err := s.Put(context.Background(), Batch{}); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}
