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
)

// Question is one turn to be asked.
type Question struct {
	Text     string
	Model    models.Choice
	Chat     string         // id of a saved chat to continue; "" starts a new one
	Instead  int            // the turn of Chat that the question replaces, in a branch; 0: it continues
	Scope    Scope          // whose notes are meant if the words do not say
	Looking  string         // what the user has open, in words without text by others; "" for nothing
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
	runner, err := a.agent(model, a.Models().Facts(q.Model), q.Approver)
	if err != nil {
		return nil, err
	}
	chat, err := a.chat(ctx, q.Chat, q.Instead)
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
