package notesync_test

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
)

// town is 300 people who write to two of four relays each, a relay of the reader's
// and two indexers.
func town(t *testing.T, opt testkit.GoRelayOptions) (relays []*testkit.GoRelay, run notesync.Options) {
	now := time.Now().Unix()
	for range 7 {
		relays = append(relays, testkit.StartGoRelay(t, opt))
	}
	me, home, lookup := testkit.NewKey("reader"), relays[4], relays[4:]
	var follows [][]string
	for i := range 300 {
		k := testkit.NewKey(fmt.Sprint("neighbour", i))
		a, b := relays[i%4], relays[(i+1+i/4%3)%4]
		follows = append(follows, []string{"p", k.PubKey})
		name := k.Event(t, 0, now-9000, fmt.Sprintf(`{"name":"%d"}`, i))
		list := k.Event(t, 10002, now-9000, "", []string{"r", a.URL, "write"}, []string{"r", b.URL, "write"})
		for _, r := range lookup {
			r.Publish(name, list)
		}
		for n := range int64(3) {
			note := k.Event(t, 1, now-int64(i*300)-n*4000-2000, "hello")
			a.Publish(note)
			b.Publish(note)
		}
	}
	for _, r := range lookup {
		r.Publish(me.Event(t, 3, now-9000, "", follows...), me.Event(t, 10002, now-9000, "", []string{"r", home.URL}))
	}
	run = options(openStore(t), pubKey(t, me.PubKey))
	run.Only, run.Base, run.Indexers = nil, []string{home.URL}, []string{relays[5].URL, relays[6].URL}
	return relays, run
}

// asked sums up what the relays were asked, in questions and in bytes.
func asked(relays []*testkit.GoRelay) (questions, bytes int) {
	for _, r := range relays {
		questions += len(r.REQs()) + len(r.NEGs())
		bytes += int(r.Received())
	}
	return questions, bytes
}

func TestASyncWithNothingNewIsCheap(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		info             string
		questions, bytes int
	}{
		{"", 18, 70_000},
		{comparing, 15, 75_000},
	} {
		relays, opt := town(t, testkit.GoRelayOptions{Compares: tt.info != "", Info: tt.info})
		mustRun(t, opt)
		q0, b0 := asked(relays)
		opt.Now = func() time.Time { return time.Now().Add(20 * time.Minute) }
		sum := mustRun(t, opt)
		q1, b1 := asked(relays)
		if sum.Complete != sum.People || sum.Stored > 0 {
			t.Errorf("%+v", sum)
		}
		t.Logf("%q: the first %d questions and %d bytes, with nothing new %d and %d", tt.info, q0, b0, q1-q0, b1-b0)
		if q1-q0 > tt.questions || b1-b0 > tt.bytes {
			t.Errorf("%q: %d questions and %d bytes, want at most %d and %d", tt.info, q1-q0, b1-b0, tt.questions, tt.bytes)
		}
	}
}

// TestADayLaterNothingIsPagedThatSetsShow: the sets also say that nothing came late to
// what was confirmed a day ago.
func TestADayLaterNothingIsPagedThatSetsShow(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	for i := range int64(60) { // twelve days
		c.notes = append(c.notes, c.authors[i%2].Event(t, 1, time.Now().Unix()-i*5*3600-900, "from time to time"))
	}
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true, Info: comparing}, append(c.lists, c.notes...)...)
	opt := options(openStore(t), c.reader(t), server.URL)
	opt.Days = 3
	mustRun(t, opt)
	for d := range 5 {
		asked := len(server.REQs())
		if sum := mustRun(t, later(opt, time.Duration(d+1)*25*hour)); sum.Complete != sum.People {
			t.Errorf("%+v", sum)
		}
		for _, f := range filters(t, server.REQs()[asked:]) {
			if f.Since != nil && slices.Contains(f.Kinds, 20) {
				t.Errorf("day %d: it is paged: %+v", d+1, f)
			}
		}
	}
}

// TestAComparingLearnsWhatDiffersForGood: what an author took back or another relay
// gave first is no difference any more when the sets are compared again.
func TestAComparingLearnsWhatDiffersForGood(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	for i := range int64(60) { // so many that a set is not told id by id
		c.notes = append(c.notes, c.authors[i%2].Event(t, 1, time.Now().Unix()-i*600-900, "one of many"))
	}
	gone := c.authors[0].Event(t, 1, time.Now().Unix()-5000, "taken back")
	id := parse(t, [][]byte{gone})[0].ID
	c.notes = append(c.notes, c.authors[0].Event(t, 5, time.Now().Unix()-4000, "", []string{"e", id.String()}), gone)
	var differs atomic.Int64
	relay := testkit.GoRelayOptions{Compares: true, Info: comparing, NegAnswer: func(sub, right string) [][]byte {
		if len(right) > 80 { // more than a set of one
			differs.Add(1)
		}
		return [][]byte{testkit.RelayMessage("NEG-MSG", sub, right)}
	}}
	a := testkit.StartGoRelay(t, relay, append(c.lists, c.notes...)...)
	b := testkit.StartGoRelay(t, relay, append(c.lists, c.notes...)...)
	s := openStore(t)
	opt := options(s, c.reader(t), a.URL, b.URL)
	mustRun(t, opt)
	late := c.latecomers(t, 20*time.Minute, 2*hour, 40*hour)
	b.Publish(late[:2]...)
	mustRun(t, later(opt, time.Minute))
	a.Publish(late...)
	b.Publish(late...)
	mustRun(t, later(opt, 2*time.Minute))
	wantAll(t, s, parse(t, late))
	if differs.Swap(0) == 0 {
		t.Error("no sets differed: the test has lost its meaning")
	}
	sum := mustRun(t, later(opt, 3*time.Minute))
	if sum.Complete != sum.People || sum.Stored > 0 {
		t.Errorf("%+v", sum)
	}
	if n := differs.Load(); n > 0 {
		t.Errorf("%d sets still differ", n)
	}
}

// TestAfterSomeDaysOnlyThoseDaysArePaged: that nothing came late before them, the sets
// say.
func TestAfterSomeDaysOnlyThoseDaysArePaged(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	for i := range int64(60) {
		c.notes = append(c.notes, c.authors[i%2].Event(t, 1, time.Now().Unix()-i*5*3600-900, "from time to time"))
	}
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Compares: true, Info: comparing}, append(c.lists, c.notes...)...)
	opt := options(openStore(t), c.reader(t), server.URL)
	mustRun(t, opt)
	asked := len(server.REQs())
	mustRun(t, later(opt, 3*24*hour))
	for _, f := range filters(t, server.REQs()[asked:]) {
		if f.Until != nil && *f.Until < time.Now().Add(-2*hour).Unix() && slices.Contains(f.Kinds, 20) {
			t.Errorf("it is paged up to %d hours ago", (time.Now().Unix()-*f.Until)/3600)
		}
	}
}
