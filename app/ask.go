package app

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/builtin"
	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// Scope is whose notes a question is about if its words do not say. The zero value is the
// people whom the account follows.
type Scope struct {
	Everyone bool         // all stored notes
	Thread   nostr.ID     // a note of the thread that is open; zero for none
	Person   nostr.PubKey // whose profile is open; zero for nobody
}

// env sets whose notes the tools read if a call does not say.
func (s Scope) env(e *tools.Env) {
	e.Open = s.Person
	switch {
	case s.Person != (nostr.PubKey{}):
		e.Scope = tools.ScopeProfile
	case s.Everyone, s.Thread != (nostr.ID{}):
		e.Scope = tools.ScopeAny
	}
}

// looking describes for the model what is open and whose notes are meant.
func (s Scope) looking(open string) string {
	said := ""
	switch {
	case s.Thread != (nostr.ID{}):
		said = "the thread of note " + s.Thread.String() + ": the question is about it unless it says otherwise (get_thread)"
	case s.Person != (nostr.PubKey{}):
		said = "the profile of " + s.Person.Npub() + ": the question is about this person's notes unless it says otherwise (context profile)"
	case s.Everyone:
		said = "the question is about all stored notes, not only those of people followed, unless it says otherwise (context any)"
	}
	if open == "" {
		return said
	}
	if said == "" {
		return open
	}
	return open + "; " + said
}

func (s Scope) builtin() builtin.Scope { return builtin.Scope(s.saved()) }

// saved returns the scope as chats store it.
func (s Scope) saved() chats.Scope {
	c := chats.Scope{Everyone: s.Everyone}
	if s.Thread != (nostr.ID{}) {
		c.Thread = s.Thread.String()
	}
	if s.Person != (nostr.PubKey{}) {
		c.Person = s.Person.String()
	}
	return c
}

// SavedScope returns a scope as chats stored it. What cannot be read is left out.
func SavedScope(c chats.Scope) Scope {
	s := Scope{Everyone: c.Everyone}
	if id, err := nostr.ParseID(c.Thread); err == nil {
		s.Thread = id
	}
	if pk, err := nostr.ParsePubKey(c.Person); err == nil {
		s.Person = pk
	}
	return s
}

// Question is one turn to be asked.
type Question struct {
	Text     string
	Model    models.Choice
	Chat     string         // id of a saved chat to continue; "" starts a new one
	Instead  int            // the turn of Chat that the question replaces, in a branch; 0: it continues
	Scope    Scope          // whose notes are meant if the words do not say
	Looking  string         // what the user has open, in words without text by others; "" for nothing
	Plain    bool           // the answer has no tables and charts, whatever the settings say
	Approver agent.Approver // nil: nothing that needs an approval is run
	// Unattended: the question comes from the clock, and the user may be away. Without an
	// Approver, whatever needs an approval then waits for them.
	Unattended bool
	// Foreign: the text contains words by others, a name or a hashtag, that the user did
	// not type. The chat is tainted from the start.
	Foreign bool
}

// Answer is a turn in progress. It runs while its Events are read.
type Answer struct {
	Chat   *chats.Chat // where it is kept
	Model  llm.Info
	Events iter.Seq[agent.Event]
	// Toolless means that the user allows the model no tools, so that it answers without
	// their notes.
	Toolless bool

	before           []agent.Event
	question, window string // the question, and the language of the window
}

// Ask prepares one turn. Errors before it begins (no such model, no key, no such chat)
// are returned; whatever goes wrong later is an event. The turn is saved as it goes, and
// ends with the App at the latest. Asking counts as presence unless it is Unattended: see
// Visit.
func (a *App) Ask(ctx context.Context, q Question) (*Answer, error) {
	if strings.TrimSpace(q.Text) == "" {
		return nil, errors.New("no question was asked")
	}
	if !q.Unattended {
		if _, err := a.Visit(ctx); err != nil {
			return nil, err
		}
	}
	absent := &pending{}
	if q.Unattended && q.Approver == nil {
		q.Approver = absent
	}
	a.Models().FindOut(ctx, q.Model)
	model, err := a.model(ctx, q.Model, q.Scope)
	if err != nil {
		return nil, err
	}
	chat, err := a.chat(ctx, q.Chat, q.Instead)
	if err != nil {
		return nil, err
	}
	runner, err := a.agent(model, a.Models().Facts(q.Model), chat.Info().ID, q.Plain, q.Approver)
	if err != nil {
		return nil, err
	}
	chat.Renew(a.session(), time.Duration(a.Settings().Assistant.IdleMinutes)*time.Minute)
	env, err := a.Env(ctx)
	if err != nil {
		return nil, err
	}
	q.Scope.env(env)
	turn := agent.Turn{ID: a.opt.NewID(), Question: q.Text, Env: env, Looking: q.Scope.looking(q.Looking)}
	chat.Scope, chat.Reader = q.Scope.saved(), a.myHex()
	if q.Foreign {
		chat.Conversation().Taint()
	}
	info := model.Info()
	run, release := a.turns.begin(models.InTurn(ctx, chat.Info().ID, turn.ID), q.Unattended)
	run, release = absent.over(run, release)
	events := chat.Record(run, turn, info.Provider+":"+info.Name, runner.Run(run, chat.Conversation(), turn))
	if !q.Unattended { // otherwise nobody has seen it yet
		events = a.marking(ctx, events)
	}
	return a.answer(chat, q.Text, info, release, events), nil
}

// answer is a turn that runs while its events are read.
func (a *App) answer(chat *chats.Chat, question string, model llm.Info, release func(), events iter.Seq[agent.Event]) *Answer {
	toolless := a.Settings().OptionsOf(model.Provider+":"+model.Name).Format == config.FormatNone
	return &Answer{Chat: chat, Model: model, Toolless: toolless, question: question, window: a.language(), Events: func(yield func(agent.Event) bool) {
		defer a.turns.read(chat.Info().ID)()
		defer release()
		events(yield)
	}}
}

// Tongue is the language of the question, and so of its answer.
func (a *Answer) Tongue() builtin.Tongue { return builtin.TongueOf(a.question, a.window) }

// Chats returns the saved conversations.
func (a *App) Chats() (*chats.Store, error) {
	if a.chats == nil {
		return nil, errors.New("the chats are not open")
	}
	return a.chats, nil
}

func (a *App) chat(ctx context.Context, id string, instead int) (*chats.Chat, error) {
	store, err := a.Chats()
	if err != nil {
		return nil, err
	}
	if id != "" {
		chat, err := store.Load(ctx, id)
		if err == nil && !chat.Info().Deleted.IsZero() {
			return nil, fmt.Errorf("chat %s was deleted; \"chats undelete %s\" brings it back", id, id)
		}
		if err == nil && instead > 0 {
			return store.Instead(ctx, id, instead)
		}
		return chat, err
	}
	return store.New(a.session())
}

// session is the part of the prompt that is fixed for a chat. It contains no text by
// others, such as the name in a profile.
func (a *App) session() string {
	if a.Me() == (nostr.PubKey{}) {
		return "The user has not said who they are: there is no contact list, and context \"home\" cannot be used."
	}
	return "The user is " + a.Me().Npub() + "."
}
