package chat

import (
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app"
	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/internal/testkit"
)

// slow is an engine whose answers wait for the test.
type slow struct {
	*app.App
	step chan agent.Event // what is said next
}

func (s *slow) Ask(ctx context.Context, q app.Question) (*app.Answer, error) {
	store, err := s.Chats()
	if err != nil {
		return nil, err
	}
	chat, err := store.New("")
	if err != nil {
		return nil, err
	}
	answer := &app.Answer{Chat: chat}
	answer.Events = chat.Record(ctx, agent.Turn{ID: "t", Question: q.Text}, "test:m", func(yield func(agent.Event) bool) {
		for {
			select {
			case e := <-s.step:
				if !yield(e) || e.Type == agent.EventFinish {
					return
				}
			case <-ctx.Done():
				yield(agent.Event{Turn: "t", Step: 1, Type: agent.EventFinish, Finish: agent.FinishCancelled})
				return
			}
		}
	})
	return answer, nil
}

func said1(text string) agent.Event {
	return agent.Event{Turn: "t", Step: 1, Type: agent.EventText, Delta: text}
}

// streaming asks a question that is answered piece by piece.
func streaming(t *testing.T) (*stage, *slow) {
	t.Helper()
	a := openApp(t)
	st := setStage(t, a, plain, window)
	e := &slow{App: a, step: make(chan agent.Event)}
	st.open.engine = e
	test.Type(st.composer.entry, "How?")
	st.composer.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	e.step <- said1("one ")
	e.step <- said1("two ")
	st.Until("the text is shown", func() bool { return strings.Contains(st.rowKinds(), rowSaid) })
	return st, e
}

func TestARunningAnswerGoesOnWhileAnotherChatIsRead(t *testing.T) {
	st, e := streaming(t)
	if !st.composer.stop.Visible() || st.composer.send.Visible() {
		t.Error("Stop does not stand in the place of Send")
	}
	first := st.open
	st.NewChat()
	st.Settle()
	if len(st.open.turns) != 0 || st.composer.stop.Visible() {
		t.Error("the new chat shows the old one's answer")
	}
	e.step <- said1("three")
	id := first.id
	st.OpenChat(id)
	e.step <- agent.Event{Turn: "t", Step: 1, Type: agent.EventFinish, Finish: agent.FinishStop}
	st.Until("it ends", func() bool { return first.running == nil })
	if st.open != first || st.open.turns[0].Plain() != "one two three" {
		t.Errorf("shown is %q", st.open.turns[0].Plain())
	}
	if len(st.background) != 0 {
		t.Error("it is still kept as running")
	}
}

func TestEscapeStopsAndKeepsWhatWasSaid(t *testing.T) {
	st, _ := streaming(t)
	st.composer.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	st.Until("it ends", func() bool { return st.open.running == nil })
	if turn := st.open.turns[0]; turn.State != chats.Cancelled || turn.Plain() != "one two" {
		t.Errorf("%s: %q", turn.State, turn.Plain())
	}
	if got := st.rowKinds(); got != "question said notice foot end" {
		t.Errorf("shown are %s", got)
	}
}

func TestClosingTheWindowKeepsAnAnswerAsInterrupted(t *testing.T) {
	st, _ := streaming(t)
	id, saved := st.open.id, st.open.running.done
	st.Close()
	testkit.Receive(t, "the end of the turn", saved)
	c := st.newConversation()
	err := c.load(t.Context(), id)
	turns := c.turns
	if err != nil || c.title != "How?" || len(turns) != 1 {
		t.Fatal(c.title, turns, err)
	}
	if turns[0].State != chats.Interrupted || turns[0].Plain() != "one two" {
		t.Errorf("%s: %q", turns[0].State, turns[0].Plain())
	}
}

func TestAReaderWhoScrolledUpIsLeftInPeace(t *testing.T) {
	a := openApp(t)
	st := setStage(t, a, plain, fyne.NewSize(480, 400))
	st.askIt("What did I miss since yesterday evening?")
	st.list.ScrollToTop()
	st.moved()
	e := &slow{App: a, step: make(chan agent.Event)}
	st.open.engine = e
	st.open.ask(app.Question{Text: "How?"}) // as if it went on by itself
	e.step <- said1(strings.Repeat("word ", 400))
	st.Settle()
	if !st.list.AtTop() {
		t.Error("the list moved under the reader")
	}
	st.stopAnswer()
	st.Until("it ends", func() bool { return st.open.running == nil })
}

func TestAChipCanBeClickedWhileTheAnswerIsWritten(t *testing.T) {
	st, e := streaming(t)
	e.step <- agent.Event{Turn: "t", Step: 1, Type: agent.EventToolCall, ID: "c", Name: "count", Arguments: []byte(`{"search":"comet"}`)}
	e.step <- agent.Event{Turn: "t", Step: 1, Type: agent.EventToolResult, ID: "c", Name: "count", Result: agent.RawResult(`{"count":3}`)}
	st.Until("the chip is shown", func() bool { return st.named("chat.work") != nil })
	st.Settle()
	pressed := st.named("chat.work")
	e.step <- agent.Event{Turn: "t", Step: 2, Type: agent.EventText, Delta: "There are "}
	st.Settle()
	if st.named("chat.work") != pressed {
		t.Fatal("the chip that was pressed is not there when it is let go")
	}
	pressed.(fyne.Tappable).Tapped(&fyne.PointEvent{})
	e.step <- agent.Event{Turn: "t", Step: 2, Type: agent.EventText, Delta: "three."}
	st.Settle()
	if st.named("chat.work") != pressed || st.named("chat.details") == nil {
		t.Error("it did not open, or was made anew")
	}
	st.stopAnswer()
	st.Until("it ends", func() bool { return st.open.running == nil })
}
