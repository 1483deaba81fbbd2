package notesync_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
)

const hour = time.Hour

// latecomers are notes that are published now and dated so long ago.
func (c circle) latecomers(t *testing.T, ago ...time.Duration) (raw [][]byte) {
	t.Helper()
	for i, d := range ago {
		at := time.Now().Add(-d).Unix()
		raw = append(raw, c.authors[i%len(c.authors)].Event(t, 1, at, "late by "+d.String()))
	}
	raw = append(raw, testkit.NewKey("stranger").Event(t, 1, time.Now().Add(-ago[0]).Unix(), "late too", []string{"p", c.me.PubKey}))
	return raw
}

// later makes a run begin so much later.
func later(opt notesync.Options, d time.Duration) notesync.Options {
	opt.Now = func() time.Time { return time.Now().Add(d) }
	return opt
}

func TestLateNotesAreFoundByTheNextSyncWhereSetsAreCompared(t *testing.T) {
	for _, days := range []int{4, 10} {
		c := newCircle(t, "ada", "ben", "cleo")
		server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true, Info: comparing}, append(c.lists, c.notes...)...)
		s := openStore(t)
		opt := options(s, c.reader(t), server.URL)
		mustRun(t, opt)
		late := c.latecomers(t, 20*time.Minute, 2*hour, 5*hour, 47*hour)
		server.Publish(late...)
		opt.Days = days
		if sum := mustRun(t, later(opt, time.Minute)); sum.Complete != sum.People {
			t.Errorf("%d days: %+v", days, sum)
		}
		wantAll(t, s, parse(t, late))
	}
}

// TestLateNotesAreFoundWhenItIsTimeToLookAgain goes by a moved clock, at relays of
// both kinds. Sooner they are not looked for where pages would have to be asked for.
func TestLateNotesAreFoundWhenItIsTimeToLookAgain(t *testing.T) {
	for _, info := range []string{"", comparing} {
		compares := info != ""
		for _, tt := range []struct{ dated, soon, due time.Duration }{
			{2 * hour, 5 * hour, 7 * hour},
			{3 * 24 * hour, 23 * hour, 25 * hour},
			{20 * 24 * hour, 6 * 24 * hour, 8 * 24 * hour},
		} {
			t.Run(fmt.Sprint(compares, tt.dated), func(t *testing.T) {
				c := newCircle(t, "ada", "ben", "cleo")
				server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: compares, Info: info}, append(c.lists, c.notes...)...)
				s := openStore(t)
				opt := options(s, c.reader(t), server.URL)
				opt.Days = 40
				mustRun(t, opt)
				late := c.latecomers(t, tt.dated)
				server.Publish(late...)
				// In between somebody writes, and there are syncs.
				server.Publish(c.authors[1].Event(t, 1, time.Now().Add(tt.soon-hour).Unix(), "new"))
				mustRun(t, later(opt, tt.soon))
				if compares && tt.dated > 48*hour || !compares {
					if missing(t, s, parse(t, late)) == 0 {
						t.Error("they were looked for before it was time: the test has lost its meaning")
					}
				}
				asked := len(server.REQs())
				if sum := mustRun(t, later(opt, tt.due)); sum.Complete != sum.People {
					t.Errorf("%+v", sum)
				}
				wantAll(t, s, parse(t, late))
				t.Logf("%d questions", len(server.REQs())-asked)
				asked = len(server.REQs())
				mustRun(t, later(opt, tt.due+time.Minute))
				for _, f := range filters(t, server.REQs()[asked:]) {
					if f.Since != nil && *f.Since < time.Now().Add(tt.due-3*hour).Unix() {
						t.Errorf("what was just looked through is asked for again: %+v", f)
					}
				}
			})
		}
	}
}

func TestLateNotesArriveLive(t *testing.T) {
	t.Parallel()
	c := newCircle(t, "ada", "ben")
	real := testkit.StartNPMRelay(t, 0)
	real.Publish(t, append(c.lists, c.notes...)...)
	ours := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.lists, c.notes...)...)
	other := testkit.StartKhatru(t)
	other.Publish(t, append(c.lists, c.notes...)...)
	for url, publish := range map[string]func(...[]byte){
		ours.URL:  ours.Publish,
		other.URL: func(raw ...[]byte) { other.Publish(t, raw...) },
		real.URL:  func(raw ...[]byte) { real.Publish(t, raw...) },
	} {
		s := openStore(t)
		opt := options(s, c.reader(t), url)
		opt.Sleep = nil // so that nothing but the live subscription can bring it
		session, last, stop := running(t, opt)
		testkit.Eventually(t, "it is live", func() bool {
			return last().Stage == "live" && stateOf(session, url).Phase == notesync.Following
		})
		late := c.latecomers(t, 20*time.Minute, 2*hour, 40*hour)
		publish(late...)
		testkit.Eventually(t, "the late notes arrive", func() bool { return missing(t, s, parse(t, late)) == 0 })
		stop()
	}
}

// TestALookThatIsCutOffClaimsNothing stops runs anywhere while they look again.
func TestALookThatIsCutOffClaimsNothing(t *testing.T) {
	for _, info := range []string{"", comparing} {
		c := newCircle(t, "ada", "ben", "cleo")
		server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Page: 7, Compares: info != "", Info: info}, append(c.lists, c.notes...)...)
		s := openStore(t)
		opt := options(s, c.reader(t), server.URL)
		mustRun(t, opt)
		late := c.latecomers(t, 20*time.Minute, 2*hour, 5*hour, 12*hour, 40*hour)
		server.Publish(late...)
		opt = later(opt, 7*hour)
		began := opt.Now().Unix()
		for stop := range 14 {
			ctx, cancel := context.WithCancel(t.Context())
			asked := len(server.REQs()) + len(server.NEGs())
			opt.Sleep = func(ctx context.Context, d time.Duration) error { return hurry(ctx, d) }
			watch := make(chan struct{})
			go func() {
				defer close(watch)
				for ctx.Err() == nil && len(server.REQs())+len(server.NEGs()) < asked+stop {
					time.Sleep(time.Millisecond)
				}
				cancel()
			}()
			_, _ = notesync.Run(ctx, opt)
			cancel()
			<-watch
			wantVerified(t, s, server.URL, began, parse(t, late[:5]))
		}
		mustRun(t, opt)
		wantAll(t, s, parse(t, late))
	}
}

// TestARealRelayThatComparesSetsGivesItsLateNotes does it with khatru, whose set is cut
// without a word where the relay has a limit.
func TestARealRelayThatComparesSetsGivesItsLateNotes(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{0, 200, 80, 8} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			flags := []string{"-negentropy"}
			if limit > 0 {
				flags = append(flags, fmt.Sprint("-limit=", limit), "-tell")
			}
			server := testkit.StartKhatru(t, flags...)
			c := newCircle(t, "ada", "ben", "cleo")
			server.Publish(t, append(c.lists, c.notes...)...)
			s := openStore(t)
			opt := options(s, c.reader(t), server.URL)
			mustRun(t, opt)
			late := c.latecomers(t, 20*time.Minute, 2*hour, 5*hour, 12*hour, 40*hour)
			server.Publish(t, late...)
			for _, at := range []time.Duration{time.Minute, 5 * hour} {
				began := time.Now().Add(at).Unix()
				mustRun(t, later(opt, at))
				wantVerified(t, s, server.URL, began, parse(t, late[:5]))
			}
			if n := missing(t, s, parse(t, late)); n > 0 && limit != 8 {
				t.Errorf("%d of %d are missing after the next syncs", n, len(late))
			}
			mustRun(t, later(opt, 7*hour))
			wantAll(t, s, parse(t, late))
		})
	}
}

// TestARelayThatSaysOfAnySetThatItHasTheSameIsPagedEachWeek: its newest notes are looked
// at beside each comparing, and nothing else would tell of an older one.
func TestARelayThatSaysOfAnySetThatItHasTheSameIsPagedEachWeek(t *testing.T) {
	c := newCircle(t, "ada", "ben", "cleo")
	for i := range int64(250) {
		c.notes = append(c.notes, c.authors[i%3].Event(t, 1, time.Now().Unix()-i*4*3600-900, "from time to time"))
	}
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true, Info: comparing, NegAnswer: func(sub, _ string) [][]byte {
		return [][]byte{testkit.RelayMessage("NEG-MSG", sub, "61")}
	}}, append(c.lists, c.notes...)...)
	s := openStore(t)
	opt := options(s, c.reader(t), server.URL)
	opt.Days = 40
	mustRun(t, opt)
	late := c.latecomers(t, 20*hour, 60*hour, 9*24*hour)[:3]
	server.Publish(late...)
	for d := range 8 {
		if missing(t, s, parse(t, late)) == 0 {
			t.Error("they were looked for before it was time: the test has lost its meaning")
		}
		mustRun(t, later(opt, time.Duration(d)*25*hour+hour))
	}
	wantAll(t, s, parse(t, late))
}

// TestARelayThatGaveNothingForAWhileIsAskedAgain: its empty answers are its word, and
// what was confirmed by them is confirmed again after six hours.
func TestARelayThatGaveNothingForAWhileIsAskedAgain(t *testing.T) {
	for _, info := range []string{"", comparing} {
		c := newCircle(t, "ada", "ben")
		var healed atomic.Bool
		server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: info != "", Info: info, LeavesOut: func(e *nostr.Event) bool {
			return !healed.Load() && e.Kind == 1
		}}, append(c.lists, c.notes...)...)
		s := openStore(t)
		opt := options(s, c.reader(t), server.URL)
		mustRun(t, opt)
		if n := missing(t, s, parse(t, c.notes)); n < len(c.notes) {
			t.Fatalf("only %d of %d are missing: the test has lost its meaning", n, len(c.notes))
		}
		healed.Store(true)
		mustRun(t, later(opt, 7*hour))
		wantAll(t, s, parse(t, c.notes))
	}
}

// TestWeeklyPagesAreTickedOffWhenTheyWereRead: of a relay that says of any set that it has
// the same. Its pages are refused once, or are more than are asked for at one time.
func TestWeeklyPagesAreTickedOffWhenTheyWereRead(t *testing.T) {
	for _, tt := range []struct {
		name    string
		page    int
		refuses bool
	}{
		{"refused", 0, true},
		{"many", 2, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := circle{me: testkit.NewKey("reader")}
			var follows [][]string
			for i := range 210 { // in three questions
				k := testkit.NewKey(fmt.Sprint("person ", i))
				c.authors = append(c.authors, k)
				follows = append(follows, []string{"p", k.PubKey})
			}
			slices.SortFunc(c.authors, func(a, b testkit.Key) int { return strings.Compare(b.PubKey, a.PubKey) })
			c.lists = append(c.lists, c.me.Event(t, 3, time.Now().Unix()-2000, "", follows...))
			for i := range int64(530) {
				c.notes = append(c.notes, c.authors[i%210].Event(t, 1, time.Now().Unix()-i*3600-900, "from time to time"))
			}
			var busy atomic.Bool
			server := testkit.StartGoRelay(t, testkit.GoRelayOptions{
				Compares: true, Info: comparing, Page: tt.page,
				NegAnswer: func(sub, right string) [][]byte { return [][]byte{testkit.RelayMessage("NEG-MSG", sub, "61")} },
				Refuse: func(f nostr.Filter) string {
					if busy.Load() && f.Since != nil && f.Until.Time().Before(time.Now().Add(4*24*hour)) && slices.Contains(f.Kinds, 20) {
						return "error: the database is busy"
					}
					return ""
				},
			}, append(c.lists, c.notes...)...)
			s := openStore(t)
			opt := options(s, c.reader(t), server.URL)
			opt.Days, opt.Sleep = 40, atOnce
			mustRun(t, opt)
			late := c.latecomers(t, 18*24*hour)[:1]
			server.Publish(late...)
			busy.Store(tt.refuses)
			mustRun(t, later(opt, 8*24*hour))
			if missing(t, s, parse(t, late)) == 0 {
				t.Error("they were found at once: the test has lost its meaning")
			}
			busy.Store(false)
			for d := range 5 {
				mustRun(t, later(opt, time.Duration(8*24+d+1)*hour))
			}
			wantAll(t, s, parse(t, late))
			asked := len(server.REQs())
			mustRun(t, later(opt, 9*24*hour))
			if n := len(server.REQs()) - asked; n > 40 {
				t.Errorf("%d questions after that", n)
			}
		})
	}
}
