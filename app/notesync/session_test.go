package notesync_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
)

// running runs a session until the test or stop ends it.
func running(t *testing.T, opt notesync.Options) (s *notesync.Session, last func() notesync.Progress, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var (
		mu       sync.Mutex
		progress notesync.Progress
	)
	opt.Once = false
	opt.Progress = func(p notesync.Progress) {
		mu.Lock()
		defer mu.Unlock()
		progress = p
	}
	s = notesync.New(opt)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if _, err := s.Run(ctx); err != nil {
			t.Errorf("it ended with %v", err)
		}
	}()
	var once sync.Once
	stop = func() { once.Do(func() { cancel(); <-done }) }
	t.Cleanup(stop)
	return s, func() notesync.Progress {
		mu.Lock()
		defer mu.Unlock()
		return progress
	}, stop
}

func stateOf(s *notesync.Session, url string) notesync.RelayState {
	for _, st := range s.Relays() {
		if st.URL == url {
			return st
		}
	}
	return notesync.RelayState{}
}

func TestHowItStandsWithEachRelayIsTold(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	hostile := testkit.StartHostile(t, append(c.lists, c.notes...)...)
	want := map[string]struct {
		phase   notesync.Phase
		trouble notesync.Trouble
	}{
		hostile.At("honest"):   {notesync.Following, notesync.NoTrouble},
		hostile.At("auth"):     {notesync.Waiting, notesync.WantsLogin},
		hostile.At("http-403"): {notesync.Waiting, notesync.TurnedAway},
		hostile.At("wrong-id"): {notesync.Waiting, notesync.SendsJunk},
		hostile.At("binary"):   {notesync.Waiting, notesync.SendsJunk},
		"ws://127.0.0.1:1":     {notesync.Waiting, notesync.NobodyThere},
	}
	var urls []string
	for url := range want {
		urls = append(urls, url)
	}
	opt := options(openStore(t), c.reader(t), urls...)
	opt.Limits = short()
	s, last, stop := running(t, opt)
	testkit.Eventually(t, "it is up to date", func() bool { return last().Stage == "live" })
	for url, w := range want {
		testkit.Eventually(t, url+" is "+string(w.phase)+", "+string(w.trouble), func() bool {
			st := stateOf(s, url)
			return st.Phase == w.phase && st.Trouble == w.trouble && (st.Phase != notesync.Waiting || !st.Again.IsZero())
		})
	}
	good := stateOf(s, hostile.At("honest"))
	if len(good.People) != 3 || !good.Connected || good.Answer <= 0 || good.Heard.IsZero() || good.Events == 0 || good.Bytes == 0 {
		t.Errorf("%+v", good)
	}
	if said := stateOf(s, hostile.At("auth")).Said; said != "auth-required: who are you?" {
		t.Errorf("it said %q", said)
	}
	if s.Heard().IsZero() {
		t.Error("nothing was heard")
	}
	stop()
	for _, st := range s.Relays() {
		if st.Connected || st.Phase == notesync.Following {
			t.Errorf("after the end: %+v", st)
		}
	}
}

func TestARelayIsAskedAgainAtOnceWhenTheUserWantsIt(t *testing.T) {
	c := newCircle(t, "ada")
	steady := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.lists, c.notes...)...)
	shaky := testkit.StartGoRelay(t, testkit.GoRelayOptions{})
	shaky.Stop()
	opt := options(openStore(t), c.reader(t), steady.URL, shaky.URL)
	// Nothing is ever waited for to its end, so that only Retry can bring it back.
	opt.Sleep = func(ctx context.Context, d time.Duration) error {
		if d < 5*time.Second {
			return ctx.Err()
		}
		<-ctx.Done()
		return ctx.Err()
	}
	s, last, _ := running(t, opt)
	testkit.Eventually(t, "it is up to date", func() bool { return last().Stage == "live" })
	testkit.Eventually(t, "the other is given up", func() bool { return stateOf(s, shaky.URL).Phase == notesync.Waiting })
	shaky.Start()
	s.Retry(shaky.URL)
	testkit.Eventually(t, "it is live", func() bool { return stateOf(s, shaky.URL).Phase == notesync.Following })
	if p := last(); p.Connected != 2 {
		t.Errorf("%+v", p)
	}
}

func TestWhenOneRelayIsBackTheOthersAreAskedToo(t *testing.T) {
	c := newCircle(t, "ada")
	first := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.lists, c.notes...)...)
	second := testkit.StartGoRelay(t, testkit.GoRelayOptions{})
	s, last, _ := running(t, options(openStore(t), c.reader(t), first.URL, second.URL))
	testkit.Eventually(t, "both are there", func() bool { return last().Stage == "live" && last().Connected == 2 })
	first.Stop()
	second.Stop()
	testkit.Eventually(t, "both are gone", func() bool { return last().Connected == 0 })
	first.Start()
	second.Start()
	testkit.Eventually(t, "both are back", func() bool { return last().Connected == 2 })
	testkit.Eventually(t, "both are live", func() bool {
		return stateOf(s, first.URL).Phase == notesync.Following && stateOf(s, second.URL).Phase == notesync.Following
	})
}

func TestListsAreLookedUpAgainOverTheSameConnection(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.lists, c.notes...)...)
	var mu sync.Mutex
	now := time.Now()
	opt := options(openStore(t), c.reader(t), server.URL)
	opt.Refresh = time.Hour
	opt.Now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	s, last, _ := running(t, opt)
	testkit.Eventually(t, "it is up to date", func() bool { return last().Stage == "live" })
	asked := len(server.REQs())
	lists := func() (n int) {
		for _, f := range filters(t, server.REQs()[asked:]) {
			for _, kind := range f.Kinds {
				if kind == 10006 && f.Since == nil { // of the look-up, not of the live subscription
					n++
				}
			}
		}
		return n
	}
	mu.Lock()
	now = now.Add(61 * time.Minute)
	mu.Unlock()
	s.Retry() // ends no wait of the session itself
	testkit.Eventually(t, "the lists are looked up after their time", func() bool { return lists() == 1 && last().Stage == "live" })
	s.Anew()
	testkit.Eventually(t, "the lists are looked up on demand", func() bool { return lists() == 2 && last().Stage == "live" })
	if n := server.Dials(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

func TestRelaysThatTheReaderWantsNothingOfAreNotAsked(t *testing.T) {
	c := newCircle(t, "ada", "ben")
	home := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.lists, c.notes...)...)
	unwanted, banned := testkit.StartGoRelay(t, testkit.GoRelayOptions{}), testkit.StartGoRelay(t, testkit.GoRelayOptions{})
	home.Publish(c.writeTo(t, home.URL, unwanted.URL, banned.URL)...)
	home.Publish(c.me.Event(t, 10006, time.Now().Unix()-100, "", []string{"relay", unwanted.URL}))
	opt := options(openStore(t), c.reader(t))
	opt.Only, opt.Base, opt.Never = nil, []string{home.URL}, []string{banned.URL}
	mustRun(t, opt)
	if unwanted.Dials()+banned.Dials() > 0 {
		t.Errorf("they were dialled %d and %d times", unwanted.Dials(), banned.Dials())
	}
}

func TestAQuestionIsAskedOfAllUntilThereIsEnough(t *testing.T) {
	c := newCircle(t, "ada")
	full := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, c.notes...)
	hostile := testkit.StartHostile(t, c.notes...)
	wanted := parse(t, c.notes[:1])[0].ID
	s := openStore(t)
	has := func() bool {
		_, err := s.Event(t.Context(), wanted)
		return err == nil
	}
	ask := func(relays ...string) (int, error) {
		return notesync.Ask(t.Context(), notesync.Question{
			Store: s, Client: private(), Relays: relays, Filters: []nostr.Filter{{IDs: []nostr.ID{wanted}}}, Wait: 20 * time.Second, Enough: has,
		})
	}
	// The silent ones would be waited for much longer than the test may take.
	if n, err := ask(hostile.At("no-reply"), hostile.At("bad-sig"), full.URL, "not a relay"); n != 1 || err != nil || !has() {
		t.Errorf("%d new, %v", n, err)
	}
	if _, err := ask("not a relay"); err != notesync.ErrNoRelays { //nolint:errorlint // as it is
		t.Errorf("no relay to ask: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := notesync.Ask(ctx, notesync.Question{Store: s, Client: private(), Relays: []string{full.URL}, Filters: []nostr.Filter{{}}, Wait: time.Second}); err == nil {
		t.Error("asked although it was called off")
	}
}
