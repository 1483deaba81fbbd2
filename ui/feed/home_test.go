package feed

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app"
	"bowerbird/app/live"
	"bowerbird/internal/testworld"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/dispatch"
	"bowerbird/ui/note"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// scroll turns the wheel over a list by so many points.
func scroll(st *stage, l *list, points float32) {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(l.rows)
	test.Scroll(st.window.Canvas(), at.AddXY(20, 200), 0, -points)
}

// topRow returns the first row in sight and how far it is scrolled away.
func topRow(l *list) (string, float32) {
	top := l.rows.Top()
	o := l.rows.Row(top)
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
	return top, at.Y
}

func TestTheSamplesHomeIsReadToItsEnd(t *testing.T) {
	a := openApp(t)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, column)
	h := NewHome(st.env)
	st.show(h)
	want := wantedHome(t, a, false)
	for i := 0; i < 400 && !(h.list().whole && h.list().rows.AtEnd()); i++ {
		scroll(st, h.list(), 600)
		st.until("the page is read", func() bool { return !h.list().reading && !h.list().loading })
	}
	st.settle()
	if got := rowIDs(h.list()); !slices.Equal(got, want) {
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
	for _, row := range h.list().rows.IDs()[len(want)-3 : len(want)] {
		card := cardOf(h.list().rows.Row(row))
		if card == nil || !card.Visible() || card.Note().Author == "" {
			t.Errorf("a row at the end is not drawn: %v", card)
		}
	}
}

func TestNewNotesWaitBehindAPillAndNothingJumps(t *testing.T) {
	a, w := openWorld(t, testworld.Options{Seed: 4, Events: 2000, People: 60})
	cut := len(w.Events) * 8 / 10
	put(t, a, w.Events[:cut]...)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, column)
	h := NewHome(st.env)
	st.show(h)
	scroll(st, h.list(), 900)
	st.settle()
	top, y := topRow(h.list())

	put(t, a, w.Events[cut:]...)
	st.settle()
	if now, nowY := topRow(h.list()); now != top || nowY != y+h.pill.Size().Height {
		t.Errorf("the row that was read moved by %v", nowY-y)
	}
	if !h.pill.Visible() || !strings.HasSuffix(h.pill.count.Text(), "new notes") {
		t.Fatalf("no pill: %q", h.pill.count.Text())
	}
	waiting := len(h.list().waiting)
	want := wantedHome(t, a, false)
	fresh := 0
	for _, e := range w.Events[cut:] {
		if slices.Contains(want, e.ID) {
			fresh++
		}
	}
	// What is folded in the end was counted too.
	if waiting < fresh || waiting > fresh+fresh/2 || fresh == 0 {
		t.Errorf("%d wait, where %d are new", waiting, fresh)
	}

	test.Tap(h.pill.Objects[0].(*fyne.Container).Objects[0].(*fyne.Container).Objects[1].(fyne.Tappable))
	st.settle()
	if h.pill.Visible() || !h.list().rows.AtTop() {
		t.Error("the pill stays, or the list is not at its beginning")
	}
	got := rowIDs(h.list())
	if !slices.Equal(got, want[:len(got)]) {
		t.Error("the list does not begin with the newest notes")
	}
}

func TestWhatIsDeletedVanishesAndNamesAreRenewed(t *testing.T) {
	a, w := openWorld(t, testworld.Options{Seed: 7, Events: 3000, People: 60})
	// The deletions, and the last profile edit of an author in sight, come later.
	var now, deletions []*nostr.Event
	for _, e := range w.Events {
		if e.Kind == kindDeletion {
			deletions = append(deletions, e)
		} else {
			now = append(now, e)
		}
	}
	put(t, a, now...)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, column)
	h := NewHome(st.env)
	st.show(h)
	for range 30 {
		scroll(st, h.list(), 2000)
		st.until("the page is read", func() bool { return !h.list().reading && !h.list().loading })
	}
	before := len(rowIDs(h.list()))
	put(t, a, deletions...)
	st.settle()
	gone := 0
	for _, id := range rowIDs(h.list()) {
		if _, err := a.Notes().Event(t.Context(), id); err != nil {
			gone++
		}
	}
	if gone > 0 {
		t.Errorf("%d rows are of deleted notes", gone)
	}
	if after := len(rowIDs(h.list())); after >= before {
		t.Errorf("%d rows before the deletions, %d after", before, after)
	}
}

func TestAClickOpensTheThreadAndKeysWalkTheList(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light}, column)
	h := NewHome(st.env)
	st.show(h)
	h.Focus(st.window.Canvas())
	first, ok := st.window.Canvas().Focused().(*note.Card)
	if !ok || rowOf(first.Note().Row) != h.list().rows.IDs()[0] {
		t.Fatalf("the keyboard is at %v", st.window.Canvas().Focused())
	}
	for i := range 12 {
		st.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
		st.until("the next note has the keyboard", func() bool {
			card, ok := st.window.Canvas().Focused().(*note.Card)
			return ok && rowOf(card.Note().Row) == h.list().rows.IDs()[i+1]
		})
	}
	st.window.Canvas().Focused().TypedRune('k')
	card, ok := st.window.Canvas().Focused().(*note.Card)
	if !ok || rowOf(card.Note().Row) != h.list().rows.IDs()[11] {
		t.Fatal("twelve down and one up do not lead to the twelfth note")
	}
	card.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if want := "thread " + card.Note().ID.String(); st.Calls.Last() != want {
		t.Errorf("Enter led to %q, want %q", st.Calls.Last(), want)
	}
}

func TestBothListsOfHomeKeepTheirPlace(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light}, column)
	h := NewHome(st.env)
	st.show(h)
	scroll(st, h.list(), 1500)
	st.settle()
	top, y := topRow(h.list())
	h.choose(1)
	st.settle()
	if got, want := rowIDs(h.list()), wantedHome(t, st.env.App, true); !slices.Equal(got, want[:len(got)]) {
		t.Error("with replies, others stand there")
	}
	h.choose(0)
	st.settle()
	if again, againY := topRow(h.list()); again != top || againY != y {
		t.Errorf("back at another place: %v", againY-y)
	}
}

func TestWhyAHomeIsEmptyIsSaid(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status live.Status
		listed bool
		want   emptiness
	}{
		{"the first sync runs", live.Status{Stage: live.StageNotes}, true, emptyGetting},
		{"whom the reader follows is being found out", live.Status{Stage: live.StageLists}, false, emptyGetting},
		{"there is no net", live.Status{Stage: live.StageWaiting, Trouble: live.TroubleNet}, true, emptyOffline},
		{"no relay knows the list", live.Status{Stage: live.StageWaiting, Trouble: live.TroubleList}, false, emptyNobody},
		{"the list is empty", live.Status{Stage: live.StageWaiting, Trouble: live.TroubleEmpty}, false, emptyNobody},
		{"all is here, and nobody wrote", live.Status{Stage: live.StageLive}, true, emptyQuiet},
	} {
		if got := whyEmpty(tt.status, tt.listed); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	a, _ := openWorld(t, testworld.Options{Seed: 1, Events: 500, People: 60})
	st := setStage(t, a, theme.Options{Mode: theme.Light}, column)
	h := NewHome(st.env)
	st.show(h)
	if h.empty != emptyNobody {
		t.Errorf("an empty store: %q", h.empty)
	}
	st.picture("home-nobody")
}

func TestNotesOfAFirstSyncAppear(t *testing.T) {
	a, w := openWorld(t, testworld.Options{Seed: 2, Events: 600, People: 60})
	st := setStage(t, a, theme.Options{Mode: theme.Light}, column)
	h := NewHome(st.env)
	st.show(h)
	put(t, a, w.Events...)
	st.settle()
	if n := h.list().count(); n < fewRows {
		t.Errorf("%d notes are shown after all came", n)
	}
	if h.empty != "" {
		t.Errorf("still empty: %q", h.empty)
	}
}

func TestSwitchingListsLeavesNoBlankAndTheKeysWorkAtOnce(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light}, column)
	h := NewHome(st.env)
	st.show(h)
	scroll(st, h.list(), 900)
	st.settle()
	notes := h.list()
	h.choose(1)
	if h.body.Objects[0] != fyne.CanvasObject(notes.rows) {
		t.Error("before the other list is read, the one that was read is gone")
	}
	st.settle()
	if h.body.Objects[0] != fyne.CanvasObject(h.list().rows) || h.list() == notes {
		t.Error("the other list is not shown")
	}
	before := len(rowIDs(h.list()))
	for range 3 {
		focused := st.window.Canvas().Focused()
		if focused == nil {
			t.Fatal("nothing has the keyboard after a click on the other list")
		}
		focused.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
		st.settle()
	}
	if after := len(rowIDs(h.list())); after <= before {
		t.Errorf("End loads nothing on: %d notes, %d before", after, before)
	}
	if widgets.KeyboardLost(st.window.Canvas()) {
		t.Errorf("End leaves the keyboard on %T", st.window.Canvas().Focused())
	}
}

func TestTheEndOfWhatIsStoredIsSaid(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light}, column)
	h := NewHome(st.env)
	st.show(h)
	want := len(wantedHome(t, st.env.App, false))
	for range 40 {
		walkInto(h.list().rows, &fyne.KeyEvent{Name: fyne.KeyEnd})
		st.settle()
		if h.list().whole {
			break
		}
	}
	if h.list().count() != want || !h.list().footed() {
		t.Errorf("%d notes of %d, footed: %v", h.list().count(), want, h.list().footed())
	}
	h.list().setWhole(false)
	if h.list().count() != want || h.list().footed() {
		t.Error("the foot stays although more is behind it")
	}
}

func TestHomeOpensWhereItWasLeft(t *testing.T) {
	a, w := openWorld(t, testworld.Options{Seed: 4, Events: 2000, People: 60})
	cut := len(w.Events) * 8 / 10
	put(t, a, w.Events[:cut]...)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, column)
	first := NewHome(st.env)
	st.show(first)
	for range 6 {
		scroll(st, first.list(), 2500)
		st.until("the page is read", func() bool { return !first.list().reading && !first.list().loading })
	}
	st.settle()
	top, y := topRow(first.list())
	first.Hidden()
	st.settle()
	put(t, a, w.Events[cut:]...)

	again := NewHome(st.env)
	st.show(again)
	if now, nowY := topRow(again.list()); now != top || nowY != y+again.pill.Size().Height {
		t.Errorf("another row is on top, or it moved by %v", nowY-y)
	}
	if len(again.list().waiting) == 0 || !again.pill.Visible() {
		t.Error("what came meanwhile does not wait")
	}
	again.list().begin()
	st.settle()
	want := wantedHome(t, a, false)
	if got := rowIDs(again.list()); !slices.Equal(got, want[:len(got)]) || !again.list().rows.AtTop() {
		t.Error("the new notes do not lead to the beginning")
	}
}

func TestWhereTheNoteIsGoneTheNearestInTimeIsOpened(t *testing.T) {
	items := []item{{id: nostr.ID{1}, at: 100}, {id: nostr.ID{2}, at: 90}, {id: nostr.ID{3}, at: 50}}
	for _, tt := range []struct {
		name string
		note app.ReadNote
		want int
	}{
		{"the note itself", app.ReadNote{ID: nostr.ID{2}, At: 10}, 1},
		{"gone, a little newer than the third", app.ReadNote{ID: nostr.ID{9}, At: 55}, 2},
		{"gone, a little older than the second", app.ReadNote{ID: nostr.ID{9}, At: 85}, 1},
		{"gone, newer than all", app.ReadNote{ID: nostr.ID{9}, At: 500}, 0},
		{"gone, older than all", app.ReadNote{ID: nostr.ID{9}, At: 5}, 2},
	} {
		if got := nearest(items, tt.note); got != tt.want {
			t.Errorf("%s: row %d, want %d", tt.name, got, tt.want)
		}
	}
}

// late is a dispatcher whose work begins after a while, as on a busy machine.
type late struct{ dispatch.Dispatcher }

func (d late) Go(work func() func()) {
	d.Dispatcher.Go(func() func() {
		time.Sleep(5 * dispatch.Interval)
		return work()
	})
}

func TestTheLastMoveIsKeptWhenTheProgramEnds(t *testing.T) {
	a, w := openWorld(t, testworld.Options{Seed: 4, Events: 600, People: 60})
	put(t, a, w.Events...)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, column)
	h := NewHome(st.env)
	st.show(h)
	scroll(st, h.list(), 900)
	h.list().env.Do = late{st.env.Do}
	want, _ := h.list().place()
	h.Hidden()
	h.Close()
	// The store is closed now.
	got, err := a.ReadPlace(t.Context(), "home.list")
	if err != nil || got.Top.ID != want.Top.ID || got.Above != want.Above {
		t.Errorf("kept is %+v, want %+v (%v)", got, want, err)
	}
}

func TestTheNoteThatIsOpenedBesideTheListIsMarked(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light}, column)
	h := NewHome(st.env)
	st.show(h)
	l := h.list()
	second := l.rows.IDs()[1]
	cards := func() (rows []string) { // those with the line of a card at their left
		drawn := st.window.Canvas().Capture()
		from, to := l.rows.InSight()
		for _, row := range l.rows.IDs()[from:to] {
			at := fyne.CurrentApp().Driver().AbsolutePositionForObject(l.rows.Row(row))
			if drawn.At(7, int(at.Y)+20) != drawn.At(2, int(at.Y)+20) {
				rows = append(rows, row)
			}
		}
		return rows
	}
	h.MarkOpened(l.notes[second].ID)
	if got := cards(); !slices.Equal(got, []string{second}) {
		t.Errorf("%d notes are marked, and not the one that is opened", len(got))
	}
	st.picture("home-opened")
	scroll(st, l, 4000)
	st.settle()
	if got := cards(); len(got) > 0 {
		t.Error("another note is marked when that one is out of sight")
	}
	scroll(st, l, -4000)
	st.settle()
	if got := cards(); !slices.Equal(got, []string{second}) {
		t.Error("the note is not marked any more when it was out of sight")
	}
	h.MarkOpened(nostr.ID{})
	if got := cards(); len(got) > 0 {
		t.Error("the mark stays when the note is closed")
	}
}

func TestWhatCannotBeReadIsTriedAgain(t *testing.T) {
	st := setStage(t, openApp(t), theme.Options{Mode: theme.Light}, column)
	h := NewHome(st.env)
	l := h.list()
	source := l.opt.Source
	l.opt.Source = func(context.Context) (timeline, error) { return timeline{}, errors.New("the disk is gone") }
	l.begin()
	st.show(h)
	press := func() fyne.Tappable {
		for _, o := range test.LaidOutObjects(h.body) {
			if b, ok := o.(*widgets.Button); ok && b.ID == "feed.again" {
				return b
			}
		}
		return nil
	}
	again := press()
	if again == nil {
		t.Fatal("nothing offers to try again")
	}
	l.opt.Source = source
	again.Tapped(&fyne.PointEvent{})
	st.settle()
	if h.body.Objects[0] != fyne.CanvasObject(l.rows) || l.count() == 0 {
		t.Error("the notes are not shown when they can be read")
	}
}
