package present

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"bowerbird/app/sample"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
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

func TestAReaderIsUsedFromSeveralGoroutines(t *testing.T) {
	r, world := openSample(t)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := g; i < 400; i += 3 {
				if _, err := r.FromEvent(t.Context(), world.Events[i]); err != nil {
					t.Error(err)
				}
				if i%50 == 0 {
					r.Forget()
				}
			}
		})
	}
	wg.Wait()
}

// TestTheWorkForANoteGrowsWithItsLengthOnly reads notes made to be slow: for each,
// four times the text must not be sixteen times the allocations.
func TestTheWorkForANoteGrowsWithItsLengthOnly(t *testing.T) {
	r, _ := openSample(t)
	for _, part := range []string{"a\n", "a ", "\n", "#a ", "https://a.example/1 ", "https://a.example/1.png ", "nostr:npub1q ", "@npub1", "#[0]", "((((", "\u0301", "漢", "a\n\n"} {
		bytes := func(n int) float64 {
			return float64(testkit.Allocated(func() {
				e := &nostr.Event{Kind: 1, CreatedAt: clock.Unix(), Content: strings.Repeat(part, n/len(part))}
				if _, err := r.FromEvent(t.Context(), e); err != nil {
					t.Fatal(err)
				}
			}))
		}
		bytes(1_000)
		if small, large := bytes(30_000), bytes(120_000); large > 8*small+1<<20 {
			t.Errorf("%q: %.0f bytes for 30 kB, %.0f for 120 kB", part, small, large)
		}
	}
}

func TestANameThatTwoPeopleShareNamesNobody(t *testing.T) {
	r, world := openSample(t)
	all, err := r.Named(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	me, err := r.person(t.Context(), world.Me)
	if err != nil {
		t.Fatal(err)
	}
	if all[displayName(me)] != world.Me {
		t.Error("the user is not named")
	}
	twins := 0
	for name, pk := range all {
		if twins < 2 && pk != world.Me {
			p := r.people[pk]
			p.Name, p.DisplayName = "Twin", "Twin"
			r.people[pk] = p
			delete(all, name)
			twins++
		}
	}
	now, err := r.Named(t.Context())
	if _, there := now["Twin"]; err != nil || there || len(now) != len(all) {
		t.Errorf("named are %d of %d people, a twin among them: %v, %v", len(now), len(all), there, err)
	}
}
