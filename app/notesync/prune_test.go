package notesync_test

import (
	"sync/atomic"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/ndb"
)

// idsIn returns what is stored.
func idsIn(t *testing.T, s *ndb.Store) map[ndb.ID]*ndb.Event {
	t.Helper()
	ids := map[ndb.ID]*ndb.Event{}
	for e, err := range s.Export(t.Context(), ndb.Filter{}) {
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
			prune.Me = []ndb.PubKey{w.Me}
			report, err := s.Prune(t.Context(), prune)
			if err != nil || report.Notes == 0 {
				t.Fatalf("nothing went: %+v, %v", report, err)
			}
			// What the ledger still claims must be there.
			left := idsIn(t, s)
			for _, pk := range followed(w) {
				rows, err := s.Coverage(t.Context(), pk, ndb.PurposeFeed)
				if err != nil {
					t.Fatal(err)
				}
				for _, row := range rows {
					for _, e := range feedOf(t, w.Events, []ndb.PubKey{pk}, row.Interval.From, row.Interval.To) {
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
	report, err := s.Prune(t.Context(), ndb.PruneOptions{Me: []ndb.PubKey{w.Me}, MaxBytes: bytes / 2})
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
