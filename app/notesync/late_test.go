package notesync_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
)

const hour = time.Hour

// comparing is what a relay says that compares sets.
const comparing = `{"supported_nips":[1,11,77]}`

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

// TestASetThatIsCutProvesNoMoreThanItHolds: such a relay puts only its newest notes
// into a set. Whatever the ledger then says was looked through must be there.
func TestASetThatIsCutProvesNoMoreThanItHolds(t *testing.T) {
	for _, most := range []int{1, 5, 12, 29, 30, 31, 33} { // of 30 notes in the time
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			c := newCircle(t, "ada", "ben", "cleo")
			server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true, CompareCap: most, Info: comparing}, append(c.lists, c.notes...)...)
			s := openStore(t)
			opt := options(s, c.reader(t), server.URL)
			mustRun(t, opt)
			late := c.latecomers(t, 20*time.Minute, 2*hour, 5*hour, 12*hour, 40*hour)
			server.Publish(late...)
			for _, at := range []time.Duration{time.Minute, 5 * hour} {
				began := time.Now().Add(at).Unix()
				mustRun(t, later(opt, at))
				wantVerified(t, s, server.URL, began, parse(t, late[:5]))
			}
			mustRun(t, later(opt, 7*hour))
			wantAll(t, s, parse(t, late)) // by pages, what the set does not prove
		})
	}
}

// wantVerified fails the test when the ledger says that a time was looked through
// since, and one of its notes is not there.
func wantVerified(t testing.TB, s *ndb.Store, url string, since int64, events []*ndb.Event) {
	t.Helper()
	for _, e := range events {
		rows, err := s.Confirmed(t.Context(), e.PubKey, ndb.PurposeFeed)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			iv := row.Interval
			if row.Relay == url && iv.From <= e.CreatedAt && e.CreatedAt <= iv.To && iv.VerifiedAt >= since && missing(t, s, []*ndb.Event{e}) > 0 {
				t.Errorf("%q is missing, though its time was looked through", e.Content)
			}
		}
	}
}

// TestWhatAComparedSetSaysIsWhatAFullFetchFinds holds the two together, on a world of
// its own after each of many changes at the relay.
func TestWhatAComparedSetSaysIsWhatAFullFetchFinds(t *testing.T) {
	w := smallWorld(t, 11)
	now := time.Now().Unix()
	all := asJSON(feedOf(t, w.Events, followed(w), now-10*24*3600, now))
	rng := rand.New(rand.NewPCG(5, 5))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var lists [][]byte
	for _, e := range w.Events {
		if e.Kind == 0 || e.Kind == 3 {
			lists = append(lists, e.AppendJSON(nil))
		}
	}
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true, Info: comparing}, append(lists, all[:len(all)/2]...)...)
	s := openStore(t)
	opt := options(s, w.Me, server.URL)
	mustRun(t, opt)
	held, at := all[:len(all)/2], time.Duration(0)
	for len(held) < len(all) {
		more := all[len(held):min(len(all), len(held)+1+rng.IntN(40))]
		server.Publish(more...)
		held, at = all[:len(held)+len(more)], at+25*hour
		began := time.Now().Add(at).Unix()
		mustRun(t, later(opt, at))
		wantVerified(t, s, server.URL, began, parse(t, held))
		fresh := openStore(t)
		fetched := options(fresh, w.Me, server.URL)
		mustRun(t, later(fetched, at))
		for _, e := range parse(t, held) {
			if e.CreatedAt < time.Now().Add(at-7*24*hour).Unix() {
				continue // looked through weekly
			}
			if missing(t, fresh, []*ndb.Event{e}) == 0 && missing(t, s, []*ndb.Event{e}) > 0 {
				t.Errorf("a full fetch finds %s of %s, the comparing did not", e.ID, time.Unix(e.CreatedAt, 0))
			}
		}
	}
	if len(server.NEGs()) == 0 {
		t.Error("no sets were compared: the test has lost its meaning")
	}
}

func TestARelayThatComparesBadlyIsPaged(t *testing.T) {
	random := func(n int) string {
		var b strings.Builder
		b.WriteString("61000002")
		if n >= 128 {
			b.WriteString(hex.EncodeToString([]byte{byte(n>>7) | 0x80}))
		}
		b.WriteString(hex.EncodeToString([]byte{byte(n & 0x7f)}))
		for i := range n {
			fmt.Fprintf(&b, "%064x", i+1)
		}
		return b.String()
	}
	for name, answer := range map[string]func(sub, right string) [][]byte{
		"it names what it does not give": func(sub, _ string) [][]byte { return [][]byte{testkit.RelayMessage("NEG-MSG", sub, random(50))} },
		"it names a great many":          func(sub, _ string) [][]byte { return [][]byte{testkit.RelayMessage("NEG-MSG", sub, random(9000))} },
		"it never ends": func(sub, _ string) [][]byte {
			return [][]byte{testkit.RelayMessage("NEG-MSG", sub, "61000001"+strings.Repeat("ab", 16))}
		},
		"garbage":   func(sub, _ string) [][]byte { return [][]byte{testkit.RelayMessage("NEG-MSG", sub, "61ff")} },
		"a refusal": func(sub, _ string) [][]byte { return [][]byte{testkit.RelayMessage("NEG-ERR", sub, "blocked: no")} },
		"a notice":  func(string, string) [][]byte { return [][]byte{testkit.RelayMessage("NOTICE", "unknown")} },
		"silence":   func(string, string) [][]byte { return nil },
		"all its own": func(sub, right string) [][]byte {
			return [][]byte{testkit.RelayMessage("NEG-MSG", sub, right), testkit.RelayMessage("NEG-MSG", sub, right)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCircle(t, "ada", "ben")
			server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true, Info: comparing, NegAnswer: answer}, append(c.lists, c.notes...)...)
			s := openStore(t)
			opt := options(s, c.reader(t), server.URL)
			opt.Limits = short()
			opt.Limits.FirstByte = 2 * time.Second
			mustRun(t, opt)
			late := c.latecomers(t, 2*hour)
			newer := c.authors[0].Event(t, 1, time.Now().Unix()+60, "new")
			server.Publish(append(late, newer)...)
			sum := mustRun(t, later(opt, 7*hour))
			if believed := name != "it names what it does not give"; believed != (sum.Complete == sum.People) {
				t.Errorf("%+v", sum)
			}
			wantAll(t, s, parse(t, append(late, newer)))
			asked := len(server.NEGs())
			if asked == 0 {
				t.Error("it was not asked: the test has lost its meaning")
			}
			mustRun(t, later(opt, 7*hour+30*time.Minute))
			if n := len(server.NEGs()); n > asked && name != "all its own" && name != "it names a great many" {
				t.Errorf("it was asked again: %d messages, then %d", asked, n)
			}
		})
	}
}

// TestARelayThatForgetsAComparisonIsAskedOnceMore: khatru answers before it keeps what
// the next message is about, and so says to a quick one that it knows nothing of it.
func TestARelayThatForgetsAComparisonIsAskedOnceMore(t *testing.T) {
	c := newCircle(t, "ada", "ben", "cleo")
	for i := range 900 { // so many that a set takes more messages than one
		c.notes = append(c.notes, c.authors[i%3].Event(t, 1, time.Now().Unix()-int64(i)*150, "one of many"))
	}
	var first string
	var messages atomic.Int64
	forgets := func(sub, right string) [][]byte {
		if n := messages.Add(1); n == 1 {
			first = sub
		} else if sub == first {
			return [][]byte{testkit.RelayMessage("NEG-ERROR", sub, "CLOSED")}
		}
		return [][]byte{testkit.RelayMessage("NEG-MSG", sub, right)}
	}
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true, Info: comparing, NegAnswer: forgets}, append(c.lists, c.notes...)...)
	s := openStore(t)
	opt := options(s, c.reader(t), server.URL)
	mustRun(t, opt)
	late := c.latecomers(t, 20*time.Minute, 2*hour, 47*hour)
	server.Publish(late...)
	messages.Store(0)
	mustRun(t, later(opt, time.Minute))
	if messages.Load() < 5 { // two, two again and one of the inbox
		t.Errorf("%d messages: it was not asked again", messages.Load())
	}
	wantAll(t, s, parse(t, late))
}

// TestARelayThatNamesWhatItDoesNotGiveIsNotBelieved: who wrote what it names, it alone
// knows, and so by its word nobody's notes are complete until it gives them.
func TestARelayThatNamesWhatItDoesNotGiveIsNotBelieved(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	var withholds atomic.Bool
	withholds.Store(true)
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true, Info: comparing, LeavesOut: func(e *nostr.Event) bool {
		return withholds.Load() && strings.HasPrefix(e.Content, "late")
	}}, append(c.lists, c.notes...)...)
	s := openStore(t)
	opt := options(s, c.reader(t), server.URL)
	if sum := mustRun(t, opt); sum.Complete != sum.People {
		t.Fatalf("%+v", sum)
	}
	late := c.latecomers(t, 20*time.Minute, 2*hour)
	server.Publish(late...)
	for _, at := range []time.Duration{time.Minute, 7 * hour, 26 * hour} {
		sum := mustRun(t, later(opt, at))
		if sum.Complete > 0 {
			t.Errorf("%v later %d people are complete", at, sum.Complete)
		}
		if !strings.Contains(fmt.Sprint(sum), "does not give") {
			t.Errorf("%v later nothing is said of it: %+v", at, sum)
		}
	}
	withholds.Store(false)
	mustRun(t, later(opt, 32*hour))
	wantAll(t, s, parse(t, late))
	if sum := mustRun(t, later(opt, 33*hour)); sum.Complete != sum.People {
		t.Errorf("after it gave all: %+v", sum)
	}
}

// TestASetThatLeavesOutWhatAPageHasIsNotBelieved: such a relay says that nothing
// differs, whatever it has.
func TestASetThatLeavesOutWhatAPageHasIsNotBelieved(t *testing.T) {
	c := newCircle(t, "ada", "ben", "cleo")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true, Info: comparing, NegAnswer: func(sub, _ string) [][]byte {
		return [][]byte{testkit.RelayMessage("NEG-MSG", sub, "61")}
	}}, append(c.lists, c.notes...)...)
	s := openStore(t)
	opt := options(s, c.reader(t), server.URL)
	mustRun(t, opt)
	late := c.latecomers(t, 20*time.Minute, 2*hour, 47*hour)
	late = append(late, c.authors[0].Event(t, 1, time.Now().Unix()+60, "new"))
	server.Publish(late...)
	for _, at := range []time.Duration{2 * time.Minute, 5 * hour} {
		began := time.Now().Add(at).Unix()
		mustRun(t, later(opt, at))
		wantVerified(t, s, server.URL, began, parse(t, late))
	}
	mustRun(t, later(opt, 7*hour))
	for _, e := range parse(t, late) {
		if e.CreatedAt > time.Now().Add(-40*hour).Unix() {
			wantAll(t, s, []*ndb.Event{e})
		}
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

// TestANoteThatMayNotBeStoredIsNotWithheld: relays keep notes by laxer rules than ours.
// Such a note leaves its second open, and no more.
func TestANoteThatMayNotBeStoredIsNotWithheld(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true, Info: comparing}, append(c.lists, c.notes...)...)
	s := openStore(t)
	opt := options(s, c.reader(t), server.URL)
	mustRun(t, opt)
	tags := make([][]string, 2600)
	for i := range tags {
		tags[i] = []string{"t", fmt.Sprint(i)}
	}
	late := c.latecomers(t, 2*hour)
	server.Publish(append(late, c.authors[0].Event(t, 1, time.Now().Unix()-9000, "", tags...))...)
	for _, at := range []time.Duration{time.Minute, 7 * hour} {
		sum := mustRun(t, later(opt, at))
		if text := fmt.Sprint(sum); strings.Contains(text, "does not give") {
			t.Errorf("%v later it is said to withhold notes: %s", at, text)
		}
	}
	wantAll(t, s, parse(t, late))
}

// TestWhatARelayWithholdsIsNotForgotten: neither when its time is no more looked through
// each day, nor when nobody asked for a month.
func TestWhatARelayWithholdsIsNotForgotten(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	var withholds atomic.Bool
	withholds.Store(true)
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true, Info: comparing, LeavesOut: func(e *nostr.Event) bool {
		return withholds.Load() && strings.HasPrefix(e.Content, "late")
	}}, append(c.lists, c.notes...)...)
	s := openStore(t)
	opt := options(s, c.reader(t), server.URL)
	opt.Days = 60
	mustRun(t, opt)
	late := c.latecomers(t, 40*hour)[:1]
	server.Publish(late...)
	const d = 24 * hour
	for _, at := range []time.Duration{time.Minute, 20 * hour, 21 * hour, 4 * d, 9 * d, 45 * d, 46 * d, 47 * d} {
		if sum := mustRun(t, later(opt, at)); sum.Complete > 0 {
			t.Errorf("%v later %d people are complete", at, sum.Complete)
		}
	}
	withholds.Store(false)
	mustRun(t, later(opt, 78*d))
	mustRun(t, later(opt, 79*d))
	wantAll(t, s, parse(t, late))
	if sum := mustRun(t, later(opt, 80*d)); sum.Complete != sum.People {
		t.Errorf("after it gave all: %+v", sum)
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

// TestARelayThatTakesFewAuthorsComparesFewAtATime does it with khatru.
func TestARelayThatTakesFewAuthorsComparesFewAtATime(t *testing.T) {
	server := testkit.StartKhatru(t, "-negentropy", "-max-authors=2")
	c := newCircle(t, "ada", "ben", "cleo", "dora", "eve")
	server.Publish(t, append(c.lists, c.notes...)...)
	s := openStore(t)
	opt := options(s, c.reader(t), server.URL)
	mustRun(t, opt)
	late := c.latecomers(t, 20*time.Minute, 2*hour, 5*hour, 12*hour, 40*hour)
	server.Publish(t, late...)
	if sum := mustRun(t, later(opt, time.Minute)); sum.Complete != sum.People {
		t.Errorf("%+v", sum)
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
