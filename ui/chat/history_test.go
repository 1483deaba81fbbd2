package chat

import (
	"context"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/internal/testkit"
	"bowerbird/ui/widgets"
)

func TestTheSearchOfTheHistoryWaitsForTheLastLetter(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Top hashtags this week")
	st.NewChat()
	st.askIt("Who posted most this week?")
	st.press("chat.history")
	before := st.history.asked
	test.Type(st.history.search, "hashtags")
	if st.history.asked != before {
		t.Errorf("%d letters were looked for at once", st.history.asked-before)
	}
	st.Until("it was searched", func() bool { return st.history.query == "hashtags" })
	if got := st.history.asked - before; got != 1 {
		t.Errorf("it was searched %d times", got)
	}
	test.Type(st.history.search, " week")
	st.history.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) // before the pause is over
	st.Until("the first of what is typed is opened", func() bool { return !st.history.shown })
	st.Settle()
	if got := st.open.turns[0].Question; got != "Top hashtags this week" {
		t.Errorf("opened is %q", got)
	}
}

// A pause between two letters may be over and the next letter be there before the search
// begins, as on a slow machine.
func TestALetterThatComesRightAfterThePauseMakesNoSearchOfItsOwn(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.press("chat.history")
	before := st.history.asked
	test.Type(st.history.search, "hash")
	over := testkit.Receive(t, "the end of the pause", st.Posted)
	test.Type(st.history.search, "tags")
	over()
	if st.history.asked != before {
		t.Error("the pause before the last letter began a search")
	}
	st.Until("it was searched", func() bool { return st.history.query == "hashtags" })
	if got := st.history.asked - before; got != 1 {
		t.Errorf("it was searched %d times", got)
	}
}

func TestTheWindowOpensOnAnAnswerThatItsEndCutOffUntilItIsLeft(t *testing.T) {
	st, _ := streaming(t)
	id, saved := st.open.id, st.open.running.done
	st.Close()
	testkit.Receive(t, "the end of the turn", saved)
	for range 2 { // closing the window alone does not leave it
		st = setStage(t, st.app, plain, window)
		if st.open.id != id || !strings.Contains(st.rowKinds(), rowNotice) {
			t.Fatalf("it opened on %q: %s", st.open.id, st.rowKinds())
		}
		st.Picture("cut")
		st.Close()
	}
	st = setStage(t, st.app, plain, window)
	st.NewChat()
	st.Settle()
	st.press("chat.history")
	st.Picture("cut-history")
	if item := st.history.items[id]; !item.cut() {
		t.Errorf("in the history it is %+v", item)
	}
	st.Close()
	st = setStage(t, st.app, plain, window)
	if st.open.id != "" {
		t.Errorf("it was left, and is opened again: %q", st.open.id)
	}
}

func TestAQuestionAtTheStartIsNotPushedAsideByAnAnswerThatWasCutOff(t *testing.T) {
	st, _ := streaming(t)
	saved := st.open.running.done
	st.Close()
	testkit.Receive(t, "the end of the turn", saved)
	other := New(st.env)
	t.Cleanup(other.Close)
	other.Ask("How many notes were there today?")
	st.Until("it is answered", func() bool { return other.open.running == nil })
	st.Settle()
	if got := other.open.turns[0].Question; got != "How many notes were there today?" {
		t.Errorf("shown is %q", got)
	}
}

func TestTheHistorySaysWhatIsBeingAnswered(t *testing.T) {
	st, e := streaming(t)
	first := st.open
	st.NewChat()
	st.Settle()
	st.press("chat.history")
	if !st.answering([]string{first.id}) {
		t.Error("nothing is said to be answered")
	}
	st.Picture("answering")
	e.step <- agent.Event{Turn: "t", Step: 1, Type: agent.EventFinish, Finish: agent.FinishStop}
	st.Until("it ends", func() bool { return first.running == nil })
	if st.answering([]string{first.id}) {
		t.Error("it is said to be answered still")
	}
}

func TestTheHistoryFindsRenamesDeletesAndBringsBack(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Top hashtags this week")
	id := st.open.id
	st.press("chat.new")
	st.askIt("Who posted most this week?")
	st.press("chat.history")
	if n := len(st.history.list.IDs()); n != 2 {
		t.Fatalf("%d chats are listed", n)
	}
	st.lookFor("hashtags")
	if ids := st.history.list.IDs(); len(ids) != 1 || ids[0] != id {
		t.Fatalf("the search found %v", ids)
	}
	st.lookFor("")
	st.history.remove(id)
	st.Settle()
	if slices.Contains(st.history.list.IDs(), id) || st.Calls.Undo == nil {
		t.Fatalf("deleted, but listed: %v", st.history.list.IDs())
	}
	st.Calls.Undo()
	st.Settle()
	if !slices.Contains(st.history.list.IDs(), id) {
		t.Error("it did not come back")
	}
	st.press("history:" + id)
	if st.history.shown || st.open.id != id || len(st.open.turns) != 1 {
		t.Errorf("opened is %q, %d turns", st.open.id, len(st.open.turns))
	}
}

func TestADigestIsCalledByItsTimeUnlessItWasRenamed(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt(firstQuestion())
	if title, beside := st.head.title.Text(), st.head.beside.Text(); title != "Since yesterday" || beside != "Wed 00:00 to now" {
		t.Errorf("it is called %q, %q", title, beside)
	}
	st.open.title = "My digest"
	st.head.draw()
	if title, beside := st.head.title.Text(), st.head.beside.Text(); title != "My digest" || beside != "" {
		t.Errorf("renamed it is called %q, %q", title, beside)
	}
}

func TestTheHistoryIsUsedByTheKeyboard(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Top hashtags this week")
	id := st.open.id
	st.press("chat.new")
	press := func(key fyne.KeyName) {
		t.Helper()
		st.Window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: key})
		st.Settle()
	}
	open := func() {
		t.Helper()
		st.NewChat()
		st.showHistory(true)
		st.Settle()
	}
	open()
	press(fyne.KeyDown)
	press(fyne.KeyReturn)
	if st.history.shown || st.open.id != id {
		t.Errorf("Down and Enter opened %q", st.open.id)
	}
	open()
	test.Type(st.history.search, "hashtags")
	st.Settle()
	press(fyne.KeyReturn)
	if st.history.shown || st.open.id != id {
		t.Errorf("a search and Enter opened %q", st.open.id)
	}
	open()
	press(fyne.KeyEscape)
	if !st.history.shown || st.history.search.Text != "" {
		t.Errorf("Escape left the search at %q", st.history.search.Text)
	}
	press(fyne.KeyEscape)
	if st.history.shown || st.Window.Canvas().Focused() != st.composer.entry {
		t.Error("Escape did not lead back to the chat")
	}
}

func TestAChatIsRenamedByEnterAndLeftByEscape(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Top hashtags this week")
	id := st.open.id
	st.press("chat.history")
	for _, test := range []struct {
		typed string
		key   fyne.KeyName
		title string
	}{
		{"Thrown away", fyne.KeyEscape, "Top hashtags this week"},
		{"", fyne.KeyReturn, "Top hashtags this week"},
		{"What was used", fyne.KeyReturn, "What was used"},
		{"What was used most", fyne.KeyEnter, "What was used most"},
	} {
		st.history.rename(id)
		field, ok := st.Window.Canvas().Focused().(*widgets.Entry)
		if !ok {
			t.Fatalf("the keyboard is on %T", st.Window.Canvas().Focused())
		}
		field.SetText(test.typed)
		field.TypedKey(&fyne.KeyEvent{Name: test.key})
		if test.typed == "" {
			if st.named("chat.rename.cancel") == nil {
				t.Error("an empty name closed the dialog")
			}
			st.press("chat.rename.cancel")
		}
		st.Settle()
		if st.Window.Canvas().Overlays().Top() != nil {
			t.Fatalf("the dialog is still there after %s", test.key)
		}
		if got := st.history.items[id].Title; got != test.title || st.open.title != test.title {
			t.Errorf("after %q and %s it is called %q, in the list %q", test.typed, test.key, st.open.title, got)
		}
	}
}

func TestTheHistorySaysWhoseAChatIsAfterThePersonWasChanged(t *testing.T) {
	a := openApp(t)
	store, err := a.Chats()
	if err != nil {
		t.Fatal(err)
	}
	found, err := a.Suggestions(t.Context())
	if err != nil || len(found) < 3 {
		t.Fatal(found, err)
	}
	former := found[2]
	for _, reader := range []string{a.Me().String(), former.Person.String()} {
		c, err := store.New("")
		if err != nil {
			t.Fatal(err)
		}
		c.Reader = reader
		ctx, cancel := context.WithCancelCause(t.Context())
		for range c.Record(ctx, agent.Turn{ID: "t", Question: "How?"}, "test:m", func(yield func(agent.Event) bool) {
			end := agent.Event{Turn: "t", Step: 1, Type: agent.EventFinish, Finish: agent.FinishStop}
			if reader != a.Me().String() { // that of the former person is cut off
				cancel(chats.ErrClosing)
				end.Finish = agent.FinishCancelled
			}
			yield(end)
		}) {
		}
		cancel(nil)
	}
	st := setStage(t, a, plain, window)
	if st.open.id != "" {
		t.Error("the window opened on the chat of somebody else")
	}
	st.press("chat.history")
	st.Picture("former")
	readers := map[string]int{}
	for _, item := range st.history.items {
		if item.cut() != (item.account != "") {
			t.Errorf("%+v", item)
		}
		readers[item.account]++
	}
	if len(readers) != 2 || readers[""] != 1 || readers[former.Name] != 1 {
		t.Errorf("they are said to be by %v", readers)
	}
}
