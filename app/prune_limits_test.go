package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/app/upkeep"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// fillUp puts long notes of a person, one each so many minutes back from now, the
// newest first, and returns what the store then takes.
func fillUp(t *testing.T, a *App, who string, notes, minutes int) (events []*nostr.Event, bytes int64) {
	t.Helper()
	k := testkit.NewKey(who)
	for i := range notes {
		text := strings.Repeat(fmt.Sprintf("word%d ", i*7919), 120)
		events = append(events, signed(t, k, 1, a.opt.Now().Unix()-int64(i*minutes*60), text))
	}
	if _, err := a.notes.Put(t.Context(), ndb.Batch{Events: events}); err != nil {
		t.Fatal(err)
	}
	full, err := a.Upkeep().Compact(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return events, full.After
}

func left(t *testing.T, a *App, events []*nostr.Event) (n int) {
	t.Helper()
	for _, e := range events {
		if _, err := a.notes.Event(t.Context(), e.ID); err == nil {
			n++
		}
	}
	return n
}

func TestALimitOfSizeLeavesTheNewestDaysAndSaysThatItIsPassed(t *testing.T) {
	a, c, _ := pruneWorld(t, config.Settings{Storage: config.Storage{MaxGB: 1}})
	const perDay = 240
	notes, bytes := fillUp(t, a, "ada", 5*perDay, 24*60/perDay)
	a.opt.gigabyte = bytes / 10 // two fifths are older than three days: it cannot be met
	if err := a.Upkeep().PruneIfDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	last, err := a.Upkeep().LastPruning(t.Context())
	if err != nil || last.Notes == 0 || last.Over == 0 || last.OverGB != 1 {
		t.Errorf("it says %+v, %v", last, err)
	}
	if n := left(t, a, notes); n != upkeep.KeptDays*perDay+1 {
		t.Errorf("%d notes are left, want those of %d days", n, upkeep.KeptDays)
	}
	if feed, _ := a.Upkeep().KeptFrom(t.Context()); feed == 0 || feed > c.now.AddDate(0, 0, -upkeep.KeptDays).Unix() {
		t.Errorf("notes of the newest days are not asked for any more, but from %d", feed)
	}
	// Nobody writes any more: the next day another day goes, then nothing, and it is
	// tried again after a week.
	for _, step := range []struct{ days, at int }{{1, 1}, {2, 2}, {3, 2}, {8, 2}, {9, 9}} {
		c.now = time.Unix(last.At, 0).AddDate(0, 0, step.days)
		newest := signed(t, testkit.NewKey("ada"), 1, last.At, "the last")
		if _, err := a.notes.Put(t.Context(), ndb.Batch{Events: []*nostr.Event{newest}}); err != nil {
			t.Fatal(err)
		}
		if err := a.Upkeep().PruneIfDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		now, err := a.Upkeep().LastPruning(t.Context())
		if err != nil || now.At != time.Unix(last.At, 0).AddDate(0, 0, step.at).Unix() {
			t.Errorf("after %d days the last was %s: %+v, %v", step.days, time.Unix(now.At, 0), now, err)
		}
	}
}

func TestALimitOfSizeCountsWhatALimitOfDaysTakesAndBoundsOnlyWhatItTookItself(t *testing.T) {
	a, c, _ := pruneWorld(t, config.Settings{})
	strangers, _ := fillUp(t, a, "eve", 600, 60) // of 25 days
	friends, bytes := fillUp(t, a, "ada", 600, 60)
	days := config.Storage{MaxGB: 1, Days: 5}
	// Without the strangers' notes of before there is room for the friends'.
	a.opt.gigabyte = bytes * 7 / 10
	report, err := a.Upkeep().Prune(t.Context(), days, false, nil)
	if err != nil || report.BySize != 0 {
		t.Errorf("it did %+v, %v", report, err)
	}
	if n := left(t, a, friends); n != len(friends) {
		t.Errorf("%d of %d notes of friends are left, and there was room", n, len(friends))
	}
	if n := left(t, a, strangers); n != 5*24+1 {
		t.Errorf("%d notes of strangers are left", n)
	}
	// With less room, the oldest of friends go as well; the feed is asked for from there.
	a.opt.gigabyte = bytes / 2
	late := signed(t, testkit.NewKey("eve"), 1, c.now.AddDate(0, 0, -6).Unix(), "late")
	if _, err := a.notes.Put(t.Context(), ndb.Batch{Events: []*nostr.Event{late}}); err != nil {
		t.Fatal(err)
	}
	if report, err = a.Upkeep().Prune(t.Context(), days, false, nil); err != nil || report.BySize == 0 {
		t.Fatalf("it did %+v, %v", report, err)
	}
	if err := a.SaveSettings(func(s *config.Settings) { s.Storage = days }); err != nil {
		t.Fatal(err)
	}
	feed, inbox := a.Upkeep().KeptFrom(t.Context())
	if feed != report.BySize || feed > c.now.AddDate(0, 0, -5).Unix() || inbox != c.now.AddDate(0, 0, -5).Unix() {
		t.Errorf("asked for from %d and %d; of the size went what is before %d", feed, inbox, report.BySize)
	}
}

func TestAQuestionDuringAPruningEndsItAndItGoesOnAfterTheAnswer(t *testing.T) {
	a, _, old := pruneWorld(t, config.Settings{Storage: config.Storage{Days: 30}})
	many, _ := fillUp(t, a, "eve", 300, 60*24)
	cite := func(done, _ int) {
		if done != 100 {
			return
		}
		_, end := a.turns.begin(t.Context(), false)
		keepAnswer(t, a, agent.Event{Type: agent.EventPresentNotes, Notes: &tools.PresentResult{
			Presented: []tools.PresentedNote{{Index: 1, NoteID: many[270].ID.String()}},
		}})
		end() // an answer that took no time
	}
	report, err := a.Upkeep().Prune(t.Context(), config.Storage{Days: 30}, false, cite)
	if !errors.Is(err, upkeep.ErrAnswering) || report.Notes != 100 || !report.Stopped {
		t.Errorf("it did %+v, %v", report, err)
	}
	if err := a.Upkeep().PruneIfDue(t.Context()); err != nil { // at once
		t.Fatal(err)
	}
	if n := left(t, a, slices.Concat(many, old)); n != 30+1+1 {
		t.Errorf("%d are left", n)
	}
	if left(t, a, many[270:271]) != 1 {
		t.Error("what was cited meanwhile is gone")
	}
	if last, err := a.Upkeep().LastPruning(t.Context()); err != nil || last.Stopped {
		t.Errorf("%+v, %v", last, err)
	}
}
