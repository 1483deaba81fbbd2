package llm_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// Row 002-4: a server that asks one request to wait is not asked by the next one
// meanwhile.
func TestARequestWaitsWhereTheOneBeforeWasAskedTo(t *testing.T) {
	busy := testkit.Reply{Status: 429, Header: map[string][]string{"Retry-After": {"30"}}}
	s := testkit.NewModelServer(t, busy)
	clock := newFakeClock()
	c := newClient(t, s, func(o *llm.Options) { o.Clock, o.Tries = clock, 3 })

	// The first one is told to wait, and is given up by its user.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for e, err := range c.Stream(ctx, question()) {
		if err == nil && e.Type == llm.EventRetrying && e.Retry.AfterSeconds == 30 {
			cancel()
		}
	}
	// The next one comes 10 s later, and says that it waits for the rest.
	clock.advance(10 * time.Second)
	for e, err := range c.Stream(t.Context(), question()) {
		if err != nil || e.Type != llm.EventRetrying || e.Retry.AfterSeconds != 20 {
			t.Errorf("got %+v, %v", e, err)
		}
		break
	}
	second, stop := context.WithCancel(t.Context())
	defer stop()
	var last error
	for _, last = range c.Stream(second, question()) {
		stop()
	}
	if e := (*llm.Error)(nil); !errors.As(last, &e) || e.Kind != llm.KindCancelled {
		t.Errorf("stopped while it waited: %v", last)
	}
	if n := len(s.Received()); n != 1 {
		t.Errorf("%d requests while the server asked to wait", n)
	}
	// Afterwards there is nothing to wait for.
	clock.advance(20 * time.Second)
	s.Queue(ok())
	for e, err := range c.Stream(t.Context(), question()) {
		if err != nil || e.Type == llm.EventRetrying {
			t.Errorf("got %+v, %v", e, err)
		}
	}
}
