package chat

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/app/config"
	"bowerbird/ui/answers"
)

func TestAnEditedQuestionIsAnotherVersionInTheSameChat(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Top hashtags this week")
	first := st.open.id
	st.composer.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	if st.composer.entry.Text != "Top hashtags this week" {
		t.Fatalf("Up fetched %q", st.composer.entry.Text)
	}
	st.composer.setText("")
	st.askIt("Who posted most this week?")
	if len(st.open.turns) != 1 || st.open.id == first {
		t.Errorf("%d turns in chat %s, which was %s", len(st.open.turns), st.open.id, first)
	}
	st.Picture("versions")
	if st.head.title.Text() != "Who posted most this week?" {
		t.Errorf("it is called %q", st.head.title.Text())
	}
	second := st.open.id
	st.press("chat.version.chevron-left")
	if st.open.id != first || len(st.open.turns) != 1 || st.open.turns[0].Question != "Top hashtags this week" {
		t.Errorf("the version before holds %+v", st.open.turns)
	}
	st.press("chat.version.chevron-left") // there is none
	st.press("chat.version.chevron-right")
	if st.open.id != second {
		t.Errorf("the later version is %s, want %s", st.open.id, second)
	}
	st.press("chat.history")
	if ids := st.history.list.IDs(); len(ids) != 1 || len(st.history.items[ids[0]].members) != 2 {
		t.Errorf("listed are %v", ids)
	}
	st.lookFor("hashtags")
	if ids := st.history.list.IDs(); !slices.Equal(ids, []string{first}) {
		t.Errorf("found are %v", ids)
	}
	st.history.remove(first)
	st.Settle()
	st.lookFor("")
	if ids := st.history.list.IDs(); len(ids) != 0 {
		t.Errorf("after it was deleted %v are listed", ids)
	}
	st.Calls.Undo()
	st.Settle()
	if ids := st.history.list.IDs(); len(ids) != 1 || len(st.history.items[ids[0]].members) != 2 {
		t.Errorf("back are %v", ids)
	}
}

func TestAskingAgainStaysInTheChat(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Top hashtags this week")
	st.askIt("Who posted most this week?")
	st.askIt("How many notes were there today?")
	st.act(1, answers.AskAgain)
	st.Until("it is answered", func() bool { return st.open.running == nil })
	st.Settle()
	var questions []string
	for _, turn := range st.open.turns {
		questions = append(questions, turn.Question)
	}
	if want := []string{"Top hashtags this week", "Who posted most this week?"}; !slices.Equal(questions, want) {
		t.Errorf("the chat holds %q", questions)
	}
	if at, of := st.open.version(1); at != 2 || of != 2 {
		t.Errorf("it is version %d of %d", at, of)
	}
	if list, err := st.findChats(t.Context(), ""); err != nil || len(list) != 1 {
		t.Errorf("%d chats are listed: %v", len(list), err)
	}
	st.openVersion(1, -1)
	st.Settle()
	if len(st.open.turns) != 3 {
		t.Errorf("the version before has %d turns", len(st.open.turns))
	}
}

func TestAQuestionThatCouldNotBeAskedAnewTakesNothingAway(t *testing.T) {
	a := openApp(t)
	st := setStage(t, a, plain, window)
	st.askIt("Top hashtags this week")
	st.askIt("Who posted most this week?")
	before := st.open.id
	if err := a.SaveSettings(func(s *config.Settings) { s.Assistant.Model = "openrouter:some/model" }); err != nil {
		t.Fatal(err)
	}
	st.Shown() // back from the settings
	st.Settle()
	st.act(0, answers.AskAgain)
	st.Until("it failed", func() bool { return st.open.running == nil })
	st.Settle()
	if got := st.rowKinds(); got != "question problem end" {
		t.Fatalf("shown are %s", got)
	}
	st.press("chat.do.builtin")
	st.Until("the built-in has answered", func() bool { return st.open.running == nil })
	st.Settle()
	if at, of := st.open.version(0); len(st.open.turns) != 1 || at != 2 || of != 2 {
		t.Errorf("%d turns, version %d of %d", len(st.open.turns), at, of)
	}
	c := st.newConversation()
	if err := c.load(t.Context(), before); err != nil || len(c.turns) != 2 {
		t.Errorf("the version before has %d turns: %v", len(c.turns), err)
	}
}
