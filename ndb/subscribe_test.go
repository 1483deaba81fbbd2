package ndb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
)

// pulled gives the next events of a subscription one at a time.
func pulled(t *testing.T, sub iter.Seq2[*nostr.Event, error]) func() *nostr.Event {
	next, stop := iter.Pull2(sub)
	t.Cleanup(stop)
	return func() *nostr.Event {
		t.Helper()
		e, err, ok := next()
		if err != nil || !ok {
			t.Fatalf("the subscription gave %v, %v", err, ok)
		}
		return e
	}
}

func TestASubscriptionYieldsWhatIsOnDiskAndDropsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s, c := openTest(t)
	ada := newPerson(1)
	put(t, s, ada.signs(t, 1, testNow, "before"))
	sub := s.Subscribe(ctx, nostr.Filter{Kinds: []uint16{1}})
	next := pulled(t, sub)
	var events []*nostr.Event
	for i := range 50 {
		events = append(events, ada.signs(t, uint16(i%2), testNow, fmt.Sprintf(`{"name":"%d"}`, i)))
	}
	later := ada.signs(t, 1, testNow+futureGrace+50, "later")
	put(t, s, append(events, later)...) // returns, though nobody reads
	for i := 1; i < 50; i += 2 {
		e := next()
		if e.ID != events[i].ID {
			t.Fatalf("event %d is %s", i, e.Content)
		}
		if _, err := s.Event(ctx, e.ID); err != nil {
			t.Error(err)
		}
	}
	put(t, s, events...) // nothing new
	c.unix += 50
	if err := s.Sweep(context.Background()); err != nil {
		t.Fatal(err)
	}
	if e := next(); e.ID != later.ID {
		t.Errorf("in its time came %s", e.Content)
	}
	put(t, s, ada.signs(t, 1, testNow, "unread"))
	cancel()
	for e, err := range sub {
		t.Errorf("after the end came %v, %v", e, err)
	}
}

func TestASubscriptionSkipsWhatWentBeforeItWasRead(t *testing.T) {
	s, c := openTest(t)
	ada := newPerson(1)
	next := pulled(t, s.Subscribe(t.Context(), nostr.Filter{}))
	gone := ada.signs(t, 1, testNow, "deleted")
	put(t, s, gone,
		ada.signs(t, 0, testNow, `{"name":"old"}`),
		ada.signs(t, 1, testNow, "expired", nostr.Tag{"expiration", fmt.Sprint(testNow + 5)}),
		ada.signs(t, 0, testNow+1, `{"name":"new"}`),
		ada.signs(t, 5, testNow, "deletion", nostr.Tag{"e", gone.ID.String()}))
	c.unix += 5
	for _, want := range []string{`{"name":"new"}`, "deletion"} {
		if e := next(); e.Content != want {
			t.Errorf("got %s, want %s", e.Content, want)
		}
	}
}

func TestADamagedNoteIsToldAndTheSubscriptionGoesOn(t *testing.T) {
	s, _ := openTest(t)
	ada := newPerson(1)
	next, stop := iter.Pull2(s.Subscribe(t.Context(), nostr.Filter{}))
	defer stop()
	put(t, s, ada.signs(t, 1, testNow, "first"), ada.signs(t, 1, testNow, "second"))
	err := s.change(t.Context(), &change{apply: func(tx *tx) {
		packed, _ := tx.get(noteKey(0))
		tx.set(noteKey(0), bytes.Replace(packed, []byte("first"), []byte("worst"), 1))
	}})
	if err != nil {
		t.Fatal(err)
	}
	if e, err, ok := next(); e != nil || !errors.Is(err, ErrDamaged) || !ok {
		t.Errorf("of the damaged note came %v, %v", e, err)
	}
	if e, err, ok := next(); !ok || err != nil || e.Content != "second" {
		t.Errorf("behind it came %v, %v", e, err)
	}
}

func TestCloseEndsSubscriptionsThatNobodyReadsAndLeavesNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		s, err := Open(t.TempDir(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		sub := s.Subscribe(context.Background(), nostr.Filter{})
		waiting := make(chan int)
		go func(sub iter.Seq2[*nostr.Event, error]) {
			n := 0
			for range sub {
				n++
			}
			waiting <- n
		}(s.Subscribe(context.Background(), nostr.Filter{}))
		put(t, s, newPerson(1).signs(t, 1, testNow, "note"))
		for range s.Query(context.Background(), QueryOptions{}, nostr.Filter{}) {
			break
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		for range sub {
			t.Error("the subscription is still open")
		}
		if n := <-waiting; n > 1 {
			t.Errorf("%d events came of one", n)
		}
	}
	// Badger's goroutines end after its Close.
	testkit.Eventually(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= before })
}

// TestAHundredSubscribersAndOneThatSleepsLoseNothing lets subscribers read while an
// import runs. One does not read until it is over: the import must not wait for it,
// and what it holds meanwhile must not grow with the notes.
func TestAHundredSubscribersAndOneThatSleepsLoseNothing(t *testing.T) {
	const notes, subscribers = 2500, 100
	s, _ := openTest(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	people := []person{newPerson(1), newPerson(2), newPerson(3)}
	var lines bytes.Buffer
	byKind := map[uint16][]nostr.ID{}
	for i := range notes {
		e := people[i%3].signs(t, uint16(1+i%2*6), testNow-int64(i), fmt.Sprint(i))
		byKind[e.Kind] = append(byKind[e.Kind], e.ID)
		lines.Write(append(e.AppendJSON(nil), '\n'))
	}
	sleeper, begin := s.Subscribe(ctx, nostr.Filter{}), s.feed.end()
	var wg sync.WaitGroup
	for i := range subscribers {
		kind := []uint16{1, 7}[i%2]
		sub := s.Subscribe(ctx, nostr.Filter{Kinds: []uint16{kind}})
		wg.Go(func() {
			if got, err := collect(sub, len(byKind[kind])); err != nil || fmt.Sprint(got) != fmt.Sprint(byKind[kind]) {
				t.Errorf("subscriber %d got %d of %d, or in another order (%v)", i, len(got), len(byKind[kind]), err)
			}
		})
	}
	if _, err := s.Import(ctx, &lines, ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	held := 0
	for r := begin.run; r != nil; r = r.next {
		held++
	}
	if held > 2 {
		t.Errorf("the feed holds %d runs for %d notes", held, notes)
	}
	if got, err := collect(sleeper, notes); err != nil || len(got) != notes {
		t.Errorf("who slept got %d of %d (%v)", len(got), notes, err)
	}
}

func collect(sub iter.Seq2[*nostr.Event, error], n int) (ids []nostr.ID, err error) {
	for e, err := range sub {
		if err != nil {
			return ids, err
		}
		if ids = append(ids, e.ID); len(ids) == n {
			break
		}
	}
	return ids, nil
}
