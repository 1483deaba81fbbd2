package notesync_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// idsIn returns what is stored.
func idsIn(t *testing.T, s *ndb.Store) map[nostr.ID]*nostr.Event {
	t.Helper()
	ids := map[nostr.ID]*nostr.Event{}
	for e, err := range s.Export(t.Context(), nostr.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		ids[e.ID] = e
	}
	return ids
}

func TestWhatWasPrunedIsNotFetchedAgainAndNothingFalseIsClaimed(t *testing.T) {
	w := smallWorld(t, 4)
	events := asJSON(w.Events)
	for i := range 20 { // to the reader, by somebody whom they do not follow
		at := time.Now().Add(-time.Duration(i) * 5 * time.Hour).Unix()
		events = append(events, testkit.NewKey("stranger").Event(t, 1, at, "hello", []string{"p", w.Me.String()}))
	}
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, events...)
	for _, tc := range []struct {
		name  string
		prune func(bytes int64) ndb.PruneOptions
	}{
		{"days", func(int64) ndb.PruneOptions {
			return ndb.PruneOptions{Before: time.Now().Add(-30 * time.Hour).Unix()}
		}},
		{"size", func(bytes int64) ndb.PruneOptions { return ndb.PruneOptions{MaxBytes: bytes / 2} }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := openStore(t)
			opt := options(s, w.Me, server.URL)
			mustRun(t, opt)
			all := idsIn(t, s)
			_, bytes, err := s.Size(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			prune := tc.prune(bytes)
			prune.Me = []nostr.PubKey{w.Me}
			report, err := s.Prune(t.Context(), prune)
			if err != nil || report.Notes == 0 {
				t.Fatalf("nothing went: %+v, %v", report, err)
			}
			// What the ledger still claims must be there.
			left := idsIn(t, s)
			for _, pk := range followed(w) {
				rows, err := s.Coverage(t.Context(), pk, coverage.Feed)
				if err != nil {
					t.Fatal(err)
				}
				for _, row := range rows {
					for _, e := range feedOf(t, w.Events, []nostr.PubKey{pk}, row.Interval.From, row.Interval.To) {
						if left[e.ID] == nil && all[e.ID] != nil {
							t.Errorf("%s of %d is gone, and the ledger claims it", e.ID, e.CreatedAt)
						}
					}
				}
			}
			opt.From = func() (feed, inbox int64) {
				if prune.MaxBytes > 0 {
					feed = report.Before
				}
				return feed, report.Before
			}
			for range 2 {
				sum := mustRun(t, opt)
				if sum.Complete != sum.People {
					t.Errorf("of what is to be kept not all is complete: %+v", sum)
				}
			}
			for id, e := range idsIn(t, s) {
				if left[id] == nil {
					t.Errorf("%s, kind %d of %s, came again", id, e.Kind, time.Unix(e.CreatedAt, 0))
				}
			}
		})
	}
}

func TestARunningSessionDoesNotFetchAgainWhatIsPrunedBesideIt(t *testing.T) {
	w := smallWorld(t, 5)
	events := asJSON(w.Events)
	for i := range 20 {
		at := time.Now().Add(-time.Duration(i) * 5 * time.Hour).Unix()
		events = append(events, testkit.NewKey("stranger").Event(t, 1, at, "hello", []string{"p", w.Me.String()}))
	}
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, events...)
	s := openStore(t)
	var before, plans atomic.Int64
	opt := options(s, w.Me, server.URL)
	opt.Sleep, opt.Refresh = nil, time.Hour
	opt.From = func() (feed, inbox int64) {
		plans.Add(1)
		return before.Load(), before.Load()
	}
	session, last, _ := running(t, opt)
	testkit.Eventually(t, "it is up to date", func() bool { return last().Stage == "live" })
	_, bytes, err := s.Size(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	report, err := s.Prune(t.Context(), ndb.PruneOptions{Me: []nostr.PubKey{w.Me}, MaxBytes: bytes / 2})
	if err != nil || report.Notes == 0 {
		t.Fatalf("nothing went: %+v, %v", report, err)
	}
	before.Store(report.Before)
	left := idsIn(t, s)
	planned := plans.Load()
	session.Anew()
	testkit.Eventually(t, "it is planned again", func() bool { return plans.Load() > planned })
	testkit.Eventually(t, "it is up to date again", func() bool { return last().Stage == "live" })
	for id, e := range idsIn(t, s) {
		if left[id] == nil {
			t.Errorf("%s, kind %d of %s, came again", id, e.Kind, time.Unix(e.CreatedAt, 0))
		}
	}
}

// strangersTalk are notes to the reader by people whom they do not follow, one every
// few hours, each about older notes of others, with everybody's profile.
func strangersTalk(t *testing.T, me nostr.PubKey) (events [][]byte) {
	t.Helper()
	now := time.Now()
	ago := func(d time.Duration) int64 { return now.Add(-d).Unix() }
	const year = 365 * 24 * time.Hour
	add := func(k testkit.Key, kind int, at int64, text string, tags ...[]string) *nostr.Event {
		raw := k.Event(t, kind, at, text, tags...)
		events = append(events, raw)
		return parse(t, [][]byte{raw})[0]
	}
	for i := range 24 {
		who := func(role string) testkit.Key {
			k := testkit.NewKey(fmt.Sprint(role, i))
			add(k, 0, ago(2*year), fmt.Sprintf(`{"name":"%s %d"}`, role, i))
			return k
		}
		linked, list := who("linked"), who("list")
		quoted := add(who("quoted"), 1, ago(year+time.Hour), "quoted, of nostr:"+pubKey(t, linked.PubKey).Npub())
		root := add(who("root"), 1, ago(year), "root, see nostr:"+quoted.ID.Note())
		parent := add(who("parent"), 1, ago(year-time.Hour), "parent", []string{"e", root.ID.String(), "", "root"})
		// A kind that nothing is shown with, whatever it refers to.
		set := add(list, 30003, ago(year), "", []string{"d", "x"}, []string{"q", add(who("listed"), 1, ago(year), "listed").ID.String()})
		add(who("stranger"), 1, ago(time.Duration(i)*5*time.Hour), "hello",
			[]string{"p", me.String()}, []string{"e", root.ID.String(), "", "root"}, []string{"e", parent.ID.String(), "", "reply"}, []string{"q", set.ID.String()})
	}
	return events
}

func TestRoundsOfFetchingAndPruningFetchNothingTwice(t *testing.T) {
	const days = 2
	w := smallWorld(t, 6)
	events := append(asJSON(w.Events), strangersTalk(t, w.Me)...)
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, events...)
	for _, both := range []bool{false, true} {
		t.Run(fmt.Sprintf("with a limit of size too: %v", both), func(t *testing.T) {
			s := openStore(t)
			gone, kept, now := map[nostr.ID]bool{}, 0, time.Now()
			for round := range 5 {
				before := now.AddDate(0, 0, -days).Unix()
				opt := options(s, w.Me, server.URL)
				opt.Now = func() time.Time { return now }
				opt.From = func() (feed, inbox int64) { return 0, before }
				mustRun(t, opt)
				stored := idsIn(t, s)
				for id, e := range stored {
					if gone[id] {
						t.Errorf("round %d: %s, kind %d of %s, came again: %.40q", round, id, e.Kind, time.Unix(e.CreatedAt, 0), e.Content)
					}
				}
				prune := ndb.PruneOptions{Me: []nostr.PubKey{w.Me}, Before: before}
				if both {
					prune.MaxBytes = 1 << 40
				}
				if _, err := s.Prune(t.Context(), prune); err != nil {
					t.Fatal(err)
				}
				left := idsIn(t, s)
				for id, e := range stored {
					if left[id] == nil {
						gone[id] = true
					} else if e.Content == "parent" {
						kept++
					}
				}
				now = now.Add(20 * time.Hour)
			}
			if len(gone) < 20 || kept < 10 {
				t.Errorf("%d went, and %d times a note stayed that is answered: the test has lost its meaning", len(gone), kept)
			}
		})
	}
}

func TestPruningDuringARunLeavesNothingFalseInTheLedger(t *testing.T) {
	w := smallWorld(t, 7)
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{Page: 20}, asJSON(w.Events)...)
	for _, at := range []int{30, 90, 150} {
		s := openStore(t)
		opt := options(s, w.Me, server.URL)
		var pruned atomic.Bool
		opt.Progress = func(p notesync.Progress) {
			if p.Stage != "notes" || p.Stored < at || pruned.Swap(true) {
				return
			}
			_, bytes, err := s.Size(t.Context())
			if err != nil {
				t.Error(err)
			}
			report, err := s.Prune(t.Context(), ndb.PruneOptions{Me: []nostr.PubKey{w.Me}, MaxBytes: bytes / 2})
			if err != nil || report.Notes == 0 {
				t.Errorf("nothing went: %+v, %v", report, err)
			}
		}
		mustRun(t, opt)
		if !pruned.Load() {
			t.Fatal("it was never pruned: the test has lost its meaning")
		}
		people := followed(w)
		wantTrue(t, s, server.URL, feedOf(t, w.Events, people, 0, time.Now().Unix()))
		opt.Progress = nil
		if sum := mustRun(t, opt); sum.Complete != sum.People {
			t.Errorf("of what is to be kept not all is complete: %+v", sum)
		}
	}
}
