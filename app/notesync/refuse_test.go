package notesync_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"

	gonostr "github.com/nbd-wtf/go-nostr"
)

// crowd is a reader who follows sixty people, each of whom wrote a note.
func crowd(t *testing.T) (me nostr.PubKey, people []nostr.PubKey, held [][]byte) {
	t.Helper()
	now := time.Now().Unix()
	reader := testkit.NewKey("reader")
	var follows [][]string
	for i := range 60 {
		who := testkit.NewKey(fmt.Sprint("person ", i))
		follows = append(follows, []string{"p", who.PubKey})
		people = append(people, pubKey(t, who.PubKey))
		held = append(held, who.Event(t, 0, now-40*24*3600-int64(i), `{"name":"somebody"}`), who.Event(t, 1, now-3600*int64(i+1), "hello"))
	}
	held = append(held, reader.Event(t, 3, now-100, "", follows...))
	return pubKey(t, reader.PubKey), people, held
}

func atOnce(ctx context.Context, _ time.Duration) error { return sleepFor(ctx, time.Millisecond) }

// TestABatchThatIsRefusedIsHalvedUntilItGoes: a relay refuses whatever one of 61 people
// is in, or more than some people at a time.
func TestABatchThatIsRefusedIsHalvedUntilItGoes(t *testing.T) {
	me, people, held := crowd(t)
	bad := people[17]
	naming := func(reason string) func(gonostr.Filter) string {
		return func(f gonostr.Filter) string {
			if slices.Contains(f.Authors, bad.String()) {
				return reason
			}
			return ""
		}
	}
	above := func(most int, reason string) func(gonostr.Filter) string {
		return func(f gonostr.Filter) string {
			if len(f.Authors) > most {
				return reason
			}
			return ""
		}
	}
	for _, tt := range []struct {
		name     string
		refuse   func(gonostr.Filter) string
		complete int
		refused  []nostr.PubKey
	}{
		{"one is blocked", naming("blocked: we do not serve notes of that author"), 59, []nostr.PubKey{bad}},
		{"at most 20", above(20, "error: too many authors"), 60, nil},
		{"at most 20, in other words", above(20, "filter too complex"), 60, nil},
		{"at most one", above(1, "invalid: too many authors"), 60, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Refuse: tt.refuse}, held...)
			s := openStore(t)
			opt := options(s, me, server.URL)
			opt.Days, opt.Sleep = 5, atOnce
			sum := mustRun(t, opt)
			rep := sum.Relays[0]
			t.Logf("%d of 60 complete, %d of %d questions refused: %q", sum.Complete, server.Refused(), len(server.REQs()), rep.Error)
			if sum.Complete != tt.complete {
				t.Errorf("%d are complete, want %d", sum.Complete, tt.complete)
			}
			if !slices.Equal(rep.Refused, tt.refused) {
				t.Errorf("refused are %v, want %v", rep.Refused, tt.refused)
			}
			if tt.refused == nil && rep.State != "done" || tt.refused != nil && !strings.Contains(rep.Error, "for 1 of the people it refused to answer") {
				t.Errorf("%s: %q", rep.State, rep.Error)
			}
			asked := map[string]int{}
			for _, req := range server.REQs() {
				_, question, _ := strings.Cut(req[len(`["REQ","`):], `"`)
				if asked[question]++; asked[question] == 3 {
					t.Errorf("it was asked three times: %.200s", question)
				}
			}
			if n := server.Refused(); n > 60 {
				t.Errorf("%d questions were refused", n)
			}
		})
	}
}

// TestARelayThatRefusesEveryBatchIsGivenUpSoon: halving must not ask it of each
// person before it is believed.
func TestARelayThatRefusesEveryBatchIsGivenUpSoon(t *testing.T) {
	me, _, held := crowd(t)
	good := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, held...)
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Refuse: func(f gonostr.Filter) string {
		return "blocked: members only"
	}}, held...)
	s := openStore(t)
	opt := options(s, me, good.URL, server.URL)
	opt.Days, opt.Sleep = 5, atOnce
	sum := mustRun(t, opt)
	if rep := reportOf(t, sum, strings.TrimPrefix(server.URL, "ws://")); rep.State != "failed" || !strings.Contains(rep.Error, "members only") {
		t.Errorf("%+v", rep)
	}
	if sum.Complete != 60 {
		t.Errorf("%d are complete by the other relay, want 60", sum.Complete)
	}
	// Eight questions lead a window from 60 people to the second one alone, and four windows
	// may come to it side by side. Some questions are about other things.
	if n := len(server.REQs()); n > 4*8+8 {
		t.Errorf("it was asked %d questions", n)
	}
}

// TestARelayThatRefusesSomebodyComparesSetsAllTheSame: its weekly pages are read when
// those of the others were.
func TestARelayThatRefusesSomebodyComparesSetsAllTheSame(t *testing.T) {
	me, people, held := crowd(t)
	var refuses atomic.Bool
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true, Info: comparing, Refuse: func(f gonostr.Filter) string {
		if refuses.Load() && slices.Contains(f.Authors, people[17].String()) {
			return "blocked: this pubkey is banned"
		}
		return ""
	}}, held...)
	s := openStore(t)
	opt := options(s, me, server.URL)
	opt.Days, opt.Sleep = 40, atOnce
	mustRun(t, opt)
	refuses.Store(true)
	var compared []int
	for _, d := range []int{1, 7, 8, 9} {
		before := len(server.NEGs())
		mustRun(t, later(opt, time.Duration(d)*25*hour))
		compared = append(compared, len(server.NEGs())-before)
	}
	if compared[0] == 0 || compared[1] > 0 {
		t.Fatalf("sets were compared %v times: the test has lost its meaning", compared)
	}
	if compared[2] == 0 || compared[3] == 0 {
		t.Errorf("sets were compared %v times, want again after the pages of the week", compared)
	}
}
