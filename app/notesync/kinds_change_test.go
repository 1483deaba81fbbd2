package notesync_test

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"

	"github.com/nbd-wtf/go-nostr"
)

// during makes a relay what it is by restricts, while the switch is on.
func during(on *atomic.Bool, opt testkit.GoRelayOptions) testkit.GoRelayOptions {
	return testkit.GoRelayOptions{
		Refuse: func(f nostr.Filter) string {
			if on.Load() && opt.Refuse != nil {
				return opt.Refuse(f)
			}
			return ""
		},
		Reads: func(f *nostr.Filter) {
			if on.Load() && opt.Reads != nil {
				opt.Reads(f)
			}
		},
	}
}

// TestAKindThatARelayBeginsToGiveIsFetchedFromTheStart: what was confirmed while it left
// the kind out was complete without it, and is not once it counts.
func TestAKindThatARelayBeginsToGiveIsFetchedFromTheStart(t *testing.T) {
	me, people, held := club(t)
	held = append(held, testkit.NewKey("member 0").Event(t, 16, time.Now().Unix()-5000, "", []string{"e", fmt.Sprintf("%064x", 1)}))
	login := "auth-required: requested filter requires authentication"
	few := testkit.GoRelayOptions{Refuse: func(f nostr.Filter) string {
		switch {
		case len(f.Kinds) > 3:
			return "ERROR: too many kinds in filter"
		case slices.Contains(f.Kinds, 16):
			return login
		}
		return ""
	}}
	for _, tt := range []struct {
		name    string
		opt     testkit.GoRelayOptions
		lacking []uint16
	}{
		{"refused", restricts(login, 30023), []uint16{30023}},
		{"left out in silence", restricts("", 6, 1111, 30023), []uint16{6, 1111, 30023}},
		{"a rare one, by a relay of few kinds", few, []uint16{16}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var closed atomic.Bool
			closed.Store(true)
			server := testkit.StartGoRelay(t, during(&closed, tt.opt), held...)
			s := openStore(t)
			opt := options(s, me, server.URL)
			opt.Days, opt.Sleep = 14, atOnce
			// What is nine days old is not looked through again a day later.
			const d = 24 * hour
			if sum := mustRun(t, later(opt, 9*d)); !slices.Equal(sum.Relays[0].Missing, tt.lacking) || missing(t, s, parse(t, held)) == 0 {
				t.Fatalf("%+v: want %v lacking", sum, tt.lacking)
			}
			closed.Store(false)
			for n, at := range []time.Duration{10*d + hour, 10*d + 2*hour} {
				sum := mustRun(t, later(opt, at))
				if sum.Complete > 0 {
					wantAll(t, s, parse(t, held))
				}
				if n == 1 && (sum.Complete != len(people) || sum.Relays[0].Missing != nil) {
					t.Errorf("%+v", sum)
				}
			}
		})
	}
}

// TestAKindThatARelayNoLongerGivesIsFoundOut the next day.
func TestAKindThatARelayNoLongerGivesIsFoundOut(t *testing.T) {
	me, people, held := club(t)
	var closed atomic.Bool
	server := testkit.StartGoRelay(t, during(&closed, restricts("restricted: members only", 30023)), held...)
	s := openStore(t)
	opt := options(s, me, server.URL)
	opt.Days, opt.Sleep = 3, atOnce
	if sum := mustRun(t, opt); sum.Complete != len(people) {
		t.Fatalf("%+v", sum)
	}
	closed.Store(true)
	mustRun(t, later(opt, 25*hour))
	if sum := mustRun(t, later(opt, 50*hour)); sum.Complete > 0 || !slices.Equal(sum.Relays[0].Missing, []uint16{30023}) {
		t.Errorf("%+v", sum)
	}
}

// TestALookAtKindsThatBreaksOffIsTakenUp: the relay goes by the first three kinds, and
// fails when it is asked by how many.
func TestALookAtKindsThatBreaksOffIsTakenUp(t *testing.T) {
	me, _, held := club(t)
	var failures atomic.Int64
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{
		Refuse: func(f nostr.Filter) string {
			if len(f.Authors) == 1 && len(f.Kinds) == 11 && f.Since != nil && *f.Since == *f.Until && failures.Add(1) == 1 {
				return "error: the database is busy"
			}
			return ""
		},
		Reads: func(f *nostr.Filter) { f.Kinds = f.Kinds[:min(3, len(f.Kinds))] },
	}, held...)
	s := openStore(t)
	opt := options(s, me, server.URL)
	opt.Days, opt.Sleep = 3, atOnce
	mustRun(t, opt)
	if failures.Load() == 0 {
		t.Error("it was not asked: the test has lost its meaning")
	}
	wantTrue(t, s, server.URL, parse(t, held))
}

// TestARelayOfFewKindsThatRefusesUsIsLeft: it took three kinds at a time, and now takes
// nobody's question.
func TestARelayOfFewKindsThatRefusesUsIsLeft(t *testing.T) {
	me, _, held := club(t)
	for _, reason := range []string{"restricted: members only", "auth-required: who are you?", "error: out of order"} {
		t.Run(reason, func(t *testing.T) {
			var closed atomic.Bool
			server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Refuse: func(f nostr.Filter) string {
				switch {
				case closed.Load():
					return reason
				case len(f.Kinds) > 3:
					return "ERROR: too many kinds in filter"
				}
				return ""
			}}, held...)
			s := openStore(t)
			opt := options(s, me, server.URL)
			opt.Days, opt.Sleep = 3, atOnce
			mustRun(t, opt)
			closed.Store(true)
			asked := len(server.REQs())
			opt.Days = 40
			sum, _ := notesync.Run(t.Context(), later(opt, 25*hour)) // it may say that nothing was had
			if n := len(server.REQs()) - asked; n > 30 {
				t.Errorf("it was asked %d questions: %+v", n, sum)
			}
		})
	}
}

// TestAKindOfTheInboxIsNoneOfAFeed: zaps alone are refused, by a relay of three kinds.
func TestAKindOfTheInboxIsNoneOfAFeed(t *testing.T) {
	me, people, held := club(t)
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Refuse: func(f nostr.Filter) string {
		switch {
		case len(f.Kinds) > 3:
			return "ERROR: too many kinds in filter"
		case slices.Contains(f.Kinds, 9735):
			return "auth-required: who are you?"
		}
		return ""
	}}, held...)
	s := openStore(t)
	opt := options(s, me, server.URL)
	opt.Days, opt.Sleep = 3, atOnce
	for range 2 {
		sum := mustRun(t, opt)
		if got := stated(t, s, me, "2d"); sum.Complete != len(people) || sum.Relays[0].Missing != nil || got.Lacking != nil || got.Unseen != nil {
			t.Errorf("%+v, %+v", sum, got)
		}
	}
}
