package notesync_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"bowerbird/internal/testkit"
)

// TestAFloodThroughAQuarterOfAPage: a hundred people write six notes each in one second, and
// the relay gives feed questions a quarter of its limit, of which it says nothing,
// but profiles without one.
func TestAFloodThroughAQuarterOfAPage(t *testing.T) {
	t.Parallel()
	now := time.Now().Unix()
	me := testkit.NewKey("reader")
	var follows [][]string
	var lists, flood, older [][]byte
	for i := range 100 {
		who := testkit.NewKey(fmt.Sprint("person ", i))
		follows = append(follows, []string{"p", who.PubKey})
		lists = append(lists, who.Event(t, 0, now-90*24*3600, `{"name":"somebody"}`), who.Event(t, 10002, now-90*24*3600, ""))
		older = append(older, who.Event(t, 1, now-20*24*3600-int64(i), "older"))
		for j := range 6 {
			flood = append(flood, who.Event(t, 1, now-3600, fmt.Sprint("note ", j)))
		}
	}
	lists = append(lists, me.Event(t, 3, now-100, "", follows...))
	for _, past := range []bool{true, false} {
		for _, page := range []int{50, 100, 400} {
			if !past && page != 400 {
				continue
			}
			t.Run(fmt.Sprintf("%d, with a past: %v", page, past), func(t *testing.T) {
				held := append(append([][]byte{}, lists...), flood...)
				if past {
					held = append(held, older...)
				}
				server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Page: page, Quarter: true}, held...)
				s := openStore(t)
				opt := options(s, pubKey(t, me.PubKey), server.URL)
				opt.Days = 2
				opt.Sleep = func(ctx context.Context, _ time.Duration) error { return sleepFor(ctx, time.Millisecond) }
				sum := mustRun(t, opt)
				want := parse(t, flood)
				t.Logf("%d of %d notes are missing, %d of %d people complete, %d questions", missing(t, s, want), len(want), sum.Complete, sum.People, len(server.REQs()))
				wantAll(t, s, want)
				wantTrue(t, s, server.URL, want)
				switch {
				case past && sum.Complete != 100:
					t.Errorf("%d of 100 are complete", sum.Complete)
				case !past && sum.Complete != 0:
					t.Errorf("%d are complete, though nothing shows that six notes are all of that second", sum.Complete)
				}
				for _, e := range parse(t, older) {
					if _, err := s.Event(t.Context(), e.ID); err == nil {
						t.Fatal("notes from before the time asked for were kept")
					}
				}
			})
		}
	}
}
