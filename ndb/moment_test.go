package ndb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// told is what a store says about a small world, in words that can be compared.
func told(t *testing.T, r *Store, query func(...nostr.Filter) []*nostr.Event, ada, ben person, note nostr.ID) string {
	t.Helper()
	var b bytes.Buffer
	say := func(what string, v any, err error) {
		if err != nil && !errors.Is(err, ErrNotFound) {
			t.Fatalf("%s: %v", what, err)
		}
		fmt.Fprintf(&b, "%s %v\n", what, v)
	}
	say("all", contents(query(nostr.Filter{})), nil)
	say("search", contents(query(nostr.Filter{Search: "harbour"})), nil)
	n, err := r.Count(t.Context(), QueryOptions{}, nostr.Filter{Kinds: []uint16{7}})
	say("reactions", n, err)
	e, err := r.Event(t.Context(), note)
	say("note", e != nil, err)
	c, err := r.Counters(t.Context(), note)
	say("counters", c, err)
	if profile, err := r.Latest(t.Context(), 0, ada.key, ""); true {
		say("profile", profile != nil && profile.Content != "", err)
		if profile != nil {
			say("name", profile.Content, nil)
		}
	}
	people, err := r.Contacts(t.Context(), ada.key)
	say("contacts", people, err)
	rows, err := r.Coverage(t.Context(), ben.key, coverage.Feed)
	say("coverage", rows, err)
	return b.String()
}

func TestASnapshotStaysAsItWasWhateverIsWritten(t *testing.T) {
	s, c := openTest(t)
	ada, ben := newPerson(1), newPerson(2)
	note := ada.signs(t, 1, testNow, "the harbour")
	put(t, s, note,
		ada.signs(t, 0, testNow, `{"name":"before"}`),
		ada.signs(t, 0, testNow+futureGrace+60, `{"name":"tomorrow"}`),
		ada.signs(t, 3, testNow, "", nostr.Tag{"p", ben.key.String()}),
		ben.signs(t, 7, testNow, "+", nostr.Tag{"e", note.ID.String()}),
		ben.signs(t, 1, testNow, "expires", nostr.Tag{"expiration", fmt.Sprint(testNow + 30)}))
	asStore := func() string {
		return told(t, s, func(f ...nostr.Filter) []*nostr.Event { return query(t, s, f...) }, ada, ben, note.ID)
	}
	before := asStore()
	err := s.atMoment(t.Context(), func(snap *Store) error {
		frozen := func() string {
			return told(t, snap, func(f ...nostr.Filter) (events []*nostr.Event) {
				for e, err := range snap.Query(t.Context(), QueryOptions{}, f...) {
					if err != nil {
						t.Fatal(err)
					}
					events = append(events, e)
				}
				return events
			}, ada, ben, note.ID)
		}
		if got := frozen(); got != before {
			t.Errorf("a new snapshot says\n%sthe store\n%s", got, before)
		}
		cora := newPerson(3)
		c.unix += 60
		_, err := s.Put(t.Context(), Batch{
			Events: []*nostr.Event{
				cora.signs(t, 1, testNow, "another harbour"),
				cora.signs(t, 7, testNow, "+", nostr.Tag{"e", note.ID.String()}),
				ada.signs(t, 3, testNow+1, "", nostr.Tag{"p", cora.key.String()}),
				ada.signs(t, 5, testNow+1, "", nostr.Tag{"e", note.ID.String()}),
			},
			Coverage: []coverage.Row{{Author: ben.key, Relay: "wss://relay.example", Purpose: coverage.Feed, Interval: coverage.Interval{From: 1, To: testNow, VerifiedAt: testNow, Proof: coverage.ProofEmpty}}},
		})
		if err != nil {
			return err
		}
		if got := frozen(); got != before {
			t.Errorf("after writes the snapshot says\n%snot\n%s", got, before)
		}
		if asStore() == before {
			t.Error("the store itself does not show the writes")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestASnapshotEndsWithItsCallAndWithTheStore(t *testing.T) {
	s, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, newPerson(1).signs(t, 1, testNow, "note"))
	var kept *Store
	wanted := errors.New("of the caller")
	if err := s.atMoment(t.Context(), func(snap *Store) error { kept = snap; return wanted }); !errors.Is(err, wanted) {
		t.Errorf("the error is %v", err)
	}
	if _, err := kept.Count(t.Context(), QueryOptions{}, nostr.Filter{}); !errors.Is(err, ErrClosed) {
		t.Errorf("after its call: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.atMoment(ended, func(*Store) error { t.Error("called"); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
	closed := make(chan error)
	err = s.atMoment(t.Context(), func(snap *Store) error {
		go func() { closed <- s.Close() }()
		<-s.closing
		_, err := snap.Count(t.Context(), QueryOptions{}, nostr.Filter{})
		return err
	})
	if !errors.Is(err, ErrClosed) {
		t.Errorf("while the store closes: %v", err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if err := s.atMoment(t.Context(), func(*Store) error { return nil }); !errors.Is(err, ErrClosed) {
		t.Errorf("of a closed store: %v", err)
	}
}

// TestWhoHasAnAnswerReadsWhatItIsAbout writes from several goroutines; each reads at
// once what it wrote, by every way there is, and a snapshot's counters are always
// those of its notes.
func TestWhoHasAnAnswerReadsWhatItIsAbout(t *testing.T) {
	s, _ := openTest(t)
	ctx := t.Context()
	target := newPerson(1).signs(t, 1, testNow, "target")
	put(t, s, target)
	var writers, readers sync.WaitGroup
	done := make(chan struct{})
	for i := range 4 {
		ada := newPerson(10 + i)
		writers.Go(func() {
			for round := range 20 {
				next := s.Subscribe(ctx, nostr.Filter{Authors: []nostr.PubKey{ada.key}})
				text := fmt.Sprintf("word%d of %d", round, i)
				e := ada.signs(t, 1, testNow+int64(round), text, nostr.Tag{"e", target.ID.String(), "", "reply"})
				if _, err := s.Put(ctx, Batch{Events: []*nostr.Event{e, ada.signs(t, 0, testNow+int64(round), text)}}); err != nil {
					t.Error(err)
					return
				}
				for got, err := range next {
					if err != nil || got.ID != e.ID {
						t.Errorf("its subscription says %v, %v", got, err)
					}
					break
				}
				for _, f := range []nostr.Filter{
					{IDs: []nostr.ID{e.ID}},
					{Authors: []nostr.PubKey{ada.key}, Kinds: []uint16{1}},
					{Kinds: []uint16{1}},
					{Tags: map[byte][]string{'e': {target.ID.String()}}},
					{Search: fmt.Sprintf("word%d", round)},
				} {
					if !slices.ContainsFunc(query(t, s, f), func(got *nostr.Event) bool { return got.ID == e.ID }) {
						t.Errorf("filter %v does not find what was put", f)
					}
				}
				if latest, err := s.Latest(ctx, 0, ada.key, ""); err != nil || latest.Content != text {
					t.Errorf("the profile is %v, %v", latest, err)
				}
				if c, err := s.Counters(ctx, target.ID); err != nil || c.Replies < round+1 {
					t.Errorf("round %d: %d replies, %v", round, c.Replies, err)
				}
			}
		})
	}
	readers.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			err := s.atMoment(ctx, func(snap *Store) error {
				c, err := snap.Counters(ctx, target.ID)
				if err != nil {
					return err
				}
				n, err := snap.Count(ctx, QueryOptions{}, nostr.Filter{Tags: map[byte][]string{'e': {target.ID.String()}}})
				if n != c.Replies {
					t.Errorf("a snapshot counts %d replies and has %d", c.Replies, n)
				}
				return err
			})
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
	writers.Wait()
	close(done)
	readers.Wait()
}
