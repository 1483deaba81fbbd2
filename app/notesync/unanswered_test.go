package notesync_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"

	"github.com/nbd-wtf/go-nostr"
)

// TestAKindThatARelayNeverGivesIsNotCalledComplete: a relay leaves out reactions without
// a word, and another that is asked for the same people has them. Its word counts for
// nobody then, at this sync and the next; where it has given one reaction, or where
// nobody else has any, there is nothing to go by.
func TestAKindThatARelayNeverGivesIsNotCalledComplete(t *testing.T) {
	now := time.Now().Unix()
	me := testkit.NewKey("reader")
	for _, tt := range []struct {
		name      string
		reactions int // of each person, at the other relay
		given     int // of them by the first relay too
		suspected bool
	}{
		{"the other has many", 3, 0, true},
		{"it gave one", 3, 1, false},
		{"nobody has any", 0, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := testkit.StartGoRelay(t, testkit.GoRelayOptions{})
			theirs := testkit.StartGoRelay(t, testkit.GoRelayOptions{LeavesOut: func(e *nostr.Event) bool {
				return e.Kind == 7 && e.Content != "given"
			}})
			var follows [][]string
			for i := range 4 {
				who := testkit.NewKey(fmt.Sprint("person ", i))
				follows = append(follows, []string{"p", who.PubKey})
				home.Publish(who.Event(t, 10002, now-1000, "", []string{"r", theirs.URL, "write"}))
				theirs.Publish(who.Event(t, 1, now-7200-int64(i), "hello"))
				for j := range tt.reactions {
					word := "+"
					if i == 0 && j < tt.given {
						word = "given"
					}
					e := who.Event(t, 7, now-3600-int64(10*i+j), word, []string{"e", fmt.Sprintf("%064x", 1)})
					home.Publish(e)
					theirs.Publish(e)
				}
			}
			home.Publish(me.Event(t, 3, now-100, "", follows...))
			s := openStore(t)
			opt := options(s, pubKey(t, me.PubKey))
			opt.Only, opt.Base, opt.Days = nil, []string{home.URL}, 2
			for range 2 {
				sum := mustRun(t, opt)
				rep := reportOf(t, sum, strings.TrimPrefix(theirs.URL, "ws://"))
				if got := strings.Contains(rep.Error, "never gave"); got != tt.suspected {
					t.Errorf("%+v", rep)
				}
				got := stated(t, s, opt.Me, "1d")
				t.Logf("%+v, %q", got, rep.Error)
				if sum.Complete != 4 || got.Complete != 4 {
					t.Errorf("%+v, %+v: want all complete by a relay that has all", sum, got)
				}
				asked := notesync.RelaysAsked(t.Context(), s, pubKey(t, follows[1][1]))
				if slices.Contains(asked, theirs.URL) == tt.suspected {
					t.Errorf("%q count", asked)
				}
			}
		})
	}
}
