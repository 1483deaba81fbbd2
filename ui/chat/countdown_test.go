package chat

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app"
	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/llm"
	"bowerbird/ui/answers"
)

// busy is an engine whose server wants every question to wait, at a time that the
// test tells.
type busy struct {
	*app.App
	t     *testing.T
	at    time.Time
	wait  string
	asked int
}

func (b *busy) Now() time.Time { return b.at }

func (b *busy) Ask(ctx context.Context, q app.Question) (*app.Answer, error) {
	b.asked++
	store, err := b.Chats()
	if err != nil {
		return nil, err
	}
	chat, err := store.New("")
	if err != nil {
		return nil, err
	}
	var failed agent.Event
	if err := json.Unmarshal([]byte(`{"type":"error","turn":"t","step":1,"kind":"rate_limit","message":"slow down","status":429,"retry_after_s":`+b.wait+`}`), &failed); err != nil {
		b.t.Error(err)
	}
	answer := &app.Answer{Chat: chat}
	answer.Events = chat.Record(ctx, agent.Turn{ID: "t", Question: q.Text}, "groq:m", func(yield func(agent.Event) bool) {
		_ = yield(failed) && yield(agent.Event{Turn: "t", Step: 1, Type: agent.EventFinish, Finish: agent.FinishError})
	})
	return answer, nil
}

// waiting asks a question of a busy server. tick lets a time pass and then what waits
// for its end happen.
func waiting(t *testing.T, wait string) (st *stage, b *busy, tick func(time.Duration)) {
	t.Helper()
	a := openApp(t)
	st = setStage(t, a, plain, window)
	b = &busy{App: a, t: t, at: noon, wait: wait}
	var later []func()
	st.later = func(_ time.Duration, f func()) { later = append(later, f) }
	st.open.engine = b
	test.Type(st.composer.entry, "How?")
	st.composer.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	failed := func() {
		t.Helper()
		st.Until("it has failed", func() bool { return st.open.running == nil && st.open.turns[0].State == chats.Failed })
		st.Settle()
	}
	failed()
	return st, b, func(d time.Duration) {
		t.Helper()
		b.at = b.at.Add(d)
		run := later
		later = nil
		for _, f := range run {
			f()
		}
		failed()
	}
}

// words returns the word on a button that is drawn, "" where there is none.
func (st *stage) words(name string) string {
	b, ok := st.named(name).(interface{ Text() string })
	if !ok {
		return ""
	}
	return b.Text()
}

func TestAQuestionThatHasToWaitIsCountedDownAndAskedAgain(t *testing.T) {
	st, b, tick := waiting(t, "3")
	if got := st.words("chat.do.again"); got != "Ask again in 3 s" {
		t.Fatalf("the button says %q", got)
	}
	button := st.named("chat.do.again")
	tick(time.Second)
	if got := st.words("chat.do.again"); got != "Ask again in 2 s" || b.asked != 1 {
		t.Errorf("after a second the button says %q, asked %d times", got, b.asked)
	}
	if st.named("chat.do.again") != button {
		t.Error("the button that is pressed is another one when it is let go")
	}
	tick(2 * time.Second)
	if b.asked != 2 || len(st.open.turns) != 1 {
		t.Errorf("when the time was over it was asked %d times, and there are %d turns", b.asked, len(st.open.turns))
	}
	tick(3 * time.Second)
	tick(3 * time.Second)
	if got := st.words("chat.do.again"); b.asked != 4 || got != "Try again" {
		t.Errorf("it was asked %d times by itself, and the button says %q", b.asked-1, got)
	}
}

func TestAQuestionThatWaitsIsAskedAtOnceOrNotAsTheUserLikes(t *testing.T) {
	for name, tt := range map[string]struct {
		do    func(*stage)
		asked int
	}{
		"at once":         {func(st *stage) { st.press("chat.do.again") }, 2},
		"not":             {func(st *stage) { st.press("chat.do.wait-no-more") }, 1},
		"Escape":          {func(st *stage) { st.composer.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) }, 1},
		"another chat":    {func(st *stage) { first := st.open; st.NewChat(); st.show(first) }, 1},
		"the screen ends": {func(st *stage) { st.Close() }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			st, b, tick := waiting(t, "20")
			tt.do(st)
			st.Settle()
			tick(0)
			if tt.asked > 1 {
				if b.asked != tt.asked {
					t.Errorf("asked %d times", b.asked)
				}
				return
			}
			tick(time.Minute)
			if b.asked != tt.asked {
				t.Errorf("asked %d times", b.asked)
			}
			if got := st.words("chat.do.again"); strings.Contains(got, "20") && name != "the screen ends" {
				t.Errorf("the button says %q", got)
			}
		})
	}
}

func TestALongWaitIsSaidAndNotCounted(t *testing.T) {
	st, b, tick := waiting(t, "7200")
	tick(3 * time.Hour)
	if got := st.words("chat.do.again"); got != "Try again" || b.asked != 1 {
		t.Errorf("the button says %q, asked %d times", got, b.asked)
	}
	if shown := test.RenderToMarkup(st.Window.Canvas()); !strings.Contains(shown, "about 2 hours") && !strings.Contains(shown, "about 120 minutes") {
		t.Error("how long is not said")
	}
}

func TestWhatIsKnownOfAProblemOpens(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	long := strings.Repeat("upstream said no. ", 40)
	st.open.turns = []answers.Turn{answered(t, st, 1, "Who?", "openrouter:some/model",
		agent.Event{Step: 1, Type: agent.EventError, Err: &llm.Error{Kind: llm.KindServer, Message: long, Status: 500}},
		agent.Event{Step: 1, Type: agent.EventFinish, Finish: agent.FinishError})}
	st.refresh()
	st.Settle()
	before := st.list.Row(st.rows[1].id).Size().Height
	st.press("chat.problem.details")
	st.Picture("problem-details")
	if after := st.list.Row(st.rows[1].id).Size().Height; after <= before {
		t.Errorf("opened it is %v high, before %v", after, before)
	}
	st.press("chat.problem.details")
	if after := st.list.Row(st.rows[1].id).Size().Height; after != before {
		t.Errorf("closed again it is %v high, before %v", after, before)
	}
	st.open.turns = []answers.Turn{failedAnswer(t, st, 1)}
	st.refresh()
	st.Settle()
	if st.named("chat.problem.details") != nil {
		t.Error("details are offered where all is said")
	}
}
