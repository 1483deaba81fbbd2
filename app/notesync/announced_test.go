package notesync_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"

	"github.com/nbd-wtf/go-nostr"
)

// TestKhatruThatAnnouncesItsLimitIsReadToTheEnd: of lists khatru gives one for each person
// and kind whatever limit was asked for, here more than twice as many.
func TestKhatruThatAnnouncesItsLimitIsReadToTheEnd(t *testing.T) {
	me, people, held := crowd(t)
	for i := range people {
		held = append(held, testkit.NewKey(fmt.Sprint("person ", i)).Event(t, 10002, time.Now().Unix()-40*24*3600, ""))
	}
	server := testkit.StartKhatru(t, "-limit=40", "-tell")
	server.Publish(t, held...)
	s := openStore(t)
	opt := options(s, me, server.URL)
	opt.Days, opt.Sleep = 5, atOnce
	sum := mustRun(t, opt)
	if r := reportOf(t, sum, server.URL); sum.Complete != len(people) || r.State != "done" {
		t.Errorf("%+v", sum)
	}
}

// TestARelayThatGivesOneNoteAtATimeIsNotCalledDone: what lies behind a note of the same
// second cannot be had there.
func TestARelayThatGivesOneNoteAtATimeIsNotCalledDone(t *testing.T) {
	c := crowded(t, 5, "ada", "ben")
	c.lists = append(c.lists, c.me.Event(t, 10002, time.Now().Unix()-50, "")) // newer than the contact list
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Page: 1, Info: `{"limitation":{"max_limit":1}}`}, append(c.lists, c.notes...)...)
	s := openStore(t)
	opt := options(s, c.reader(t), server.URL)
	opt.Days, opt.Sleep = 5, atOnce
	sum := mustRun(t, opt)
	if r := reportOf(t, sum, server.URL); sum.Complete != 0 || r.State != "partly" || !strings.Contains(r.Error, "one note at a time") {
		t.Errorf("%+v", sum)
	}
}

// TestARelayThatTakesUntilAsExclusiveIsNotCalledComplete: the oldest second of each of
// its pages is left out of the next, with all that the page had no room for.
func TestARelayThatTakesUntilAsExclusiveIsNotCalledComplete(t *testing.T) {
	me, _, held := crowd(t)
	now := time.Now().Unix()
	for i := range 60 {
		who := testkit.NewKey(fmt.Sprint("person ", i))
		for j := range 5 {
			held = append(held, who.Event(t, 1, now-7200-int64(i%3), fmt.Sprint("of one second ", j)))
		}
	}
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Page: 100, Reads: func(f *nostr.Filter) {
		if f.Until != nil {
			until := *f.Until - 1
			f.Until = &until
		}
	}}, held...)
	s := openStore(t)
	opt := options(s, me, server.URL)
	opt.Days, opt.Sleep = 5, atOnce
	sum := mustRun(t, opt)
	if r := reportOf(t, sum, server.URL); sum.Complete != 0 || r.State != "partly" || !strings.Contains(r.Error, "leaves out of one answer") {
		t.Errorf("%+v", sum)
	}
	wantTrue(t, s, server.URL, parse(t, held[len(held)-300:]))
}

// TestWhyThereIsNoContactListIsSaid: a list that was not found because the relay would
// not answer is not called missing without a word of that.
func TestWhyThereIsNoContactListIsSaid(t *testing.T) {
	me, _, held := crowd(t)
	for _, tt := range []struct {
		name  string
		most  int // kinds of a filter
		words string
	}{
		{"three kinds at a time", 3, ""},
		{"none", 0, "too many kinds in filter"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Refuse: func(f nostr.Filter) string {
				if len(f.Kinds) > tt.most {
					return "ERROR: bad req: filter validation failed: too many kinds in filter"
				}
				return ""
			}}, held...)
			opt := options(openStore(t), me, server.URL)
			opt.Sleep = atOnce
			_, err := notesync.Run(t.Context(), opt)
			if errors.Is(err, notesync.ErrNoContacts) != (tt.words != "") || err != nil && !strings.Contains(err.Error(), tt.words) {
				t.Error(err)
			}
		})
	}
}

// TestARelayThatHeedsSomeAuthorsOfAFilterIsAskedForFewer: it leaves out the others
// without a word.
func TestARelayThatHeedsSomeAuthorsOfAFilterIsAskedForFewer(t *testing.T) {
	me, people, held := crowd(t)
	ask := func(authorsUsed int) (asked int) {
		server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Reads: func(f *nostr.Filter) {
			f.Authors = f.Authors[:min(len(f.Authors), authorsUsed)]
		}}, held...)
		s := openStore(t)
		opt := options(s, me, server.URL)
		opt.Days, opt.Sleep = 5, atOnce
		sum := mustRun(t, opt)
		wantAll(t, s, parse(t, held))
		if r := reportOf(t, sum, server.URL); sum.Complete != len(people) || r.State != "done" {
			t.Errorf("%+v", sum)
		}
		return len(server.REQs())
	}
	all, some := ask(100), ask(20)
	t.Logf("%d questions, %d where it authorsUsed 20 authors", all, some)
	if some > 10*all {
		t.Errorf("it was asked %d questions, another %d", some, all)
	}
}
