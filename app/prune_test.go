package app

import (
	"context"
	"errors"
	"fmt"
	"runtime"
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

// pruneWorld is an App whose reader follows one person, with old notes of a stranger.
func pruneWorld(t *testing.T, settings config.Settings) (a *App, c *clock, old []*nostr.Event) {
	t.Helper()
	c = &clock{time.Date(2026, 5, 4, 8, 0, 0, 0, time.UTC)}
	me, ada, eve := testkit.NewKey("reader"), testkit.NewKey("ada"), testkit.NewKey("eve")
	settings.Person.Key = pubKey(t, me.PubKey).Npub()
	a = open(t, Options{Places: config.Locate(t.TempDir(), ""), Settings: settings, Zone: time.UTC, Now: c.time})
	sign := func(k testkit.Key, kind int, at time.Time, text string, tags ...[]string) *nostr.Event {
		return signed(t, k, kind, at.Unix(), text, tags...)
	}
	for i := range 5 {
		old = append(old, sign(eve, 1, c.now.AddDate(0, 0, -100+i), fmt.Sprint(i)))
	}
	events := append([]*nostr.Event{
		sign(me, 3, c.now, "", []string{"p", ada.PubKey}),
		sign(ada, 1, c.now.AddDate(0, 0, -100), "of ada"),
	}, old...)
	if _, err := a.notes.Put(t.Context(), ndb.Batch{Events: events}); err != nil {
		t.Fatal(err)
	}
	return a, c, old
}

// keepAnswer saves a chat of one turn in which e was said.
func keepAnswer(t *testing.T, a *App, e agent.Event) {
	t.Helper()
	store, err := a.Chats()
	if err != nil {
		t.Fatal(err)
	}
	chat, err := store.New("")
	if err != nil {
		t.Fatal(err)
	}
	for range chat.Record(t.Context(), agent.Turn{ID: "turn", Question: "what was it?"}, "test:m", slices.Values([]agent.Event{e})) {
	}
	if err := chat.Err(); err != nil {
		t.Fatal(err)
	}
}

func TestNothingIsPrunedWhileAnAnswerIsWritten(t *testing.T) {
	a, _, old := pruneWorld(t, config.Settings{})
	_, end := a.turns.begin(t.Context(), false)
	if _, err := a.Upkeep().Prune(t.Context(), config.Storage{Days: 30}, false, nil); !errors.Is(err, upkeep.ErrAnswering) {
		t.Errorf("while it is written: %v", err)
	}
	end()
	if report, err := a.Upkeep().Prune(t.Context(), config.Storage{Days: 30}, false, nil); err != nil || report.Notes != len(old) {
		t.Errorf("then: %+v, %v", report, err)
	}
}

func TestNothingIsPrunedWhileAChatCannotBeRead(t *testing.T) {
	a, _, _ := pruneWorld(t, config.Settings{})
	err := a.own.Bucket("chats").Put(t.Context(), map[string][]byte{"t/a/000001/000": []byte("no record")})
	if err != nil {
		t.Fatal(err)
	}
	if report, err := a.Upkeep().Prune(t.Context(), config.Storage{Days: 30}, false, nil); err == nil {
		t.Errorf("it did %+v", report)
	}
}

func TestWhatASavedChatOrAnOwnNoteCitesIsNotPruned(t *testing.T) {
	a, _, old := pruneWorld(t, config.Settings{})
	said := []agent.Event{
		{Type: agent.EventPresentNotes, Notes: &tools.PresentResult{Presented: []tools.PresentedNote{{Index: 1, NoteID: old[0].ID.String()}}}},
		{Type: agent.EventText, Delta: "see nostr:" + old[1].ID.Note() + " there"},
	}
	for _, e := range said {
		keepAnswer(t, a, e)
	}
	reply := signed(t, testkit.NewKey("reader"), 1, old[2].CreatedAt, "mine", []string{"e", old[2].ID.String()})
	if _, err := a.own.Put(t.Context(), ndb.Batch{Events: []*nostr.Event{reply}}); err != nil { // not among the notes
		t.Fatal(err)
	}
	if _, err := a.Upkeep().Prune(t.Context(), config.Storage{}, false, nil); !errors.Is(err, upkeep.ErrNoBudget) {
		t.Errorf("without a budget: %v", err)
	}
	dry, err := a.Upkeep().Prune(t.Context(), config.Storage{Days: 30}, true, nil)
	if err != nil || dry.Notes != 2 {
		t.Errorf("a dry run: %+v, %v", dry, err)
	}
	report, err := a.Upkeep().Prune(t.Context(), config.Storage{Days: 30}, false, nil)
	if err != nil || report.Notes != 2 {
		t.Errorf("it did %+v, %v", report, err)
	}
	for i, e := range old {
		if _, err := a.notes.Event(t.Context(), e.ID); (err == nil) != (i < 3) {
			t.Errorf("note %d: %v", i, err)
		}
	}
}

func TestANotePrunedIsNotAskedForWhileTheBudgetStands(t *testing.T) {
	a, c, _ := pruneWorld(t, config.Settings{Storage: config.Storage{Days: 30}})
	if err := a.Upkeep().PruneIfDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	last, err := a.Upkeep().LastPruning(t.Context())
	if err != nil || last.Notes != 5 || last.At != c.now.Unix() {
		t.Fatalf("%+v, %v", last, err)
	}
	if feed, inbox := a.Upkeep().KeptFrom(t.Context()); feed != 0 || inbox != c.now.AddDate(0, 0, -30).Unix() {
		t.Errorf("asked for from %d and %d", feed, inbox)
	}
	c.now = c.now.Add(23 * time.Hour)
	more := signed(t, testkit.NewKey("eve"), 1, c.now.AddDate(0, 0, -40).Unix(), "late")
	if _, err := a.notes.Put(t.Context(), ndb.Batch{Events: []*nostr.Event{more}}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		name string
		do   func() (undo func())
		gone bool
	}{
		{"within a day", func() func() { return func() {} }, false},
		{"while notes are fetched", func() func() {
			c.now = c.now.Add(2 * time.Hour)
			a.syncing.Store(true)
			return func() { a.syncing.Store(false) }
		}, false},
		{"while a question is answered", func() func() {
			_, done := a.turns.begin(t.Context(), false)
			return done
		}, false},
		{"when nothing is going on", func() func() { return func() {} }, true},
	} {
		undo := step.do()
		if err := a.Upkeep().PruneIfDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := a.notes.Event(t.Context(), more.ID); (err != nil) != step.gone {
			t.Errorf("%s: %v", step.name, err)
		}
		undo()
	}
	if err := a.SaveSettings(func(s *config.Settings) { s.Storage = config.Storage{} }); err != nil {
		t.Fatal(err)
	}
	if feed, inbox := a.Upkeep().KeptFrom(t.Context()); feed != 0 || inbox != 0 {
		t.Errorf("with everything to be kept, asked for from %d and %d", feed, inbox)
	}
}

func TestAnotherBudgetBeginsTheFetchingAnew(t *testing.T) {
	a, _, _ := pruneWorld(t, config.Settings{Storage: config.Storage{Days: 30}})
	for _, step := range []struct {
		name   string
		change func(*config.Settings)
		anew   bool
	}{
		{"a larger budget", func(s *config.Settings) { s.Storage.Days = 60 }, true},
		{"the same one", func(s *config.Settings) { s.Storage.Days = 60 }, false},
		{"none", func(s *config.Settings) { s.Storage = config.Storage{} }, true},
	} {
		kick := a.Live().Anew()
		if err := a.SaveSettings(step.change); err != nil {
			t.Fatal(err)
		}
		select {
		case <-kick:
			if !step.anew {
				t.Errorf("%s: it began anew", step.name)
			}
		default:
			if step.anew {
				t.Errorf("%s: it went on", step.name)
			}
		}
	}
}

func TestSpaceThatIsOnlyNotGivenBackYetCostsNoFurtherNotes(t *testing.T) {
	a, c, _ := pruneWorld(t, config.Settings{})
	eve := testkit.NewKey("eve")
	var events []*nostr.Event
	for i := range 1500 {
		text := strings.Repeat(fmt.Sprintf("word%d ", i*7919), 150)
		events = append(events, signed(t, eve, 1, c.now.AddDate(0, 0, -10).Unix()-int64(2000-i), text))
	}
	if _, err := a.notes.Put(t.Context(), ndb.Batch{Events: events}); err != nil {
		t.Fatal(err)
	}
	full, err := a.Upkeep().Compact(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	a.opt.gigabyte = full.After / 2
	budget := config.Storage{MaxGB: 1}
	// The first is broken off before it has given anything back.
	ctx, cancel := context.WithCancel(t.Context())
	first, err := a.Upkeep().Prune(ctx, budget, false, func(done, of int) {
		if done == of {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || first.Notes < 300 {
		t.Fatalf("broken off: %+v, %v", first, err)
	}
	last, err := a.Upkeep().LastPruning(t.Context())
	if err != nil || last.Feeds[1] != first.BySize || !last.Stopped {
		t.Errorf("remembered is %+v, %v; gone is all before %d", last, err, first.BySize)
	}
	second, err := a.Upkeep().Prune(t.Context(), budget, false, nil)
	if err != nil || second.Notes > first.Notes/4 {
		t.Errorf("of notes that the budget has room for went %d after %d: %v", second.Notes, first.Notes, err)
	}
}

func TestWhatWasRememberedOfAPruningHoldsOnlyUnderItsBudgetAndClock(t *testing.T) {
	a, c, _ := pruneWorld(t, config.Settings{})
	now := c.now.Unix()
	month := c.now.AddDate(0, 0, -30).Unix()
	for _, tc := range []struct {
		name        string
		budget      config.Storage
		last        upkeep.Pruning
		feed, inbox int64
	}{
		{"the same", config.Storage{MaxGB: 2}, upkeep.Pruning{Feeds: map[int]int64{2: now - 100}}, now - 100, now - 100},
		{"a smaller one", config.Storage{MaxGB: 1}, upkeep.Pruning{Feeds: map[int]int64{2: now - 100}}, now - 100, now - 100},
		{"a larger one", config.Storage{MaxGB: 3}, upkeep.Pruning{Feeds: map[int]int64{2: now - 100}}, 0, 0},
		{"none", config.Storage{}, upkeep.Pruning{Feeds: map[int]int64{2: now - 100}}, 0, 0},
		{"of days only", config.Storage{Days: 30}, upkeep.Pruning{Feeds: map[int]int64{2: now - 100}}, 0, month},
		{"set by a clock that was ahead", config.Storage{MaxGB: 2, Days: 30}, upkeep.Pruning{Feeds: map[int]int64{2: now + 100}}, 0, month},
		{"a minute ago", config.Storage{MaxGB: 2}, upkeep.Pruning{Feeds: map[int]int64{2: now - 60}}, now - 60, now - 60},
		{"two, then three, then two again", config.Storage{MaxGB: 2}, upkeep.Pruning{Feeds: map[int]int64{2: now - 100, 3: now - 300}}, now - 100, now - 100},
		{"two, then three", config.Storage{MaxGB: 3}, upkeep.Pruning{Feeds: map[int]int64{2: now - 100, 3: now - 300}}, now - 300, now - 300},
		{"two, and once one by hand", config.Storage{MaxGB: 2}, upkeep.Pruning{Feeds: map[int]int64{1: now - 100, 2: now - 300}}, now - 300, now - 300},
	} {
		if err := a.state.Save(t.Context(), "pruning", tc.last); err != nil {
			t.Fatal(err)
		}
		if err := a.SaveSettings(func(s *config.Settings) { s.Storage = tc.budget }); err != nil {
			t.Fatal(err)
		}
		if feed, inbox := a.Upkeep().KeptFrom(t.Context()); feed != tc.feed || inbox != tc.inbox {
			t.Errorf("%s: asked for from %d and %d, want %d and %d", tc.name, feed, inbox, tc.feed, tc.inbox)
		}
		if cov, err := a.Live().Coverage(t.Context()); err != nil || cov.Since.After(a.opt.Now()) {
			t.Errorf("%s: it is about what is after %v, %v", tc.name, cov.Since, err)
		}
	}
}

func TestAClockThatIsAheadDoesNotMakeEveryNoteOldNorStopThePruningLater(t *testing.T) {
	a, c, old := pruneWorld(t, config.Settings{Storage: config.Storage{Days: 98}})
	right := c.now
	c.now = right.AddDate(1, 0, 0)
	if err := a.Upkeep().PruneIfDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Those of 100 and 99 days ago were due, and that of 98 within the day that may be.
	for i, e := range old {
		if _, err := a.notes.Event(t.Context(), e.ID); (err == nil) != (i > 2) && i != 2 {
			t.Errorf("with a clock a year ahead, note %d: %v", i, err)
		}
	}
	c.now = right.AddDate(0, 0, 1)
	late := signed(t, testkit.NewKey("eve"), 1, right.AddDate(0, 0, -120).Unix(), "late")
	if _, err := a.notes.Put(t.Context(), ndb.Batch{Events: []*nostr.Event{late}}); err != nil {
		t.Fatal(err)
	}
	if err := a.Upkeep().PruneIfDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := a.notes.Event(t.Context(), late.ID); err == nil {
		t.Error("with the clock set right, nothing was pruned")
	}
}

// signed returns an event of a key.
func signed(t *testing.T, k testkit.Key, kind int, at int64, text string, tags ...[]string) *nostr.Event {
	t.Helper()
	e, err := nostr.ParseEvent(k.Event(t, kind, at, text, tags...))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestClosingTheProgramEndsACompactionAndWhatWaitsForIt(t *testing.T) {
	a, _, old := pruneWorld(t, config.Settings{})
	begun, compacted, waited := make(chan struct{}), make(chan error, 1), make(chan error, 1)
	go func() {
		// Who began it does not end it.
		_, err := a.Upkeep().Compact(context.Background(), func(done, _ int) {
			if done != 1 {
				return
			}
			close(begun)
			for err := error(nil); !errors.Is(err, ndb.ErrClosed); _, _, err = a.notes.Size(context.Background()) {
				runtime.Gosched()
			}
		})
		compacted <- err
	}()
	<-begun
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, err := a.Upkeep().Prune(ctx, config.Storage{Days: 30}, false, nil) // as Live does it
		waited <- err
	}()
	cancel()
	if err := <-waited; !errors.Is(err, context.Canceled) {
		t.Errorf("what waited ended with %v", err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if err := <-compacted; !errors.Is(err, ndb.ErrClosed) {
		t.Errorf("the compaction ended with %v", err)
	}
	s, err := ndb.Open(a.opt.Places.Notes, ndb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if report, err := s.Check(t.Context(), nil); err != nil || report.BadCount > 0 || report.Events < len(old) {
		t.Errorf("afterwards: %v, %v", report, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
