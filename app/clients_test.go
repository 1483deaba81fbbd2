package app

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/internal/testkit"
)

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
	settings := Settings{Models: map[string]config.ModelOptions{"custom": {BaseURL: s.URL + "/v1"}}}
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: settings})
	owl := ModelChoice{ID: "custom:owl"}
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
	first, err := a.server(t.Context(), a.settle(owl))
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
	waits := <-second
	go func() { ask(third); done <- true }()
	alsoWaits := <-third
	if n := questions.Load(); n != 3 {
		t.Errorf("%d questions reached the server while it asked to wait", n)
	}
	if waits.Retry.AfterSeconds != 2 || alsoWaits.Retry.AfterSeconds <= 0 || alsoWaits.Retry.AfterSeconds > 2 {
		t.Errorf("they wait %v and %v s", waits.Retry.AfterSeconds, alsoWaits.Retry.AfterSeconds)
	}
	for range 2 {
		select {
		case <-done:
		case <-time.After(testkit.Patience):
			t.Fatal("a question still waits")
		}
	}
	again, err := a.server(t.Context(), a.settle(owl))
	if err != nil || again != first {
		t.Errorf("another client was made (%v)", err)
	}
	if gauge := a.clients.gauge(first); gauge != a.clients.gauge(first) {
		t.Error("another gauge was made")
	}

	// What is changed makes a new one.
	for name, change := range map[string]func(*Settings){
		"a window":  func(s *Settings) { s.Models["custom:owl"] = config.ModelOptions{Context: 5000} },
		"a format":  func(s *Settings) { s.Models["custom:owl"] = config.ModelOptions{Format: "json"} },
		"an effort": func(s *Settings) { s.Models["custom:owl"] = config.ModelOptions{Effort: "low"} },
		"caching":   func(s *Settings) { s.Models["custom:owl"] = config.ModelOptions{}; s.Assistant.NoPromptCaching = true },
	} {
		if err := a.SaveSettings(change); err != nil {
			t.Fatal(err)
		}
		if other, err := a.server(t.Context(), a.settle(owl)); err != nil || other == again {
			t.Errorf("%s changed, and the client is the same (%v)", name, err)
		}
	}
	a.clients.close()
	for end := time.Now().Add(testkit.Patience); closed.Load() < connections.Load(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d of %d connections were closed with the App", closed.Load(), connections.Load())
		}
	}
	before, err := a.server(t.Context(), a.settle(owl))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.SetModelKey(t.Context(), "custom", "", "sk-planted-0123456789"); err != nil {
		t.Fatal(err)
	}
	if other, err := a.server(t.Context(), a.settle(owl)); err != nil || other == before {
		t.Errorf("a key was entered, and the client is the same (%v)", err)
	}
}
