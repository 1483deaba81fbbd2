package relay

import (
	"errors"
	"testing"
	"time"
)

func TestAReaderThatFallsBehindStopsTheSocketAndLosesNothing(t *testing.T) {
	w := newCrowd(t)
	conn := w.dial(t, "honest", Limits{QueueEvents: 8})
	sub, err := conn.Subscribe(t.Context(), Stored, w.filter)
	if err != nil {
		t.Fatal(err)
	}
	conn.await(t, "a full queue", func() bool { return !conn.link.blocked.IsZero() })
	w.clock.advance(conn, time.Hour) // our own slowness is nobody's fault
	conn.mu.Lock()
	if conn.queue.events != 8 || sub.err != nil {
		t.Errorf("%d events wait, want 8; error %v", conn.queue.events, sub.err)
	}
	conn.mu.Unlock()
	if n, err := drain(t, sub); n != 40 || !errors.Is(err, EOSE) {
		t.Errorf("%d events, then %v; want 40 and EOSE", n, err)
	}
	if conn.queue != (load{}) {
		t.Errorf("left in the queue's account: %+v", conn.queue)
	}
}

func TestTheQueueIsBoundedInBytesToo(t *testing.T) {
	w := newCrowd(t)
	conn := w.dial(t, "honest", Limits{QueueBytes: 1000})
	sub, err := conn.Subscribe(t.Context(), Stored, w.filter)
	if err != nil {
		t.Fatal(err)
	}
	conn.await(t, "a full queue", func() bool { return !conn.link.blocked.IsZero() && conn.queue.bytes <= 1000 && conn.queue.events > 0 })
	if n, err := drain(t, sub); n != 40 || !errors.Is(err, EOSE) {
		t.Errorf("%d events, then %v; want 40 and EOSE", n, err)
	}
}

func TestAClosedSubscriptionMakesRoomForOthers(t *testing.T) {
	w := newCrowd(t)
	conn := w.dial(t, "honest", Limits{QueueEvents: 8, Subscriptions: 1})
	unread, err := conn.Subscribe(t.Context(), Stored, w.filter)
	if err != nil {
		t.Fatal(err)
	}
	conn.await(t, "a full queue", func() bool { return !conn.link.blocked.IsZero() })
	unread.Close()
	if page, err := conn.Fetch(t.Context(), w.filter); err != nil || len(page.Events) != 40 {
		t.Errorf("%d events, %v", len(page.Events), err)
	}
	if err := conn.Err(); err != nil {
		t.Errorf("the latecomers of the closed page ended the connection: %v", err)
	}
}

func TestManyBadSignaturesEndTheConnection(t *testing.T) {
	w := newCrowd(t)
	conn := w.dial(t, "bad-sig", Limits{})
	page, err := conn.Fetch(t.Context(), w.filter)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range page.Events {
		if e.Verify() != nil {
			conn.BadSignatures(1)
		}
	}
	conn.awaitEnd(t)
	if !errors.Is(conn.Err(), Misbehaved) {
		t.Errorf("it ended with %v, want %v", conn.Err(), Misbehaved)
	}
}

func TestNoticesAreCleanedAndBounded(t *testing.T) {
	w := newCrowd(t)
	conn := w.dial(t, "notices", Limits{})
	if _, err := conn.Fetch(t.Context(), w.filter); err != nil {
		t.Fatal(err)
	}
	notices := conn.Stats().Notices
	if len(notices) != 50 {
		t.Fatalf("%d notices are kept, want 50", len(notices))
	}
	if got, want := notices[49].Text, "[31mnumber  199"; got != want {
		t.Errorf("the last notice is %q, want %q", got, want)
	}
}
