package notesync_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"

	gonostr "github.com/nbd-wtf/go-nostr"
)

// club is a reader who follows ten people, each of whom wrote notes, reposts, reactions,
// comments and articles, 80 of all.
func club(t *testing.T) (me nostr.PubKey, people []nostr.PubKey, held [][]byte) {
	t.Helper()
	now := time.Now().Unix()
	reader := testkit.NewKey("reader")
	var follows [][]string
	for i := range 10 {
		who := testkit.NewKey(fmt.Sprint("member ", i))
		follows = append(follows, []string{"p", who.PubKey})
		people = append(people, pubKey(t, who.PubKey))
		held = append(held, who.Event(t, 10002, now-3*day-int64(i), ""))
		for j := range 80 {
			kind := []int{1, 6, 7, 1, 1, 7, 1111, 1, 1, 30023}[j%10]
			at := now - 1000 - int64(j*10+i)*200
			held = append(held, who.Event(t, kind, at, fmt.Sprint("the ", j), []string{"d", fmt.Sprint(j)}))
		}
	}
	held = append(held, reader.Event(t, 3, now-100, "", follows...))
	return pubKey(t, reader.PubKey), people, held
}

const day = 24 * 3600

// without drops events of some kinds from what a relay holds.
func without(t *testing.T, held [][]byte, kinds ...uint16) (rest [][]byte) {
	for i, e := range parse(t, held) {
		if !slices.Contains(kinds, e.Kind) {
			rest = append(rest, held[i])
		}
	}
	return rest
}

// restricts is a relay that leaves kinds out as strfry does: in silence among others,
// and with a refusal when they are asked for alone.
func restricts(reason string, kinds ...int) testkit.GoRelayOptions {
	isOpen := func(kind int) bool { return !slices.Contains(kinds, kind) }
	return testkit.GoRelayOptions{
		Refuse: func(f gonostr.Filter) string {
			if len(f.Kinds) > 0 && !slices.ContainsFunc(f.Kinds, isOpen) {
				return reason
			}
			return ""
		},
		Reads: func(f *gonostr.Filter) {
			f.Kinds = slices.DeleteFunc(slices.Clone(f.Kinds), func(kind int) bool { return !isOpen(kind) })
		},
	}
}

// TestAKindThatARelayLeavesOutIsNotCalledComplete: with one relay alone, sync and
// coverage say of which kinds nothing is known, and once a day it is asked for them.
func TestAKindThatARelayLeavesOutIsNotCalledComplete(t *testing.T) {
	t.Parallel()
	me, people, held := club(t)
	login := "auth-required: requested filter requires authentication"
	for _, tt := range []struct {
		name    string
		opt     testkit.GoRelayOptions
		held    [][]byte
		lacking []uint16
		unseen  []uint16 // of those that are complete
		whole   bool     // all that is held has come
	}{
		{"members alone see reposts and reactions", restricts(login, 6, 7), held, []uint16{6, 7}, nil, false},
		{"and strfry says it so", restricts("ERROR: "+login, 1111, 30023), held, []uint16{1111, 30023}, nil, false},
		{"one kind alone", restricts(login, 30023), held, []uint16{30023}, nil, false},
		{"some see more, it says", restricts("restricted: members only", 6, 7), held, []uint16{6, 7}, nil, false},
		{"it says so in other words", restricts("blocked: not for you", 1111), held, []uint16{1111}, nil, false},
		{"it drops kinds without a word", restricts("", 6, 1111, 30023), held, []uint16{6, 1111, 30023}, nil, false},
		{"it has no comments and no articles", testkit.GoRelayOptions{}, without(t, held, 1111, 30023), nil, []uint16{1111, 30023}, true},
		{"it has notes alone", testkit.GoRelayOptions{}, without(t, held, 6, 7, 1111, 30023), nil, []uint16{6, 7, 1111, 30023}, true},
		{"it has few reactions and no repost", testkit.GoRelayOptions{}, without(t, held[:300], 6), nil, []uint16{6}, true},
		{"it has all", testkit.GoRelayOptions{}, held, nil, nil, true},
		{"it wants authors named", testkit.GoRelayOptions{Refuse: func(f gonostr.Filter) string {
			if len(f.Authors)+len(f.Tags) == 0 {
				return "blocked: an author must be specified to get kind:1 notes"
			}
			return ""
		}}, held, nil, nil, true},
		{"it goes by the first three kinds", testkit.GoRelayOptions{Reads: func(f *gonostr.Filter) {
			f.Kinds = f.Kinds[:min(3, len(f.Kinds))]
		}}, held, nil, nil, true},
		{"it takes three kinds and no more", testkit.GoRelayOptions{Page: 50, Refuse: func(f gonostr.Filter) string {
			if len(f.Kinds) > 3 {
				return fmt.Sprint("ERROR: bad req: filter validation failed: too many kinds in filter: ", len(f.Kinds))
			}
			return ""
		}}, held, nil, nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := testkit.StartGoRelay(t, tt.opt, tt.held...)
			server.Publish(held[len(held)-1])
			s := openStore(t)
			opt := options(s, me, server.URL)
			opt.Days, opt.Sleep = 3, atOnce
			for run := range 2 {
				before := len(server.REQs())
				sum := mustRun(t, opt)
				got := stated(t, s, me, "2d")
				rep := sum.Relays[0]
				t.Logf("%d questions; %+v; %q", len(server.REQs())-before, got, rep.Error)
				want := len(people)
				if tt.lacking != nil {
					want = 0
				}
				if sum.Complete != want || got.Complete != want || sum.Partly != len(people)-want || got.Partly != len(people)-want {
					t.Errorf("%+v, %+v: want %d complete, the others partly", sum, got, want)
				}
				if !slices.Equal(got.Lacking, tt.lacking) || !slices.Equal(rep.Missing, tt.lacking) || !slices.Equal(got.Unseen, tt.unseen) {
					t.Errorf("lacking %v and %v, unseen %v; want %v, %v", got.Lacking, rep.Missing, got.Unseen, tt.lacking, tt.unseen)
				}
				if said := strings.Contains(rep.Error, "it gives no events of kind"); said != (tt.lacking != nil) {
					t.Errorf("it is said of the relay: %q", rep.Error)
				}
				if run == 1 {
					for _, f := range filters(t, server.REQs()[before:]) {
						if len(f.Kinds) == 1 && len(f.Authors) == 0 && f.Kinds[0] != 5 {
							t.Errorf("it was asked for kind %d again", f.Kinds[0])
						}
					}
				}
			}
			if tt.whole {
				wantAll(t, s, parse(t, tt.held))
			}
		})
	}
}

// TestAKindThatAnotherRelayGivesIsNotMissed: of two relays that count for everybody one
// leaves out articles, or each another kind.
func TestAKindThatAnotherRelayGivesIsNotMissed(t *testing.T) {
	me, people, held := club(t)
	login := "auth-required: who are you?"
	for _, second := range []testkit.GoRelayOptions{{}, restricts(login, 6)} {
		one := testkit.StartGoRelay(t, restricts(login, 30023), held...)
		other := testkit.StartGoRelay(t, second, held...)
		s := openStore(t)
		opt := options(s, me, one.URL, other.URL)
		opt.Days, opt.Sleep = 3, atOnce
		sum, got := mustRun(t, opt), stated(t, s, me, "2d")
		if sum.Complete != len(people) || got.Complete != len(people) || got.Lacking != nil {
			t.Errorf("%+v, %+v", sum, got)
		}
		wantAll(t, s, parse(t, held))
	}
}
