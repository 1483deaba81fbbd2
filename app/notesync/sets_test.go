package notesync_test

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	gonostr "github.com/nbd-wtf/go-nostr"

	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// comparing is what a relay says that compares sets.
const comparing = `{"supported_nips":[1,11,77]}`

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
func wantVerified(t testing.TB, s *ndb.Store, url string, since int64, events []*nostr.Event) {
	t.Helper()
	for _, e := range events {
		rows, err := s.Confirmed(t.Context(), e.PubKey, coverage.Feed)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			iv := row.Interval
			if row.Relay == url && iv.From <= e.CreatedAt && e.CreatedAt <= iv.To && iv.VerifiedAt >= since && missing(t, s, []*nostr.Event{e}) > 0 {
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
			if missing(t, fresh, []*nostr.Event{e}) == 0 && missing(t, s, []*nostr.Event{e}) > 0 {
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
			opt.Limits.FirstByte = 4 * time.Second
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
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true, Info: comparing, LeavesOut: func(e *gonostr.Event) bool {
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
			wantAll(t, s, []*nostr.Event{e})
		}
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
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true, Info: comparing, LeavesOut: func(e *gonostr.Event) bool {
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

// firstKinds is a relay that goes by the first three kinds of any question.
func firstKinds(f *gonostr.Filter) { f.Kinds = f.Kinds[:min(3, len(f.Kinds))] }

// TestSetsAreComparedOfAllKindsOrNot: a relay goes by the first three kinds of a set, too.
func TestSetsAreComparedOfAllKindsOrNot(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	stranger := testkit.NewKey("stranger").Event(t, 30023, time.Now().Unix()-5000, "an article", []string{"d", "a"})
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true, Info: comparing, Reads: firstKinds}, append(append(c.lists, c.notes...), stranger)...)
	s := openStore(t)
	opt := options(s, c.reader(t), server.URL)
	mustRun(t, opt)
	late := [][]byte{c.authors[0].Event(t, 30023, time.Now().Add(-2*hour).Unix(), "late", []string{"d", "b"})}
	server.Publish(late...)
	began := time.Now().Add(time.Minute).Unix()
	mustRun(t, later(opt, time.Minute))
	wantVerified(t, s, server.URL, began, parse(t, late))
	mustRun(t, later(opt, 7*hour))
	wantAll(t, s, parse(t, late))
}

// TestNothingIsCompleteByASetBeforeKindsAreAskedFor: they are to be asked for again, and
// the relay does not answer.
func TestNothingIsCompleteByASetBeforeKindsAreAskedFor(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	var fails atomic.Bool
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true, Info: comparing, Refuse: func(f gonostr.Filter) string {
		if fails.Load() && len(f.Kinds) == 1 && f.Kinds[0] != 5 {
			return "error: the database is busy"
		}
		return ""
	}}, append(c.lists, c.notes...)...)
	s := openStore(t)
	opt := options(s, c.reader(t), server.URL)
	mustRun(t, opt)
	fails.Store(true)
	began := time.Now().Add(25 * hour).Unix()
	mustRun(t, later(opt, 25*hour))
	for _, pk := range c.authors {
		rows, err := s.Confirmed(t.Context(), pubKey(t, pk.PubKey), coverage.Feed)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			if row.Interval.VerifiedAt >= began {
				t.Errorf("it was confirmed: %+v", row)
			}
		}
	}
}

// TestASetThatDoesNotReachSoFarBackClearsNobody: a relay names a note that it does not
// give, and later leaves it out of a set that begins after it.
func TestASetThatDoesNotReachSoFarBackClearsNobody(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	var cut atomic.Bool
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{
		Compares: true, Info: comparing,
		LeavesOut: func(e *gonostr.Event) bool { return strings.HasPrefix(e.Content, "late") },
		Reads: func(f *gonostr.Filter) {
			if since := gonostr.Timestamp(time.Now().Add(-hour).Unix()); cut.Load() && f.Since != nil && *f.Since < since {
				f.Since = &since
			}
		},
	}, append(c.lists, c.notes...)...)
	s := openStore(t)
	opt := options(s, c.reader(t), server.URL)
	mustRun(t, opt)
	server.Publish(c.latecomers(t, 5*hour)[:1]...)
	if sum := mustRun(t, later(opt, time.Minute)); sum.Complete > 0 {
		t.Fatalf("%+v", sum)
	}
	cut.Store(true)
	asked := len(server.NEGs())
	for _, at := range []time.Duration{7 * hour, 14 * hour, 32 * hour, 33 * hour} {
		if sum := mustRun(t, later(opt, at)); sum.Complete > 0 {
			t.Errorf("%v later %d people are complete", at, sum.Complete)
		}
	}
	if len(server.NEGs()) == asked {
		t.Error("no sets were compared: the test has lost its meaning")
	}
}
