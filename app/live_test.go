package app

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bowerbird/app/builtin"
	"bowerbird/app/config"
	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
)

func TestTheFirstSyncOnlyGoesForwardsAndIsRemembered(t *testing.T) {
	c := newCircle("ada", "ben", "cleo", "dora")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Page: 10}, append(c.notes(t, 30), c.follows(t, 4, time.Hour))...)
	places := config.Locate(t.TempDir(), "")
	a := c.reading(t, places, server.URL)
	var mu sync.Mutex
	var seen []Status
	live := a.Live() // a is another one further down, and may be told of this one still
	live.OnChange(func() {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, live.Status())
	})
	live.Start()
	live.Start() // does nothing
	testkit.Eventually(t, "it is live", a.isLive)
	testkit.Eventually(t, "all is there", func() bool { return countNotes(t, a) == 120 })
	end := a.Live().Status()
	if end.Connected != 1 || end.Relays != 1 || end.Offline || end.LastSync.IsZero() || end.Stored < 124 || end.First || end.Share != 1 || end.PeopleDone != 4 {
		t.Errorf("live: %+v", end)
	}
	a.Live().Stop()
	if s := a.Live().Status(); s.Stage != StageStopped || s.Connected != 0 || s.LastSync.IsZero() {
		t.Errorf("stopped: %+v", s)
	}
	mu.Lock()
	var last Status
	for _, s := range seen {
		if s.Share < last.Share || s.PeopleDone < last.PeopleDone || s.Stored < last.Stored {
			t.Errorf("it went back: %+v after %+v", s, last)
		}
		last = s
	}
	if len(seen) == 0 {
		t.Error("nothing was told")
	}
	mu.Unlock()
	closeApp(t, a)

	a = c.reading(t, places, server.URL)
	defer closeApp(t, a)
	a.Live().Start()
	testkit.Eventually(t, "it is live again", func() bool {
		if a.Live().Status().First {
			t.Fatal("the second start is called the first")
		}
		return a.isLive()
	})
	if s := a.Live().Status(); s.LastSync.IsZero() || s.Stored > 0 {
		t.Errorf("nothing was new: %+v", s)
	}
}

func TestClosedInTheMiddleItGoesOnWhereItWas(t *testing.T) {
	c := newCircle("ada", "ben", "cleo")
	everything := append(c.notes(t, 60), c.follows(t, 3, time.Hour))
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Page: 7}, everything...)
	places := config.Locate(t.TempDir(), "")
	for i, at := range []int{5, 40, 90} {
		a := c.reading(t, places, server.URL)
		a.Live().Start()
		testkit.Eventually(t, "some came", func() bool { return countNotes(t, a) >= at })
		before := countNotes(t, a)
		closeApp(t, a) // while it fetches
		a = c.reading(t, places, server.URL)
		if now := countNotes(t, a); now < before {
			t.Errorf("round %d: %d notes, there were %d", i, now, before)
		}
		closeApp(t, a)
	}
	a := c.reading(t, places, server.URL)
	defer closeApp(t, a)
	a.Live().Start()
	testkit.Eventually(t, "it is live", a.isLive)
	if n := countNotes(t, a); n != 180 {
		t.Errorf("%d notes of 180", n)
	}
	cov, err := a.Live().Coverage(t.Context())
	if err != nil || cov.Complete != 3 || len(cov.People) != 3 || !cov.Synced {
		t.Errorf("%+v, %v", cov, err)
	}
}

func TestStartedOfflineItWaitsAndIsTakenUpWhenTheRelayIsThere(t *testing.T) {
	c := newCircle("ada", "ben")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.notes(t, 5), c.follows(t, 2, time.Hour))...)
	server.Stop()
	a := c.reading(t, config.Locate(t.TempDir(), ""), server.URL)
	defer closeApp(t, a)
	a.Live().Start()
	testkit.Eventually(t, "it says that it is offline", func() bool {
		s := a.Live().Status()
		return s.Stage == StageWaiting && s.Offline && s.Trouble == TroubleNet && s.Err != nil && !s.NextTry.IsZero()
	})
	if f := a.Live().fetching(); f != builtin.FetchOffline {
		t.Errorf("an answer is told that fetching is %v", f)
	}
	server.Start()
	a.Live().Retry()
	testkit.Eventually(t, "it is live", a.isLive)
	if s := a.Live().Status(); s.Offline || s.Trouble != NoTrouble || countNotes(t, a) != 10 {
		t.Errorf("%+v, %d notes", s, countNotes(t, a))
	}
}

func TestAnotherNetworkEndsTheWait(t *testing.T) {
	for name, tc := range map[string]struct {
		before, after string
		ends          bool
	}{
		"one comes":     {"", "192.0.2.7/24", true},
		"another comes": {"192.0.2.7/24", "192.0.2.7/24 198.51.100.3/24", true},
		"it goes":       {"192.0.2.7/24", "", false},
		"it stays":      {"192.0.2.7/24", "192.0.2.7/24", false},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			l := &Live{listeners: map[int]func(){}, kick: make(chan struct{})}
			l.app = &App{opt: Options{Logger: slog.New(slog.DiscardHandler), networkEvery: time.Millisecond, addresses: func() string {
				if asked.Add(1) == 1 {
					return tc.before
				}
				return tc.after
			}}}
			kick := l.kicked()
			ctx, cancel := context.WithCancel(t.Context())
			var wg sync.WaitGroup
			wg.Go(func() { l.watchNetwork(ctx) })
			testkit.Eventually(t, "it is asked", func() bool { return asked.Load() > 3 })
			cancel()
			wg.Wait()
			select {
			case <-kick:
				if !tc.ends {
					t.Error("the wait ends")
				}
			default:
				if tc.ends {
					t.Error("the wait goes on")
				}
			}
		})
	}
}

func TestAWaitIsShortenedByAQuarterAtMost(t *testing.T) {
	for share, want := range map[float64]time.Duration{0: 40 * time.Second, 0.5: 35 * time.Second, 1: 30 * time.Second} {
		if got := shortened(40*time.Second, share); got != want {
			t.Errorf("by %g: %v, want %v", share, got, want)
		}
	}
}

func TestARelayThatDiesAndComesBackIsCaughtUpWith(t *testing.T) {
	c := newCircle("ada", "ben")
	steady := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.notes(t, 5), c.follows(t, 2, time.Hour))...)
	old := c.people[0].Event(t, 1, time.Now().Add(-26*time.Hour).Unix(), "only at the shaky one")
	shaky := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, old)
	shaky.Stop()
	a := c.reading(t, config.Locate(t.TempDir(), ""), steady.URL, shaky.URL)
	defer closeApp(t, a)
	a.Live().Start()
	testkit.Eventually(t, "it is live", a.isLive)
	state := func() RelayState {
		states, err := a.Live().Relays(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range states {
			if s.URL == shaky.URL {
				return s
			}
		}
		t.Fatalf("it is not among %+v", states)
		return RelayState{}
	}
	testkit.Eventually(t, "its state says so", func() bool {
		s := state()
		return s.Phase == RelayWaiting && s.Trouble == RelayNobodyThere && !s.Again.IsZero()
	})
	if s := a.Live().Status(); s.Offline || s.Connected != 1 {
		t.Errorf("one of two is there: %+v", s)
	}
	shaky.Start()
	a.Live().RetryRelay(shaky.URL)
	testkit.Eventually(t, "it is live again", func() bool { return state().Phase == RelayLive })
	testkit.Eventually(t, "what it had all the time is fetched", func() bool { return stored(t, a, old) })
	written := c.people[1].Event(t, 1, time.Now().Unix(), "just now")
	shaky.Publish(written)
	testkit.Eventually(t, "what is new arrives", func() bool { return stored(t, a, written) })
	steady.Stop()
	shaky.Stop()
	testkit.Eventually(t, "it says that it is offline", func() bool { return a.Live().Status().Offline })
	shaky.Start()
	a.Live().Retry()
	testkit.Eventually(t, "it is online", func() bool { return !a.Live().Status().Offline })
}

func TestANewFollowIsTakenUpWhenTheListArrives(t *testing.T) {
	c := newCircle("ada", "ben")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.notes(t, 5), c.follows(t, 1, time.Hour))...)
	a := c.reading(t, config.Locate(t.TempDir(), ""), server.URL)
	defer closeApp(t, a)
	a.Live().Start()
	testkit.Eventually(t, "it is live", a.isLive)
	if n := countNotes(t, a); n != 5 {
		t.Fatalf("%d notes of one person", n)
	}
	dials := server.Dials()
	server.Publish(c.follows(t, 2, 0))
	testkit.Eventually(t, "the second person's notes are there", func() bool { return countNotes(t, a) == 10 })
	testkit.Eventually(t, "they are counted", func() bool {
		cov, err := a.Live().Coverage(t.Context())
		return err == nil && len(cov.People) == 2 && cov.Complete == 2
	})
	if server.Dials() != dials {
		t.Errorf("%d new connections; the standing one is to be used", server.Dials()-dials)
	}
}

func TestAnotherReaderIsTakenUpAndNothingIsLost(t *testing.T) {
	c, d := newCircle("ada"), newCircle("ben")
	d.me = testkit.NewKey("another")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.notes(t, 5), c.follows(t, 1, time.Hour))...)
	server.Publish(append(d.notes(t, 7), d.follows(t, 1, time.Hour))...)
	places := config.Locate(t.TempDir(), "")
	a := open(t, Options{Places: places, AllowPrivate: true, Settings: config.Settings{
		Person: config.Person{Key: pubKey(t, c.me.PubKey).Npub()}, Sync: config.Sync{Relays: []string{server.URL}, Indexers: []string{server.URL}},
	}})
	a.Live().Start()
	testkit.Eventually(t, "the first reader's notes are there", func() bool { return a.isLive() && countNotes(t, a) == 5 })
	other := pubKey(t, d.me.PubKey)
	if err := a.ReadAs(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "the second reader's notes are there", func() bool { return a.isLive() && countNotes(t, a) == 12 })
	if a.Me() != other {
		t.Error("the reader is still the first")
	}
	if saved, err := config.Load(places.Settings); err != nil || saved.Person.Key != other.Npub() {
		t.Errorf("the settings name %q, %v", saved.Person.Key, err)
	}
}

func TestAFirstSyncIsRememberedForWhomItWas(t *testing.T) {
	a := open(t, Options{Places: config.Locate(t.TempDir(), "")})
	before, now := pubKey(t, testkit.NewKey("ada").PubKey), pubKey(t, testkit.NewKey("ben").PubKey)
	l := a.Live()
	l.change(func(s *liveState) { s.begin(before, true, 7) })
	a.setMe(now) // while the session of the one before gives its last word
	l.progress(notesync.Progress{Stage: string(StageLive)})
	if !a.wasSynced(t.Context(), before) || a.wasSynced(t.Context(), now) {
		t.Errorf("synced are the one before: %v, the one now: %v", a.wasSynced(t.Context(), before), a.wasSynced(t.Context(), now))
	}
}

func TestWhenNobodyIsChosenItWaitsForSomebody(t *testing.T) {
	c := newCircle("ada")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.notes(t, 5), c.follows(t, 1, time.Hour))...)
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), AllowPrivate: true, Settings: config.Settings{Sync: config.Sync{Relays: []string{server.URL}, Indexers: []string{server.URL}}}})
	a.Live().Start()
	testkit.Eventually(t, "it says so", func() bool { return a.Live().Status().Stage == StageNobody })
	if err := a.ReadAs(t.Context(), pubKey(t, c.me.PubKey)); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "it is live", func() bool { return a.isLive() && countNotes(t, a) == 5 })
}

func TestRelaysOfTheUsersChoice(t *testing.T) {
	c := newCircle("ada", "ben")
	first := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.notes(t, 5), c.follows(t, 2, time.Hour))...)
	second := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, c.people[0].Event(t, 1, time.Now().Add(-time.Hour).Unix(), "only here"))
	places := config.Locate(t.TempDir(), "")
	a := c.reading(t, places, first.URL)
	defer closeApp(t, a)
	a.Live().Start()
	testkit.Eventually(t, "it is live", a.isLive)
	url, err := a.Live().AddRelay(" " + second.URL + "/ ")
	if err != nil || url != second.URL {
		t.Fatalf("%q, %v", url, err)
	}
	testkit.Eventually(t, "the new relay's note is there", func() bool { return countNotes(t, a) == 11 })
	var d RelayDetails
	testkit.Eventually(t, "what it gave is counted", func() bool {
		d, err = a.Live().Relay(t.Context(), second.URL)
		return err != nil || len(d.Last) == 1
	})
	if err != nil || !d.Added || !d.Notes || d.People != 2 || len(d.For) != 2 || len(d.Last) != 1 || d.Today > 1 {
		t.Errorf("%+v, %v", d, err)
	}
	if err := a.Live().RemoveRelay(second.URL); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "nobody is connected to it", func() bool {
		open, _ := second.Open()
		return open == 0 && a.isLive()
	})
	if saved, err := config.Load(places.Settings); err != nil || len(saved.Sync.Relays) != 2 || len(saved.Sync.Without) != 1 {
		t.Errorf("%+v, %v", saved.Sync, err)
	}
	if url, trouble, err := a.Live().CheckRelay(t.Context(), second.URL); url != second.URL || trouble != RelayFine || err != nil {
		t.Errorf("a relay that is there: %q, %q, %v", url, trouble, err)
	}
	second.Stop()
	if _, trouble, err := a.Live().CheckRelay(t.Context(), second.URL); trouble != RelayNobodyThere || err != nil {
		t.Errorf("one that is not: %q, %v", trouble, err)
	}
	for _, bad := range []string{"", "not a relay", "http://relay.example", "wss://", "wss://user:pw@relay.example"} {
		if _, err := a.Live().AddRelay(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	if err := a.Live().SetOnlyOwn(true); err != nil || !a.Live().OnlyOwn() {
		t.Errorf("only own: %v", err)
	}
	testkit.Eventually(t, "it is live with its own relay only", a.isLive)
}

func TestWithOnlyOnesOwnRelaysAndNoneOfThemNobodyIsAsked(t *testing.T) {
	c := newCircle("ada")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.notes(t, 1), c.follows(t, 1, time.Hour))...)
	a := open(t, Options{
		Places: config.Locate(t.TempDir(), ""), As: c.me.PubKey, AllowPrivate: true,
		Settings: config.Settings{Sync: config.Sync{Indexers: []string{server.URL}, OnlyOwn: true}},
	})
	a.Live().Start()
	testkit.Eventually(t, "it says so", func() bool { return a.Live().Status().Trouble == TroubleRelay })
	if _, err := a.LookUp(t.Context(), testkit.NewKey("ada").PubKey); err != nil {
		t.Error(err)
	}
	if _, err := a.FetchNotes(t.Context(), []ndb.ID{{1}}, []string{server.URL}); !Unreachable(err) {
		t.Errorf("looking further: %v", err)
	}
	if n := server.Dials(); n > 0 {
		t.Errorf("a relay of others was dialled %d times", n)
	}
}

func TestTheSampleFetchesNothingAndSaysSo(t *testing.T) {
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Sample: true})
	saysSo := func() bool { return a.Live().Status().Stage == StageSample }
	if !saysSo() { // the window never starts it
		t.Errorf("before it was started it says %s", a.Live().Status().Stage)
	}
	a.Live().Start()
	testkit.Eventually(t, "it says so", saysSo)
	cov, err := a.Live().Coverage(t.Context())
	if err != nil || len(cov.People) < 10 || cov.Complete != len(cov.People) || cov.People[0].Last.After(time.Now()) {
		t.Errorf("%d of %d, %v", cov.Complete, len(cov.People), err)
	}
	a.Live().Retry()
	a.Live().RetryPeople(context.Background(), a.Me())
	a.Live().Stop()
	if !saysSo() {
		t.Errorf("stopped it says %s", a.Live().Status().Stage)
	}
}

func TestNotesThatAreMissingAreLookedFor(t *testing.T) {
	c := newCircle("ada", "ben")
	root := c.people[0].Event(t, 1, time.Now().Add(-999*time.Hour).Unix(), "long ago")
	e, err := ndb.ParseEvent(root)
	if err != nil {
		t.Fatal(err)
	}
	reply := c.people[1].Event(t, 1, time.Now().Add(-998*time.Hour).Unix(), "yes", []string{"e", e.ID.String(), "", "root"})
	stranger := testkit.NewKey("stranger")
	other := stranger.Event(t, 1, time.Now().Add(-997*time.Hour).Unix(), "no", []string{"e", e.ID.String(), "", "root"})
	elsewhere := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, root, reply, other)
	home := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, stranger.Event(t, 0, time.Now().Add(-999*time.Hour).Unix(), `{"name":"far"}`))
	a := c.reading(t, config.Locate(t.TempDir(), ""), home.URL)
	defer closeApp(t, a)
	if n, err := a.FetchNotes(t.Context(), []ndb.ID{e.ID}, nil); n != 0 || err != nil {
		t.Errorf("%d found where it is not, %v", n, err)
	}
	if n, err := a.FetchNotes(t.Context(), []ndb.ID{e.ID, {9}}, []string{"not a relay", elsewhere.URL}); n != 1 || err != nil {
		t.Errorf("%d found, %v", n, err)
	}
	if n, err := a.FetchThread(t.Context(), e.ID, []string{elsewhere.URL}); n != 2 || err != nil {
		t.Errorf("%d new notes of the thread, %v", n, err)
	}
	if p, err := a.Notes().Profile(t.Context(), pubKey(t, stranger.PubKey)); p.Name != "far" || err != nil {
		t.Errorf("who answered has the name %q, %v", p.Name, err)
	}
	elsewhere.Stop()
	home.Stop()
	if _, err := a.FetchNotes(t.Context(), []ndb.ID{{7}}, nil); !Unreachable(err) {
		t.Errorf("with no relay there: %v", err)
	}
}

func TestAnEstimateCountsDownAndDoesNotJump(t *testing.T) {
	now := time.Date(2026, 5, 4, 8, 0, 0, 0, time.UTC)
	var e estimate
	if got := e.at(now); got != 0 {
		t.Errorf("before anything is known: %v", got)
	}
	last := time.Duration(0)
	// A tenth every second, but for a pause in the middle.
	parts := []float64{0, .1, .2, .3, .4, .4, .4, .4, .5, .6, .7, .8, .9, 1}
	for i, part := range parts {
		e.update(part, now)
		got := e.at(now)
		if i >= 2 && got == 0 {
			t.Errorf("after %d s: nothing", i)
		}
		if last > 0 && (got-last).Abs() > 5*time.Second {
			t.Errorf("after %d s: %v, a second before %v", i, got, last)
		}
		last = got
		now = now.Add(time.Second)
	}
}

func TestASyncThatGoesOnSeesNewFollowsAndProfiles(t *testing.T) {
	c := newCircle("ada", "ben")
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(c.notes(t, 5), c.follows(t, 1, time.Hour))...)
	a := c.reading(t, config.Locate(t.TempDir(), ""), server.URL)
	defer a.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done, live := make(chan error, 1), make(chan struct{}, 100)
	go func() {
		_, err := a.Sync(ctx, SyncOptions{AllowPrivate: true, Progress: func(p notesync.Progress) {
			if p.Stage == "live" {
				select {
				case live <- struct{}{}:
				default:
				}
			}
		}})
		done <- err
	}()
	<-live
	server.Publish(c.follows(t, 2, 0))
	ben := pubKey(t, c.people[1].PubKey)
	testkit.Eventually(t, "the notes of whom the reader follows from now on are there, and his name", func() bool {
		most, notes := 100, 0
		for range a.notes.Query(t.Context(), ndb.QueryOptions{}, ndb.Filter{Authors: []ndb.PubKey{ben}, Kinds: []uint16{0, 1}, Limit: &most}) {
			notes++
		}
		return notes == 6
	})
	cancel()
	if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
