package relay

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

func TestTheContextEndsTheConnection(t *testing.T) {
	w := newCrowd(t)
	ctx, cancel := context.WithCancel(t.Context())
	conn, err := Dial(ctx, w.server.At("never-eose"), Options{Client: netsafe.New(netsafe.Policy{AllowPrivate: true}), Clock: w.clock})
	if err != nil {
		t.Fatal(err)
	}
	sub, err := conn.Subscribe(t.Context(), Live, w.filter)
	if err != nil {
		t.Fatal(err)
	}
	conn.await(t, "the events", func() bool { return all(conn, sub) })
	cancel()
	conn.awaitEnd(t)
	if err := conn.Err(); !errors.Is(err, Closed) || !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	if n, err := drain(t, sub); n != 40 || !errors.Is(err, Closed) {
		t.Errorf("what had come was not kept: %d events, then %v", n, err)
	}
	if _, err := conn.Subscribe(t.Context(), Live, w.filter); !errors.Is(err, Closed) {
		t.Errorf("subscribe afterwards: %v", err)
	}
	conn.Close() // once more does no harm
}

func TestACancelledDialSaysSo(t *testing.T) {
	w := newCrowd(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Dial(ctx, w.server.At("honest"), Options{Client: netsafe.New(netsafe.Policy{AllowPrivate: true})})
	if !errors.Is(err, netsafe.Cancelled) {
		t.Errorf("%v, want cancelled", err)
	}
}

func TestALoopbackRelayIsNotDialledWithoutTheUsersWord(t *testing.T) {
	w := newCrowd(t)
	_, err := Dial(t.Context(), w.server.At("honest"), Options{Client: netsafe.New(netsafe.Policy{})})
	if !errors.Is(err, netsafe.Refused) || w.server.Dials("honest") != 0 {
		t.Errorf("%v after %d handshakes, want it refused", err, w.server.Dials("honest"))
	}
}

func TestClosingASubscriptionTellsTheRelayOnce(t *testing.T) {
	w := newCrowd(t)
	conn := w.dial(t, "honest", Limits{})
	page, err := conn.Fetch(t.Context(), w.filter)
	if err != nil || len(page.Events) != 40 {
		t.Fatalf("%d events, %v", len(page.Events), err)
	}
	live, err := conn.Subscribe(t.Context(), Live, w.filter)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := drain(t, live); !errors.Is(err, EOSE) {
		t.Fatal(err)
	}
	live.Close()
	live.Close()
	if _, err := live.Next(t.Context()); !errors.Is(err, Closed) {
		t.Errorf("after Close: %v", err)
	}
	conn.await(t, "the CLOSE", func() bool { return len(w.server.Got()) >= 4 })
	got := w.server.Got()
	if len(got) != 4 || !strings.HasPrefix(got[1], `["CLOSE",`) || !strings.HasPrefix(got[3], `["CLOSE",`) {
		t.Fatalf("the relay got %q", got)
	}
	if id := strings.Split(got[0], `"`)[3]; len(id) != 16 || id == strings.Split(got[2], `"`)[3] {
		t.Errorf("the subscription ids are %q and %q", id, strings.Split(got[2], `"`)[3])
	}
}

func TestASubscriptionWaitsForItsPlace(t *testing.T) {
	w := newCrowd(t)
	conn := w.dial(t, "never-eose", Limits{Subscriptions: 1})
	first, err := conn.Subscribe(t.Context(), Live, w.filter)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := conn.Subscribe(ctx, Live, w.filter); !errors.Is(err, context.Canceled) {
		t.Errorf("with one open: %v, want it to wait until its context ends", err)
	}
	first.Close()
	second, err := conn.Subscribe(t.Context(), Live, w.filter)
	if err != nil {
		t.Fatal(err)
	}
	if event, err := second.Next(t.Context()); err != nil || event == nil {
		t.Errorf("%v, %v", event, err)
	}
}

func TestARequestThatTheRelayWouldNotTakeIsNotSent(t *testing.T) {
	w := newCrowd(t)
	conn := w.dial(t, "honest", Limits{Outgoing: 1000})
	many := nostr.Filter{Authors: make([]nostr.PubKey, 100)}
	if _, err := conn.Fetch(t.Context(), many); !errors.Is(err, TooLarge) {
		t.Errorf("%v, want too large", err)
	}
	if _, err := conn.Fetch(t.Context()); err == nil {
		t.Error("a REQ without a filter went out")
	}
	if page, err := conn.Fetch(t.Context(), w.filter); err != nil || len(page.Events) != 40 {
		t.Errorf("afterwards: %d events, %v", len(page.Events), err)
	}
	if n := len(conn.places); n != 0 {
		t.Errorf("%d places are still taken", n)
	}
}

func TestAPageIsBoundedInBytes(t *testing.T) {
	w := newCrowd(t)
	conn := w.dial(t, "honest", Limits{PageBytes: 2000})
	page, err := conn.Fetch(t.Context(), w.filter)
	if !errors.Is(err, Overrun) || len(page.Events) == 0 || len(page.Events) > 8 {
		t.Errorf("%d events, %v", len(page.Events), err)
	}
}

func TestPongsKeepAQuietConnectionAlive(t *testing.T) {
	w := newCrowd(t)
	conn := w.dial(t, "honest", Limits{})
	for range 5 {
		before := conn.Stats().LastAlive
		w.clock.advance(conn, 30*time.Second)
		conn.await(t, "a pong", func() bool { return conn.link.seen.After(before) && !conn.link.pinging })
	}
	if err := conn.Err(); err != nil {
		t.Error(err)
	}
}

func TestARelayThatReadsNothingIsLeft(t *testing.T) {
	w := newCrowd(t)
	conn := w.dial(t, "no-read", Limits{Write: 200 * time.Millisecond, Outgoing: 1 << 20})
	wide := nostr.Filter{Authors: make([]nostr.PubKey, 10_000)} // 670 KB, to fill the socket's buffers
	for conn.ctx.Err() == nil {
		for _, f := range []nostr.Filter{w.filter, w.filter, w.filter, wide} {
			sub, err := conn.Subscribe(t.Context(), Live, f)
			if err != nil {
				break // it has ended
			}
			conn.mu.Lock()
			if waiting := len(conn.out); waiting > 2*conn.limits.Subscriptions {
				t.Errorf("%d messages wait to go out", waiting)
			}
			conn.mu.Unlock()
			if len(f.Authors) > 1 {
				conn.await(t, "the REQ on its way", func() bool { return !sub.sent.IsZero() || conn.ctx.Err() != nil })
			}
			sub.Close()
		}
	}
	conn.awaitEnd(t)
	if !errors.Is(conn.Err(), Lost) {
		t.Errorf("it ended with %v, want %v", conn.Err(), Lost)
	}
}
