package app

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// stoppedClock stands still until a test lets the waits on it end.
type stoppedClock struct {
	mu    sync.Mutex
	now   time.Time
	waits map[*stoppedTimer]bool
}

type stoppedTimer struct {
	clock *stoppedClock
	due   time.Time
	f     func()
}

func newStoppedClock() *stoppedClock {
	return &stoppedClock{now: time.Now(), waits: map[*stoppedTimer]bool{}}
}

func (c *stoppedClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *stoppedClock) AfterFunc(d time.Duration, f func()) llm.Timer {
	t := &stoppedTimer{clock: c, f: f}
	t.Reset(d)
	return t
}

// waiting returns how many wait for so long.
func (c *stoppedClock) waiting(d time.Duration) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for t := range c.waits {
		if t.due.Sub(c.now) == d {
			n++
		}
	}
	return n
}

// advance moves the clock on and lets what is due begin.
func (c *stoppedClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	for t := range c.waits {
		if !t.due.After(c.now) {
			delete(c.waits, t)
			go t.f()
		}
	}
}

func (t *stoppedTimer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	was := t.clock.waits[t]
	delete(t.clock.waits, t)
	return was
}

func (t *stoppedTimer) Reset(d time.Duration) bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	was := t.clock.waits[t]
	t.due, t.clock.waits[t] = t.clock.now.Add(d), true
	return was
}

// Row 002-4: "configure once, all calls share it".
func TestTwoQuestionsShareAClientItsConnectionAndItsWaits(t *testing.T) {
	keyring.MockInit()
	var connections, closed, questions atomic.Int32
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		if questions.Add(1) == 3 {
			w.Header().Set("Retry-After", "2")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		_, _ = w.Write([]byte(words("hi").Body))
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			connections.Add(1)
		case http.StateClosed:
			closed.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	settings := config.Settings{Models: map[string]config.ModelOptions{"custom": {BaseURL: s.URL + "/v1"}}}
	clock := newStoppedClock()
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: settings, clock: clock})
	owl := models.Choice{ID: "custom:owl"}
	ask := func(seen chan<- agent.Event) {
		answer, err := a.Ask(t.Context(), Question{Text: "hello", Model: owl})
		if err != nil {
			t.Error(err)
			return
		}
		for e := range answer.Events {
			if e.Type == agent.EventRetrying && seen != nil {
				seen <- e
			}
		}
	}
	ask(nil)
	ask(nil)
	first, err := a.Models().Client(t.Context(), owl)
	if err != nil {
		t.Fatal(err)
	}
	if n := connections.Load(); n != 1 {
		t.Errorf("%d connections for what is asked of the model and for two questions", n)
	}

	// The next question is asked to wait; another one waits with it, and says so,
	// before it has asked anything.
	second, third := make(chan agent.Event, 9), make(chan agent.Event, 9)
	done := make(chan bool, 2)
	go func() { ask(second); done <- true }()
	waits := testkit.Receive(t, "the word that it waits", second)
	go func() { ask(third); done <- true }()
	alsoWaits := testkit.Receive(t, "the word that the next one waits too", third)
	if n := questions.Load(); n != 3 {
		t.Errorf("%d questions reached the server while it asked to wait", n)
	}
	if waits.Retry.AfterSeconds != 2 || alsoWaits.Retry.AfterSeconds != 2 {
		t.Errorf("they wait %v and %v s", waits.Retry.AfterSeconds, alsoWaits.Retry.AfterSeconds)
	}
	testkit.Eventually(t, "both wait", func() bool { return clock.waiting(2*time.Second) == 2 })
	clock.advance(2 * time.Second)
	for range 2 {
		testkit.Receive(t, "the end of a question that waited", done)
	}
	again, err := a.Models().Client(t.Context(), owl)
	if err != nil || again != first {
		t.Errorf("another client was made (%v)", err)
	}
	if gauge := a.Models().Gauge(first); gauge != a.Models().Gauge(first) {
		t.Error("another gauge was made")
	}

	// What is changed makes a new one.
	for name, change := range map[string]func(*config.Settings){
		"a window":  func(s *config.Settings) { s.Models["custom:owl"] = config.ModelOptions{Context: 5000} },
		"a format":  func(s *config.Settings) { s.Models["custom:owl"] = config.ModelOptions{Format: "json"} },
		"an effort": func(s *config.Settings) { s.Models["custom:owl"] = config.ModelOptions{Effort: "low"} },
		"caching": func(s *config.Settings) {
			s.Models["custom:owl"] = config.ModelOptions{}
			s.Assistant.NoPromptCaching = true
		},
	} {
		if err := a.SaveSettings(change); err != nil {
			t.Fatal(err)
		}
		if other, err := a.Models().Client(t.Context(), owl); err != nil || other == again {
			t.Errorf("%s changed, and the client is the same (%v)", name, err)
		}
	}
	a.Models().Close()
	testkit.Eventually(t, "all connections are closed with the App", func() bool { return closed.Load() == connections.Load() })
	before, err := a.Models().Client(t.Context(), owl)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Models().SetKey(t.Context(), "custom", "", "sk-planted-0123456789"); err != nil {
		t.Fatal(err)
	}
	if other, err := a.Models().Client(t.Context(), owl); err != nil || other == before {
		t.Errorf("a key was entered, and the client is the same (%v)", err)
	}
}
