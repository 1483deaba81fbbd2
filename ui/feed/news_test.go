package feed

import (
	"slices"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/internal/testworld"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/theme"
)

// held takes the next thing that is posted and leaves it to the test when it is done.
func (st *stage) held() func() {
	st.t.Helper()
	select {
	case f := <-st.Posted:
		return f
	case <-time.After(testkit.Patience):
		st.t.Fatal("nothing is posted")
		return nil
	}
}

func TestNoNoteIsLostThatComesWhileTheListIsRead(t *testing.T) {
	a, w := openWorld(t, testworld.Options{Seed: 4, Events: 2000, People: 60})
	part := len(w.Events) / 10
	next := 0
	come := func(parts int) { // the next notes, in the order of their times
		put(t, a, w.Events[next*part:(next+parts)*part]...)
		next += parts
	}
	come(4)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, column)
	h := NewHome(st.env)
	l := h.list()
	all := func(when string) {
		t.Helper()
		shown := rowIDs(l)
		missing := 0
		for _, id := range wantedHome(t, a, false) {
			e, err := a.Notes().Event(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			if newestFirst(item{id: id, at: e.CreatedAt}, *l.last) <= 0 &&
				!slices.Contains(shown, id) && !l.waiting[id] {
				missing++
			}
		}
		if missing > 0 {
			t.Errorf("%d notes are lost that came %s", missing, when)
		}
	}

	drawn := st.held()
	come(1)
	st.settle()
	drawn()
	st.show(h)
	all("while the list was read first")

	l.begin()
	drawn = st.held()
	come(1)
	st.settle()
	drawn()
	st.settle()
	if len(l.waiting) == 0 {
		t.Error("nothing waits")
	}
	all("while it was read anew")
}

func TestNoNoteIsLostThatComesIntoAPageThatIsRead(t *testing.T) {
	a, w := openWorld(t, testworld.Options{Seed: 4, Events: 2000, People: 60})
	now, later := everySecond(w.Events)
	put(t, a, now...)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, column)
	h := NewHome(st.env)
	st.show(h)
	l := h.list()
	first := l.last
	l.more()
	drawn := st.held()
	put(t, a, later...)
	st.settle()
	drawn()
	st.settle()
	if l.last == first {
		t.Fatal("no page was read")
	}
	l.rows.ScrollToEnd() // nothing that belongs above is held for what is in sight
	l.moved()
	st.settle()
	l.rows.ScrollToEnd()
	l.moved()
	st.settle()
	want := slices.DeleteFunc(wantedHome(t, a, false), func(id nostr.ID) bool { return l.waiting[id] })
	if got := rowIDs(l); !slices.Equal(got, want[:len(got)]) {
		t.Errorf("of %d rows some are missing or wrong", len(got))
	}
}

// everySecond parts every second note from the others, as two relays have them.
func everySecond(events []*nostr.Event) (now, later []*nostr.Event) {
	for i, e := range events {
		if e.Kind == kindNote && i%2 == 0 {
			later = append(later, e)
		} else {
			now = append(now, e)
		}
	}
	return now, later
}

func TestOlderNotesGoIntoTheListAndOnlyNewerOnesIntoThePill(t *testing.T) {
	a, w := openWorld(t, testworld.Options{Seed: 4, Events: 2000, People: 60})
	now, later := everySecond(w.Events)
	put(t, a, now...)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, column)
	h := NewHome(st.env)
	st.show(h)
	l := h.list()
	scroll(st, l, 900)
	st.settle()
	newest := l.items[0]
	from, to := l.rows.InSight()
	seen := slices.Clone(l.rows.IDs()[from:to])
	_, y := topRow(l)
	before := len(l.items)

	put(t, a, later...)
	st.settle()
	newer := 0
	for _, e := range later {
		it := item{id: e.ID, at: e.CreatedAt}
		if newestFirst(it, newest) < 0 && slices.Contains(wantedHome(t, a, false), e.ID) {
			newer++
		}
	}
	if len(l.waiting) != newer {
		t.Errorf("%d wait behind the pill, where %d are newer than the first row", len(l.waiting), newer)
	}
	if len(l.items) <= before {
		t.Fatal("no older note went into the list")
	}
	if !slices.IsSortedFunc(l.items, newestFirst) {
		t.Error("the rows are not in the order of time")
	}
	from, to = l.rows.InSight()
	if now := l.rows.IDs()[from:to]; !slices.Equal(now[:min(len(now), len(seen))], seen[:min(len(now), len(seen))]) {
		t.Error("what is read was pushed away")
	}
	if _, nowY := topRow(l); nowY != y+h.pill.MinSize().Height && nowY != y {
		t.Errorf("what is read moved by %v", nowY-y)
	}

	// What belonged between the rows in sight comes when they are out of it.
	for range 20 {
		scroll(st, l, 300)
		st.until("the page is read", func() bool { return !l.reading && !l.loading })
	}
	st.settle()
	if len(l.held) > 0 {
		t.Errorf("%d notes are held although their places are out of sight", len(l.held))
	}
	want := slices.DeleteFunc(wantedHome(t, a, false), func(id nostr.ID) bool { return l.waiting[id] })
	got := rowIDs(l)
	if !slices.Equal(got, want[:len(got)]) {
		t.Error("the rows are not those of the timeline")
	}
}
