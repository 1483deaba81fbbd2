package ndb

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestWhatIsPrunedGoesFromTheDiskWhileReadsAndWritesGoOn(t *testing.T) {
	s, _ := openTest(t)
	me, eve := newPerson(1), newPerson(2)
	put(t, s, me.signs(t, 3, testNow, ""))
	for part := range 20 {
		var events []*Event
		for i := range 250 {
			text := fmt.Sprintf("%d %d %s", part, i, strings.Repeat(fmt.Sprintf("word%d ", i), 120))
			events = append(events, eve.signs(t, 1, testNow-int64(part*250+i), text, Tag{"t", fmt.Sprint("tag", i)}))
		}
		put(t, s, events...)
	}
	full, err := s.Compact(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	report, err := s.Prune(t.Context(), PruneOptions{Me: []PubKey{me.key}, MaxBytes: full.After / 3})
	if err != nil {
		t.Fatal(err)
	}
	stop := meanwhile(func(i int) {
		e := me.signs(t, 1, testNow+int64(i), "meanwhile")
		if _, err := s.Put(context.Background(), Batch{Events: []*Event{e}}); err != nil {
			t.Error(err)
		} else if _, err := s.Event(context.Background(), e.ID); err != nil {
			t.Error(err)
		}
	})
	steps := []int{}
	compacted, err := s.Compact(t.Context(), func(done, _ int) { steps = append(steps, done) })
	stop()
	if err != nil || fmt.Sprint(steps) != "[0 1 2 3]" {
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
