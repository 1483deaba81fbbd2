package chat

import (
	"errors"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app/chats"
	"bowerbird/internal/testkit"
)

func TestAQuestionThatWasSentDoesNotComeBack(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Top hashtags this week")
	first := st.open.id
	st.NewChat()
	test.Type(st.composer.entry, "Who posted")
	st.opened(first)
	st.NewChat()
	if st.composer.entry.Text != "Who posted" {
		t.Fatalf("the draft is %q", st.composer.entry.Text)
	}
	st.askIt(" most this week?")
	st.NewChat()
	if st.composer.entry.Text != "" {
		t.Errorf("a new chat begins with %q", st.composer.entry.Text)
	}
}

func TestEditingAQuestionKeepsWhatWasTyped(t *testing.T) {
	var first string // the chat
	escape := &fyne.KeyEvent{Name: fyne.KeyEscape}
	for name, test := range map[string]struct {
		leave func(st *stage)
		then  func(st *stage) // back to where it was typed
	}{
		"by escape":           {leave: func(st *stage) { st.composer.entry.TypedKey(escape) }},
		"by another chat":     {leave: func(st *stage) { st.NewChat() }, then: func(st *stage) { st.opened(first) }},
		"by the history":      {leave: func(st *stage) { st.showHistory(true) }, then: func(st *stage) { st.showHistory(false); st.composer.entry.TypedKey(escape) }},
		"by a pattern":        {leave: func(st *stage) { st.fillField("Who is NAME?", 0) }, then: func(st *stage) { st.composer.entry.TypedKey(escape) }},
		"by sending it again": {leave: func(st *stage) { st.composer.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) }},
	} {
		t.Run(name, func(t *testing.T) {
			st := setStage(t, openApp(t), plain, window)
			st.askIt("Top hashtags this week")
			first = st.open.id
			st.composer.setText("half a question")
			st.editQuestion(0)
			if st.composer.entry.Text != "Top hashtags this week" {
				t.Fatalf("edited is %q", st.composer.entry.Text)
			}
			test.leave(st)
			st.Until("nothing runs", func() bool { return st.open.running == nil })
			st.Settle()
			if test.then != nil {
				test.then(st)
			}
			if st.composer.entry.Text != "half a question" || st.editing != 0 {
				t.Errorf("the field holds %q, edited is turn %d", st.composer.entry.Text, st.editing)
			}
		})
	}
}

func TestAPatternStandsInAnEmptyFieldAsIfItWasTyped(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.fillField("Who is NAME?", 0)
	st.composer.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if st.composer.entry.Text != "Who is NAME?" {
		t.Errorf("Escape took it away: %q", st.composer.entry.Text)
	}
}

func TestOfTwoChatsThatAreOpenedTheLastOneIsShown(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Top hashtags this week")
	slowOne := st.open.id
	st.NewChat()
	st.askIt("Who posted most this week?")
	here := st.open.id
	for name, then := range map[string]func(){
		"the chat that is shown": func() { st.OpenChat(here) },
		"a question in it":       func() { st.composer.setText("How many notes were there today?"); st.composer.ask() },
		"a new chat":             func() { st.NewChat(); here = "" },
	} {
		st.OpenChat(slowOne)
		late := testkit.Receive(t, "what was read", st.Posted) // it was read, and is not yet shown
		then()
		want := st.open
		late()
		if st.open != want {
			t.Errorf("after %s the chat that came late is shown", name)
		}
		st.Until("nothing runs", func() bool { return st.open.running == nil })
		st.Settle()
		if here != "" {
			continue
		}
		st.askIt("Who posted most this week?")
		here = st.open.id
	}
}

func TestWhatIsDoneWithAnAnswerWhileAnotherChatCameDoesNotPanic(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Top hashtags this week")
	st.list.ScrollToEnd()
	st.footMenu(st.content, 0)
	st.NewChat()
	st.Settle()
	menu := st.named("menu:Copy as Markdown")
	if menu == nil {
		t.Fatal("there is no menu")
	}
	menu.(fyne.Tappable).Tapped(&fyne.PointEvent{})
	if got := st.Calls.Last(); len(got) < len("copy ")+10 {
		t.Errorf("copied is %q", got)
	}
	st.footMenu(st.content, 0)
	st.copyAnswer(0)
}

func TestAScreenThatIsClosedSaysNothingMore(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.changeChats([]string{"x"}, func(*chats.Store, string) error { return errors.New("gone") }, nil)
	st.Close()
	before := len(st.Calls.Log)
	st.Settle()
	if got := st.Calls.Log[before:]; len(got) > 0 {
		t.Errorf("said after the end: %q", got)
	}
}

func TestADraftIsKeptWhileAnotherChatIsRead(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Top hashtags this week")
	first := st.open.id
	test.Type(st.composer.entry, "and then")
	st.press("chat.new")
	if st.composer.entry.Text != "" {
		t.Errorf("a new chat begins with %q", st.composer.entry.Text)
	}
	st.opened(first)
	if st.composer.entry.Text != "and then" {
		t.Errorf("the draft is %q", st.composer.entry.Text)
	}
}

func TestShiftAndEnterBreakTheLine(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	low := st.composer.box.Size().Height
	e := st.composer.entry
	test.Type(e, "one")
	e.KeyDown(&fyne.KeyEvent{Name: "LeftShift"})
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	e.KeyUp(&fyne.KeyEvent{Name: "LeftShift"})
	test.Type(e, "two")
	if e.Text != "one\ntwo" || st.open.running != nil {
		t.Errorf("the field holds %q", e.Text)
	}
	if st.composer.box.Size().Height <= low {
		t.Error("the field did not grow")
	}
}
