package chat

import (
	"context"
	"iter"
	"slices"
	"time"

	"bowerbird/app"
	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/app/models"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/answers"
	"bowerbird/ui/dispatch"
	"bowerbird/ui/present"
)

// engine is what a conversation needs of the program; [*app.App] implements it.
type engine interface {
	Ask(ctx context.Context, q app.Question) (*app.Answer, error)
	Resume(ctx context.Context, chat string, model models.Choice, approver agent.Approver) (*app.Answer, error)
	CanResume(chat chats.Info) bool
	Chats() (*chats.Store, error)
	Models() *models.Registry
	Notes() *ndb.Store
	Now() time.Time
}

// conversation is an open chat. Its methods are called on the window's thread, except run,
// read, resume and load.
type conversation struct {
	engine   engine
	do       dispatch.Dispatcher
	find     answers.NoteFinder
	approver agent.Approver
	changed  func(*conversation)

	id        string // of the saved chat; "" while nothing was asked
	title     string // "" until one is known
	turns     []answers.Turn
	versions  map[int][]string  // the chats that hold other versions of a turn, by its number: see chats.Versions
	scope     scope             // whose notes the next question is about
	about     scope             // the person or thread that the chat is about, offered in the scope menu
	usage     chats.Usage       // of the turns that have ended
	resumable bool              // the last turn was interrupted and can be resumed
	unasked   int               // the turn that a question was to replace but could not be asked; 0 for none
	foreign   bool              // a question, perhaps one that could not be asked, held words of strangers
	countdown answers.Countdown // until the last question is asked again automatically
	retries   int               // automatic retries in a row
	running   *running
}

// running is a turn that is being answered.
type running struct {
	question app.Question
	number   int // of the turn, where it is not another version's
	cancel   context.CancelCauseFunc
	done     chan struct{} // closed when the turn is saved
	stopping bool
}

// ask begins a turn. It does nothing while another turn is running.
func (c *conversation) ask(q app.Question) {
	if c.running != nil {
		return
	}
	if c.unasked > 0 { // the new question takes its place
		q.Instead = c.unasked
		c.turns = slices.DeleteFunc(slices.Clone(c.turns), func(t answers.Turn) bool { return t.Number >= c.unasked })
	}
	c.foreign = c.foreign || q.Foreign
	q.Approver, q.Foreign = c.approver, c.foreign
	q.Chat = c.id
	c.turns = append(slices.Clip(c.turns), c.head(q)) // drawers may hold the turns before
	ctx, cancel := context.WithCancelCause(context.Background())
	c.running = &running{question: q, number: len(c.turns), cancel: cancel, done: make(chan struct{})}
	c.countdown, c.resumable = answers.Countdown{}, false
	go c.run(ctx, c.running)
	c.changed(c)
}

// head returns a turn without an answer.
func (c *conversation) head(q app.Question) answers.Turn {
	return answers.NewAssembler(answers.Turn{
		Number: len(c.turns) + 1, Question: q.Text, Asked: c.engine.Now(), Scope: q.Scope, Model: q.Model.ID,
	}, c.find).Turn()
}

// run asks and reads the answer, off the window's thread.
func (c *conversation) run(ctx context.Context, r *running) {
	defer r.cancel(nil)
	model := c.engine.Models().State(ctx, r.question.Model)
	head := answers.Turn{Number: r.number, Question: r.question.Text, Asked: c.engine.Now(), Scope: r.question.Scope, Model: model.ID, Host: model.Host}
	answer, err := c.engine.Ask(ctx, r.question)
	if err != nil {
		failed := answers.UnaskedTurn(head, model.Obstacle, err)
		if ctx.Err() != nil {
			failed = answers.StoppedTurn(head)
		}
		close(r.done)
		c.do.Do(func() { c.finish(r, chats.Info{}, failed) })
		return
	}
	head.Model = answer.Model.Provider + ":" + answer.Model.Name
	c.read(ctx, r, head, answer)
}

// read reads an answer to its end, off the window's thread.
func (c *conversation) read(ctx context.Context, r *running, head answers.Turn, answer *app.Answer) {
	head.Toolless = answer.Toolless
	id := answer.Chat.Info().ID
	assembler := answers.NewAssembler(head, c.find)
	for _, e := range answer.Before() {
		assembler.Add(context.WithoutCancel(ctx), e)
	}
	paced(answer.Events, dispatch.Interval, func(e agent.Event) {
		assembler.Add(context.WithoutCancel(ctx), e)
	}, func() {
		turn := assembler.Turn()
		c.do.Do(func() { c.show(r, id, turn) })
	})
	last := answer.Chat.Turns[len(answer.Chat.Turns)-1]
	assembler.End(last.State)
	turn := assembler.Turn()
	turn.Number = last.Number
	close(r.done)
	info := answer.Chat.Info()
	c.do.Do(func() { c.finish(r, info, turn) })
}

// goOn resumes the interrupted last turn with the model that it was asked with. Pending
// approvals are asked for again.
func (c *conversation) goOn(failed func(error)) {
	n := len(c.turns)
	if c.running != nil || !c.resumable || n == 0 {
		return
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	r := &running{cancel: cancel, number: c.turns[n-1].Number, done: make(chan struct{})}
	c.running, c.resumable = r, false
	go c.resume(ctx, r, c.id, c.turns[n-1], failed)
	c.changed(c)
}

// resume is the part of goOn off the window's thread. A turn that cannot be resumed stays
// as it was.
func (c *conversation) resume(ctx context.Context, r *running, id string, last answers.Turn, failed func(error)) {
	defer r.cancel(nil)
	answer, err := c.engine.Resume(ctx, id, models.Choice{}, c.approver)
	if err != nil {
		stopped := ctx.Err() != nil // before it could go on
		close(r.done)
		c.do.Do(func() {
			if c.running == r {
				c.running, c.resumable = nil, true
				c.changed(c)
				if !stopped {
					failed(err)
				}
			}
		})
		return
	}
	last.Blocks, last.Spent = nil, answers.Spent{}
	c.read(ctx, r, last, answer)
}

// paced passes each event to add as it arrives, and calls show at most once per interval:
// drawing a turn costs more than a few words are worth. It does not call show after the
// last event.
func paced(events iter.Seq[agent.Event], interval time.Duration, add func(agent.Event), show func()) {
	read := make(chan agent.Event)
	go func() {
		defer close(read)
		for e := range events {
			read <- e
		}
	}()
	var due <-chan time.Time // nil while nothing new has come
	for {
		select {
		case e, more := <-read:
			if !more {
				return
			}
			if add(e); due == nil {
				due = time.After(interval)
			}
		case <-due:
			due = nil
			show()
		}
	}
}

// show replaces the running turn with its newest state.
func (c *conversation) show(r *running, id string, t answers.Turn) {
	if c.running != r {
		return
	}
	c.id = id
	t.Number = c.turns[len(c.turns)-1].Number
	c.turns[len(c.turns)-1] = t
	c.changed(c)
}

// finish ends the running turn. saved is the chat that holds it; its ID is empty if the
// question could not be asked.
func (c *conversation) finish(r *running, saved chats.Info, t answers.Turn) {
	if c.running != r {
		return
	}
	c.running = nil
	if t.Number == 0 {
		t.Number = c.turns[len(c.turns)-1].Number
	}
	if c.unasked = r.question.Instead; saved.ID != "" {
		c.id, c.title, c.usage, c.unasked = saved.ID, saved.Title, saved.Usage, 0
	}
	if c.title == "" {
		c.title = t.Question
	}
	c.turns[len(c.turns)-1] = t
	if c.countdown = answers.CountdownOf(t, c.engine.Now()); !c.countdown.Runs() {
		c.retries = 0
	} else if c.retries++; c.retries > answers.MostCountdowns {
		c.countdown, c.retries = answers.Countdown{}, 0
	}
	c.changed(c)
	if r.question.Instead > 0 {
		c.loadVersions()
	}
}

// loadVersions reads which turns have other versions.
func (c *conversation) loadVersions() {
	id := c.id
	c.do.Go(func() func() {
		store, err := c.engine.Chats()
		if err != nil {
			return nil
		}
		versions, err := store.Versions(context.Background(), id)
		if err != nil {
			return nil // the chat is being deleted and needs no versions
		}
		return func() {
			if c.id == id && c.running == nil {
				c.versions = versions
				c.changed(c)
			}
		}
	})
}

// version returns which version of a turn is shown and how many there are; zeros if there
// is only one.
func (c *conversation) version(turn int) (at, of int) {
	list := c.versions[c.turns[turn].Number]
	return slices.Index(list, c.id) + 1, len(list)
}

// stop cancels the running turn; what the model has said so far is kept.
func (c *conversation) stop() {
	if c.running != nil && !c.running.stopping {
		c.running.stopping = true
		c.running.cancel(context.Canceled)
	}
}

// replaceTurn replaces a turn by asking another question. The turn and those after it stay as
// an earlier version of the chat.
func (c *conversation) replaceTurn(number int, q app.Question) {
	if c.running != nil {
		return
	}
	if i := c.index(number); i >= 0 {
		if c.turns[i].ID != "" { // else the turn was never saved
			q.Instead, c.unasked = number, 0
		}
		c.turns, c.versions = slices.Clip(c.turns[:i]), nil
	}
	c.ask(q)
}

func (c *conversation) index(number int) int {
	for i, t := range c.turns {
		if t.Number == number {
			return i
		}
	}
	return -1
}

// close ends the running turn as interrupted. It does not wait for the turn to be saved:
// the App does, before it closes its stores.
func (c *conversation) close() {
	if c.running == nil {
		return
	}
	r := c.running
	c.running = nil // nothing is drawn any more
	r.cancel(chats.ErrClosing)
}

// load reads a saved chat into an empty conversation. It reads the disk, so it is called
// off the window's thread.
func (c *conversation) load(ctx context.Context, id string) error {
	store, err := c.engine.Chats()
	if err != nil {
		return err
	}
	saved, err := store.Load(ctx, id)
	if err != nil {
		return err
	}
	if c.versions, err = store.Versions(ctx, id); err != nil {
		return err
	}
	info := saved.Info()
	c.id, c.title, c.usage, c.resumable = id, info.Title, info.Usage, c.engine.CanResume(info)
	hosts := map[string]string{}
	for _, t := range saved.Turns {
		host, known := hosts[t.Model]
		if !known {
			host = c.engine.Models().State(ctx, models.Choice{ID: t.Model}).Host
			hosts[t.Model] = host
		}
		c.turns = append(c.turns, answers.SavedTurn(ctx, t, host, c.find))
	}
	c.readScope(ctx)
	return nil
}

// readScope restores the scope of the last turn, and the last person or thread that the
// chat was about.
func (c *conversation) readScope(ctx context.Context) {
	named := func(of app.Scope) scope {
		s := scope{Scope: of}
		if of.Person != (nostr.PubKey{}) {
			s.name = present.NameIn(ctx, c.engine.Notes(), of.Person)
		}
		return s
	}
	for _, t := range c.turns {
		c.scope = named(t.Scope)
		if c.scope.single() {
			c.about = c.scope
		}
	}
}
