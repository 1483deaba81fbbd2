package ndb

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/dgraph-io/badger/v4/table"

	"bowerbird/ndb/nostr"
)

func TestWhatIsPrunedGoesFromTheDiskWhileReadsAndWritesGoOn(t *testing.T) {
	s, _ := openTest(t)
	me, eve := newPerson(1), newPerson(2)
	put(t, s, me.signs(t, 3, testNow, ""))
	for part := range 20 {
		var events []*nostr.Event
		for i := range 250 {
			text := fmt.Sprintf("%d %d %s", part, i, strings.Repeat(fmt.Sprintf("word%d ", i), 120))
			events = append(events, eve.signs(t, 1, testNow-int64(part*250+i), text, nostr.Tag{"t", fmt.Sprint("tag", i)}))
		}
		put(t, s, events...)
	}
	full, err := s.Compact(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	report, err := s.Prune(t.Context(), PruneOptions{Me: []nostr.PubKey{me.key}, MaxBytes: full.After / 3})
	if err != nil {
		t.Fatal(err)
	}
	stop := meanwhile(func(i int) {
		e := me.signs(t, 1, testNow+int64(i), "meanwhile")
		if _, err := s.Put(context.Background(), Batch{Events: []*nostr.Event{e}}); err != nil {
			t.Error(err)
		} else if _, err := s.Event(context.Background(), e.ID); err != nil {
			t.Error(err)
		}
	})
	steps := []int{}
	compacted, err := s.Compact(t.Context(), func(done, _ int) { steps = append(steps, done) })
	stop()
	if err != nil || fmt.Sprint(steps) != "[0 1 2 3 4]" {
		t.Errorf("compact: %v, told %v", err, steps)
	}
	t.Logf("full %d, pruned %d notes of about %d bytes, before %d, after %d", full.After, report.Notes, report.Bytes, compacted.Before, compacted.After)
	if compacted.After > full.After/2 {
		t.Errorf("%d bytes became %d, wanted is a third", full.After, compacted.After)
	}
	mustBeSound(t, s)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Compact(ended, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
}

// mergeBegins is how Badger's message before a merge begins.
const mergeBegins = "Attempting to compact"

// tellLog is a logger that hands on each message of Badger's about a merge.
func tellLog(told func()) *slog.Logger {
	return slog.New(mergeHandler{slog.DiscardHandler, told})
}

type mergeHandler struct {
	slog.Handler
	told func()
}

func (h mergeHandler) Enabled(context.Context, slog.Level) bool { return true }

func (h mergeHandler) Handle(_ context.Context, r slog.Record) error {
	if strings.Contains(r.Message, mergeBegins) {
		h.told()
	}
	return nil
}

// layered fills a store so that a compaction has several merges to do: what is in
// memory goes to a level between the first and the last, and on from there. They are of
// a kind whose text is not indexed, which would take most of the time.
func layered(t *testing.T, s *Store) (notes int) {
	t.Helper()
	me := newPerson(1)
	long := strings.Repeat("lorem ipsum ", 5000)
	for part := range 40 {
		var events []*nostr.Event
		for i := range 10 {
			events = append(events, me.signs(t, 1063, testNow-int64(part*10+i), fmt.Sprint(part, i, long)))
		}
		put(t, s, events...)
		notes += len(events)
		if part == 30 {
			if _, err := s.Compact(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	return notes
}

func TestACompactionThatIsBrokenOffEndsBeforeTheNextMergeAndLeavesTheStoreWhole(t *testing.T) {
	var closing sync.WaitGroup
	for _, c := range []struct {
		name string
		end  func(s *Store, cancel context.CancelFunc)
		want error
	}{
		{"by its caller", func(_ *Store, cancel context.CancelFunc) { cancel() }, context.Canceled},
		{"by closing the store", func(s *Store, _ context.CancelFunc) {
			closing.Go(func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
			<-s.closing
		}, ErrClosed},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var s *Store
			var notes int
			merges, end := 0, func() {}
			opt := Options{Now: (&clock{testNow}).now, FreeSpace: plenty, Logger: tellLog(func() { merges++; end() })}
			dir := t.TempDir()
			openOnce(t, dir, opt, func(open *Store) {
				s, notes = open, layered(t, open)
				merges, end = 0, func() { c.end(s, cancel) }
				if _, err := s.Compact(ctx, nil); !errors.Is(err, c.want) || merges != 1 {
					t.Errorf("it ended with %v after %d merges", err, merges)
				}
			})
			closing.Wait()
			s = openDir(t, dir, opt)
			merges, end = 0, func() {}
			if _, err := s.Compact(t.Context(), nil); err != nil || merges == 0 {
				t.Errorf("the next one ended with %v after %d merges: there was nothing to break off", err, merges)
			}
			if have := len(query(t, s, nostr.Filter{})); have != notes {
				t.Errorf("%d notes of %d", have, notes)
			}
			mustBeSound(t, s)
		})
	}
}

func TestAFailedCompactionFailsForItsCallerAlone(t *testing.T) {
	s, _ := openTest(t)
	notes := layered(t, s)
	me := newPerson(2)
	written := 0
	stop, free := func() {}, func() {}
	_, err := s.Compact(t.Context(), func(done, _ int) {
		if done != 2 {
			return
		}
		free = hideStore(t, s)
		stop = meanwhile(func(i int) {
			if _, err := s.Put(context.Background(), Batch{Events: []*nostr.Event{me.signs(t, 1, testNow-int64(i), "meanwhile")}}); err != nil {
				t.Error(err)
			}
			written++
		})
	})
	stop()
	free()
	if err == nil {
		t.Fatal("it did not fail")
	}
	if _, err := s.Compact(t.Context(), nil); err != nil {
		t.Errorf("the next one: %v", err)
	}
	if have := len(query(t, s, nostr.Filter{})); have != notes+written {
		t.Errorf("%d notes of %d", have, notes+written)
	}
	mustBeSound(t, s)
}

// hideStore takes a store's folder away under it: no table can be made, while the log
// is open and is written all the same.
func hideStore(t *testing.T, s *Store) (back func()) {
	t.Helper()
	away := s.dir + "-away"
	if err := os.Rename(s.dir, away); err != nil {
		t.Skip("a folder with open files cannot be renamed here:", err)
	}
	return func() {
		if err := os.Rename(away, s.dir); err != nil {
			t.Fatal(err)
		}
	}
}

func TestATableThatCannotBeWrittenAtOnceFailsNeitherACompactionNorAWrite(t *testing.T) {
	s, _ := openTest(t)
	notes := layered(t, s)
	me := newPerson(2)
	written, stop := 0, func() {}
	_, err := s.Compact(t.Context(), func(done, _ int) {
		if done != 1 {
			return
		}
		blockTable(t, s)
		stop = meanwhile(func(i int) {
			if _, err := s.Put(context.Background(), Batch{Events: []*nostr.Event{me.signs(t, 1, testNow-int64(i), "meanwhile")}}); err != nil {
				t.Error(err)
			}
			written++
		})
	})
	stop()
	if err != nil {
		t.Errorf("compact: %v", err)
	}
	if have := len(query(t, s, nostr.Filter{})); have != notes+written {
		t.Errorf("%d notes of %d", have, notes+written)
	}
	mustBeSound(t, s)
}

// blockTable makes the next table impossible to write: a file of its name is there
// already.
func blockTable(t *testing.T, s *Store) {
	t.Helper()
	next := uint64(0)
	for _, ti := range s.db.Tables() {
		next = max(next, ti.ID+1)
	}
	if err := os.WriteFile(table.NewFilename(next, s.dir), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}
