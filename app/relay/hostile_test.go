package relay

import (
	"context"
	"errors"
	"maps"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

// stopClock is a clock that a test moves.
type stopClock struct {
	ticks chan time.Time
	mu    sync.Mutex
	now   time.Time
}

func newStopClock() *stopClock {
	return &stopClock{ticks: make(chan time.Time), now: time.Unix(1_700_000_000, 0)}
}

func (s *stopClock) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *stopClock) Tick(time.Duration) (<-chan time.Time, func()) { return s.ticks, func() {} }

// advance moves the clock and returns when the connection has looked at its
// deadlines or has ended.
func (s *stopClock) advance(c *Conn, d time.Duration) {
	s.mu.Lock()
	s.now = s.now.Add(d)
	now := s.now
	s.mu.Unlock()
	for range 2 { // the second tick is taken when the first has been worked off
		select {
		case s.ticks <- now:
		case <-c.ctx.Done():
			<-c.done
		}
	}
}

// crowd is a hostile relay with 40 notes of ada and 30 of bob, a client of it, and a
// filter for ada's.
type crowd struct {
	server *testkit.Hostile
	clock  *stopClock
	filter nostr.Filter
}

func newCrowd(t *testing.T) crowd {
	t.Helper()
	t.Cleanup(func() { noGoroutines(t) })
	author, err := nostr.ParsePubKey(testkit.NewKey("ada").PubKey)
	if err != nil {
		t.Fatal(err)
	}
	limit := 100
	return crowd{
		server: testkit.StartHostile(t, crowdNotes(t)...),
		clock:  newStopClock(),
		filter: nostr.Filter{Authors: []nostr.PubKey{author}, Kinds: []uint16{1}, Limit: &limit},
	}
}

var crowdOnce struct {
	sync.Once
	notes [][]byte
}

// crowdNotes signs the notes once: signing is slow under the race detector.
func crowdNotes(t *testing.T) [][]byte {
	crowdOnce.Do(func() {
		crowdOnce.notes = slices.Concat(
			testkit.NewKey("ada").Notes(t, 40, 1_600_000_000),
			testkit.NewKey("bob").Notes(t, 30, 1_600_000_000),
		)
	})
	return crowdOnce.notes
}

func (w crowd) dial(t *testing.T, way string, limits Limits) *Conn {
	t.Helper()
	conn, err := Dial(t.Context(), w.server.At(way), Options{
		Client: netsafe.New(netsafe.Policy{AllowPrivate: true}), Clock: w.clock, Limits: limits,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

// noGoroutines fails the test when a goroutine of a connection is left.
func noGoroutines(t *testing.T) {
	t.Helper()
	var left []string
	// The last goroutine says that all is over a moment before it is gone.
	for end := time.Now().Add(testkit.Patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if left = connGoroutines(t); len(left) == 0 {
			return
		}
	}
	t.Errorf("left behind:\n%s", strings.Join(left, "\n\n"))
}

func connGoroutines(t *testing.T) []string {
	t.Helper()
	var stacks strings.Builder
	if err := pprof.Lookup("goroutine").WriteTo(&stacks, 2); err != nil {
		t.Fatal(err)
	}
	all := strings.Split(stacks.String(), "\n\n")
	return slices.DeleteFunc(all, func(stack string) bool { return !strings.Contains(stack, "app/relay.(*Conn)") })
}

// await waits until what holds is true under the connection's lock. The time it
// may take only ends a test that hangs.
func (c *Conn) await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(testkit.Patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		c.mu.Lock()
		ok := holds()
		c.mu.Unlock()
		if ok {
			return
		}
	}
	t.Fatalf("never came: %s", what)
}

// awaitEnd waits until the connection has ended.
func (c *Conn) awaitEnd(t *testing.T) {
	t.Helper()
	testkit.Receive(t, "the end of the connection", c.done)
}

func TestEachMisbehaviourHasItsAnswer(t *testing.T) {
	const anyNumber = -1 // where lies and true notes come mixed
	tests := []struct {
		way     string
		events  int
		err     error          // of Fetch
		end     error          // of the connection, if it must end
		dropped map[string]int // if it matters
		text    string         // in the error's text
	}{
		{way: "honest", events: 40},
		{way: "finish", events: 40},
		{way: "more", events: 40},
		{way: "cap-10", events: 10},
		{way: "random-order", events: 40},
		{way: "rising", events: 40},
		{way: "notices", events: 40},
		{way: "unsolicited", events: 40},
		{way: "odd-notices", events: 40},
		{way: "bad-sig", events: 40}, // ndb.Store.Put finds out
		{way: "dupes", events: 80},
		{way: "no-limit", events: 110, err: Overrun},

		{way: "bad-time", events: 0, dropped: map[string]int{"time": 40}},
		{way: "wrong-id", err: Misbehaved, end: Misbehaved, dropped: map[string]int{"id": 21}},
		{way: "wrong-key", err: Misbehaved, end: Misbehaved, dropped: map[string]int{"id": 21}},
		{way: "no-tags", err: Misbehaved, end: Misbehaved, dropped: map[string]int{"shape": 21}},
		{way: "bad-json", err: Misbehaved, end: Misbehaved, dropped: map[string]int{"message": 21}},
		{way: "wrong-sub", err: Misbehaved, end: Misbehaved, dropped: map[string]int{"subscription": 21}},
		{way: "off-filter", events: anyNumber, err: Misbehaved, end: Misbehaved, dropped: map[string]int{"filter": 21}},
		{way: "flood", events: 110, err: Overrun, end: Misbehaved},
		{way: "ping-flood", err: Misbehaved, end: Misbehaved, text: "flood of pings"},

		{way: "eose-first", events: 40, err: Unruly},
		{way: "closed", err: Rejected, text: "error: cannot do that"},
		{way: "closed-odd", err: Rejected},
		{way: "eose-closed", events: 40},
		{way: "closed-mid", events: 20, err: Rejected, text: "shutting down"},
		{way: "auth", err: Rejected, text: "auth-required"},

		{way: "drop-first", err: Lost, end: Lost},
		{way: "drop-mid", events: 20, err: Lost, end: Lost},
		{way: "goodbye", err: Lost, end: Lost, text: "restart"},

		{way: "binary", err: Frame, end: Frame},
		{way: "bad-frame", err: Frame, end: Frame},
		{way: "bad-deflate", err: Frame, end: Frame},
		{way: "huge-frame", err: Frame, end: Frame, text: "over the limit"},
		{way: "fragments", err: Frame, end: Frame, text: "over the limit"},
	}
	for _, test := range tests {
		t.Run(test.way, func(t *testing.T) {
			w := newCrowd(t)
			conn := w.dial(t, test.way, Limits{})
			page, err := conn.Fetch(t.Context(), w.filter)
			if !errors.Is(err, test.err) {
				t.Errorf("error: %v, want %v", err, test.err)
			}
			if test.text != "" && (err == nil || !strings.Contains(err.Error(), test.text)) {
				t.Errorf("error: %v, want one with %q", err, test.text)
			}
			if test.events != anyNumber && len(page.Events) != test.events {
				t.Errorf("%d events, want %d", len(page.Events), test.events)
			}
			if page.Finish != (test.way == "finish") {
				t.Errorf("finish: %v", page.Finish)
			}
			if test.end != nil {
				conn.awaitEnd(t)
				if !errors.Is(conn.Err(), test.end) {
					t.Errorf("the connection ended with %v, want %v", conn.Err(), test.end)
				}
			} else if conn.Err() != nil {
				t.Errorf("the connection ended with %v", conn.Err())
			}
			if stats := conn.Stats(); test.dropped != nil && !maps.Equal(stats.Dropped, test.dropped) {
				t.Errorf("dropped %v, want %v", stats.Dropped, test.dropped)
			}
			for _, e := range page.Events {
				if !w.filter.Matches(e) || e.ComputeID() != e.ID {
					t.Fatalf("event %s does not belong here", e.ID)
				}
			}
		})
	}
}

func TestWhatIsOverdueEnds(t *testing.T) {
	tests := []struct {
		way    string
		ready  func(c *Conn, s *Sub) bool // when the clock may move on
		early  time.Duration              // moved by this, the page must go on
		late   time.Duration              // and by this as well, it must end
		events int
		err    error
		end    error // of the connection
	}{
		{way: "no-reply", ready: sent, early: 9 * time.Second, late: time.Second, err: NoReply},
		{way: "closed-flood", ready: sent, early: 9 * time.Second, late: time.Second, err: NoReply},
		{way: "too-many", ready: noticed, early: 2 * time.Second, late: time.Second, err: Rejected},
		{way: "never-eose", ready: all, early: 14 * time.Second, late: time.Second, events: 40, err: Stalled},
		{way: "half-frame", ready: inMessage, early: 9 * time.Second, late: 21 * time.Second, err: NoReply, end: Frame},
		{way: "huge-length", ready: inMessage, early: 9 * time.Second, late: 21 * time.Second, err: NoReply, end: Frame},
		{way: "empty-fragments", ready: inMessage, early: 9 * time.Second, late: 21 * time.Second, err: NoReply, end: Frame},
		{way: "silent", ready: sent, early: 9 * time.Second, late: 51 * time.Second, err: NoReply, end: Silent},
		{way: "no-pong", ready: atEOSE, early: time.Second, late: time.Second, events: 40, err: EOSE},
	}
	for _, test := range tests {
		t.Run(test.way, func(t *testing.T) {
			w := newCrowd(t)
			conn := w.dial(t, test.way, Limits{})
			sub, err := conn.Subscribe(t.Context(), Stored, w.filter)
			if err != nil {
				t.Fatal(err)
			}
			conn.await(t, "the answer", func() bool { return test.ready(conn, sub) })
			w.clock.advance(conn, test.early)
			conn.mu.Lock()
			if sub.err != nil {
				t.Errorf("after %v it ended already: %v", test.early, sub.err)
			}
			conn.mu.Unlock()
			w.clock.advance(conn, test.late)
			n, err := drain(t, sub)
			if n != test.events || !errors.Is(err, test.err) && !errors.Is(err, test.end) {
				t.Errorf("%d events, then %v; want %d and %v", n, err, test.events, test.err)
			}
			if test.end != nil {
				conn.awaitEnd(t)
				if !errors.Is(conn.Err(), test.end) {
					t.Errorf("the connection ended with %v, want %v", conn.Err(), test.end)
				}
			} else if conn.Err() != nil {
				t.Errorf("the connection ended with %v", conn.Err())
			}
		})
	}
}

func sent(_ *Conn, s *Sub) bool      { return !s.sent.IsZero() }
func all(c *Conn, _ *Sub) bool       { return c.stats.Events == 40 } // received counts before the times are noted
func atEOSE(_ *Conn, s *Sub) bool    { return !s.eose.IsZero() }
func inMessage(c *Conn, s *Sub) bool { return sent(c, s) && !c.link.message.IsZero() }
func noticed(c *Conn, s *Sub) bool   { return sent(c, s) && !c.link.limited.IsZero() }

func drain(t *testing.T, s *Sub) (int, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience)
	defer cancel()
	for n := 0; ; n++ {
		if _, err := s.Next(ctx); err != nil {
			return n, err
		}
	}
}

func TestAPageThatDripsEndsAfterItsTime(t *testing.T) {
	w := newCrowd(t)
	conn := w.dial(t, "drip", Limits{})
	sub, err := conn.Subscribe(t.Context(), Stored, w.filter)
	if err != nil {
		t.Fatal(err)
	}
	conn.await(t, "the REQ", func() bool { return !sub.sent.IsZero() })
	for i := range 6 { // an event every 9 s is fast enough
		w.server.Release()
		conn.await(t, "an event", func() bool { return conn.stats.Events == i+1 })
		w.clock.advance(conn, 9*time.Second)
	}
	w.server.Release()
	conn.await(t, "an event", func() bool { return conn.stats.Events == 7 })
	w.clock.advance(conn, 6*time.Second) // 60 s in all
	if n, err := drain(t, sub); n != 7 || !errors.Is(err, TooLong) {
		t.Errorf("%d events, then %v; want 7 and %v", n, err, TooLong)
	}
}

func TestASlowPageHoldsUpNoOtherPage(t *testing.T) {
	w := newCrowd(t)
	conn := w.dial(t, "slow-eose", Limits{})
	slow, err := conn.Subscribe(t.Context(), Stored, w.filter)
	if err != nil {
		t.Fatal(err)
	}
	conn.await(t, "the slow page's events", func() bool { return all(conn, slow) })
	other := w.dial(t, "honest", Limits{})
	if page, err := other.Fetch(t.Context(), w.filter); err != nil || len(page.Events) != 40 {
		t.Errorf("the other page: %d events, %v", len(page.Events), err)
	}
	w.server.Release()
	if n, err := drain(t, slow); n != 40 || !errors.Is(err, EOSE) {
		t.Errorf("the slow page: %d events, then %v", n, err)
	}
}

func TestTheRelaysOwnLimitOfSubscriptionsIsToldApart(t *testing.T) {
	w := newCrowd(t)
	conn := w.dial(t, "max-subs-1", Limits{})
	live, err := conn.Subscribe(t.Context(), Live, w.filter)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := drain(t, live); n != 40 || !errors.Is(err, EOSE) {
		t.Fatalf("live: %d events, then %v", n, err)
	}
	_, err = conn.Fetch(t.Context(), w.filter)
	var rejected *Error
	if !errors.As(err, &rejected) || rejected.Prefix != "rate-limited" {
		t.Errorf("the second subscription: %v, want one rejected as rate-limited", err)
	}
	live.Close()
	if _, err := conn.Fetch(t.Context(), w.filter); err != nil {
		t.Errorf("after the first was closed: %v", err)
	}
}

func TestAHandshakeThatFailsSaysHow(t *testing.T) {
	w := newCrowd(t)
	tests := []struct {
		way    string
		kind   netsafe.Kind
		status int
		retry  time.Duration
	}{
		{"http-401", netsafe.Status, 401, 7 * time.Second},
		{"http-503", netsafe.Status, 503, 7 * time.Second},
		{"redirect", netsafe.Status, 302, 0},
		{"info-good", netsafe.Status, 200, 0},
		{"bad-accept", netsafe.Protocol, 0, 0},
		{"header-flood", netsafe.Protocol, 0, 0},
	}
	for _, test := range tests {
		t.Run(test.way, func(t *testing.T) {
			_, err := Dial(t.Context(), w.server.At(test.way), Options{Client: netsafe.New(netsafe.Policy{AllowPrivate: true})})
			var failed *netsafe.Error
			if !errors.As(err, &failed) || failed.Kind != test.kind || failed.Status != test.status || failed.RetryAfter != test.retry {
				t.Errorf("error: %#v, want %s %d", err, test.kind, test.status)
			}
		})
	}
	if n := w.server.Dials("honest"); n != 0 {
		t.Errorf("%d redirects were followed", n)
	}
}
