package chat

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app/agent"
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
	st.until("it was searched", func() bool { return st.history.query == "hashtags" })
	if got := st.history.asked - before; got != 1 {
		t.Errorf("it was searched %d times", got)
	}
	test.Type(st.history.search, " week")
	st.history.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) // before the pause is over
	st.until("the first of what is typed is opened", func() bool { return !st.history.shown })
	st.settle()
	if got := st.open.turns[0].Question; got != "Top hashtags this week" {
		t.Errorf("opened is %q", got)
	}
}

func TestTheWindowOpensOnAnAnswerThatItsEndCutOffUntilItIsLeft(t *testing.T) {
	st, _ := streaming(t)
	id, saved := st.open.id, st.open.running.done
	st.Close()
	<-saved
	for range 2 { // closing the window alone does not leave it
		st = setStage(t, st.app, plain, window)
		if st.open.id != id || !strings.Contains(st.rowKinds(), rowNotice) {
			t.Fatalf("it opened on %q: %s", st.open.id, st.rowKinds())
		}
		st.picture("cut")
		st.Close()
	}
	st = setStage(t, st.app, plain, window)
	st.NewChat()
	st.settle()
	st.press("chat.history")
	st.picture("cut-history")
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
	<-saved
	other := New(st.env)
	t.Cleanup(other.Close)
	other.Ask("How many notes were there today?", "")
	st.until("it is answered", func() bool { return other.open.running == nil })
	st.settle()
	if got := other.open.turns[0].Question; got != "How many notes were there today?" {
		t.Errorf("shown is %q", got)
	}
}

func TestTheHistorySaysWhatIsBeingAnswered(t *testing.T) {
	st, e := streaming(t)
	first := st.open
	st.NewChat()
	st.settle()
	st.press("chat.history")
	if !st.answering([]string{first.id}) {
		t.Error("nothing is said to be answered")
	}
	st.picture("answering")
	e.step <- agent.Event{Turn: "t", Step: 1, Type: agent.EventFinish, Finish: agent.FinishStop}
	st.until("it ends", func() bool { return first.running == nil })
	if st.answering([]string{first.id}) {
		t.Error("it is said to be answered still")
	}
}
