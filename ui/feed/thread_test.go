package feed

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"bowerbird/app"
	"bowerbird/internal/testworld"
	"bowerbird/ndb/nostr"
	"bowerbird/tools/tooltest"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// checkThread compares the rows of a thread with what the stored events say, and
// tells what is wrong: every reply below the note stands there once, below what it
// answers, one level deeper, siblings in the order of their times; what is too deep
// is counted by the row that leads there.
func checkThread(events map[nostr.ID]*nostr.Event, focus nostr.ID, rows []threadRow) []string {
	answers := map[nostr.ID][]nostr.ID{} // by what is answered
	for id, e := range events {
		if r, ok := nostr.ReplyTo(e); ok && r.Parent != (nostr.ID{}) {
			answers[r.Parent] = append(answers[r.Parent], id)
		}
	}
	for _, ids := range answers {
		slices.SortFunc(ids, func(a, b nostr.ID) int {
			return cmp.Or(cmp.Compare(events[a].CreatedAt, events[b].CreatedAt), cmp.Compare(string(a[:]), string(b[:])))
		})
	}
	var below func(id nostr.ID) int
	below = func(id nostr.ID) (n int) {
		for _, a := range answers[id] {
			n += 1 + below(a)
		}
		return n
	}
	var want []string
	var walk func(id nostr.ID, depth int)
	walk = func(id nostr.ID, depth int) {
		for _, a := range answers[id] {
			want = append(want, fmt.Sprintf("reply %x at depth %d", a[:4], depth))
			if depth < 5 {
				walk(a, depth+1)
			} else if n := below(a); n > 0 {
				want = append(want, fmt.Sprintf("%d more below %x", n, a[:4]))
			}
		}
	}
	walk(focus, 0)
	var got []string
	for _, r := range rows {
		switch r.kind {
		case rowReply:
			got = append(got, fmt.Sprintf("reply %x at depth %d", r.note.ID[:4], r.depth))
		case rowMore:
			got = append(got, fmt.Sprintf("%d more below %x", r.more, r.note.ID[:4]))
		}
	}
	var wrong []string
	for i := range max(len(want), len(got)) {
		w, g := "nothing", "nothing"
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if w != g {
			wrong = append(wrong, fmt.Sprintf("row %d is %s, should be %s", i, g, w))
		}
	}
	return wrong
}

// rowsIn returns the rows of a thread in their order.
func rowsIn(th present.Thread) []threadRow {
	ids, byID := threadRows(th, nil)
	rows := make([]threadRow, len(ids))
	for i, id := range ids {
		rows[i] = byID[id]
	}
	return rows
}

// threadsOf puts a world into an App and returns its notes, and the roots of its
// longest threads.
func threadsOf(t *testing.T, shape testworld.Shape, seed uint64) (*app.App, map[nostr.ID]*nostr.Event, []nostr.ID) {
	t.Helper()
	a, w := openWorld(t, testworld.Options{Seed: seed, Shape: shape, Events: 2500, People: 60})
	put(t, a, w.Events...)
	events, count := map[nostr.ID]*nostr.Event{}, map[nostr.ID]int{}
	for _, e := range find(t, a, nostr.Filter{Kinds: []uint16{kindNote, kindComment, kindVoiceComment}}, nil) {
		events[e.ID] = e
		if r, ok := nostr.ReplyTo(e); ok {
			count[r.Root]++
		}
	}
	var roots []nostr.ID
	for id := range count {
		if events[id] != nil {
			roots = append(roots, id)
		}
	}
	slices.SortFunc(roots, func(a, b nostr.ID) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(string(a[:]), string(b[:])))
	})
	return a, events, roots[:min(len(roots), 40)]
}

func TestAThreadShowsEveryReplyOnceBelowWhatItAnswers(t *testing.T) {
	checked, deep := 0, 0
	for _, shape := range []testworld.Shape{testworld.Mixed, testworld.Dialogues} {
		a, events, roots := threadsOf(t, shape, 11)
		reader := &present.Reader{Store: a.Notes(), Me: a.Me(), Now: a.Now}
		for _, root := range roots {
			th, err := reader.Thread(t.Context(), root)
			if err != nil {
				t.Fatal(err)
			}
			if orphaned(events, root) {
				continue // hangs below a missing note: see present
			}
			rows := rowsIn(th)
			if wrong := checkThread(events, root, rows); len(wrong) > 0 {
				t.Errorf("%v, thread %x: %q", shape, root[:4], wrong[:min(3, len(wrong))])
			}
			checked++
			for _, r := range rows {
				if r.kind == rowMore {
					deep++
				}
			}
		}
	}
	if checked < 40 || deep == 0 {
		t.Errorf("only %d threads, %d of them deep, were looked at", checked, deep)
	}
}

// orphaned reports whether a thread has replies to notes that are not stored.
func orphaned(events map[nostr.ID]*nostr.Event, root nostr.ID) bool {
	for _, e := range events {
		if r, ok := nostr.ReplyTo(e); ok && r.Root == root && events[r.Parent] == nil {
			return true
		}
	}
	return false
}

// TestTheThreadCheckFindsWhatIsWrong breaks threads in the ways that a program could
// and expects the check to say so.
func TestTheThreadCheckFindsWhatIsWrong(t *testing.T) {
	a, events, roots := threadsOf(t, testworld.Dialogues, 11)
	reader := &present.Reader{Store: a.Notes(), Me: a.Me(), Now: a.Now}
	th, err := reader.Thread(t.Context(), roots[0])
	if err != nil {
		t.Fatal(err)
	}
	rows := rowsIn(th)
	if len(rows) < 5 || len(checkThread(events, roots[0], rows)) > 0 {
		t.Fatalf("%d rows, %v", len(rows), checkThread(events, roots[0], rows))
	}
	first := slices.IndexFunc(rows, func(r threadRow) bool { return r.kind == rowReply })
	for name, breakIt := range map[string]func([]threadRow) []threadRow{
		"two replies changed places": func(rs []threadRow) []threadRow {
			rs[first], rs[first+1] = rs[first+1], rs[first]
			return rs
		},
		"a reply stands there twice": func(rs []threadRow) []threadRow { return append(rs, rs[first]) },
		"a reply is left out":        func(rs []threadRow) []threadRow { return slices.Delete(rs, first, first+1) },
		"a reply stands too deep": func(rs []threadRow) []threadRow {
			rs[first].depth++
			return rs
		},
	} {
		if wrong := checkThread(events, roots[0], breakIt(slices.Clone(rows))); len(wrong) == 0 {
			t.Errorf("%s, and the check does not see it", name)
		}
	}
}

// deepest returns a reply of the sample whose parent is a reply itself.
func deepest(t *testing.T, a *app.App) *nostr.Event {
	t.Helper()
	for _, e := range find(t, a, nostr.Filter{Kinds: []uint16{kindNote}}, isReply) {
		if r, _ := nostr.ReplyTo(e); r.Parent != r.Root {
			if _, err := a.Notes().Event(t.Context(), r.Parent); err == nil {
				return e
			}
		}
	}
	t.Fatal("the sample has no reply to a reply")
	return nil
}

func TestAThreadBeginsAtItsNoteWithWhatItAnswersAbove(t *testing.T) {
	a := openApp(t)
	reply := deepest(t, a)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, mainPart)
	th := NewThread(st.env, reply.ID)
	st.show(th)
	if len(th.thread.Ancestors) < 2 {
		t.Fatalf("%d notes above", len(th.thread.Ancestors))
	}
	focus := cardOf(th.rows.Row(focusRowID(th.thread)))
	if focus == nil || focus.Note().ID != reply.ID {
		t.Fatal("the note is not in sight")
	}
	st.picture("thread-reply")
	th.rows.ScrollToTop()
	st.picture("thread-reply-top")
}

func TestAMissingParentIsToldOfAndLookedFor(t *testing.T) {
	a := openApp(t) // the sample asks no relays
	w, err := testworld.Make(testworld.Options{Seed: 3, Now: worldNow, Events: 2000, People: 60})
	if err != nil {
		t.Fatal(err)
	}
	var reply, parent *nostr.Event
	byID := map[nostr.ID]*nostr.Event{}
	for _, e := range w.Events {
		byID[e.ID] = e
		if r, ok := nostr.ReplyTo(e); ok && reply == nil && byID[r.Parent] != nil {
			reply, parent = e, byID[r.Parent]
		}
	}
	var rest []*nostr.Event
	for _, e := range w.Events {
		if e != parent && e.Kind != kindDeletion {
			rest = append(rest, e)
		}
	}
	put(t, a, rest...)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, mainPart)
	th := NewThread(st.env, reply.ID)
	st.show(th)
	row := th.rows.Row(rowID(rowMissing, parent.ID))
	if row == nil {
		t.Fatalf("no row for what is missing; rows are %d", len(th.rows.IDs()))
	}
	words := row.(*inset).content.(*fyne.Container).Objects[1].(*prose.Text)
	st.picture("thread-missing")
	look := words.Spans()[len(words.Spans())-1]
	if look.Tap == nil {
		t.Fatalf("%q offers nothing", words.String())
	}
	look.Tap()
	st.until("relays were asked", func() bool { return len(st.Calls.Log) > 0 })
	if got := st.Calls.Last(); got != "toast This is all of the sample." {
		t.Errorf("looking further led to %q", got)
	}

	put(t, a, parent) // as if a relay had given it
	st.until("the note that was missing is there", func() bool {
		return th.rows.Row(rowID(rowMissing, parent.ID)) == nil && len(th.thread.Ancestors) > 0 && !th.thread.Ancestors[len(th.thread.Ancestors)-1].Missing
	})
}

func TestAReplyThatComesIsAddedInItsPlace(t *testing.T) {
	a, w := openWorld(t, testworld.Options{Seed: 5, Events: 2000, People: 60})
	replies := map[nostr.ID][]*nostr.Event{}
	for _, e := range w.Events {
		if r, ok := nostr.ReplyTo(e); ok {
			replies[r.Root] = append(replies[r.Root], e)
		}
	}
	var root nostr.ID
	for id, rs := range replies {
		if len(rs) > len(replies[root]) {
			root = id
		}
	}
	late := replies[root][len(replies[root])/2]
	put(t, a, slices.DeleteFunc(slices.Clone(w.Events), func(e *nostr.Event) bool { return e == late || e.Kind == kindDeletion })...)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, mainPart)
	th := NewThread(st.env, root)
	st.show(th)
	before := th.thread.Total
	put(t, a, late)
	st.until("the reply is there", func() bool { return th.thread.Total == before+1 })
	if _, ok := th.byID[rowID(rowReply, late.ID)]; !ok && th.byID != nil {
		deep := slices.ContainsFunc(rowsIn(th.thread), func(r threadRow) bool { return r.kind == rowMore })
		if !deep {
			t.Error("the reply has no row")
		}
	}
}

func TestTheHeadSaysHowManyRepliesAndWhenTheyWereChecked(t *testing.T) {
	a := openApp(t)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, mainPart)
	th := NewThread(st.env, longest(t, a))
	st.show(th)
	th.checked = noon.Add(-2 * time.Minute)
	th.say()
	if got := th.count.Text(); got != fmt.Sprintf("%d replies in all · checked 2 min ago", th.thread.Total) {
		t.Errorf("the head says %q", got)
	}
}

func TestAThreadIsNotOverwrittenByWhatWasReadBefore(t *testing.T) {
	a, w := openWorld(t, testworld.Options{Seed: 4, Events: 600, People: 60})
	var reply *nostr.Event
	var others []*nostr.Event
	var r nostr.Reply
	for _, e := range w.Events {
		if to, ok := nostr.ReplyTo(e); ok && reply == nil && to.Parent == to.Root {
			reply, r = e, to
			continue
		}
		others = append(others, e)
	}
	put(t, a, others...)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, mainPart)
	th := NewThread(st.env, r.Root)
	t.Cleanup(th.Close)
	read := st.held()
	put(t, a, reply)
	th.load()
	th.load()
	st.settle()
	read()
	st.settle()
	if _, there := th.byID[rowID(rowReply, reply.ID)]; !there {
		t.Error("a reply that came while the thread was read is not shown")
	}
	if th.loading || th.again {
		t.Error("the thread is still being read")
	}
}

func TestAThreadShowsNewNamesAtOnce(t *testing.T) {
	a := openApp(t)
	_, who := stranger(t)
	named := func(name string, ago time.Duration) *nostr.Event {
		return who.Sign(tooltest.Post{Kind: 0, Ago: ago, Content: `{"name":"` + name + `"}`})
	}
	e := who.Sign(tooltest.Post{Kind: kindNote, Ago: time.Hour, Content: "Hello"})
	put(t, a, named("Mia", 2*time.Hour), e)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, mainPart)
	th := NewThread(st.env, e.ID)
	st.show(th)
	if th.thread.Focus.Author != "Mia" {
		t.Fatalf("the author is %q", th.thread.Focus.Author)
	}
	put(t, a, named("Mia Berg", time.Minute))
	st.until("the other name shows", func() bool { return th.thread.Focus.Author == "Mia Berg" })
}
