package chats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bowerbird/app/agent"
	"bowerbird/llm"
	"bowerbird/ndb/clean"
)

// State is the state of a turn.
type State string

// The states. A turn that is loaded as running was interrupted: the program ended during
// it.
const (
	Running State = "running"
	// Waiting for the user's approval of a call, even while the program does not run.
	Waiting     State = "waiting"
	Done        State = "done"
	Cancelled   State = "cancelled"
	Failed      State = "failed"
	Interrupted State = "interrupted"
)

// Turn is a saved turn.
type Turn struct {
	ID       string
	Number   int // from 1
	Question string
	Asked    time.Time
	Model    string // "provider:name"
	Scope    Scope
	State    State
	Usage    Usage // of its model calls
	// Events are what is needed to show the turn again: each step's text in one piece,
	// calls, and what was shown. Large results of tools are left out, and so is what was
	// withdrawn.
	Events []agent.Event

	messages []llm.Message
	cut      *cutTurn // of the last turn, if it was interrupted
}

// Scope is whose notes a question was about, so that it can be asked again. The zero value
// is the people followed.
type Scope struct {
	Everyone bool   `json:"everyone,omitempty"`
	Thread   string `json:"thread,omitempty"` // a note of the thread, as hex
	Person   string `json:"person,omitempty"` // a key, as hex
}

// Chat is a loaded chat. It is used by one goroutine at a time.
type Chat struct {
	Turns   []Turn
	Damaged []error // a *DamagedError or *NewerError for each turn left out
	Scope   Scope   // of the turn that Record saves next
	Reader  string  // the user's key, saved with the first turn; see Info

	store        *Store
	head         header
	spent        Usage  // of the turns before the one being recorded
	title        string // as last read or written
	conversation agent.Conversation
	err          error
}

// Info returns what lists show of the chat.
func (c *Chat) Info() Info {
	i := c.head.info()
	i.Tainted = i.Tainted || c.conversation.Tainted()
	return i
}

// Conversation returns what the agent continues; the chat keeps it.
func (c *Chat) Conversation() *agent.Conversation { return &c.conversation }

// Renew replaces the frozen part of the prompt if the chat was idle for so long; 0 is
// never. It is saved with the next turn. By then, caches have dropped the chat, and what
// the prompt says about the user may be outdated. Renew reports whether it did.
func (c *Chat) Renew(session string, idle time.Duration) bool {
	now := c.store.opt.Now()
	if idle <= 0 || now.Sub(c.head.Updated) < idle {
		return false
	}
	c.head.Session, c.conversation.Session = session, session
	return true
}

// Err returns the last error of saving, or nil when the last save went well.
func (c *Chat) Err() error { return c.err }

// ErrClosing as the cause that ends a turn's context (context.WithCancelCause) means that
// the program ends: the turn is saved as interrupted or waiting, not as stopped, and Reopen
// takes it up.
var ErrClosing = errors.New("the program is closing")

// titleOf is the title of a chat that begins with a question.
func titleOf(question string) string { return clean.Line(question, 80) }

// put writes values and the header together. It keeps a new name that the chat was given
// meanwhile, and that it was deleted.
func (c *Chat) put(ctx context.Context, values map[string][]byte) error {
	c.store.headers.Lock()
	defer c.store.headers.Unlock()
	if now, err := c.store.header(ctx, c.head.ID); err == nil {
		c.head.Deleted = now.Deleted
		if now.Title != c.title {
			c.head.Title = now.Title
		}
	}
	raw, err := c.store.encodeHeader(c.head)
	if err != nil {
		return err
	}
	values[headerKey(c.head.ID)] = raw
	if err := c.store.bucket.Put(ctx, values); err != nil {
		return err
	}
	c.title = c.head.Title
	return nil
}

// turnValues encodes a turn, with how its last answer ended.
func (s *Store) turnValues(id string, t Turn, last ending) (map[string][]byte, error) {
	record := turnRecord{
		Version: version, ID: t.ID, Question: t.Question, Asked: t.Asked, Model: t.Model,
		Scope: t.Scope, State: t.State, Usage: t.Usage, Events: slices.Clone(t.Events), Messages: ownJSON(t.messages),
	}
	if cutOff(t.State) {
		record.Whole, record.Ended = last.whole, last.why
	}
	// Secrets are removed while the JSON still is as a request would hold it.
	rawJSON(record.Messages, func(_ exactJSON, raw json.RawMessage) json.RawMessage { return s.opt.Redactor.JSON(raw) })
	cutTexts(&record, maxText)
	raw, err := s.encodeTurn(&record)
	for _, slim := range slimming() {
		if err != nil || len(raw) <= maxTurn {
			break
		}
		slim(&record)
		raw, err = s.encodeTurn(&record)
	}
	if err != nil {
		return nil, err
	}
	if len(raw) > maxTurn {
		return nil, fmt.Errorf("it has %d bytes, and %d are the most", len(raw), maxTurn)
	}
	return s.packer.split(id, t.Number, raw)
}

// Usage sums up the model calls of a turn or chat, in tokens and money, as far as their
// providers reported it.
type Usage struct {
	Input   int     `json:"input,omitempty"`
	Output  int     `json:"output,omitempty"`
	Cached  int     `json:"cached,omitempty"`  // of Input: read from a cache
	Written int     `json:"written,omitempty"` // of Input: put into a cache
	Cost    float64 `json:"cost,omitempty"`    // US dollars
	// Unpriced is true if the cost of some call is unknown, so that Cost is not complete.
	Unpriced bool `json:"unpriced,omitempty"`
}

// UsageOf converts what an agent spent.
func UsageOf(s agent.Spent) Usage {
	return Usage{
		Input: s.Usage.Input, Output: s.Usage.Output, Cached: s.Usage.Cached, Written: s.Usage.Written,
		Cost: s.Cost, Unpriced: s.Unpriced,
	}
}

func (u Usage) plus(v Usage) Usage {
	return Usage{
		Input: u.Input + v.Input, Output: u.Output + v.Output, Cached: u.Cached + v.Cached,
		Written: u.Written + v.Written, Cost: u.Cost + v.Cost, Unpriced: u.Unpriced || v.Unpriced,
	}
}

// noModel begins the name of the model without a language model, which costs nothing.
const noModel = "builtin:"

// usageOf sums up the events of a turn. A step whose model call reported no price, or was
// interrupted before it could, makes the turn Unpriced.
func usageOf(model string, events []agent.Event) Usage {
	var spent agent.Spent
	priced := map[int]bool{}
	for _, e := range events {
		if e.Type == agent.EventUsage && e.Usage != nil {
			spent.Add(e.Usage, e.Cost)
			priced[e.Step] = priced[e.Step] || e.Cost != nil
		}
	}
	u := UsageOf(spent)
	if strings.HasPrefix(model, noModel) {
		u.Unpriced = false
		return u
	}
	for _, e := range events {
		switch e.Type {
		case agent.EventFinish: // it knows of what was taken back, too
			u.Unpriced = u.Unpriced || e.Usage != nil && e.Cost == nil
		case agent.EventText, agent.EventReasoning, agent.EventRefusal, agent.EventToolCall:
			u.Unpriced = u.Unpriced || !priced[e.Step]
		}
	}
	return u
}

// usageOfAll sums up turns.
func usageOfAll(turns []Turn) Usage {
	var u Usage
	for _, t := range turns {
		u = u.plus(t.Usage)
	}
	return u
}
