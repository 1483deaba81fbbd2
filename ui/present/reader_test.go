package present

import (
	"context"
	"strings"
	"testing"
	"time"

	"bowerbird/app/sample"
	"bowerbird/ndb"
)

// clock is when the tests read.
var clock = time.Date(2026, 3, 12, 14, 0, 0, 0, time.UTC)

// openSample returns a store with the sample in it, and a reader of it.
func openSample(t testing.TB) (*Reader, *sample.World) {
	t.Helper()
	world, err := sample.Make(sample.Options{Seed: 1, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	s, err := ndb.Open(t.TempDir(), ndb.Options{Now: func() time.Time { return clock }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if _, err := s.Put(context.Background(), ndb.Batch{Events: world.Events}); err != nil {
		t.Fatal(err)
	}
	return &Reader{Store: s, Me: world.Me, Now: func() time.Time { return clock }}, world
}

func TestEveryEventOfTheSampleCanBeShown(t *testing.T) {
	r, world := openSample(t)
	for _, e := range world.Events {
		n, err := r.FromEvent(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		if n.Row != e.ID || n.When == "" && !n.Missing || n.Author == "" && !n.Missing {
			t.Errorf("kind %d: %+v", e.Kind, n)
		}
		if e.Kind == 1 && strings.TrimSpace(e.Content) != "" && len(n.Body) == 0 && n.Quote == nil && len(n.Pictures) == 0 {
			t.Errorf("nothing shown of %q", e.Content)
		}
	}
}
