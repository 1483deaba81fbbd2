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

// engine is what of the program a conversation works with; *app.App is one.
type engine interface {
	Ask(ctx context.Context, q app.Question) (*app.Answer, error)
	Resume(ctx context.Context, chat string, model models.Choice, approver agent.Approver) (*app.Answer, error)
	CanResume(chat chats.Info) bool
	Chats() (*chats.Store, error)
	Models() *models.Registry
	Notes() *ndb.Store
	Now() time.Time
}

// conversation is a chat that is open: what was asked and answered, and what is
// being answered. Its methods are called on the window's thread.
type conversation struct {
	engine   engine
	do       dispatch.Dispatcher
	find     answers.NoteFinder
	approver agent.Approver
	changed  func(*conversation)

	id       string // of the saved chat; "" while nothing was asked
	title    string // "" until one is known
	turns    []answers.Turn
	versions map[int][]string  // the chats that hold other versions of a turn, by its number: see chats.Versions
	scope    scope             // whose notes the next question is about
	about    scope             // a person or thread that the chat began with
	usage    chats.Usage       // what the turns came to, as far as they ended
	goes     bool              // the last turn was cut off, and can go on
	unasked  int               // the turn in whose place nothing could be asked yet; 0 for none
	foreign  bool              // a question held words by others, also one that could not be asked
	again    answers.Countdown // to the last question being asked again by itself
	agains   int               // how often in a row it was
	running  *running
}

// running is a turn that is being answered.
type running struct {
	question app.Question
	number   int // of the turn, where it is not another version's
	cancel   context.CancelCauseFunc
	done     chan struct{} // closed when the turn is saved
	stopping bool
}

// ask begins a turn. While one is running nothing else can be asked.
func (c *conversation) ask(q app.Question) {
	if c.running != nil {
		return
	}
	if c.unasked > 0 { // what is asked now stands in its place
		q.Instead = c.unasked
		c.turns = slices.DeleteFunc(slices.Clone(c.turns), func(t answers.Turn) bool { return t.Number >= c.unasked })
	}
	c.foreign = c.foreign || q.Foreign
	q.Approver, q.Foreign = c.approver, c.foreign
	q.Chat = c.id
	c.turns = append(slices.Clip(c.turns), c.head(q)) // drawers may hold the turns before
	ctx, cancel := context.WithCancelCause(context.Background())
	c.running = &running{question: q, number: len(c.turns), cancel: cancel, done: make(chan struct{})}
	c.again, c.goes = answers.Countdown{}, false
	go c.run(ctx, c.running)
	c.changed(c)
}

// head is a turn of which nothing is answered yet.
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

// goOn takes up the last turn where it was cut off, with the model that it was asked
// with. What it waits for is asked for again.
func (c *conversation) goOn(failed func(error)) {
	n := len(c.turns)
	if c.running != nil || !c.goes || n == 0 {
		return
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	r := &running{cancel: cancel, number: c.turns[n-1].Number, done: make(chan struct{})}
	c.running, c.goes = r, false
	go c.resume(ctx, r, c.id, c.turns[n-1], failed)
	c.changed(c)
}

// resume is goOn off the window's thread. A turn that could not be taken up stays as it
// was.
func (c *conversation) resume(ctx context.Context, r *running, id string, last answers.Turn, failed func(error)) {
	defer r.cancel(nil)
	answer, err := c.engine.Resume(ctx, id, models.Choice{}, c.approver)
	if err != nil {
		stopped := ctx.Err() != nil // before it could go on
		close(r.done)
		c.do.Do(func() {
			if c.running == r {
				c.running, c.goes = nil, true
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

// paced adds each event as it comes, and shows what they come to once in an interval:
// a turn costs more to make than a word is worth. After the last one nothing is shown.
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

// show puts the newest state of the running turn in the place of the one before.
func (c *conversation) show(r *running, id string, t answers.Turn) {
	if c.running != r {
		return
	}
	c.id = id
	t.Number = c.turns[len(c.turns)-1].Number
	c.turns[len(c.turns)-1] = t
	c.changed(c)
}

// finish ends the running turn; saved is the chat that it is kept in, with an empty ID
// where it could not be asked.
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
	if c.again = answers.CountdownOf(t, c.engine.Now()); !c.again.Runs() {
		c.agains = 0
	} else if c.agains++; c.agains > answers.MostCountdowns {
		c.again, c.agains = answers.Countdown{}, 0
	}
	c.changed(c)
	if r.question.Instead > 0 {
		c.loadVersions()
	}
}

// loadVersions finds out which turns there are other versions of.
func (c *conversation) loadVersions() {
	id := c.id
	c.do.Go(func() func() {
		store, err := c.engine.Chats()
		if err != nil {
			return nil
		}
		versions, err := store.Versions(context.Background(), id)
		if err != nil {
			return nil // it is about to be deleted: nothing leads to versions of it
		}
		return func() {
			if c.id == id && c.running == nil {
				c.versions = versions
				c.changed(c)
			}
		}
	})
}

// version returns which version of a turn is shown, and how many there are; zeros
// where there is one.
func (c *conversation) version(turn int) (at, of int) {
	list := c.versions[c.turns[turn].Number]
	return slices.Index(list, c.id) + 1, len(list)
}

// stop ends the running turn; what was said is kept.
func (c *conversation) stop() {
	if c.running != nil && !c.running.stopping {
		c.running.stopping = true
		c.running.cancel(context.Canceled)
	}
}

// instead asks a question in the place of a turn. What stood there, and what came
// after it, stays as an earlier version of the chat.
func (c *conversation) instead(number int, q app.Question) {
	if c.running != nil {
		return
	}
	if i := c.index(number); i >= 0 {
		if c.turns[i].ID != "" { // else it is saved nowhere
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

// load reads a saved chat into an empty conversation. It reads the disk: it is called
// off the window's thread, before the conversation is shown.
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
	c.id, c.title, c.usage, c.goes = id, info.Title, info.Usage, c.engine.CanResume(info)
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

// readScope takes up what the last turn was about, and which person or thread may be
// asked about again.
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
