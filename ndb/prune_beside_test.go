package ndb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// idleTalk puts a contact list of the reader and old notes of a stranger.
func idleTalk(t *testing.T, s *Store, me, eve person, follows ...person) []*nostr.Event {
	t.Helper()
	var list nostr.Tags
	for _, p := range follows {
		list = append(list, nostr.Tag{"p", p.key.String()})
	}
	var talk []*nostr.Event
	for i := range 450 {
		talk = append(talk, eve.signs(t, 1, testNow-1000+int64(i), fmt.Sprint(i)))
	}
	put(t, s, append(slices.Clone(talk), me.signs(t, 3, testNow-2000, "", list...))...)
	return talk
}

func isThere(t *testing.T, s *Store, e *nostr.Event) bool {
	t.Helper()
	_, err := s.Event(t.Context(), e.ID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		t.Fatal(err)
	}
	return err == nil
}

func TestWhatAPageProvesThatWasAskedForBeforeOrDuringAPruningClaimsNothingThatWent(t *testing.T) {
	for _, tc := range []struct {
		name string
		at   int // how many have gone when the page is proved; -1 when all is over
		anew bool
		from int64
	}{
		{"proved at the first removals", 100, false, testNow - 1000 + 450},
		{"proved at the last removals", 450, false, testNow - 1000 + 450},
		{"asked for and proved between the removals", 200, true, testNow - 1000 + 450},
		{"proved afterwards", -1, false, testNow - 1000 + 450},
		{"asked for and proved afterwards", -1, true, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, _ := openTest(t)
			me, eve := newPerson(1), newPerson(2)
			talk := idleTalk(t, s, me, eve)
			asked := s.Epoch()
			prove := func() {
				b := Batch{Epoch: asked}
				if tc.anew {
					b.Epoch = s.Epoch()
				}
				whole := coverage.Interval{From: 0, To: testNow, VerifiedAt: testNow, Proof: coverage.ProofFinish}
				for _, p := range []coverage.Purpose{coverage.Feed, coverage.Inbox} {
					b.Coverage = append(b.Coverage, coverage.Row{Author: eve.key, Relay: "wss://r.example", Purpose: p, Interval: whole}, coverage.Row{Author: me.key, Relay: "wss://r.example", Purpose: p, Interval: whole})
				}
				if _, err := s.Put(t.Context(), b); err != nil {
					t.Fatal(err)
				}
			}
			report, err := s.Prune(t.Context(), PruneOptions{Me: []nostr.PubKey{me.key}, Before: testNow, Progress: func(done, _ int) {
				if done == tc.at {
					prove()
				}
			}})
			if err != nil || report.Notes != len(talk) {
				t.Fatalf("%+v, %v", report, err)
			}
			if tc.at < 0 {
				prove()
			}
			for _, row := range []struct {
				of   nostr.PubKey
				p    coverage.Purpose
				from int64
			}{{eve.key, coverage.Feed, tc.from}, {me.key, coverage.Feed, 0}, {me.key, coverage.Inbox, 0}} {
				got, err := s.Coverage(t.Context(), row.of, row.p)
				if err != nil || len(got) != 1 || got[0].Interval.From != row.from || got[0].Interval.To != testNow {
					t.Errorf("purpose %d of %s: %+v, %v; want from %d", row.p, row.of, got, err, row.from)
				}
			}
		})
	}
}

func TestAPageThatIsOlderThanTwoPruningsProvesNothing(t *testing.T) {
	s, _ := openTest(t)
	me, eve := newPerson(1), newPerson(2)
	idleTalk(t, s, me, eve)
	asked := s.Epoch()
	for i := range 2 {
		if _, err := s.Prune(t.Context(), PruneOptions{Me: []nostr.PubKey{me.key}, Before: testNow - 800 + 100*int64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	row := coverage.Row{Author: me.key, Relay: "wss://r.example", Purpose: coverage.Feed, Interval: coverage.Interval{From: 0, To: testNow, VerifiedAt: testNow, Proof: coverage.ProofFinish}}
	for _, epoch := range []uint64{asked, s.Epoch()} {
		if _, err := s.Put(t.Context(), Batch{Coverage: []coverage.Row{row}, Epoch: epoch}); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Coverage(t.Context(), me.key, coverage.Feed); err != nil || len(got) > 0 != (epoch != asked) {
			t.Errorf("epoch %d: %+v, %v", epoch, got, err)
		}
	}
}

func TestWhatComesDuringAPruningKeepsWhatItWouldHaveKept(t *testing.T) {
	me, ada, eve, ivy := newPerson(1), newPerson(2), newPerson(3), newPerson(4)
	tag := func(name string, e *nostr.Event) nostr.Tag { return nostr.Tag{name, e.ID.String()} }
	for _, tc := range []struct {
		name string
		// come returns what is put one after the other when 100 have gone.
		come  func(root, parent *nostr.Event) []*nostr.Event
		stays bool
	}{
		{"a reply by the reader", func(_, parent *nostr.Event) []*nostr.Event {
			return []*nostr.Event{me.signs(t, 1, testNow, "mine", tag("e", parent))}
		}, true},
		{"a reply by somebody followed", func(_, parent *nostr.Event) []*nostr.Event {
			return []*nostr.Event{ada.signs(t, 1, testNow, "hers", tag("e", parent))}
		}, true},
		{"a stranger's reply to the reader", func(_, parent *nostr.Event) []*nostr.Event {
			return []*nostr.Event{eve.signs(t, 1, testNow, "to you", tag("e", parent), nostr.Tag{"p", me.key.String()})}
		}, true},
		{"an old one", func(_, parent *nostr.Event) []*nostr.Event {
			return []*nostr.Event{eve.signs(t, 1, testNow-3000, "to you", tag("e", parent), nostr.Tag{"p", me.key.String()})}
		}, false},
		{"a reply by a stranger to nobody", func(_, parent *nostr.Event) []*nostr.Event {
			return []*nostr.Event{eve.signs(t, 1, testNow, "idle", tag("e", parent))}
		}, false},
		{"a note between, after the one that keeps it", func(_, parent *nostr.Event) []*nostr.Event {
			between := ivy.signs(t, 1, testNow-900, "between", tag("e", parent))
			return []*nostr.Event{ada.signs(t, 6, testNow, "", tag("e", between)), between}
		}, true},
		{"a list of others whom the reader follows", func(_, _ *nostr.Event) []*nostr.Event {
			return []*nostr.Event{me.signs(t, 3, testNow, "", nostr.Tag{"p", eve.key.String()})}
		}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, _ := openTest(t)
			talk := idleTalk(t, s, me, eve, ada)
			root := eve.signs(t, 1, testNow-20, "root")
			parent := eve.signs(t, 1, testNow-10, "parent", tag("e", root))
			put(t, s, root, parent)
			come := func(done, _ int) {
				if done == 100 {
					for _, e := range tc.come(root, parent) {
						put(t, s, e)
					}
				}
			}
			report, err := s.Prune(t.Context(), PruneOptions{Me: []nostr.PubKey{me.key}, Before: testNow, Progress: come})
			if err != nil || report.Stopped {
				t.Fatalf("%+v, %v", report, err)
			}
			for _, e := range []*nostr.Event{root, parent} {
				if isThere(t, s, e) != tc.stays {
					t.Errorf("%s is there: %v", e.Content, !tc.stays)
				}
			}
			if isThere(t, s, talk[0]) {
				t.Error("what nobody refers to is still there")
			}
			mustBeSound(t, s)
		})
	}
}

func TestAProfileStaysOfWhomANoteComesDuringThePruning(t *testing.T) {
	s, _ := openTest(t)
	me, eve, ivy := newPerson(1), newPerson(2), newPerson(3)
	idleTalk(t, s, me, eve)
	profiles := []*nostr.Event{eve.signs(t, 0, testNow-2000, `{"name":"eve"}`), ivy.signs(t, 0, testNow-2000, `{"name":"ivy"}`)}
	put(t, s, append(profiles, ivy.signs(t, 1, testNow-500, "old"))...)
	came := false
	report, err := s.Prune(t.Context(), PruneOptions{Me: []nostr.PubKey{me.key}, Before: testNow, Keep: func(id nostr.ID) bool {
		if id == profiles[1].ID && !came { // it is about to be chosen
			came = true
			put(t, s, ivy.signs(t, 1, testNow+1, "new"))
		}
		return false
	}})
	if err != nil || report.People != 1 {
		t.Errorf("%+v, %v", report, err)
	}
	for i, e := range profiles {
		if isThere(t, s, e) != (i == 1) {
			t.Errorf("profile %d is there: %v", i, i != 1)
		}
	}
}

func TestAPruningThatIsBrokenOffInATurnCountsWhatThatTurnRemoved(t *testing.T) {
	s, _ := openTest(t)
	me, eve := newPerson(1), newPerson(2)
	talk := idleTalk(t, s, me, eve)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	begun := false
	report, err := s.Prune(ctx, PruneOptions{
		Me: []nostr.PubKey{me.key}, Before: testNow,
		Begin: func(PruneReport) error { begun = true; return nil },
		Keep: func(id nostr.ID) bool {
			if begun && id == talk[150].ID {
				cancel() // in the middle of the second turn
			}
			return false
		},
	})
	if !errors.Is(err, context.Canceled) || !report.Stopped {
		t.Errorf("broken off: %+v, %v", report, err)
	}
	left := query(t, s, nostr.Filter{Authors: []nostr.PubKey{eve.key}})
	if report.Notes != len(talk)-len(left) || report.Notes == 0 || len(left) == 0 || report.Bytes == 0 {
		t.Errorf("it says %+v, and %d of %d are left", report, len(left), len(talk))
	}
	mustBeSound(t, s)
}

// Who reads may change while a pruning runs.
func TestAnInboxThatAPruningDidNotKnowIsNotProvedDuringIt(t *testing.T) {
	s, _ := openTest(t)
	me, eve, ada := newPerson(1), newPerson(2), newPerson(3)
	idleTalk(t, s, me, eve)
	toAda := eve.signs(t, 1, testNow-990, "for ada", nostr.Tag{"p", ada.key.String()})
	put(t, s, toAda)
	asked := s.Epoch()
	row := coverage.Row{Author: ada.key, Relay: "wss://r.example", Purpose: coverage.Inbox, Interval: coverage.Interval{From: 0, To: testNow, VerifiedAt: testNow, Proof: coverage.ProofFinish}}
	_, err := s.Prune(t.Context(), PruneOptions{Me: []nostr.PubKey{me.key}, Before: testNow, Progress: func(done, _ int) {
		if done == 100 {
			if _, err := s.Put(t.Context(), Batch{Coverage: []coverage.Row{row}, Epoch: asked}); err != nil {
				t.Fatal(err)
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Coverage(t.Context(), ada.key, coverage.Inbox)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) > 0 && got[0].Interval.From == 0 && !isThere(t, s, toAda) {
		t.Errorf("%+v is claimed, and a note of it went", got)
	}
}

func TestClosingTheStoreEndsAPruning(t *testing.T) {
	s, _ := openTest(t)
	me, eve := newPerson(1), newPerson(2)
	idleTalk(t, s, me, eve)
	closed := make(chan error, 1)
	steps := 0
	report, err := s.Prune(t.Context(), PruneOptions{Me: []nostr.PubKey{me.key}, Before: testNow, Progress: func(done, _ int) {
		if steps++; done == 100 {
			go func() { closed <- s.Close() }()
			<-s.closing
		}
	}})
	if report.Notes > 200 || !report.Stopped || err == nil {
		t.Errorf("%+v, %v: it went on although the store is being closed", report, err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

// The first sync and a pruning may be at it together: of whom nothing was stored when
// the plan was made, the profile and the list come, and look old.
func TestProfilesAndListsThatComeDuringAPruningStay(t *testing.T) {
	s, _ := openTest(t)
	me, eve, ada, bob, ivy := newPerson(1), newPerson(2), newPerson(3), newPerson(4), newPerson(5)
	idleTalk(t, s, me, eve, ada, bob)
	// bob, who is followed, links to ivy, of whom nothing is stored yet.
	link := bob.signs(t, 1, testNow-500, "see nostr:"+ivy.key.Npub())
	put(t, s, link)
	adaProfile := ada.signs(t, 0, testNow-3000, `{"name":"ada"}`)
	adaList := ada.signs(t, 3, testNow-3000, "", nostr.Tag{"p", bob.key.String()})
	ivyProfile := ivy.signs(t, 0, testNow-3000, `{"name":"ivy"}`)
	opt := PruneOptions{Me: []nostr.PubKey{me.key}, Before: testNow}
	opt.Progress = func(done, _ int) {
		if done == 100 {
			put(t, s, adaProfile, adaList, ivyProfile)
		}
	}
	if _, err := s.Prune(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	if !isThere(t, s, adaProfile) || !isThere(t, s, adaList) {
		t.Errorf("the profile or list of somebody followed went: %v %v", isThere(t, s, adaProfile), isThere(t, s, adaList))
	}
	if !isThere(t, s, link) || !isThere(t, s, ivyProfile) {
		t.Errorf("the profile of somebody whom a note that stays links to went: %v", isThere(t, s, link))
	}
}
