package llm_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// noLeaks fails the test when it ends with more goroutines than it began with.
// Goroutines take a moment to end after what they waited for, so it looks again
// for a while.
func noLeaks(t *testing.T) (check func()) {
	t.Helper()
	before := runtime.NumGoroutine()
	return func() {
		t.Helper()
		for end := time.Now().Add(testkit.Patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			if runtime.NumGoroutine() <= before {
				return
			}
		}
		stacks := make([]byte, 1<<20)
		t.Errorf("%d goroutines at the start, %d at the end:\n%s",
			before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
	}
}

// eventsOf counts the events of a fixture, without its error.
func eventsOf(t *testing.T, s *testkit.ModelServer, c *llm.Client, f fixture) int {
	t.Helper()
	s.Queue(f.reply())
	n := 0
	for _, err := range c.Stream(t.Context(), question()) {
		if err == nil {
			n++
		}
	}
	return n
}

// endless returns the fixture's reply; where the stream says that it is over, the
// server leaves the response open, so that only the client can end it.
func (f fixture) endless() testkit.Reply {
	r := f.reply()
	for _, end := range []string{"[done]", `"message_stop"`, `"response.completed"`, `"response.incomplete"`, `"response.failed"`} {
		r.Hang = r.Hang || strings.Contains(strings.ToLower(f.body), end)
	}
	return r
}

func TestCancellingAtAnyEventOfAnyFixtureEndsTheStreamAtOnce(t *testing.T) {
	eachSet(t, func(t *testing.T, provider string, fixtures []fixture) {
		check := noLeaks(t)
		s := testkit.NewModelServer(t)
		c := newClient(t, s, row(t, provider))
		for _, f := range fixtures {
			for at := range eventsOf(t, s, c, f) {
				reply := f.endless()
				s.Queue(reply)
				ctx, cancel := context.WithCancel(t.Context())
				seen, finished := 0, false
				var end error
				for e, err := range c.Stream(ctx, question()) {
					if end = err; err != nil {
						continue
					}
					if seen == at {
						cancel()
					}
					finished = e.Type == llm.EventFinish
					seen++
				}
				cancel()
				if seen != at+1 {
					t.Errorf("%s: cancelled at event %d, but %d events came", f.name, at, seen)
				}
				var e *llm.Error
				if !finished && (!errors.As(end, &e) || e.Kind != llm.KindCancelled || !errors.Is(end, context.Canceled)) {
					t.Errorf("%s: cancelled at event %d: got %v, want %s", f.name, at, end, llm.KindCancelled)
				}
				if reply.Hang {
					testkit.Receive(t, "the end of the request", s.Left())
				}
			}
		}
		s.Client().CloseIdleConnections()
		s.Close()
		check()
	})
}

func TestLeavingTheLoopAtAnyEventOfAnyFixtureClosesTheConnection(t *testing.T) {
	eachSet(t, func(t *testing.T, provider string, fixtures []fixture) {
		check := noLeaks(t)
		s := testkit.NewModelServer(t)
		c := newClient(t, s, row(t, provider))
		for _, f := range fixtures {
			for at := range eventsOf(t, s, c, f) {
				reply := f.endless()
				s.Queue(reply)
				seen := 0
				for range c.Stream(t.Context(), question()) {
					if seen++; seen > at {
						break
					}
				}
				if reply.Hang {
					testkit.Receive(t, "the end of the request", s.Left())
				}
			}
			// The same client answers the next question.
			s.Queue(testkit.Reply{Body: nextAnswer(provider)})
			if got := llm.Collect(c.Stream(t.Context(), question())); got.Text != "next" || got.Error != nil {
				t.Errorf("%s: the next answer is %+v", f.name, got)
			}
		}
		s.Client().CloseIdleConnections()
		s.Close()
		check()
	})
}

// nextAnswer is a provider's answer that says "next".
func nextAnswer(provider string) string {
	switch provider {
	case "anthropic":
		return `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"next"}}` + "\n\n" +
			`data: {"type":"message_stop"}` + "\n\n"
	case "responses":
		return `data: {"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"next"}` + "\n\n" +
			`data: {"type":"response.completed","response":{"output":[]}}` + "\n\n"
	case "ollama":
		return `{"message":{"role":"assistant","content":"next"},"done":true,"done_reason":"stop"}` + "\n"
	}
	return `data: {"choices":[{"delta":{"content":"next"},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
}

func TestCancellingBeforeTheServerAnswersEndsTheRequest(t *testing.T) {
	gate := make(chan struct{})
	s := testkit.NewModelServer(t, testkit.Reply{Body: "data: [DONE]\n\n", Gate: gate})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for len(s.Received()) == 0 {
			runtime.Gosched()
		}
		cancel()
	}()
	got := llm.Collect(newClient(t, s).Stream(ctx, question()))
	if got.Error == nil || got.Error.Kind != llm.KindCancelled {
		t.Errorf("got %+v, want %s", got.Error, llm.KindCancelled)
	}
	testkit.Receive(t, "the end of the request", s.Left())
}

func TestADeadlineOfTheCallerIsATimeout(t *testing.T) {
	s := testkit.NewModelServer(t, testkit.Reply{Body: ": waiting\n\n", Hang: true})
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	got := llm.Collect(newClient(t, s).Stream(ctx, question()))
	if got.Error == nil || got.Error.Kind != llm.KindTimeout {
		t.Errorf("got %+v, want %s", got.Error, llm.KindTimeout)
	}
}

// reach returns an HTTP client for which every host is the server.
func reach(s *testkit.ModelServer) *http.Client {
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, s.Listener.Addr().String())
		},
	}}
}

func TestASilentServerIsGivenUp(t *testing.T) {
	for _, test := range []struct {
		name    string
		base    string
		limit   time.Duration
		onEvent bool
	}{
		{"a distant one after 120 s before the first byte", "http://models.example/v1", 120 * time.Second, false},
		{"a local one after 600 s before the first byte", "http://localhost:11434", 600 * time.Second, false},
		{"a local one after 120 s between two bytes", "http://localhost:11434", 120 * time.Second, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			reply := testkit.Reply{Body: "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n", Hang: true}
			gate := make(chan struct{})
			if test.onEvent {
				close(gate)
			}
			reply.Gate = gate
			s := testkit.NewModelServer(t, reply)
			clock := newFakeClock()
			c := newClient(t, s, func(o *llm.Options) { o.BaseURL, o.HTTP, o.Clock = test.base, reach(s), clock })
			go func() {
				for len(s.Received()) == 0 || clock.nextDue() != test.limit {
					runtime.Gosched()
				}
				clock.advance(test.limit)
			}()
			var end error
			for e, err := range c.Stream(t.Context(), question()) {
				if end = err; e.Delta == "a" {
					clock.advance(time.Hour) // which only the caller takes
				}
			}
			var e *llm.Error
			if !errors.As(end, &e) || e.Kind != llm.KindTimeout {
				t.Errorf("got %v, want %s", end, llm.KindTimeout)
			}
			testkit.Receive(t, "the end of the request", s.Left())
		})
	}
}

func TestCommentsKeepASilentStreamAlive(t *testing.T) {
	start := "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n"
	ping := ": ping\n\n"
	end := "data: {\"choices\":[{\"delta\":{\"content\":\"b\"}}]}\n\ndata: [DONE]\n\n"
	gate := make(chan struct{})
	s := testkit.NewModelServer(t, testkit.Reply{
		Body: start + ping + ping + end, Chunks: []int{len(start), len(ping), len(ping), len(end)}, Gate: gate,
	})
	clock := newFakeClock()
	c := newClient(t, s, func(o *llm.Options) { o.Clock = clock })
	go func() { // two minutes and more go by, each ping in time
		gate <- struct{}{}
		for range 2 {
			for clock.nextDue() != 120*time.Second {
				runtime.Gosched()
			}
			clock.advance(119 * time.Second)
			gate <- struct{}{}
		}
		for clock.nextDue() != 120*time.Second {
			runtime.Gosched()
		}
		gate <- struct{}{}
	}()
	if got := llm.Collect(c.Stream(t.Context(), question())); got.Text != "ab" || got.Error != nil {
		t.Errorf("got %q, %+v", got.Text, got.Error)
	}
}

func TestAServerThatForgetsToEndTheStreamIsNotWaitedForLong(t *testing.T) {
	s := testkit.NewModelServer(t, testkit.Reply{
		Body: "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n", Hang: true,
	})
	clock := newFakeClock()
	c := newClient(t, s, func(o *llm.Options) { o.Clock = clock })
	go func() {
		for clock.nextDue() != 10*time.Second {
			runtime.Gosched()
		}
		clock.advance(10 * time.Second)
	}()
	got := llm.Collect(c.Stream(t.Context(), question()))
	if got.Text != "a" || got.Error != nil || got.Finish == nil || *got.Finish != "stop" {
		t.Errorf("got %+v, %+v", got, got.Error)
	}
	testkit.Receive(t, "the end of the request", s.Left())
}
