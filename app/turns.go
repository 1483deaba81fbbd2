package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/app/models"
)

// turns are the questions that are being answered. Close ends them before it closes the
// stores, so that each is kept with its answer so far.
type turns struct {
	mu      sync.Mutex // guards all but reading
	closed  bool
	last    int
	cancels map[int]context.CancelCauseFunc
	// answering counts the turns being read, by chat.
	answering map[string]int
	resuming  map[string]bool // chats whose last turn is being continued
	reading   sync.WaitGroup  // turns being read; Add only while not closed
}

// any reports whether a question is being answered.
func (t *turns) any() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.cancels) > 0
}

// begun counts the questions asked.
func (t *turns) begun() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

// begin makes a context that ends with Close, and the function that releases it. If
// nobody watches a turn, an end from outside is an interruption, not a stop by the user.
func (t *turns) begin(outer context.Context, unattended bool) (context.Context, func()) {
	inner, untie := outer, func() bool { return false }
	if unattended {
		inner = context.WithoutCancel(outer)
	}
	ctx, cancel := context.WithCancelCause(inner)
	if unattended {
		untie = context.AfterFunc(outer, func() { cancel(chats.ErrClosing) })
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		cancel(chats.ErrClosing)
	}
	if t.cancels == nil {
		t.cancels = map[int]context.CancelCauseFunc{}
	}
	t.last++
	id := t.last
	t.cancels[id] = cancel
	return ctx, func() {
		untie()
		cancel(nil)
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.cancels, id)
	}
}

// read registers that a turn of a chat is being read until done is called.
func (t *turns) read(chat string) (done func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return func() {}
	}
	t.reading.Add(1)
	if t.answering == nil {
		t.answering = map[string]int{}
	}
	t.answering[chat]++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.answering[chat]--; t.answering[chat] == 0 {
			delete(t.answering, chat)
		}
		t.reading.Done()
	}
}

// Answering reports whether a saved chat is being answered in this program. One that was
// saved as if it were, and is not, was cut off.
func (a *App) Answering(chat string) bool {
	a.turns.mu.Lock()
	defer a.turns.mu.Unlock()
	return a.turns.answering[chat] > 0
}

// takeUp reserves the last turn of a chat for a caller that resumes it; false if another
// one has.
func (t *turns) takeUp(chat string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.resuming[chat] {
		return false
	}
	if t.resuming == nil {
		t.resuming = map[string]bool{}
	}
	t.resuming[chat] = true
	return true
}

// letGo ends takeUp.
func (t *turns) letGo(chat string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.resuming, chat)
}

// end cuts all turns off; they are kept as interrupted.
func (t *turns) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for _, cancel := range t.cancels {
		cancel(chats.ErrClosing)
	}
}

// turnsTime is how long Close waits at most for turns that are being saved: a tool may be
// doing something that cannot be interrupted.
const turnsTime = 3 * time.Second

// wait returns when all turns are saved, or when it takes too long.
func (t *turns) wait() {
	saved := make(chan struct{})
	go func() {
		t.reading.Wait()
		close(saved)
	}()
	late := time.NewTimer(turnsTime)
	defer late.Stop()
	select {
	case <-saved:
	case <-late.C:
	}
}

// pending represents the user if there is nobody to ask. A turn that needs an approval
// ends there, and waits for the user to continue it with Resume.
type pending struct{ suspend context.CancelCauseFunc }

// Approve never grants anything.
func (p *pending) Approve(ctx context.Context, _ agent.Preview) (agent.Approval, error) {
	p.suspend(chats.ErrClosing) // the turn is kept as it is now
	<-ctx.Done()
	return agent.Approval{}, context.Cause(ctx)
}

// over returns a context that ends when the turn is suspended, and the function that
// releases it.
func (p *pending) over(ctx context.Context, release func()) (context.Context, func()) {
	ctx, p.suspend = context.WithCancelCause(ctx)
	return ctx, func() {
		p.suspend(nil)
		release()
	}
}

// CanResume reports whether the last turn of a saved chat was cut off by the end of the
// program, waiting for an approval or not, so that Resume can continue it.
func (a *App) CanResume(chat chats.Info) bool {
	return chat.CutOff() && chat.Deleted.IsZero() && !a.Answering(chat.ID)
}

// Before returns the events from before the turn was cut off that still count; none for a
// new question.
func (a *Answer) Before() []agent.Event { return a.before }

// Resume continues the last turn of a chat where it was cut off, with the model that it
// was asked with unless another one is chosen. The answer's Events are those that are
// new; Before are the earlier ones. An approval that nobody gave is asked for again, for
// exactly the same call; see agent.Agent.Resume.
func (a *App) Resume(ctx context.Context, chatID string, model models.Choice, approver agent.Approver) (*Answer, error) {
	if _, err := a.Visit(ctx); err != nil {
		return nil, err
	}
	// Two callers that continue the same turn would each do what is left of it.
	if !a.turns.takeUp(chatID) {
		return nil, fmt.Errorf("chat %s: its last answer is already being continued", chatID)
	}
	answer, err := a.resume(ctx, chatID, model, approver)
	if err != nil {
		a.turns.letGo(chatID)
	}
	return answer, err
}

// resume is Resume for a turn that nobody else continues.
func (a *App) resume(ctx context.Context, chatID string, model models.Choice, approver agent.Approver) (*Answer, error) {
	chat, err := a.chat(ctx, chatID, 0)
	if err != nil {
		return nil, err
	}
	if !a.CanResume(chat.Info()) {
		return nil, fmt.Errorf("chat %s: its last answer was not cut off, or is being written", chatID)
	}
	last, cut, err := chat.Reopen()
	if err != nil {
		return nil, err
	}
	scope := SavedScope(last.Scope)
	model.ID = cmp.Or(strings.TrimSpace(model.ID), last.Model)
	a.Models().FindOut(ctx, model)
	chosen, err := a.model(ctx, model, scope)
	if err != nil {
		return nil, err
	}
	runner, err := a.agent(chosen, a.Models().Facts(model), chatID, false, approver)
	if err != nil {
		return nil, err
	}
	env, err := a.Env(ctx)
	if err != nil {
		return nil, err
	}
	scope.env(env)
	turn := agent.Turn{ID: last.ID, Question: last.Question, Env: env, Looking: scope.looking("")}
	info := chosen.Info()
	run, release := a.turns.begin(models.InTurn(ctx, chatID, turn.ID), false)
	events := chat.RecordRest(run, info.Provider+":"+info.Name, cut, runner.Resume(run, chat.Conversation(), turn, cut))
	answer := a.answer(chat, last.Question, info, func() { release(); a.turns.letGo(chatID) }, events)
	answer.before = cut.Events
	if info.Typed { // it starts the turn over
		answer.before = slices.DeleteFunc(slices.Clone(cut.Events), func(e agent.Event) bool { return e.Type != agent.EventUsage })
	}
	return answer, nil
}
