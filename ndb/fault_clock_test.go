package ndb

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"bowerbird/ndb/nostr"
)

// TestAClockThatJumpsLosesNoNote stores notes while the clock jumps by hours and
// years, and sweeps in between. At the end, with the clock where it belongs, every
// note is there. Notes with an expiration (NIP-40) are not among them: what a clock
// years ahead takes for expired is removed, as it was asked to be.
func TestAClockThatJumpsLosesNoNote(t *testing.T) {
	const hour, year = 3600, 365 * 24 * 3600
	ctx := context.Background()
	s, c := openTest(t)
	rng := rand.New(rand.NewPCG(8, 1))
	ada := newPerson(1)
	var all []*nostr.Event
	for jump := range faultCount(t, 60, 1000) {
		c.unix = testNow + int64(jump)
		if span := []int64{0, hour, 30 * hour, year, 40 * year}[rng.IntN(5)]; span > 0 {
			c.unix += rng.Int64N(2*span) - span
		}
		e := ada.signs(t, 1, testNow+int64(jump)-rng.Int64N(2*hour), fmt.Sprint("note ", jump), nostr.Tag{"t", "jump"})
		if got := put(t, s, e)[0]; got != Stored {
			t.Fatalf("jump %d to %d: %v", jump, c.unix, got)
		}
		all = append(all, e)
		if jump%7 == 0 {
			list := ada.signs(t, 3, testNow+int64(jump), "", nostr.Tag{"p", newPersonKey(jump)})
			put(t, s, list)
			all = append(all, list)
		}
		if rng.IntN(3) == 0 {
			if err := s.Sweep(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	c.unix = testNow + 1000
	if err := s.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	var latest *nostr.Event
	for _, e := range all {
		if e.Kind == 3 {
			latest = e
			continue
		}
		if _, err := s.Event(ctx, e.ID); err != nil {
			t.Errorf("note of %d: %v", e.CreatedAt, err)
		}
	}
	if got, err := s.Latest(ctx, 3, ada.key, ""); err != nil || got.ID != latest.ID {
		t.Errorf("the contact list is of %v, %v, want that of %d", got, err, latest.CreatedAt)
	}
	mustBeSound(t, s)
}
