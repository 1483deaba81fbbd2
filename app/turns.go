package app

import (
	"context"
	"sync"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
)

// turns are the questions that are being answered. Close ends them before it closes
// the stores, so that each is kept with what was said until then.
type turns struct {
	mu      sync.Mutex // guards all but reading
	closed  bool
	last    int
	cancels map[int]context.CancelCauseFunc
	// answering counts the turns that are read, by chat.
	answering map[string]int
	resuming  map[string]bool // chats whose last turn somebody has taken up
	reading   sync.WaitGroup  // those that are read; Add only while not closed
}

// any reports whether a question is being answered.
func (t *turns) any() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.cancels) > 0
}

// begun counts the questions that were asked.
func (t *turns) begun() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

// begin makes a context that ends with Close, and what releases it. Where nobody
// watches a turn, an end from outside is no stop by the user, but an interruption.
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

// read says that a turn of a chat is read until done is called.
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

// Answering reports whether a saved chat is being answered in this program. One that
// is saved as if it were, and is not, was cut off.
func (a *App) Answering(chat string) bool {
	a.turns.mu.Lock()
	defer a.turns.mu.Unlock()
	return a.turns.answering[chat] > 0
}

// takeUp reserves the last turn of a chat for one who resumes it; false where another
// has done so.
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

// turnsTime is how long Close waits at most for turns that are being saved: a tool
// may be in the middle of something that cannot be broken off.
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

// pending stands in for the user where nobody is here to be asked. A turn that comes to
// a question for an approval ends there, and waits for the user, who takes it up with
// Resume.
type pending struct{ suspend context.CancelCauseFunc }

// Approve never grants anything.
func (p *pending) Approve(ctx context.Context, _ agent.Preview) (agent.Approval, error) {
	p.suspend(chats.ErrClosing) // the turn is kept as it is now
	<-ctx.Done()
	return agent.Approval{}, context.Cause(ctx)
}

// over returns a context that ends when the turn is suspended, and what releases it.
func (p *pending) over(ctx context.Context, release func()) (context.Context, func()) {
	ctx, p.suspend = context.WithCancelCause(ctx)
	return ctx, func() {
		p.suspend(nil)
		release()
	}
}
