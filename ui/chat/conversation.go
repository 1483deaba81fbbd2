package chat

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bowerbird/app"
	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/ui/dispatch"
	"bowerbird/ui/present"
)

// engine is what of the program a conversation works with; *app.App is one.
type engine interface {
	Ask(ctx context.Context, q app.Question) (*app.Answer, error)
	Chats() (*chats.Store, error)
	ModelState(ctx context.Context, choice app.ModelChoice) app.ModelState
	Now() time.Time
}

// conversation is a chat that is open: what was asked and answered, and what is
// being answered. Its methods are called on the window's thread.
type conversation struct {
	engine   engine
	do       dispatch.Dispatcher
	find     present.NoteFinder
	approver agent.Approver
	changed  func(*conversation)

	id      string // of the saved chat; "" while nothing was asked
	title   string // "" until one is known
	turns   []present.Turn
	running *running
	runs    int // counts the turns that were begun, for the dispatcher's keys
}

// running is a turn that is being answered.
type running struct {
	question app.Question
	cancel   context.CancelCauseFunc
	done     chan struct{} // closed when the turn is saved
	stopping bool
}

// ask begins a turn. While one is running nothing else can be asked.
func (c *conversation) ask(q app.Question) bool {
	if c.running != nil {
		return false
	}
	q.Approver = c.approver
	q.Chat = c.id
	c.turns = append(slices.Clip(c.turns), c.head(q)) // drawers may hold the turns before
	ctx, cancel := context.WithCancelCause(context.Background())
	c.running = &running{question: q, cancel: cancel, done: make(chan struct{})}
	c.runs++
	go c.run(ctx, c.running, fmt.Sprintf("chat:%p:%d", c, c.runs))
	c.changed(c)
	return true
}

// head is a turn of which nothing is answered yet.
func (c *conversation) head(q app.Question) present.Turn {
	return present.NewAssembler(present.Turn{
		Number: len(c.turns) + 1, Question: q.Text, Asked: c.engine.Now(), Model: q.Model.ID,
	}, c.find).Turn()
}

// run asks and reads the answer, off the window's thread.
func (c *conversation) run(ctx context.Context, r *running, key string) {
	defer r.cancel(nil)
	model := c.engine.ModelState(ctx, r.question.Model)
	head := present.Turn{Question: r.question.Text, Asked: c.engine.Now(), Model: model.ID, Host: model.Host}
	answer, err := c.engine.Ask(ctx, r.question)
	if err != nil {
		failed := present.UnaskedTurn(head, string(model.Obstacle), err)
		close(r.done)
		c.do.Finish(key, func() { c.finish(r, "", failed) })
		return
	}
	head.Model = answer.Model.Provider + ":" + answer.Model.Name
	id := answer.Chat.Info().ID
	assembler := present.NewAssembler(head, c.find)
	for e := range answer.Events {
		assembler.Add(context.WithoutCancel(ctx), e)
		if e.Type != agent.EventFinish {
			turn := assembler.Turn()
			c.do.Post(key, func() { c.show(r, id, turn) })
		}
	}
	last := answer.Chat.Turns[len(answer.Chat.Turns)-1]
	assembler.End(last.State)
	turn := assembler.Turn()
	turn.Number = last.Number
	close(r.done)
	c.do.Finish(key, func() { c.finish(r, id, turn) })
}

// show puts the newest state of the running turn in the place of the one before.
func (c *conversation) show(r *running, id string, t present.Turn) {
	if c.running != r {
		return
	}
	c.id = id
	t.Number = c.turns[len(c.turns)-1].Number
	c.turns[len(c.turns)-1] = t
	c.changed(c)
}

func (c *conversation) finish(r *running, id string, t present.Turn) {
	if c.running != r {
		return
	}
	c.running = nil
	if t.Number == 0 {
		t.Number = c.turns[len(c.turns)-1].Number
	}
	if id != "" {
		c.id = id
	}
	if c.title == "" {
		c.title = t.Question
	}
	c.turns[len(c.turns)-1] = t
	c.changed(c)
}

// stop ends the running turn; what was said is kept.
func (c *conversation) stop() {
	if c.running != nil && !c.running.stopping {
		c.running.stopping = true
		c.running.cancel(context.Canceled)
	}
}

// instead asks a question in the place of a turn. The chat branches: the one before
// stays in the history. A turn that was never asked is not saved anywhere.
func (c *conversation) instead(number int, q app.Question) bool {
	if c.running != nil {
		return false
	}
	if i := c.index(number); i >= 0 {
		if c.turns[i].ID != "" {
			q.Instead = number
		}
		c.turns = slices.Clip(c.turns[:i])
	}
	return c.ask(q)
}

func (c *conversation) index(number int) int {
	for i, t := range c.turns {
		if t.Number == number {
			return i
		}
	}
	return -1
}

// close ends the running turn as one that was interrupted. It does not wait until that
// is saved: the App does, before it closes its stores.
func (c *conversation) close() {
	if c.running == nil {
		return
	}
	r := c.running
	c.running = nil // nothing is drawn any more
	r.cancel(chats.ErrClosing)
}

// load reads a saved chat. It reads the disk: it is called off the window's thread.
func load(ctx context.Context, e engine, find present.NoteFinder, id string) (title string, turns []present.Turn, err error) {
	store, err := e.Chats()
	if err != nil {
		return "", nil, err
	}
	saved, err := store.Load(ctx, id)
	if err != nil {
		return "", nil, err
	}
	hosts := map[string]string{}
	for _, t := range saved.Turns {
		host, known := hosts[t.Model]
		if !known {
			host = e.ModelState(ctx, app.ModelChoice{ID: t.Model}).Host
			hosts[t.Model] = host
		}
		turns = append(turns, present.SavedTurn(ctx, t, host, find))
	}
	return saved.Info().Title, turns, nil
}
